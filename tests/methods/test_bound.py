"""The lower bound lies below every optimum, and not far."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.kernels.scaling import standardise
from microagg.methods.bound import MOST_RECORDS, lower_bound
from microagg.methods.exact import exact
from microagg.methods.optimal import optimal_cuts
from tests.methods.test_exact import sum_of_squares

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray


@given(st.integers(2, 11), st.integers(1, 4), st.integers(2, 5), st.integers(0, 2**32 - 1), st.booleans())
def test_no_partition_of_a_tiny_file_falls_below_it(n: int, d: int, k: int, seed: int, whole: bool) -> None:
    k = min(k, n)
    points = np.random.default_rng(seed).lognormal(sigma=2, size=(n, d))
    points = np.round(points) if whole else points
    least = sum_of_squares(points, exact(points, k))
    assert lower_bound(points, k) <= least * (1 + 1e-12)


@given(st.integers(4, 200), st.integers(2, 6), st.integers(0, 2**32 - 1))
def test_on_a_line_it_is_the_optimum(n: int, k: int, seed: int) -> None:
    k = min(k, n)
    axis = np.sort(np.random.default_rng(seed).normal(size=n))
    starts = optimal_cuts(axis, k)
    least = sum_of_squares(axis[:, np.newaxis], np.repeat(np.arange(len(starts)), np.diff(starts, append=n)))
    assert lower_bound(axis[:, np.newaxis], k) == pytest.approx(least, rel=1e-6)


def test_it_is_the_loss_of_one_group_of_equal_distances() -> None:
    corners = np.eye(6)  # a simplex: all pairs √2 apart, so that any group of m loses m − 1
    assert lower_bound(corners, 3) == pytest.approx(4.0)


def test_records_that_are_all_alike_need_lose_nothing() -> None:
    assert lower_bound(np.ones((9, 3)), 3) == 0.0


@pytest.mark.parametrize(("k", "mdav"), [(3, 16.9326), (5, 22.462), (10, 33.193)])
def test_it_is_at_least_seven_tenths_of_what_mdav_loses_on_tarragona(
    tarragona: FloatArray, k: int, mdav: float
) -> None:
    points = standardise(tarragona)
    assert 0.7 < 100 * lower_bound(points, k) / (points**2).sum() / mdav < 1


def test_large_files_are_bounded_by_neighbours_alone() -> None:
    points = np.random.default_rng(0).normal(size=(MOST_RECORDS + 1, 1))
    points = np.hstack([points, points**2])
    assert 0 < lower_bound(points, 3) < (points**2).sum()
