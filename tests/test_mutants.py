"""The changes of `tests.mutants` can still be made: their text stands in the code, their tests are there."""

from __future__ import annotations

import ast

import pytest

from tests.mutants.changes import CHANGES, ROOT, Change


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_a_change_can_be_made_and_the_tests_that_should_notice_are_there(change: Change) -> None:
    assert change.applies(), f"{change.file} has changed: take the change up there, or take it out"
    ast.parse((ROOT / change.file).read_text(encoding="utf-8").replace(change.old, change.new))
    assert change.tests
    for test in change.tests:
        file, _, name = test.partition("::")
        assert (ROOT / file).exists(), test
        assert not name or f"def {name}(" in (ROOT / file).read_text(encoding="utf-8"), test


def test_names_are_told_apart() -> None:
    assert len({change.name for change in CHANGES}) == len(CHANGES)
