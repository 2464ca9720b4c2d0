from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from microagg.kernels.scaling import standardise
from microagg.measures.anonymity import class_sizes, classes, real_anonymity
from microagg.methods.mdav import mdav
from microagg.protection.centroids import centroids


def test_real_anonymity_of_four_records_by_hand():
    """Released (1, 1), (1, 1), (1, 2), (2, 2).

    Knowing both attributes there are 3 distinct records: k′ = 4/3, the smallest class holds 1, and 2
    records sit in classes under 2. Knowing the first only there are 2: k′ = 2, of 3 and 1 records.
    """
    released = np.array([[1.0, 1.0], [1.0, 1.0], [1.0, 2.0], [2.0, 2.0]])
    both = real_anonymity(released, None, k=2)
    assert (both.k_prime, both.smallest_class, both.records_below_k) == (4 / 3, 1, 2)
    assert both.sizes.tolist() == [2, 1, 1]
    first = real_anonymity(released, [0], k=2)
    assert (first.k_prime, first.smallest_class, first.records_below_k) == (2.0, 1, 1)
    assert class_sizes(released).tolist() == [2, 2, 1, 1]


def test_negative_zero_equals_zero():
    assert real_anonymity(np.array([[0.0], [-0.0]]), None, k=2).smallest_class == 2


def test_values_one_bit_apart_are_different():
    assert real_anonymity(np.array([[1.0], [np.nextafter(1.0, 2.0)]]), None, k=2).k_prime == 1.0


@settings(deadline=None)
@given(arrays(np.float64, st.tuples(st.integers(1, 40), st.integers(1, 3)), elements=st.integers(-1, 1)))
def test_classes_are_numpys_distinct_rows_numbered_by_first_appearance(values):
    first, labels = classes(values)
    distinct = np.unique(values + 0.0, axis=0)
    assert len(first) == len(distinct)
    assert (values[first][labels] == values).all()
    assert first.tolist() == [labels.tolist().index(c) for c in range(len(first))]


def test_many_distinct_rows_are_told_apart():
    values = np.random.default_rng(1).normal(size=(20_000, 3))
    first, labels = classes(np.vstack([values, values]))
    assert first.tolist() == list(range(20_000))
    assert labels.tolist() == [*range(20_000), *range(20_000)]


def test_published_real_anonymity_of_mdav_on_water_treatment(water):
    """Nin, table 5, correlated blocks, MDAV k = 25: k′ 25.33 for 1G; the printed 3G of 1.10 is 1.07 here.

    Groups with equal means merge, so the means must be free of rounding noise: with it, 3G comes to 1.06.
    """
    names = ["PH-E", "PH-P", "PH-D", "DQO-E", "COND-P", "COND-D", "DBO-S", "SS-S", "SED-S"]
    values = water.dropna()[names].to_numpy()
    assert len(values) == 380
    released = values.copy()
    for block in ([0, 1, 2], [3, 4, 5], [6, 7, 8]):
        labels = mdav(standardise(values[:, block]), 25)
        released[:, block] = centroids(values[:, block], labels)

    def mean_k_prime(sets):
        return np.mean([real_anonymity(released, known, 25).k_prime for known in sets])

    across = [(a, b, c) for a in range(3) for b, c in ((3, 6), (4, 7), (5, 8))]
    assert mean_k_prime([(0, 1, 2), (3, 4, 5), (6, 7, 8)]) == pytest.approx(25.33, abs=0.005)
    assert mean_k_prime(across) == pytest.approx(1.07, abs=0.005)
