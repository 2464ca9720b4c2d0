"""Size-constrained Lloyd against an exact solver of the assignment, and against MDAV."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linear_sum_assignment

from microagg.errors import Cancelled
from microagg.kernels.scaling import standardise
from microagg.methods.constrained_lloyd import _assign, _measure, constrained_lloyd
from microagg.methods.mdav import mdav


def within(points, labels):
    return sum(
        ((points[labels == g] - points[labels == g].mean(axis=0)) ** 2).sum() for g in np.unique(labels)
    )


def slots_assignment(points, centres, k):
    """Cost of the best assignment: k slots a group to fill, the other records where they like."""
    squared = ((points[:, None] - centres[None]) ** 2).sum(axis=2)
    free = np.repeat(squared.min(axis=1)[:, None], len(points) - k * len(centres), axis=1)
    slots = np.hstack([np.repeat(squared, k, axis=1), free])
    return slots[linear_sum_assignment(slots)].sum()


@pytest.mark.parametrize("k", [2, 3, 6])
def test_an_assignment_is_the_best_that_leaves_every_group_k_records(k):
    points = standardise(np.exp(np.random.default_rng(k).normal(size=(61, 3))))
    labels = mdav(points, k)
    centres, _ = _measure(points, labels)
    assigned = _assign(points, centres, labels, k, candidates=len(centres))
    assert np.bincount(assigned).min() >= k
    cost = ((points - centres[assigned]) ** 2).sum()
    assert cost == pytest.approx(slots_assignment(points, centres, k), rel=1e-9)


@settings(max_examples=40, deadline=None)
@given(
    arrays(
        np.float64, st.tuples(st.integers(4, 30), st.integers(1, 3)), elements=st.integers(-9, 9).map(float)
    ),
    st.integers(2, 10),
    st.integers(1, 5),
)
def test_it_keeps_k_records_a_group_and_never_loses_more_than_mdav(points, k, candidates):
    k = min(k, len(points))
    labels = constrained_lloyd(points, k, candidates=candidates)
    assert np.bincount(labels).min() >= k
    assert within(points, labels) <= within(points, mdav(points, k)) * (1 + 1e-12) + 1e-12


@pytest.mark.parametrize(("k", "below"), [(3, 5.6922), (5, 9.0884), (10, 14.1559)])
def test_it_improves_on_the_reference_losses_of_mdav_on_census(k, below, census):
    points = standardise(census)
    labels = constrained_lloyd(points, k)
    assert np.bincount(labels).min() >= k
    assert 100 * within(points, labels) / (points**2).sum() < below


def test_no_rounds_return_mdav():
    points = np.random.default_rng(0).normal(size=(30, 2))
    np.testing.assert_array_equal(constrained_lloyd(points, 3, rounds=0), mdav(points, 3))


def test_the_result_is_the_same_every_time():
    points = np.random.default_rng(2).normal(size=(120, 3)).round(1)
    np.testing.assert_array_equal(constrained_lloyd(points, 3), constrained_lloyd(points, 3))


def test_progress_ends_at_1_and_may_cancel():
    points = np.random.default_rng(0).normal(size=(50, 2))
    shares = []
    constrained_lloyd(points, 4, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1

    def cancel(_share):
        raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        constrained_lloyd(points, 4, progress=cancel)
