"""Records looked up set by set: equal to all pairs, however the search is done; samples judge the whole."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microagg.kernels.scaling import standardise
from microagg.measures import linkage, lookup
from microagg.measures.knowledge import Knowledge
from microagg.measures.linkage import Linkage, distance_linkage, sample_of
from microagg.measures.lookup import LookUp
from tests.measures.plain import group_means, linkage_credits

SETS = Knowledge.every().sets(4)


def pair(seed: int, n: int = 60, values: str = "whole") -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    original = rng.integers(-3, 4, size=(n, 4)).astype(np.float64)
    if values == "real":
        original = np.exp(rng.normal(size=(n, 4)))
    return original, group_means(original, rng.integers(0, n // 4, size=n))


@settings(deadline=None)
@given(
    st.integers(0, 100),
    st.sampled_from(["whole", "real"]),
    st.sampled_from([(1, 0), (1, 1000), (4, 3), (4096, 256)]),
    st.booleans(),
)
def test_walk_long_walk_and_tree_all_link_as_comparing_all_pairs_does(seed, values, limits, noisy):
    original, protected = pair(seed, values=values)
    if noisy:
        protected = original + np.random.default_rng(seed).normal(scale=0.3, size=original.shape)
    match = LookUp(standardise(protected), standardise(original))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lookup, "STEPS", limits[0])
        patch.setattr(lookup, "FEW", limits[1])
        for known in SETS:
            np.testing.assert_array_equal(match.credit(known), linkage_credits(original, protected, known))


@given(st.integers(0, 50), st.lists(st.integers(0, 59), min_size=1, max_size=20, unique=True))
def test_some_records_get_the_credit_they_have_among_all(seed, some):
    original, protected = pair(seed)
    rows = np.array(sorted(some))
    match = LookUp(standardise(protected), standardise(original), rows, walked=range(4))
    for known in SETS:
        credit = linkage_credits(original, protected, known)[rows]
        np.testing.assert_array_equal(match.credit(known), credit)
    found = distance_linkage(original, protected, SETS, rows=rows)
    means = [linkage_credits(original, protected, known)[rows].mean() for known in SETS]
    np.testing.assert_allclose(found.by_set, means, rtol=1e-12)
    assert found.looked_up == len(rows)


def test_samples_of_records_hit_the_rate_on_average_and_their_error_is_the_spread_they_have():
    original, protected = pair(1, 200, "real")
    exact = distance_linkage(original, protected, SETS).rate
    draws = [
        distance_linkage(original, protected, SETS, rows=sample_of(200, 50, seed)) for seed in range(300)
    ]
    rates = np.array([found.rate for found in draws])
    assert abs(rates.mean() - exact) < 4 * rates.std() / np.sqrt(len(rates))
    stated = np.sqrt(np.mean([found.standard_error**2 for found in draws]))
    assert stated == pytest.approx(rates.std(ddof=1), rel=0.15)


def test_a_sample_of_all_records_is_exact_and_has_no_error():
    original, protected = pair(2)
    found = distance_linkage(original, protected, SETS, rows=sample_of(60, 60))
    np.testing.assert_allclose(found.by_set, distance_linkage(original, protected, SETS).by_set, rtol=1e-12)
    assert found.standard_error == 0.0


def test_errors_of_sampled_sets_and_sampled_records_add_up():
    original, protected = pair(3)
    knowledge = Knowledge.sample(5, 1)
    sets, rows = knowledge.sets(4), sample_of(60, 20)
    by_sets = distance_linkage(original, protected, sets, population=15)
    both = distance_linkage(original, protected, sets, population=15, rows=rows)
    by_rows = distance_linkage(original, protected, sets, rows=rows)
    assert both.standard_error == pytest.approx(
        np.hypot(linkage.sampling_error(both.by_set, 15), by_rows.standard_error)
    )
    assert by_sets.looked_up is None
    assert by_sets.sampled == ""


def test_samples_are_drawn_once_each_and_alike_for_the_same_seed():
    rows = sample_of(1000, 100, 3)
    assert len(np.unique(rows)) == 100
    assert (rows == sample_of(1000, 100, 3)).all()
    assert (rows != sample_of(1000, 100, 4)).any()


def test_what_was_sampled_is_said_with_its_error_in_points():
    assert Linkage(np.array([0.1]), 0.0031, looked_up=10_000).sampled == (
        "on a sample of 10,000 records, ± 0.31"
    )


def test_progress_may_stop_the_walk_through_the_sets():
    class Stopped(Exception):
        pass

    def stop(share: float) -> None:
        if share > 0.5:
            raise Stopped

    with pytest.raises(Stopped):
        distance_linkage(*pair(4), SETS, rows=np.arange(60), progress=stop)
