from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.decomposition import PCA

from microagg.kernels.scaling import standardise
from microagg.measures.structure import structure
from microagg.methods.maximum_distance import maximum_distance
from tests.measures.plain import group_means

tables = arrays(np.float64, st.tuples(st.integers(4, 20), st.integers(2, 4)), elements=st.integers(-9, 9))


def test_checked_figures_of_mfs_md_on_tarragona(tarragona):
    """Mateo-Sanz and Domingo-Ferrer, tables 2 to 4, MFS-MD, k = 3; more digits from an independent check."""
    released = group_means(tarragona, maximum_distance(standardise(tarragona), 3))
    found = structure(tarragona, released)
    assert 100 * found.delta_r == pytest.approx(7.70, abs=0.005)
    assert 100 * found.delta_w == pytest.approx(7.11, abs=0.005)
    assert 100 * found.first_component == pytest.approx(71.93, abs=0.005)
    assert 100 * found.first_component_original == pytest.approx(63.4, abs=0.05)
    assert found.mean_correlation_change == pytest.approx(0.096, abs=0.0005)
    assert found.sd_correlation_change == pytest.approx(0.05, abs=0.005)
    assert found.mean_standard_deviation == pytest.approx(0.92, abs=0.005)


def test_components_are_scikit_learns(census):
    released = group_means(census, np.arange(1080) // 5)
    before, after = (PCA().fit(standardise(values)) for values in (census, released))
    found = structure(census, released)
    assert found.first_component == pytest.approx(after.explained_variance_ratio_[0])
    assert found.first_component_original == pytest.approx(before.explained_variance_ratio_[0])
    moved = np.abs(before.explained_variance_ratio_ - after.explained_variance_ratio_).sum()
    assert found.eigenvalue_loss == pytest.approx(moved)
    loadings = [np.abs(np.sqrt(fit.explained_variance_[0]) * fit.components_[0]) for fit in (before, after)]
    same_side = np.sign(
        before.components_[0] * after.components_[0] * (before.components_[0] @ after.components_[0])
    )
    change = np.abs(loadings[0] - same_side * loadings[1]) / loadings[0]
    assert found.delta_r == pytest.approx(change.mean(), rel=1e-2)


@settings(deadline=None)
@given(tables)
def test_releasing_the_original_keeps_everything(values):
    found = structure(values, values)
    assert found.delta_r == found.delta_w == found.eigenvalue_loss == found.mean_correlation_change == 0.0
    assert np.ptp(values, axis=0).max() == 0 or found.mean_standard_deviation == 1.0


@settings(deadline=None)
@given(tables, st.integers(1, 4))
def test_group_means_never_spread_wider_than_the_records(values, groups):
    found = structure(values, group_means(values, np.arange(len(values)) % groups))
    assert not found.mean_standard_deviation > 1 + 1e-12
    assert 0 <= found.eigenvalue_loss <= 2
    assert 1 / values.shape[1] - 1e-12 <= found.first_component <= 1 + 1e-12


def test_turning_every_attribute_round_changes_nothing(tarragona):
    released = group_means(tarragona, np.arange(834) // 4)
    one, other = structure(tarragona, released), structure(-tarragona, -released)
    assert (one.delta_r, one.delta_w) == pytest.approx((other.delta_r, other.delta_w))


def test_what_one_or_two_attributes_leave_undefined_is_said():
    one = structure(np.array([[1.0], [2.0], [4.0]]), np.array([[1.5], [1.5], [4.0]]))
    assert np.isnan(one.mean_correlation_change)
    assert "correlations" in one.notes
    two = structure(np.eye(3)[:, :2], np.eye(3)[:, :2])
    assert two.mean_correlation_change == 0.0
    assert np.isnan(two.sd_correlation_change)


def test_a_constant_release_is_measured_and_noted():
    found = structure(np.array([[1.0, 4.0], [2.0, 1.0], [3.0, 2.0]]), np.array([[2.0, 2.0]] * 3))
    assert found.mean_standard_deviation == 0.0
    assert found.first_component == 0.5
    assert "constant" in found.notes
