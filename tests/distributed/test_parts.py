"""Parts follow from records and tree alone, and none is too small."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microagg.distributed import parts
from microagg.distributed.ranks import Ranks, marks, tally
from microagg.kernels.reproducible_sums import UNIT, added, exact_sums, rounded
from microagg.kernels.scaling import standardise
from microagg.methods.mdav import mdav
from tests.oracles import sse


def lognormal(n: int, seed: int = 1) -> np.ndarray:
    """Ten lognormal attributes, any two of whose logarithms correlate by 0.5."""
    rng = np.random.default_rng(seed)
    common = rng.normal(size=(n, 1))
    return np.exp(np.sqrt(0.5) * common + np.sqrt(0.5) * rng.normal(size=(n, 10)))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=30), st.integers(0, 29)
)
def test_sums_are_exact_however_they_are_divided(values: list[float], cut: int) -> None:
    column = np.array(values)[:, np.newaxis]
    whole = sum(map(Fraction, values), Fraction(0))
    total = added([exact_sums(column[:cut]), exact_sums(column[cut:])])[0]
    assert Fraction(total, UNIT) == whole
    if abs(whole) < 2**1023:
        assert rounded(total) == float(whole)


def test_parts_are_as_large_as_asked_whatever_the_ties() -> None:
    ids = np.arange(6_000)
    for points in (lognormal(6_000), np.ones((6_000, 2)), np.repeat([[0.0], [1.0], [1.0]], 2_000, axis=0)):
        sizes = np.bincount(parts.part_of(parts.grow(points, ids, 7), points, ids))
        assert len(sizes) == 7
        assert sizes.min() > 700
        assert sizes.max() < 1_000


def test_a_records_part_does_not_depend_on_who_else_is_looked_up() -> None:
    points, ids = standardise(lognormal(3_000)), np.arange(3_000)
    tree = parts.grow(points[::3], ids[::3], 8)
    alone = np.concatenate(
        [parts.part_of(tree, points[i : i + 1], ids[i : i + 1]) for i in range(0, 3_000, 50)]
    )
    assert np.array_equal(alone, parts.part_of(tree, points, ids)[::50])


def test_siblings_take_the_place_of_parts_that_are_too_small() -> None:
    line = np.arange(80.0)[:, np.newaxis]
    tree = parts.grow(line, np.arange(80), 8)
    kept = parts.pruned(tree, [10, 2, 10, 10, 1, 1, 10, 10], least=5)
    assert parts.size(kept) == 5
    assert parts.pruned(kept, [12, 10, 10, 11, 11], least=5) is kept
    assert parts.pruned(tree, [1] * 8, least=50) is None


def test_fifty_thousand_records_in_eight_parts_lose_two_per_cent_more_at_most() -> None:
    points = standardise(lognormal(50_000))
    ids = np.arange(len(points))
    part = parts.part_of(parts.grow(points, ids, 8), points, ids)
    labels = np.empty(len(points), dtype=np.int64)
    for number in range(8):
        rows = np.flatnonzero(part == number)
        labels[rows] = number * len(points) + mdav(points[rows] - points[rows].mean(axis=0), 5)
    assert sse(points, labels) <= 1.02 * sse(points, mdav(points, 5))


@pytest.mark.parametrize("decimals", [1, 8])
def test_ranks_are_off_by_no_more_than_they_say(decimals: int) -> None:
    values = np.random.default_rng(3).lognormal(size=(20_000, 2)).round(decimals)
    scale = marks(values[::10])
    ranks = Ranks(scale, tally(values, scale))
    for j in range(2):
        ordered = np.sort(values[:, j])
        below = np.searchsorted(ordered, values[:, j], "left")
        upto = np.searchsorted(ordered, values[:, j], "right")
        exact = below + (upto - below) / 2 + 0.5
        assert np.abs(ranks.of(values)[:, j] - exact).max() <= ranks.error[j]
    assert ranks.error.max() < 200
