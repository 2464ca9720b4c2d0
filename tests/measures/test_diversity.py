from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import rankdata, wasserstein_distance

from microagg.measures.diversity import diversity

tables = arrays(np.float64, st.tuples(st.integers(1, 40), st.integers(1, 3)), elements=st.integers(-4, 4))


def test_closeness_of_four_records_by_hand():
    """Values 1, 2, 3, 4 in groups {1, 2} and {3, 4}.

    Shares up to each of the four values: file ¼, ½, ¾, 1; first group ½, 1, 1, 1. Earth to move:
    ¼ + ½ + ¼ = 1 over the 3 steps from lowest to highest: ⅓; the second group likewise. In groups {1, 4} and
    {2, 3}: ½, ½, ½, 1 moves ¼ + 0 + ¼ = ½, so 1/6, and 0, ½, 1, 1 moves ¼ + 0 + ¼, so 1/6.
    """
    values = np.array([[1.0], [2.0], [3.0], [4.0]])
    apart = diversity(values, np.array([0, 0, 1, 1]))
    assert apart.emd.ravel() == pytest.approx([1 / 3, 1 / 3])
    assert (apart.t_closeness, apart.t_mean) == pytest.approx((1 / 3, 1 / 3))
    assert diversity(values, np.array([0, 1, 1, 0])).t_closeness == pytest.approx(1 / 6)


def test_average_diversity_of_four_records_by_hand():
    """Two attributes of mean 0 and deviation 1: −1, −1, 1, 1 and −1, 1, −1, 1, in groups {0, 1} and {2, 3}.

    In steps of 0.2 the first has one value in each group, the second two. The fewest over attributes is 1 in
    both: ℓ_avg = 1. Of the second alone it is 2. Distinct ℓ is 1 and 2, p-sensitivity 1.
    """
    values = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])
    labels = np.array([0, 0, 1, 1])
    both = diversity(values, labels)
    assert both.l_avg == 1.0
    assert both.distinct_l.tolist() == [1, 2]
    assert both.p_sensitivity == 1
    assert diversity(values[:, 1:], labels).l_avg == 2.0


@settings(deadline=None)
@given(tables, st.integers(1, 5))
def test_distances_are_scipys_earth_movers_distance_on_ranks(values, groups):
    labels = np.arange(len(values)) % groups
    found = diversity(values, labels)
    for column in range(values.shape[1]):
        dense = rankdata(values[:, column], method="dense") - 1
        ranks = dense / max(1, dense.max())
        for row, label in enumerate(np.unique(labels)):
            expected = wasserstein_distance(ranks[labels == label], ranks)
            assert found.emd[row, column] == pytest.approx(expected, abs=1e-12)
    assert 0 <= found.t_mean <= found.t_closeness + 1e-15 <= 1 + 1e-15


@settings(deadline=None)
@given(tables, st.integers(1, 5))
def test_diversity_lies_between_one_and_the_largest_group(values, groups):
    labels = np.arange(len(values)) % groups
    found = diversity(values, labels)
    assert 1 <= found.l_avg <= np.bincount(labels).max()
    assert found.p_sensitivity == min(
        len(np.unique(values[labels == label, column]))
        for label in np.unique(labels)
        for column in range(values.shape[1])
    )


def test_one_group_is_as_diverse_as_the_file_and_no_distance_from_it(census):
    found = diversity(census[:, 6:], np.zeros(1080, dtype=np.int64))
    assert found.t_closeness == 0.0
    assert found.distinct_l.tolist() == [len(np.unique(column)) for column in census[:, 6:].T]


def test_group_numbers_do_not_matter():
    values = np.array([[1.0], [2.0], [3.0], [4.0]])
    assert (
        diversity(values, np.array([9, 9, -4, -4])).emd == diversity(values, np.array([1, 1, 0, 0])).emd
    ).all()


def test_without_confidential_attributes_nothing_is_defined_and_the_reason_is_given():
    found = diversity(np.empty((4, 0)), np.array([0, 0, 1, 1]))
    assert np.isnan([found.l_avg, found.p_sensitivity, found.t_closeness, found.t_mean]).all()
    assert "confidential" in found.notes["diversity"]


def test_a_constant_attribute_has_one_value_and_no_distance():
    found = diversity(np.ones((4, 1)), np.array([0, 0, 1, 1]))
    assert (found.l_avg, found.p_sensitivity, found.t_closeness) == (1.0, 1.0, 0.0)
