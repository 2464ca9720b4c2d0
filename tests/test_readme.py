"""README is true: its tables are those of the program, and its commands exist."""

from __future__ import annotations

import re
from pathlib import Path

import microagg as ma

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_every_method_stands_in_the_table_with_its_source() -> None:
    for m in ma.METHODS.values():
        assert f"| {m.title} | `{m.name}` | {m.summary} | {m.guarantees} | {m.reference} |" in README


def test_every_measure_stands_in_the_table_with_its_source() -> None:
    for m in ma.MEASURES.values():
        assert f"| {m.title} | `{m.name}` | {m.sentence} | {m.better} | {m.reference} |" in README


def test_the_figures_of_the_example_are_those_of_the_library() -> None:
    result = ma.assess(ma.protect(ma.load_dataset("tarragona"), ma.Plan(method="mdav", k=5)))
    printed = re.search(r"result\.il, result\.dr, result\.score +# (.*)", README)
    assert printed is not None
    assert printed[1] == f"{result.il:.2f}, {result.dr:.2f}, {result.score:.2f}"
