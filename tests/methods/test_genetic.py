"""The genetic search between the fixed-size partition it starts from and the exact optimum of the order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from microagg.errors import Cancelled
from microagg.kernels.scaling import standardise
from microagg.methods.fixed import fixed
from microagg.methods.genetic import genetic
from microagg.methods.optimal import partition_order


def within(points, labels):
    return sum(
        ((points[labels == g] - points[labels == g].mean(axis=0)) ** 2).sum() for g in np.unique(labels)
    )


@st.composite
def problems(draw):
    n, d = draw(st.integers(4, 40)), draw(st.integers(1, 3))
    points = draw(arrays(np.float64, (n, d), elements=st.integers(-20, 20).map(float)))
    return points, draw(st.integers(2, n // 2))


@settings(max_examples=50, deadline=None)
@given(problems(), st.integers(0, 3))
def test_groups_are_runs_of_the_order_with_k_to_2k_minus_1_records(problem, seed):
    points, k = problem
    labels = genetic(points, k, sort="zscores", generations=10, population=8, seed=seed)
    sizes = np.bincount(labels)
    assert k <= sizes.min() <= sizes.max() < 2 * k
    ordered = labels[np.argsort(points.sum(axis=1), kind="stable")]
    assert (np.diff(ordered) >= 0).all()


@pytest.mark.parametrize("generations", [0, 1, 40])
@pytest.mark.parametrize("seed", range(5))
def test_it_never_loses_more_than_the_fixed_size_partitions_it_starts_from(generations, seed):
    points = standardise(np.exp(np.random.default_rng(seed).normal(size=(103, 3))))
    for k in (2, 5, 20):
        labels = genetic(points, k, generations=generations, seed=seed)
        least = min(within(points, fixed(points, k, order=order)) for order in ("ascending", "descending"))
        assert within(points, labels) <= least * (1 + 1e-12)


@pytest.mark.parametrize("cost", ["attributes", "projected"])
def test_it_comes_close_to_the_optimum_and_not_below(cost, tarragona):
    points = standardise(tarragona)
    axis = points.sum(axis=1)
    measured = points if cost == "attributes" else axis[:, None]
    order = np.argsort(axis, kind="stable")
    best = within(measured, partition_order(order, points if cost == "attributes" else axis, 5))
    start = within(measured, fixed(points, 5, sort="zscores", order="descending"))
    found = [within(measured, genetic(points, 5, sort="zscores", cost=cost, seed=seed)) for seed in range(8)]
    assert best * (1 - 1e-9) <= min(found) < best + 0.3 * (start - best)
    assert max(found) < best + 0.8 * (start - best)


def test_a_small_file_is_solved_to_the_optimum():
    points = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0], [13.0], [14.0], [30.0], [31.0], [32.0]])
    assert genetic(points, 3).tolist() == [0] * 3 + [1] * 5 + [2] * 3


def test_the_seed_decides_everything():
    points = np.random.default_rng(2).normal(size=(200, 2))
    np.testing.assert_array_equal(genetic(points, 4, seed=7), genetic(points, 4, seed=7))
    assert (genetic(points, 4, seed=7) != genetic(points, 4, seed=8)).any()


def test_more_generations_never_lose_more():
    points = np.random.default_rng(3).normal(size=(150, 2))
    losses = [within(points, genetic(points, 3, generations=generations)) for generations in (0, 10, 50, 200)]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0]


def test_progress_ends_at_1_and_may_cancel():
    points = np.random.default_rng(0).normal(size=(50, 2))
    shares = []
    genetic(points, 4, generations=20, progress=shares.append)
    assert shares == [(done + 1) / 20 for done in range(20)]

    def cancel(_share):
        raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        genetic(points, 4, progress=cancel)
