"""Ways of making blocks, against the papers' own example and by law."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.errors import PlanError
from microagg.kernels.scaling import standardise
from microagg.preparation.blocks import by_hand, by_rule


def three_by_three() -> np.ndarray:
    """Nine attributes: a1–a3 follow one factor, a4–a6 a second, a7–a9 a third (paper 3, tables 1 and 2)."""
    rng = np.random.default_rng(3)
    factors = rng.normal(size=(500, 3))
    return standardise(np.repeat(factors, 3, axis=1) + 0.1 * rng.normal(size=(500, 9)))


def test_correlated_blocks_are_those_of_paper_3() -> None:
    assert by_rule("correlated:3", three_by_three()) == ((0, 1, 2), (3, 4, 5), (6, 7, 8))


def test_blocks_apart_are_those_of_paper_3() -> None:
    blocks = by_rule("apart:3", three_by_three())
    factors = [{column // 3 for column in block} for block in blocks]
    assert factors == [{0, 1, 2}] * 3


def test_paper_2_takes_contiguous_blocks() -> None:
    assert by_rule("contiguous:3", np.zeros((5, 6))) == ((0, 1, 2), (3, 4, 5))
    assert by_rule("contiguous:4", np.zeros((5, 6))) == ((0, 1, 2, 3), (4, 5))


@given(
    rule=st.sampled_from(["all", "single", "contiguous", "correlated", "apart"]),
    size=st.integers(1, 12),
    p=st.integers(1, 10),
    seed=st.integers(0, 99),
)
def test_every_rule_puts_every_attribute_in_one_block_of_at_most_that_size(
    rule: str, size: int, p: int, seed: int
) -> None:
    points = standardise(np.random.default_rng(seed).integers(0, 3, size=(6, p)).astype(float))
    sized = rule not in ("all", "single")
    blocks = by_rule(f"{rule}:{size}" if sized else rule, points)
    assert sorted(column for block in blocks for column in block) == list(range(p))
    if sized:
        assert max(map(len, blocks)) <= size


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("rows", "no way of making blocks called 'rows'"),
        ("contiguous", "need a size"),
        ("contiguous:0", "need a size"),
        ("contiguous:two", "need a size"),
        ("all:3", "take no size"),
    ],
)
def test_rules_that_do_not_exist_are_refused(rule: str, message: str) -> None:
    with pytest.raises(PlanError, match=message):
        by_rule(rule, np.zeros((3, 2)))


def test_blocks_by_hand_are_taken_as_drawn() -> None:
    assert by_hand([("c", "a"), ("b",)], ("a", "b", "c")) == ((0, 2), (1,))


@pytest.mark.parametrize(
    ("blocks", "message"),
    [
        ([("a", "z")], "'z', which is not among"),
        ([("a", "b"), ("b",)], "'b' stands in more than one"),
        ([("a",)], "'b' is in no block"),
        ([("a", "b"), ()], "empty"),
    ],
)
def test_blocks_by_hand_that_are_no_partition_are_refused(blocks: list, message: str) -> None:
    with pytest.raises(PlanError, match=message):
        by_hand(blocks, ("a", "b"))
