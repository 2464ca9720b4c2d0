"""``microagg app``: the dashboard in a browser."""

from __future__ import annotations

import sys
from pathlib import Path

import typer


def open_dashboard(context: typer.Context) -> None:
    """Open the dashboard; further arguments go to Streamlit, such as --server.port 8600."""
    from streamlit.web import cli as streamlit  # noqa: TID251 - the core works without it

    sys.argv = ["streamlit", "run", str(_entry()), *context.args]
    raise SystemExit(streamlit.main())


def _entry() -> Path:
    """The dashboard's script: inside an installed package, or beside the package in a checkout."""
    package = Path(__file__).parents[1]
    inside = package / "_app" / "app.py"
    return inside if inside.exists() else package.parent / "app.py"
