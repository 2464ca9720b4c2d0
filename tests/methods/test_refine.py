"""Refinement against the definition of the loss, the exact optimum and a plain twin of its local search."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microagg.errors import Cancelled, PlanError
from microagg.kernels.scaling import standardise
from microagg.methods.bound import lower_bound
from microagg.methods.exact import exact
from microagg.methods.mdav import mdav
from microagg.methods.refine import LARGEST_K, Refinement, refine, refined
from microagg.methods.refine_region import empty_region, loss, measure, settle, tally
from tests.methods.test_exact import sum_of_squares

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray, IntArray


def random_partition(n: int, k: int, random: np.random.Generator) -> IntArray:
    """Random groups of k or more, some of them large."""
    groups = int(random.integers(1, n // k + 1))
    labels = np.concatenate([np.repeat(np.arange(groups), k), random.integers(0, groups, n - groups * k)])
    return random.permutation(labels)


def settled_plainly(points: FloatArray, labels: IntArray, k: int) -> IntArray:
    """Move and exchange records while the loss, computed afresh each time, falls; n² k losses a pass."""
    labels, best, n = labels.copy(), sum_of_squares(points, labels), len(labels)
    improved = True
    while improved:
        improved = False
        for i in range(n):
            sizes = np.bincount(labels)
            targets = np.flatnonzero(sizes < 2 * k - 1) if sizes[labels[i]] > k else []
            trials = [np.where(np.arange(n) == i, group, labels) for group in targets if group != labels[i]]
            for j in np.flatnonzero(labels != labels[i]):
                trial = labels.copy()
                trial[[i, j]] = trial[[j, i]]
                trials.append(trial)
            losses = [sum_of_squares(points, trial) for trial in trials]
            if losses and min(losses) < best - 1e-9:
                labels, best, improved = trials[int(np.argmin(losses))], min(losses), True
    return labels


cases = st.tuples(
    st.integers(4, 60),
    st.integers(1, 5),
    st.integers(2, 6),
    st.integers(0, 2**32 - 1),
    st.sampled_from("abcd"),
)


def points_of(case: tuple[int, int, int, int, str]) -> tuple[FloatArray, int, np.random.Generator]:
    n, d, k, seed, kind = case
    random = np.random.default_rng(seed)
    points = random.normal(size=(n, d))
    if kind == "b":
        points = np.round(points)  # many duplicates
    if kind == "c":
        points[:, 0] = 0.0  # a constant column
    if kind == "d":
        points = np.exp(3 * points)  # outliers
    return np.ascontiguousarray(points), min(k, n // 2), random


@given(cases, st.integers(0, 20))
@settings(deadline=None)
def test_groups_keep_k_records_and_the_loss_never_rises(
    case: tuple[int, int, int, int, str], rounds: int
) -> None:
    points, k, random = points_of(case)
    start = random_partition(len(points), k, random)
    found = refine(points, k, start, rounds=rounds)
    assert found.shape == start.shape
    sizes = np.bincount(found)
    assert sizes[sizes > 0].min() >= k
    assert sum_of_squares(points, found) <= sum_of_squares(points, start) * (1 + 1e-12) + 1e-20


@given(cases)
@settings(deadline=None, max_examples=30)
def test_bound_optimum_and_refined_stand_in_that_order(case: tuple[int, int, int, int, str]) -> None:
    points, k, random = points_of((4 + case[0] % 9, *case[1:]))
    least = sum_of_squares(points, exact(points, k))
    found = sum_of_squares(points, refine(points, k, random_partition(len(points), k, random), rounds=20))
    assert lower_bound(points, k) * (1 - 1e-12) <= least * (1 + 1e-12)
    assert least <= found * (1 + 1e-12) + 1e-20


def test_the_optimum_of_tiny_files_is_nearly_always_found() -> None:
    random = np.random.default_rng(5)
    hits = 0
    for _ in range(40):
        points = random.lognormal(size=(12, 3))
        least = sum_of_squares(points, exact(points, 3))
        hits += sum_of_squares(points, refined(points, 3)) <= least * (1 + 1e-9)
    assert hits >= 38


@given(st.integers(4, 14), st.integers(1, 5), st.integers(2, 3), st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=30)
def test_the_local_search_of_a_region_ends_where_its_plain_twin_finds_nothing(
    n: int, d: int, k: int, seed: int
) -> None:
    k = min(k, n // 2)
    random = np.random.default_rng(seed)
    points = random.normal(size=(n, d))
    start = np.repeat(np.arange(n // k), k)
    start = random.permutation(np.concatenate([start, np.arange(n - len(start)) % (n // k)]))
    region = empty_region(d, k, n // k)
    region.coordinates[:, :n], region.group[:n] = points.T, start
    measure(region, n)
    tally(region, n, n // k)
    assert loss(region, n // k) == pytest.approx(sum_of_squares(points, start))
    settle(region, n, n // k, k, 1e-9)
    found = region.group[:n].copy()
    assert loss(region, n // k) == pytest.approx(sum_of_squares(points, found))
    assert np.bincount(found).min() >= k
    assert np.array_equal(settled_plainly(points, found, k), found)


def test_same_seed_and_rounds_give_the_same_bytes_whatever_else_runs(census: FloatArray) -> None:
    points = standardise(census)
    start = mdav(points, 5)
    first = refine(points, 5, start, rounds=10, seed=3)
    others = [
        threading.Thread(target=refine, args=(points, 5, start), kwargs={"rounds": 10}) for _ in range(2)
    ]
    for other in others:
        other.start()
    second = refine(points, 5, start, rounds=10, seed=3)
    for other in others:
        other.join()
    assert first.tobytes() == second.tobytes()
    assert first.tobytes() != refine(points, 5, start, rounds=10, seed=4).tobytes()


@pytest.mark.parametrize(("k", "most"), [(3, 14.9), (5, 20.6), (10, 30.7)])
def test_a_short_run_on_tarragona_beats_every_published_heuristic(
    tarragona: FloatArray, k: int, most: float
) -> None:
    points = standardise(tarragona)
    found = refined(points, k)
    share = 100 * sum_of_squares(points, found) / (points**2).sum()
    assert np.bincount(found, minlength=len(points))[found].min() >= k
    assert 100 * lower_bound(points, k) / (points**2).sum() < share < most


def test_the_scale_of_the_data_does_not_matter(tarragona: FloatArray) -> None:
    points = standardise(tarragona)
    start = mdav(points, 4)
    larger = refine(points * 2.0**40, 4, start, rounds=3)
    assert np.array_equal(refine(points, 4, start, rounds=3), larger)


def test_a_cancelled_run_still_has_its_best_so_far(tarragona: FloatArray) -> None:
    points = standardise(tarragona)
    start = mdav(points, 3)
    run = Refinement(points, 3, start, rounds=10**6)
    losses = [run.sse]
    for _ in range(5):
        run.step()
        losses.append(run.sse)
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0]
    assert run.sse == pytest.approx(sum_of_squares(points, run.labels))


def test_progress_rises_to_one_and_may_stop_the_run(tarragona: FloatArray) -> None:
    points = standardise(tarragona)
    shares: list[float] = []
    refined(points, 3, rounds=30, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1

    def stop(_share: float) -> None:
        raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        refined(points, 3, progress=stop)


def test_time_is_a_cap(tarragona: FloatArray) -> None:
    points = standardise(tarragona)
    start = mdav(points, 3)
    found = refine(points, 3, start, rounds=10**9, seconds=0.2)
    assert sum_of_squares(points, found) < sum_of_squares(points, start)
    assert np.array_equal(refine(points, 3, start, seconds=0.0), np.unique(start, return_inverse=True)[1])


def test_large_groups_of_the_start_are_cut() -> None:
    points = np.random.default_rng(1).normal(size=(300, 2))
    assert np.bincount(refine(points, 5, np.zeros(300, dtype=np.int64), rounds=1)).max() <= 9


def test_the_largest_k_still_works() -> None:
    points = np.random.default_rng(1).normal(size=(3 * LARGEST_K, 2))
    start = np.arange(len(points)) % 3
    found = refine(points, LARGEST_K, start, rounds=0)
    assert np.bincount(found).tolist() == [LARGEST_K] * 3
    assert sum_of_squares(points, found) < 0.8 * sum_of_squares(points, start)


def test_a_file_of_fewer_than_2k_records_stays_one_group() -> None:
    points = np.random.default_rng(1).normal(size=(9, 2))
    assert len(set(refine(points, 5, np.zeros(9, dtype=np.int64)).tolist())) == 1


def test_records_that_are_all_alike_are_left_as_they_are() -> None:
    start = np.repeat(np.arange(20), 5)
    assert np.array_equal(refine(np.ones((100, 3)), 5, start, rounds=5), start)


def test_exactly_2k_records_come_apart_into_their_two_clusters() -> None:
    points = np.array([[0.0], [10.0], [0.1], [10.1], [0.2], [10.2]])
    assert refine(points, 3, np.array([0, 0, 0, 1, 1, 1])).tolist() == [0, 1, 0, 1, 0, 1]


def test_a_start_with_a_small_group_is_refused() -> None:
    with pytest.raises(PlanError, match="a group of 1 records"):
        refine(np.zeros((5, 1)), 2, np.array([0, 0, 1, 1, 2]))


def test_a_k_too_large_for_regions_is_refused() -> None:
    with pytest.raises(PlanError, match="up to k = 250"):
        refine(np.zeros((600, 1)), LARGEST_K + 1, np.zeros(600, dtype=np.int64))
