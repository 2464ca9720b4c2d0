from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest

from microagg.errors import Cancelled
from microagg.methods import optimal
from microagg.methods.optimal import optimal_cuts, optimal_cuts_attributes, partition_order

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray, IntArray


def cost(points: FloatArray, starts: IntArray | list[int]) -> float:
    """Sum of squares within runs, two passes a run."""
    runs = np.split(points.reshape(len(points), -1), list(starts)[1:])
    return float(sum(np.sum((run - run.mean(axis=0)) ** 2) for run in runs))


def least_cost(points: FloatArray, k: int) -> float:
    """Quadratic dynamic programme over all runs of k or more."""
    n = len(points)
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    for j in range(k, n + 1):
        best[j] = min(best[i] + cost(points[i:j], [0]) for i in range(j - k + 1))
    return float(best[n])


def all_partitions(records: list[int], k: int) -> list[list[list[int]]]:
    """Every partition of the records into groups of k or more."""
    if not records:
        return [[]]
    found = []
    for size in range(k - 1, len(records)):
        for others in combinations(records[1:], size):
            group = [records[0], *others]
            rest = [record for record in records if record not in group]
            found += [[group, *partition] for partition in all_partitions(rest, k)]
    return found


@pytest.mark.parametrize("seed", range(12))
def test_no_partition_of_one_attribute_costs_less(seed: int) -> None:
    r = np.random.default_rng(seed)
    n, k = int(r.integers(4, 10)), int(r.integers(2, 4))
    axis = np.sort(r.integers(0, 12, n).astype(float) if seed % 2 else r.normal(size=n))
    costs = [
        sum(np.sum((axis[group] - axis[group].mean()) ** 2) for group in partition)
        for partition in all_partitions(list(range(n)), k)
    ]
    assert cost(axis, optimal_cuts(axis, k)) == pytest.approx(min(costs), abs=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_runs_longer_than_2k_minus_1_gain_nothing(seed: int) -> None:
    r = np.random.default_rng(seed)
    n, k = int(r.integers(2, 60)), int(r.integers(2, 6))
    k = min(k, n)
    axis = np.sort(r.lognormal(sigma=2, size=n))
    points = r.normal(size=(n, 3))
    assert cost(axis, optimal_cuts(axis, k)) == pytest.approx(least_cost(axis, k), rel=1e-12)
    assert cost(points, optimal_cuts_attributes(points, k)) == pytest.approx(least_cost(points, k), rel=1e-12)


@pytest.mark.parametrize("k", [2, 3, 7, 20, 64])
@pytest.mark.parametrize("family", ["normal", "integers", "lognormal", "descending", "constant"])
def test_the_narrowed_search_finds_the_cost_of_the_plain_one(
    k: int, family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in (2 * k - 1, 2 * k, 3 * k + 1, 1000):
        r = np.random.default_rng(n)
        axis = {
            "normal": np.sort(r.normal(size=n)),
            "integers": np.sort(r.integers(0, 30, n).astype(float)),
            "lognormal": np.sort(r.lognormal(sigma=3, size=n)) + 1e6,
            "descending": -np.sort(r.normal(size=n)),
            "constant": np.full(n, 0.3),
        }[family]
        monkeypatch.setattr(optimal, "NARROWED", 10**9)
        expected = cost(axis, optimal_cuts(axis, k))
        monkeypatch.setattr(optimal, "NARROWED", 2)
        starts = optimal_cuts(axis, k)
        assert cost(axis, starts) == pytest.approx(expected, rel=1e-11, abs=1e-25)
        sizes = np.diff(starts, append=n)
        assert sizes.min() >= min(k, n)
        assert sizes.max() < max(2 * k, n if n < 2 * k else 0)


@pytest.mark.parametrize("k", [3, 30])
@pytest.mark.parametrize("offset", [1e9, -1e9])
def test_a_large_common_offset_costs_nothing(k: int, offset: float) -> None:
    axis = np.sort(np.random.default_rng(1).integers(0, 100_000, 2000)).astype(float)
    assert np.array_equal(optimal_cuts(axis, k), optimal_cuts(axis + offset, k))


def test_one_attribute_gives_the_same_cost_by_either_function() -> None:
    axis = np.sort(np.random.default_rng(2).normal(size=500))
    by_attributes = optimal_cuts_attributes(axis[:, np.newaxis], 4)
    assert cost(axis, by_attributes) == pytest.approx(cost(axis, optimal_cuts(axis, 4)), rel=1e-12)


def test_ties_go_to_the_shortest_last_group() -> None:
    assert optimal_cuts(np.zeros(7), 2).tolist() == [0, 3, 5]
    assert optimal_cuts_attributes(np.zeros((7, 2)), 2).tolist() == [0, 3, 5]


@pytest.mark.parametrize("n", [5, 8, 9])
def test_fewer_than_2k_records_are_one_group(n: int) -> None:
    axis = np.arange(float(n))
    assert optimal_cuts(axis, 5).tolist() == [0]
    assert optimal_cuts_attributes(axis[:, np.newaxis], 5).tolist() == [0]


def test_unsorted_records_get_the_labels_of_their_place_in_the_order() -> None:
    axis = np.array([9.0, 1.0, 2.0, 8.0])
    assert partition_order(np.argsort(axis), axis, 2).tolist() == [1, 0, 0, 1]
    points = np.column_stack([axis, -axis])
    assert partition_order(np.argsort(axis), points, 2).tolist() == [1, 0, 0, 1]


def test_progress_rises_and_may_cancel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optimal, "STEPS", 1000)
    axis = np.arange(5000.0)
    for k in (5, 50):
        for run in (
            lambda k, report: optimal_cuts(axis, k, progress=report),
            lambda k, report: optimal_cuts_attributes(axis[:, np.newaxis], k, progress=report),
        ):
            shares: list[float] = []
            run(k, shares.append)
            assert len(shares) > 3
            assert shares == sorted(shares)
            assert shares[-1] == 1.0

            def stop(_share: float) -> None:
                raise Cancelled("Stopped.")

            with pytest.raises(Cancelled):
                run(k, stop)
