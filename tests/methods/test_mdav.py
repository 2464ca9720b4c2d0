from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from microagg.errors import Cancelled
from microagg.kernels import exact_sum
from microagg.kernels.scaling import standardise
from microagg.methods import mdav_tree
from microagg.methods.mdav import build_groups, group_the_rest, mdav
from microagg.methods.vmdav import vmdav
from tests.methods import plain

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray, IntArray

TAILS = ("generic", "join nearest")


def by_kernel(kernel: str, points: FloatArray, k: int, tail: str) -> IntArray:
    """MDAV by one of the two kernels from the first record to the last."""
    labels = np.full(len(points), -1)
    total = exact_sum.sum_of(points)
    pair_from = 3 * k if tail == "generic" else 2 * k
    if kernel == "tree":
        mdav_tree.build_groups(points, k, pair_from, labels, total, 2 * k)
    else:
        build_groups(points, k, pair_from, labels, total)
    return group_the_rest(points, k, labels)


FAMILIES = {
    "normal": lambda r, n, d: r.normal(size=(n, d)),
    "integers": lambda r, n, d: r.integers(0, 4, (n, d)).astype(float),
    "binary": lambda r, n, d: r.integers(0, 2, (n, d)).astype(float),
    "standardised binary": lambda r, n, d: standardise(r.integers(0, 2, (n, d)).astype(float)),
    "rounded": lambda r, n, d: np.round(r.normal(size=(n, d)), 1),
    "duplicates": lambda r, n, d: r.normal(size=(max(1, n // 6), d))[r.integers(0, max(1, n // 6), n)],
    "constant": lambda _, n, d: np.full((n, d), 0.1),
    "constant columns": lambda r, n, d: r.normal(size=(n, d)) * (np.arange(d) % 2),
    "large offset": lambda r, n, d: r.integers(0, 3, (n, d)) + 1e9,
    "offset": lambda r, n, d: r.normal(size=(n, d)) + 1e6,
    "tiny": lambda r, n, d: r.normal(size=(n, d)) * 1e-30,
    "cauchy": lambda r, n, d: r.standard_cauchy((n, d)),
    "lognormal": lambda r, n, d: standardise(r.lognormal(sigma=2, size=(n, d))),
    "one hot": lambda r, n, d: np.eye(d)[r.integers(0, d, n)],
    "clusters": lambda r, n, d: r.integers(-2, 3, (n, 1)) * 10.0 + r.normal(size=(n, d)) / 10,
    "line": lambda _, n, d: np.linspace(-1, 1, n)[:, np.newaxis] * np.ones(d),
    "wide": lambda r, n, d: r.normal(size=(n, d)) * 10.0 ** r.integers(-8, 9, d),
}


def random_case(seed: int) -> tuple[FloatArray, int, str]:
    """Any of the families, in any size that the plain twin can follow."""
    r = np.random.default_rng(seed)
    n, d = int(r.integers(2, 150)), int(r.integers(1, 13))
    k = int(r.integers(2, min(n, 12) + 1))
    family = sorted(FAMILIES)[seed % len(FAMILIES)]
    return np.ascontiguousarray(FAMILIES[family](r, n, d)), k, TAILS[seed // len(FAMILIES) % 2]


def differing(seeds: range) -> list[int]:
    """Seeds for which a kernel and the plain twin differ in any record."""
    different = []
    for seed in seeds:
        points, k, tail = random_case(seed)
        twin = plain.mdav(points, k, tail)
        if any(not np.array_equal(by_kernel(kernel, points, k, tail), twin) for kernel in ("plain", "tree")):
            different.append(seed)
    return different


def loss(points: FloatArray, labels: IntArray) -> float:
    """Share of the sum of squares that lies within groups."""
    within = sum(np.sum((g - g.mean(axis=0)) ** 2) for g in (points[labels == l] for l in np.unique(labels)))
    return float(within / np.sum((points - points.mean(axis=0)) ** 2))


@pytest.mark.parametrize(
    ("name", "k", "percent"),
    [
        *(("census", k, p) for k, p in [(3, 5.6922), (4, 7.4947), (5, 9.0884), (10, 14.1559)]),
        *(("tarragona", k, p) for k, p in [(3, 16.9326), (4, 19.546), (5, 22.462), (10, 33.193)]),
        *(("eia", k, p) for k, p in [(3, 0.4829), (4, 0.6713), (5, 1.6667), (10, 3.8397)]),
    ],
)
def test_loss_equals_the_values_known_from_the_literature(
    name: str, k: int, percent: float, request: pytest.FixtureRequest
) -> None:
    points = standardise(request.getfixturevalue(name))
    half_a_digit = 0.5 * 10.0 ** -(4 if name != "tarragona" else 3)
    assert 100 * loss(points, mdav(points, k)) == pytest.approx(percent, abs=1.01 * half_a_digit)


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize(("weight", "expected"), [(0, (0.0999, 0.3706)), (1, (0.3581, 0.0734))])
def test_distortions_equal_those_printed_in_paper_2(
    census: FloatArray, tail: str, weight: int, expected: tuple[float, float]
) -> None:
    """Statistical Dependence, k = 10 on Census; 1080 is a multiple of 2k, so both tails end alike."""
    parts = [standardise(census[:, :6]), standardise(census[:, 6:])]
    labels = mdav(parts[weight], 10, tail=tail)
    assert [loss(part, labels) for part in parts] == pytest.approx(expected, abs=5e-5)


def test_both_kernels_equal_the_plain_definition_record_by_record() -> None:
    assert differing(range(510)) == []


@pytest.mark.nightly
def test_both_kernels_equal_the_plain_definition_on_ten_thousand_inputs() -> None:
    assert differing(range(510, 10_510)) == []


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_the_tree_equals_the_plain_kernel_through_several_rebuilds(family: str) -> None:
    r = np.random.default_rng(7)
    points = np.ascontiguousarray(FAMILIES[family](r, 4000, 3))
    assert np.array_equal(by_kernel("tree", points, 3, "generic"), by_kernel("plain", points, 3, "generic"))


@pytest.mark.parametrize("family", ["normal", "lognormal", "one hot", "integers"])
def test_the_tree_equals_the_plain_kernel_on_many_attributes(family: str) -> None:
    points = np.ascontiguousarray(FAMILIES[family](np.random.default_rng(9), 2000, 50))
    assert np.array_equal(by_kernel("tree", points, 4, "generic"), by_kernel("plain", points, 4, "generic"))


def test_the_choice_of_kernel_does_not_show() -> None:
    points = np.random.default_rng(3).normal(size=(2 * mdav_tree.fewest(5), 4))
    assert np.array_equal(mdav(points, 5), by_kernel("plain", points, 5, "generic"))


@pytest.mark.parametrize("gamma", [0.0, 0.2, 1.1, 3.0])
def test_vmdav_equals_the_plain_definition_record_by_record(gamma: float) -> None:
    for seed in range(4 * len(FAMILIES)):
        points, k, _ = random_case(seed)
        assert np.array_equal(vmdav(points, k, gamma=gamma), plain.vmdav(points, k, gamma)), seed


@pytest.mark.parametrize("family", ["normal", "rounded", "lognormal", "duplicates"])
def test_vmdav_equals_the_plain_definition_through_several_rebuilds(family: str) -> None:
    points = np.ascontiguousarray(FAMILIES[family](np.random.default_rng(8), 1500, 3))
    assert np.array_equal(vmdav(points, 3, gamma=1.1), plain.vmdav(points, 3, 1.1))


def test_vmdav_takes_in_the_record_that_fixed_sizes_leave_alone() -> None:
    points = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [9.0], [9.1]])
    assert sorted(np.bincount(vmdav(points, 2, gamma=1.1))) == [2, 2, 3]
    assert loss(points, vmdav(points, 2, gamma=1.1)) < loss(points, mdav(points, 2))


def test_fewer_than_k_left_over_join_the_nearest_group_in_the_tail_of_paper_2() -> None:
    points = np.array([[0.0], [0.1], [10.0], [10.1], [5.2]])
    assert mdav(points, 2, tail="join nearest").tolist() == [0, 0, 1, 1, 1]


@pytest.mark.parametrize("solve", [mdav, vmdav])
def test_the_points_are_not_changed(solve: object) -> None:
    for d in (1, 3):
        points = np.random.default_rng(d).normal(size=(5000, d))
        before = points.copy()
        solve(points, 4)  # type: ignore[operator]
        assert np.array_equal(points, before)


@pytest.mark.parametrize(("n", "d"), [(1000, 2), (30_000, 3), (3000, 25)])
def test_progress_rises_to_the_share_of_grouped_records(n: int, d: int) -> None:
    shares: list[float] = []
    mdav(np.random.default_rng(0).normal(size=(n, d)), 5, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] > 1 - 10 / n


@pytest.mark.parametrize("solve", [mdav, vmdav])
@pytest.mark.parametrize("n", [1000, 30_000])
def test_a_run_can_be_cancelled_from_its_progress(solve: object, n: int) -> None:
    def stop(_share: float) -> None:
        raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        solve(np.random.default_rng(0).normal(size=(n, 3)), 5, progress=stop)  # type: ignore[operator]


def test_the_exact_sum_forgets_what_was_taken_away() -> None:
    r = np.random.default_rng(0)
    points = r.normal(size=(300, 2)) * 10.0 ** r.integers(-12, 13, (300, 1))
    total = exact_sum.sum_of(points)
    for record in points[:299]:
        exact_sum.add(total, record, -1.0)
    mean = np.empty(2)
    exact_sum.mean(total, 1, mean)
    assert np.array_equal(mean, points[299])
