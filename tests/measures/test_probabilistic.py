"""Linkage by agreement: EM against closed form, textbook and recordlinkage; links against all pairs."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from microagg.errors import PlanError
from microagg.kernels.scaling import standardise
from microagg.measures import probabilistic
from microagg.measures.knowledge import Knowledge
from microagg.measures.matching import scaled_sides
from microagg.measures.probabilistic import agreement_model, fit_agreement, probabilistic_linkage
from microagg.methods.mdav import mdav
from tests.measures.plain import agreement_credits, expectation_maximisation, group_means

tables = arrays(np.float64, st.tuples(st.integers(2, 25), st.integers(1, 4)), elements=st.integers(-3, 3))


def test_four_records_by_hand():
    """Originals 0, 0, 1, 3 are z = −0.816, −0.816, 0, 1.633; released 0, 0, 2, 2 are −1, −1, 1, 1.

    Within 0.2 deviations released records 0 and 1 agree with originals 0 and 1 (0.184 apart) and nothing
    else agrees. Agreement outweighs disagreement, so 0 and 1 each pick one of two: ½. For 2 and 3 all four
    originals weigh the same: ¼. PLD = (½ + ½ + ¼ + ¼)/4 = 0.375. Within 0.1 nothing agrees: ¼ for all.
    """
    original = np.array([[0.0], [0.0], [1.0], [3.0]])
    released = np.array([[0.0], [0.0], [2.0], [2.0]])
    assert probabilistic_linkage(original, released, ((0,),), tolerance=0.2).rate == 0.375
    assert probabilistic_linkage(original, released, ((0,),)).rate == 0.25


def test_estimation_recovers_the_probabilities_that_made_the_counts():
    """Closed form: counts that are exactly N·(π Πm + (1 − π) Πu) have those m, u and π as their maximum."""
    m, u, share = np.array([0.95, 0.8, 0.9, 0.7]), np.array([0.05, 0.2, 0.1, 0.3]), 0.1
    patterns = np.array(list(product([0.0, 1.0], repeat=4)))

    def chance(p):
        return np.prod(np.where(patterns > 0, p, 1 - p), axis=1)

    counts = np.round(1e12 * (share * chance(m) + (1 - share) * chance(u))).astype(np.int64)
    model = fit_agreement(patterns, counts, prevalence=0.01, tolerance=1e-12, most=20_000)
    assert model.converged
    np.testing.assert_allclose(model.m, m, atol=1e-6)
    np.testing.assert_allclose(model.u, u, atol=1e-6)
    assert model.prevalence == pytest.approx(share, abs=1e-6)


def test_estimation_is_recordlinkages():
    """The same counts given to recordlinkage 0.16, pair by pair, gave these.

    ECMClassifier(init="jaro", max_iter=20000, atol=1e-12), under pandas 2.3.3 because it asks for pandas
    below 3. It too starts from m = 0.9, u = 0.1 and a prevalence of 0.1, and smooths counts a little. The
    counts are four attributes of Census against its MDAV release, k = 5.
    """
    patterns = np.array(list(product([0.0, 1.0], repeat=4)))[:, ::-1]
    counts = [1024975, 52190, 3990, 635, 14830, 2055, 1385, 305, 5590, 510, 6065, 990, 960, 85, 43455, 8380]
    model = fit_agreement(patterns, np.array(counts), prevalence=0.1, tolerance=1e-12, most=20_000)
    recorded = [0.1598061848, 0.9817667658, 0.8797274011, 0.9687599986]
    np.testing.assert_allclose(model.m, recorded, rtol=1e-5)
    recorded = [0.0500311963, 0.0040259244, 0.0154018675, 0.0055061655]
    np.testing.assert_allclose(model.u, recorded, rtol=1e-5)
    assert model.prevalence == pytest.approx(0.0530578771, rel=1e-5)


def test_each_step_of_estimation_is_the_textbooks_on_every_pair():
    rng = np.random.default_rng(3)
    pairs = (rng.random((500, 3)) < np.where(rng.random((500, 1)) < 0.2, 0.8, 0.15)).astype(np.float64)
    patterns, counts = np.unique(pairs, axis=0, return_counts=True)
    for steps in (1, 7, 40):
        model = fit_agreement(patterns, counts, prevalence=0.05, tolerance=0.0, most=steps)
        m, u, share = expectation_maximisation(pairs, 0.05, np.full(3, 0.9), np.full(3, 0.1), steps)
        np.testing.assert_allclose(model.m, m, rtol=1e-9)
        np.testing.assert_allclose(model.u, u, rtol=1e-9)
        assert model.prevalence == pytest.approx(share, rel=1e-9)
        assert not model.converged


@settings(deadline=None)
@given(tables, st.sampled_from([0.0, 0.1, 0.7]), st.integers(0, 2**20))
def test_links_are_those_of_weighing_all_pairs(original, tolerance, seed):
    protected = np.random.default_rng(seed).permutation(original)
    known = tuple(range(original.shape[1]))
    model = agreement_model(original, protected, known, tolerance=tolerance)
    plain = agreement_credits(original, protected, tolerance, model.m, model.u)
    rate = probabilistic_linkage(original, protected, (known,), tolerance=tolerance).rate
    assert rate == pytest.approx(plain.mean(), abs=1e-12)
    assert 0 <= rate <= 1


def test_census_links_are_those_of_weighing_all_pairs_for_several_sets(census):
    protected = group_means(census, mdav(standardise(census), 5))
    sets = ((0, 3, 5), (1, 4, 10, 12), tuple(range(13)))
    found = probabilistic_linkage(census, protected, sets)
    for known, rate in zip(sets, found.by_set, strict=True):
        model = agreement_model(census, protected, known)
        one, other = census[:, known], protected[:, known]
        assert rate == pytest.approx(agreement_credits(one, other, 0.1, model.m, model.u).mean(), abs=1e-12)


def test_the_reverse_direction_swaps_the_files(tarragona):
    original, protected = tarragona[:80, :4], group_means(tarragona[:80, :4], np.arange(80) // 4)
    sets = Knowledge.up_to(2).sets(4)
    reverse = probabilistic_linkage(original, protected, sets, direction="original to protected")
    swapped = probabilistic_linkage(protected, original, sets)
    assert (reverse.by_set == swapped.by_set).all()


def test_releasing_distinct_originals_links_everybody():
    original = np.random.default_rng(0).normal(size=(60, 5)) * 100
    assert probabilistic_linkage(original, original, (tuple(range(5)),), tolerance=0.0).rate == 1.0


def test_a_constant_release_leaves_only_chance():
    original = np.array([[-1.0], [-1.0], [1.0], [1.0]])
    assert probabilistic_linkage(original, np.ones((4, 1)), ((0,),)).rate == 0.25


def test_a_file_of_many_attributes_is_not_measured_and_says_why():
    values = np.random.default_rng(0).normal(size=(5, 63))
    found = probabilistic_linkage(values, values, (tuple(range(63)),))
    assert np.isnan(found.rate)
    assert "62" in found.notes["sets"]


def test_sampled_sets_have_a_standard_error():
    values = np.random.default_rng(0).normal(size=(30, 4))
    sample = Knowledge.sample(6, 2)
    found = probabilistic_linkage(values, values.round(1), sample.sets(4), population=sample.population(4))
    assert found.standard_error >= 0


def test_a_negative_tolerance_is_refused():
    with pytest.raises(PlanError, match="tolerance"):
        probabilistic_linkage(np.eye(3), np.eye(3), ((0,),), tolerance=-0.1)


def test_both_sides_are_scaled_by_their_own_mean_and_deviation():
    desk, candidates = scaled_sides(
        np.array([[0.0], [2.0]]), np.array([[10.0], [30.0]]), "protected to original"
    )
    assert desk.tolist() == candidates.tolist() == [[-1.0], [1.0]]


def test_a_sample_of_all_records_finds_what_all_records_do():
    rng = np.random.default_rng(0)
    original = rng.normal(size=(50, 4)).round(1)
    released = (original + rng.normal(scale=0.1, size=original.shape)).round(1)
    sets = ((0, 1), (0, 1, 2, 3))
    whole = probabilistic_linkage(original, released, sets)
    found = probabilistic_linkage(original, released, sets, rows=np.arange(50))
    np.testing.assert_allclose(found.by_set, whole.by_set, rtol=1e-12)
    assert (found.standard_error, found.looked_up) == (0.0, 50)


def test_samples_of_records_estimate_the_rate_and_state_their_error():
    rng = np.random.default_rng(1)
    original = rng.normal(size=(200, 4))
    released = original + rng.normal(scale=0.05, size=original.shape)
    sets = (tuple(range(4)),)
    exact = probabilistic_linkage(original, released, sets).rate
    draws = [
        probabilistic_linkage(original, released, sets, rows=rng.choice(200, 80, replace=False))
        for _ in range(60)
    ]
    rates = np.array([found.rate for found in draws])
    assert rates.mean() == pytest.approx(exact, abs=0.05)  # the model is estimated anew from each sample
    assert np.mean([found.standard_error for found in draws]) == pytest.approx(rates.std(), rel=0.5)


def test_patterns_that_would_fill_the_memory_are_not_counted(monkeypatch):
    monkeypatch.setattr(probabilistic, "MOST_BYTES", 100)
    found = probabilistic_linkage(np.eye(9), np.eye(9), ((0, 1),))
    assert np.isnan(found.rate)
    assert "GB of memory" in found.notes["memory"]
