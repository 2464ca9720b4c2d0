"""The computation knows neither the dashboard nor its charts, and everything has a room (`lint-imports`)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "microagg"
BLOCKED = """
import sys
for name in ("streamlit", "plotly"):
    sys.modules[name] = None
import pandas as pd
import microagg as ma
data = ma.Microdata.from_frame(pd.DataFrame({"a": [1.5, 2, 9, 10], "b": [3.0, 1, 4, 1]}))
print(ma.assess(ma.protect(data, ma.Plan(k=2))).il >= 0)
"""


def test_the_core_protects_and_assesses_with_streamlit_and_plotly_blocked() -> None:
    done = subprocess.run([sys.executable, "-c", BLOCKED], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def test_nothing_lies_loose_beside_the_rooms_and_the_pages() -> None:
    assert {file.name for file in PACKAGE.glob("*.py")} == {"__init__.py", "errors.py"}
    assert {file.name for file in (PACKAGE / "ui").glob("*.py")} == {"__init__.py"}


def test_each_page_has_a_folder_of_its_own() -> None:
    pages = {file.stem for file in PACKAGE.with_name("pages").glob("*.py")}
    assert pages <= {folder.name for folder in (PACKAGE / "ui").iterdir() if folder.is_dir()}
