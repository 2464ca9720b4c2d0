"""Scales, against scikit-learn and SciPy, and where they lose digits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from microagg.kernels.scaling import deviations, min_max, ranks, standardise

values = arrays(np.float64, st.tuples(st.integers(2, 20), st.integers(1, 3)), elements=st.integers(-99, 99))


@given(values=values)
def test_standardising_equals_scikit_learn(values: np.ndarray) -> None:
    np.testing.assert_allclose(standardise(values), StandardScaler().fit_transform(values), atol=1e-12)


@given(values=values)
def test_min_max_equals_scikit_learn(values: np.ndarray) -> None:
    np.testing.assert_allclose(min_max(values), MinMaxScaler().fit_transform(values), atol=1e-12)


def test_constant_attributes_become_zeros() -> None:
    constant = np.full((5, 1), 0.1 + 0.2)
    for scale in (standardise, min_max, ranks):
        assert (scale(constant) == 0).all()
    assert deviations(constant).tolist() == [0.0]


def test_a_large_offset_costs_no_digits() -> None:
    small = np.random.default_rng(1).integers(0, 1000, size=(50, 2)).astype(float)
    np.testing.assert_allclose(standardise(small + 1e12), standardise(small), atol=1e-12)


def test_tied_values_share_their_rank() -> None:
    assert ranks(np.array([[5.0], [1], [5], [9]])).ravel() == pytest.approx([0.5, 0, 0.5, 1])


@pytest.mark.parametrize("size", [1e-300, 1e-170, 1e170, 1e300])
def test_magnitudes_whose_squares_are_no_numbers_are_scaled_all_the_same(size: float) -> None:
    values = np.array([[1.0], [-1.0], [3.0], [0.5]])
    np.testing.assert_allclose(standardise(values * size), standardise(values), rtol=1e-14)
    np.testing.assert_allclose(deviations(values * size), deviations(values) * size, rtol=1e-14)
