from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import r2_score

from microagg.kernels.scaling import standardise
from microagg.measures.loss import (
    distortion,
    information_loss,
    released_loss,
    sums_of_squares,
    within_by_attribute,
)
from microagg.measures.moments import correlations, relative_change
from microagg.methods.mdav import mdav
from tests.measures.plain import group_means

tables = arrays(np.float64, st.tuples(st.integers(4, 12), st.integers(1, 4)), elements=st.integers(-20, 20))


@settings(deadline=None)
@given(tables, st.integers(1, 4))
def test_within_and_between_sums_of_squares_add_up_to_the_total(values, groups):
    labels = np.arange(len(values)) % groups
    sse, sst = sums_of_squares(values, labels)
    between = np.square(group_means(values, labels) - values.mean(axis=0)).sum()
    assert sse + between == pytest.approx(sst, abs=1e-9)
    assert within_by_attribute(values, labels).sum() == pytest.approx(sse)


def test_a_large_common_offset_does_not_disturb_the_sums():
    values, labels = np.array([[0.0], [2.0], [10.0], [12.0]]), np.array([0, 0, 1, 1])
    assert sums_of_squares(values + 1e9, labels) == (4.0, 104.0)


def test_distortion_of_constant_points_is_zero():
    assert distortion(np.ones((4, 2)), np.array([0, 0, 1, 1])) == 0.0


@settings(deadline=None)
@given(tables, st.integers(1, 4))
def test_loss_of_released_group_means_equals_the_partitions(values, groups):
    labels = np.arange(len(values)) % groups
    loss = released_loss(values, group_means(values, labels))
    assert loss.total == pytest.approx(distortion(standardise(values), labels), abs=1e-9)
    assert -1e-12 <= loss.total <= 1 + 1e-12


def test_loss_is_one_minus_scikit_learns_r2_for_any_release(tarragona):
    rng = np.random.default_rng(0)
    noisy = tarragona + rng.normal(size=tarragona.shape) * tarragona.std(axis=0)
    expected = 1 - r2_score(tarragona, noisy, multioutput="raw_values")
    np.testing.assert_allclose(released_loss(tarragona, noisy).by_attribute, expected, rtol=1e-10)


def test_a_changed_constant_attribute_counts_for_nothing_and_is_told():
    original = np.array([[1.0, 5.0], [2.0, 5.0]])
    loss = released_loss(original, np.array([[1.0, 5.0], [2.0, 6.0]]))
    assert loss.total == 0.0
    assert "constant" in loss.notes


@pytest.mark.parametrize(("k", "expected"), [(3, 16.9326), (5, 22.462), (10, 33.193)])
def test_checked_losses_of_mdav_on_tarragona(tarragona, k, expected):
    """Reference values, computed independently of this project."""
    points = standardise(tarragona)
    assert 100 * distortion(points, mdav(points, k)) == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize(("k", "expected"), [(3, 5.6922), (4, 7.4947), (5, 9.0884), (10, 14.1559)])
def test_checked_losses_of_mdav_on_census(census, k, expected):
    """Reference values, computed independently of this project."""
    points = standardise(census)
    assert 100 * distortion(points, mdav(points, k)) == pytest.approx(expected, abs=5e-5)


def test_information_loss_of_four_records_by_hand():
    """One attribute 1, 2, 4, 0 released as 1.5, 1.5, 2, 2.

    IL1: 0.5/1, 0.5/2, 2/4, and 1 for the zero that became 2: (0.5 + 0.25 + 0.5 + 1)/4 = 0.5625.
    Means 1.75 and 1.75: IL2 = 0. Variances 35/16 and 1/16: IL3 = IL4 = 34/35. No pairs: IL5 is not defined,
    so IL = 100·(0.5625 + 0 + 34/35 + 34/35)/4.
    IL1s: (0.5 + 0.5 + 2 + 2)/4 / (√2·√(35/16)).
    """
    loss = information_loss(np.array([[1.0], [2], [4], [0]]), np.array([[1.5], [1.5], [2], [2]]))
    assert loss.il1 == 0.5625
    assert loss.il2 == 0.0
    assert (loss.il3, loss.il4) == pytest.approx((34 / 35, 34 / 35))
    assert np.isnan(loss.il5)
    assert loss.il == pytest.approx(25 * (0.5625 + 68 / 35))
    assert loss.il1s == pytest.approx(1.25 / np.sqrt(2 * 35 / 16))
    assert (loss.zero_cells, loss.zero_cells_changed) == (1, 1)
    assert set(loss.notes) == {"il1", "il5"}


def test_information_loss_follows_the_definitions_word_for_word(tarragona):
    protected = group_means(tarragona, np.arange(len(tarragona)) // 5)
    keep = (tarragona != 0).all(axis=1)
    original, protected = tarragona[keep], protected[keep]
    loss = information_loss(original, protected)
    covariance, after = np.cov(original.T), np.cov(protected.T)
    upper, pairs = np.triu_indices(13), np.triu_indices(13, 1)
    assert loss.il1 == pytest.approx(np.mean(np.abs(original - protected) / np.abs(original)))
    means, means_after = original.mean(0), protected.mean(0)
    assert loss.il2 == pytest.approx(np.mean(np.abs(means - means_after) / np.abs(means)))
    assert loss.il3 == pytest.approx(np.mean(np.abs(covariance - after)[upper] / np.abs(covariance)[upper]))
    assert loss.il4 == pytest.approx(np.mean(1 - after.diagonal() / covariance.diagonal()))
    r, r_after = np.corrcoef(original.T), np.corrcoef(protected.T)
    assert loss.il5 == pytest.approx(np.mean(np.abs(r - r_after)[pairs]))
    spread = original.std(axis=0)
    assert loss.il1s == pytest.approx(np.mean(np.abs(original - protected) / (np.sqrt(2) * spread)))
    parts = [loss.il1, loss.il2, loss.il3, loss.il4, loss.il5]
    assert loss.il == pytest.approx(20 * sum(parts))
    assert loss.il_scale_free == pytest.approx(20 * (sum(parts) - loss.il1 + loss.il1s))


@settings(deadline=None)
@given(tables)
def test_releasing_the_original_loses_nothing(values):
    loss = information_loss(values, values)
    assert loss.il == 0.0
    assert loss.il_scale_free == 0.0


@settings(deadline=None)
@given(tables, st.integers(1, 4))
def test_means_of_standardised_data_are_kept_though_they_are_zero_up_to_rounding(values, groups):
    points = standardise(values)
    assert information_loss(points, group_means(points, np.arange(len(values)) % groups)).il2 == 0.0


@settings(deadline=None)
@given(tables, st.integers(-1000, 1000), st.sampled_from([0.25, 2.0, 1024.0]))
def test_shift_and_unit_leave_the_scale_free_part_alone(values, shift, unit):
    released = group_means(values, np.arange(len(values)) % 2)
    before = information_loss(values, released)
    after = information_loss(values * unit + shift, released * unit + shift)
    assert after.il1s == pytest.approx(before.il1s, abs=1e-9)


def test_correlations_match_numpy_and_a_constant_attribute_correlates_zero(census):
    np.testing.assert_allclose(correlations(census), np.corrcoef(census.T), atol=1e-12)
    assert correlations(np.array([[1.0, 3.0], [2.0, 3.0]])).tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_relative_change_of_zero_is_zero_or_one():
    assert relative_change(np.array([0.0, 0.0, -2.0]), np.array([0.0, 1e-3, -3.0])).tolist() == [0, 1, 0.5]


@pytest.mark.parametrize("size", [1e-300, 1e-170, 1e170, 1e300])
def test_information_loss_does_not_depend_on_magnitudes_whose_squares_are_no_numbers(size: float) -> None:
    original = np.array([[1.0, 2.0], [-1.0, 5.0], [3.0, 4.0], [0.5, -3.0]])
    protected = np.array([[0.0, 3.5], [0.0, 3.5], [1.75, 0.5], [1.75, 0.5]])
    one, other = (
        information_loss(o, p) for o, p in ((original, protected), (original * size, protected * size))
    )
    for part in ("il1", "il2", "il3", "il4", "il5", "il1s"):
        assert getattr(other, part) == pytest.approx(getattr(one, part), rel=1e-12, abs=1e-12)


def test_a_change_beyond_all_numbers_is_infinite_without_a_warning() -> None:
    loss = information_loss(np.array([[1e-300], [1e300]]), np.array([[5e299], [5e299]]))
    assert loss.il1 == np.inf
    assert loss.il2 == 0


def test_changes_whose_sum_is_beyond_all_numbers_give_an_infinite_loss_without_a_warning() -> None:
    loss = information_loss(np.array([[1e-8], [1e-8], [1e-8], [1e300]]), np.full((4, 1), 1e300))
    assert loss.il1 == np.inf
