"""``microagg app``: the dashboard in a browser."""

from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path
from typing import Annotated

import typer

from microagg.distributed.result_folder import RESULT, opened_result


def open_dashboard(
    context: typer.Context,
    result: Annotated[
        str, typer.Option(help="Folder written by protect --engine dask, shown on the Data page.")
    ] = "",
) -> None:
    """Open the dashboard; further arguments go to Streamlit, such as --server.port 8600."""
    if result:
        opened_result(result)  # refused here, not on the page
        os.environ[RESULT] = str(Path(result).resolve())
    sys.argv = ["streamlit", "run", str(_entry()), *context.args]
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)


def _entry() -> Path:
    """The dashboard's script: inside an installed package, or beside the package in a checkout."""
    package = Path(__file__).parents[1]
    inside = package / "_app" / "app.py"
    return inside if inside.exists() else package.parent / "app.py"
