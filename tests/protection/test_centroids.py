"""Centroids against NumPy's own mean and median, exact fractions, and the promises the release rests on."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from microagg.errors import PlanError
from microagg.protection.centroids import centroids

tables = st.integers(1, 30).flatmap(
    lambda n: st.tuples(
        arrays(np.float64, (n, 2), elements=st.floats(-1e12, 1e12, allow_subnormal=False)),
        arrays(np.int64, n, elements=st.integers(-3, 3)),
    )
)


@given(tables)
def test_means_are_the_exact_means_up_to_rounding(table):
    values, labels = table
    released = centroids(values, labels)
    for label in set(labels.tolist()):
        members = values[labels == label]
        for j in range(2):
            exact = sum(map(Fraction, members[:, j].tolist())) / len(members)
            assert abs(Fraction(released[labels == label][0, j]) - exact) <= 1e-13 * float(
                np.abs(members[:, j]).max()
            )


@given(tables)
def test_medians_are_those_of_numpy(table):
    values, labels = table
    released = centroids(values, labels, "median")
    for label in set(labels.tolist()):
        expected = np.median(values[labels == label], axis=0)
        np.testing.assert_allclose(released[labels == label][0], expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("aggregate", ["mean", "median"])
@given(table=tables)
def test_every_member_gets_the_same_bits(table, aggregate):
    values, labels = table
    released = centroids(values, labels, aggregate)
    for label in set(labels.tolist()):
        assert len({row.tobytes() for row in released[labels == label]}) == 1


@pytest.mark.parametrize("aggregate", ["mean", "median"])
@given(value=st.floats(-1e300, 1e300), size=st.integers(1, 50))
def test_a_group_that_agrees_releases_exactly_its_value(value, size, aggregate):
    released = centroids(np.full((size, 1), value), np.zeros(size, dtype=np.int64), aggregate)
    assert (released == value).all()


def test_a_large_common_offset_costs_no_digits():
    values = 1e15 + np.array([[0.0], [1.0], [5.0], [2.0]])
    assert centroids(values, np.zeros(4, dtype=np.int64))[0, 0] == 1e15 + 2


def test_the_numbering_of_groups_does_not_matter():
    values = np.random.default_rng(1).normal(size=(20, 3))
    labels = np.repeat([0, 1, 2, 3], 5)
    renamed = np.array([7, -2, 40, 5])[labels]
    np.testing.assert_array_equal(centroids(values, labels), centroids(values, renamed))


def test_an_unknown_aggregate_is_refused_by_name():
    with pytest.raises(PlanError, match=r"'trimmed'.*mean, median"):
        centroids(np.zeros((2, 1)), np.zeros(2, dtype=np.int64), "trimmed")
