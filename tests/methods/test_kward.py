"""k-Ward against a search over all pairs at every join, and against what its definition promises."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from microagg.errors import Cancelled
from microagg.kernels.scaling import standardise
from microagg.methods.kward import kward, kward_univariate
from microagg.methods.maximum_distance import maximum_distance


def plain_kward(points, axis, k):
    """Algorithm 1, a search over all pairs at every join; the groups as sets of records."""

    def cost(one, other):
        squared = 0.0
        for a, b in zip(one[1].tolist(), other[1].tolist(), strict=True):
            squared += (a - b) ** 2
        return squared * (len(one[0]) * len(other[0]) / (len(one[0]) + len(other[0])))

    def split(records):
        if len(records) < 2 * k:
            return [records]
        if (points[records] == points[records[0]]).all():
            whole = len(records) // k
            cuts = [*(k * cut for cut in range(whole)), len(records)]
            return [records[start:stop] for start, stop in pairwise(cuts)]
        order = sorted(records, key=lambda i: (axis[i], i))
        groups = [(sorted(end), points[end].mean(axis=0)) for end in (order[:k], order[-k:])]
        groups += [([i], points[i]) for i in order[k:-k]]
        while any(len(members) < k for members, _ in groups):
            groups.sort(key=lambda group: group[0][0])
            _, i, j = min(
                (cost(groups[i], groups[j]), i, j)
                for j in range(len(groups))
                for i in range(j)
                if min(len(groups[i][0]), len(groups[j][0])) < k
            )
            (low, centre), (high, other) = groups[i], groups[j]
            both = sorted(low + high)
            groups[i] = both, centre + (other - centre) * (len(high) / len(both))
            del groups[j]
        return [part for members, _ in groups for part in split(members)]

    return {frozenset(group) for group in split(list(range(len(points))))}


def as_sets(labels):
    return {frozenset(np.flatnonzero(labels == label).tolist()) for label in set(labels.tolist())}


@st.composite
def problems(draw, elements, most=24):
    n, d = draw(st.integers(4, most)), draw(st.integers(1, 3))
    points = draw(arrays(np.float64, (n, d), elements=elements))
    return points, draw(st.integers(2, max(2, n // 3)))


@given(problems(st.integers(-2, 2).map(float)))
@example((np.zeros((11, 1)), 2))
def test_every_join_is_the_cheapest_of_all_pairs_even_among_ties(problem):
    points, k = problem
    assert as_sets(kward(points, k, first="attribute", attribute=points[:, 0])) == plain_kward(
        points, points[:, 0], k
    )


@pytest.mark.parametrize("seed", range(12))
def test_every_join_is_the_cheapest_of_all_pairs_on_skewed_records(seed):
    points = standardise(np.exp(np.random.default_rng(seed).normal(size=(60, 1 + seed % 4))))
    for k in (2, 3, 8):
        labels = kward(points, k, first="zscores")
        assert as_sets(labels) == plain_kward(points, points.sum(axis=1), k)


def test_a_record_may_join_a_full_group_beyond_a_nearer_one_that_weighs_more():
    # Joining 0 to the five at 0.95 adds 5/6 · 0.95² = 0.752, to the three at 1 only 3/4 · 1² = 0.75.
    axis = np.array([-9.0] * 3 + [0.0] + [0.95] * 5 + [1.0] * 3)
    labels = kward(axis[:, None], 3, first="attribute", attribute=axis)
    assert labels.tolist() == [0] * 3 + [1] + [2] * 5 + [1] * 3


@given(
    problems(st.floats(-50, 50), most=40), st.sampled_from(["first component", "zscores", "maximum distance"])
)
def test_every_group_has_at_least_k_and_fewer_than_2k_records(problem, first):
    points, k = problem
    sizes = np.bincount(kward(points, k, first=first))
    assert sizes.min() >= k
    assert sizes.max() < 2 * k
    if first != "maximum distance":
        sizes = np.bincount(kward_univariate(points, k, sort=first))
        assert sizes.min() >= k
        assert sizes.max() < 2 * k


def test_the_univariate_kind_sees_nothing_but_the_axis():
    points = standardise(np.random.default_rng(5).normal(size=(50, 4)))
    axis = points[:, 2]
    labels = kward_univariate(points, 3, sort="attribute", attribute=axis)
    np.testing.assert_array_equal(labels, kward(axis[:, None], 3, first="attribute", attribute=axis))


@pytest.mark.parametrize("grown_first", ["lower record", "higher record"])
def test_the_most_distant_records_grow_their_groups_as_in_mfs_md(grown_first):
    # Exactly 2k records: k-Ward has nothing left to join.
    points = np.random.default_rng(6).normal(size=(12, 2))
    labels = kward(points, 6, first="maximum distance", grown_first=grown_first)
    if grown_first == "lower record":
        assert as_sets(labels) == as_sets(maximum_distance(points, 6))
    reversed_ = kward(points[::-1].copy(), 6, first="maximum distance", grown_first=grown_first)
    other = "higher record" if grown_first == "lower record" else "lower record"
    assert as_sets(reversed_[::-1]) == as_sets(kward(points, 6, first="maximum distance", grown_first=other))


def test_which_extreme_grows_first_matters_on_tarragona(tarragona):
    points = standardise(tarragona)
    lower, higher = (
        kward(points, 3, first="maximum distance", grown_first=grown_first)
        for grown_first in ("lower record", "higher record")
    )
    assert as_sets(lower) != as_sets(higher)


def test_records_that_all_coincide_are_cut_at_once():
    assert np.bincount(kward(np.zeros((4001, 2)), 4)).tolist() == [4] * 999 + [5]


def test_progress_never_falls_and_may_cancel():
    points = np.random.default_rng(0).normal(size=(1500, 2))
    shares = []
    kward(points, 4, progress=shares.append)
    assert len(shares) > 2
    assert shares == sorted(shares)
    assert shares[-1] <= 1

    def cancel(share):
        if share > 0.4:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        kward(points, 4, progress=cancel)
