"""The exact partition against every partition, listed one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.errors import PlanError
from microagg.methods.exact import exact
from microagg.methods.optimal import optimal_cuts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from microagg.kernels.compiled import FloatArray, IntArray


def sum_of_squares(points: FloatArray, labels: IntArray) -> float:
    """Straight from the definition."""
    return sum(
        float(((points[labels == g] - points[labels == g].mean(axis=0)) ** 2).sum()) for g in set(labels)
    )


def all_partitions(n: int) -> Iterator[list[int]]:
    """Every partition of n records, as restricted growth strings."""

    def grow(start: list[int]) -> Iterator[list[int]]:
        if len(start) == n:
            yield start
            return
        for group in range(max(start, default=-1) + 2):
            yield from grow([*start, group])

    return grow([])


@given(st.integers(2, 7), st.integers(1, 3), st.integers(2, 4), st.integers(0, 2**32 - 1), st.booleans())
def test_no_partition_of_all_loses_less(n: int, d: int, k: int, seed: int, whole: bool) -> None:
    k = min(k, n)
    points = np.random.default_rng(seed).normal(size=(n, d))
    points = np.round(points) if whole else points
    partitions = (np.array(labels) for labels in all_partitions(n))
    least = min(sum_of_squares(points, p) for p in partitions if np.bincount(p).min() >= k)
    found = exact(points, k)
    assert np.bincount(found).min() >= k
    assert sum_of_squares(points, found) == pytest.approx(least, rel=1e-9, abs=1e-12)


@given(st.integers(2, 14), st.integers(2, 5), st.integers(0, 2**32 - 1))
def test_on_a_line_it_equals_the_optimal_cuts(n: int, k: int, seed: int) -> None:
    k = min(k, n)
    axis = np.sort(np.random.default_rng(seed).lognormal(size=n))
    starts = optimal_cuts(axis, k)
    cuts = np.repeat(np.arange(len(starts)), np.diff(starts, append=n))
    points = axis[:, np.newaxis]
    assert sum_of_squares(points, exact(points, k)) == pytest.approx(sum_of_squares(points, cuts), rel=1e-9)


def test_records_that_are_all_alike_make_groups_of_k() -> None:
    assert np.bincount(exact(np.zeros((9, 2)), 3)).min() >= 3


def test_fewer_than_2k_records_are_one_group() -> None:
    assert exact(np.arange(5.0)[:, np.newaxis], 3).tolist() == [0] * 5


def test_more_records_than_can_be_tried_are_refused() -> None:
    with pytest.raises(PlanError, match="at most 16 records"):
        exact(np.zeros((17, 1)), 2)
