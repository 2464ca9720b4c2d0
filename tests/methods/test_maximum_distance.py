"""MFS-MD against a plain account that measures every pair in every round, and against printed losses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from microagg.errors import Cancelled
from microagg.kernels.scaling import standardise
from microagg.methods.maximum_distance import maximum_distance


def squared_distances(points, centre):
    """Summed column by column, as the definition of a tie must not depend on NumPy's order of summation."""
    total = np.zeros(len(points))
    for j in range(points.shape[1]):
        total += (points[:, j] - centre[j]) ** 2
    return total


def plain_maximum_distance(points, k):
    """Algorithm 2 with the maximum-distance criterion: every pair, every round."""
    n = len(points)
    pairs = np.array([squared_distances(points, point) for point in points])
    labels, groups, free = np.full(n, -1), 0, np.ones(n, dtype=bool)
    while free.sum() >= 2 * k:
        low, high = np.unravel_index(np.where(np.outer(free, free), pairs, -1).argmax(), pairs.shape)
        free[[low, high]] = False
        if low == high:  # all free records coincide
            high = np.flatnonzero(free)[0]
            free[high] = False
        for seed in (low, high):
            centre, size = points[seed].copy(), 1
            labels[seed] = groups
            while size < k:
                record = np.where(free, squared_distances(points, centre), np.inf).argmin()
                free[record], labels[record] = False, groups
                size += 1
                centre += (points[record] - centre) / size
            groups += 1
    left = np.flatnonzero(free)
    if len(left) >= k:
        labels[left] = groups
        return labels
    centres = np.array([points[labels == group].mean(axis=0) for group in range(groups)])
    for record in left:
        labels[record] = squared_distances(centres, points[record]).argmin()
    return labels


@st.composite
def problems(draw, elements):
    n, d = draw(st.integers(4, 40)), draw(st.integers(1, 3))
    return draw(arrays(np.float64, (n, d), elements=elements)), draw(st.integers(2, n // 2))


@given(problems(st.integers(-3, 3).map(float)))
def test_ties_and_duplicates_are_resolved_as_in_the_plain_account(problem):
    points, k = problem
    np.testing.assert_array_equal(maximum_distance(points, k), plain_maximum_distance(points, k))


@pytest.mark.parametrize("shape", [(300, 2), (301, 11), (299, 5)])
@pytest.mark.parametrize("kind", ["normal", "lognormal", "sphere", "cauchy"])
def test_lazy_bounds_change_no_group(shape, kind):
    points = np.random.default_rng(shape[0]).normal(size=shape)
    if kind == "lognormal":
        points = np.exp(points)
    elif kind == "sphere":
        points /= np.linalg.norm(points, axis=1, keepdims=True)
    elif kind == "cauchy":
        points = np.random.default_rng(7).standard_cauchy(shape)
    points = standardise(points)
    for k in (2, 3, 7):
        np.testing.assert_array_equal(maximum_distance(points, k), plain_maximum_distance(points, k))


@pytest.mark.parametrize(("k", "printed"), [(3, 15.60), (4, 19.27), (5, 22.67)])
def test_the_loss_on_tarragona_is_the_printed_one(tarragona, k, printed):
    points = standardise(tarragona)
    labels = maximum_distance(points, k)
    within = sum(
        ((points[labels == g] - points[labels == g].mean(axis=0)) ** 2).sum() for g in set(labels.tolist())
    )
    assert round(100 * within / (points**2).sum(), 2) == printed


@given(problems(st.floats(-100, 100)))
def test_every_group_has_at_least_k_records(problem):
    points, k = problem
    assert np.bincount(maximum_distance(points, k)).min() >= k


def test_fewer_than_2k_records_form_one_group():
    assert maximum_distance(np.arange(5.0)[:, None], 3).tolist() == [0] * 5


def test_records_left_over_join_the_closest_group():
    points = np.array([[0.0], [1.0], [10.0], [11.0], [8.0]])
    assert maximum_distance(points, 2).tolist() == [0, 0, 1, 1, 1]


def test_progress_rises_from_0_to_1_and_may_cancel():
    points = np.random.default_rng(0).normal(size=(200, 3))
    shares = []
    maximum_distance(points, 4, progress=shares.append)
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[-1] <= 1

    def cancel(share):
        if share > 0.5:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        maximum_distance(points, 4, progress=cancel)
