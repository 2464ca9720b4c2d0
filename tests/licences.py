"""The licence of each dependency as its metadata say: ``python -m tests.licences`` prints the table."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import metadata
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def requirements() -> list[str]:
    """What the library and the dashboard need, and what its extra for Dask adds, as pyproject says it."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    return [*project["dependencies"], *project["optional-dependencies"]["dask"]]


def licence(name: str) -> str:
    """The expression where there is one, else the short text, else the classifier."""
    declared = metadata(name)
    classifiers = [c.rpartition(" :: ")[2] for c in declared.get_all("Classifier", []) if "License" in c]
    text = declared.get("License-Expression") or declared.get("License") or ""
    return text if text and len(text) < 80 and "\n" not in text else ", ".join(classifiers)


def table() -> str:
    """Name, lowest version and licence of each, in Markdown."""
    rows = []
    for requirement in sorted(requirements()):
        name, lowest = re.split(r">=", requirement.partition(",")[0])
        rows.append(f"| {name} | {lowest} | {licence(name.partition('[')[0])} |")
    return "\n".join(["| package | from version | licence |", "|---|---|---|", *rows])


if __name__ == "__main__":
    print(table())
