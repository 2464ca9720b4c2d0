"""The computation knows neither the dashboard nor its charts."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

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


def imported(file: Path) -> set[str]:
    """Modules that a file names in its imports, anywhere in it, relative ones by their full names."""
    package = (PACKAGE.name, *file.relative_to(PACKAGE).parent.parts) if file.is_relative_to(PACKAGE) else ()
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            names |= {module} | {f"{module}.{alias.name}" for alias in node.names}
    return names


ALLOWED = {
    "figures": {"plotly"},
    "ui": {"plotly", "streamlit"},
    "cli": {"streamlit"},
}
FORBIDDEN_INSIDE = {
    "methods": (
        "microagg.measures",
        "microagg.model.microdata",
        "microagg.protection.protect",
        "microagg.figures",
        "microagg.ui",
    ),
    "measures": (
        "microagg.methods",
        "microagg.model.microdata",
        "microagg.protection.protect",
        "microagg.figures",
        "microagg.ui",
    ),
    "figures": ("microagg.ui",),
    "ui": (),
    "io": ("microagg.protection.protect", "microagg.figures", "microagg.ui"),
}
ABOVE = ("microagg.ui",)
"""What no other part may import; pages and the dashboard's command come from above."""


@pytest.mark.parametrize("file", sorted(PACKAGE.rglob("*.py")), ids=lambda f: str(f.relative_to(PACKAGE)))
def test_imports_point_one_way(file: Path) -> None:
    part = file.relative_to(PACKAGE).parts[0]
    names = imported(file)
    drawn = {name.partition(".")[0] for name in names} & {"streamlit", "plotly"}
    assert drawn <= ALLOWED.get(part, set())
    if part in ("methods", "measures"):
        assert "pandas" not in {name.partition(".")[0] for name in names}
    assert not [name for name in names if name.startswith(FORBIDDEN_INSIDE.get(part, ABOVE))]


def test_every_part_that_is_ruled_is_there_and_every_way_to_import_is_seen(tmp_path: Path) -> None:
    parts = {file.relative_to(PACKAGE).parts[0] for file in PACKAGE.rglob("*.py")}
    assert FORBIDDEN_INSIDE.keys() | ALLOWED.keys() <= parts
    outside = tmp_path / "one.py"
    outside.write_text("import a.b\nfrom c import d\ndef f():\n    import e as g\n")
    assert imported(outside) == {"a.b", "c", "c.d", "e"}
