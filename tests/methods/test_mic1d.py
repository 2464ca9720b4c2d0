"""Mic1D-k against the paper's steps carried out in exact fractions, and against checked figures."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from microagg.errors import DataError, PlanError
from microagg.methods.mic1d import mic1d
from microagg.model.microdata import Microdata
from microagg.model.plan import Plan
from microagg.protection.protect import protect

WATER_COLUMNS = ["PH-E", "PH-P", "PH-D", "DQO-E", "COND-P", "COND-D", "DBO-S", "SS-S", "SED-S"]
CENSUS_COLUMNS = [1, 10, 8, 2, 6, 11, 12, 9, 7]
CORRELATED_1G = [(0, 1, 2), (3, 4, 5), (6, 7, 8)]


def exact(cells: list[Fraction], k: int) -> list[Fraction]:
    """The paper's section 3, one step a line, without rounding."""

    def cut(vector: list[Fraction]) -> list[list[int]]:
        order = sorted(range(len(vector)), key=lambda i: vector[i])
        return [order[start : start + k] for start in range(0, len(order), k)]

    def normalise(vector: list[Fraction], parts: list[list[int]]) -> list[Fraction]:
        out = list(vector)
        for part in parts:
            low, high = min(vector[i] for i in part), max(vector[i] for i in part)
            for i in part:
                out[i] = Fraction(1, 2) if low == high else (vector[i] - low) / (high - low)
        return out

    def restore(vector: list[Fraction], parts: list[list[int]], before: list[Fraction]) -> list[Fraction]:
        out = list(vector)
        for part in parts:
            low, high = min(before[i] for i in part), max(before[i] for i in part)
            for i in part:
                out[i] = low + (high - low) * vector[i]
        return out

    first = cut(cells)
    normalised = normalise(cells, first)
    second = cut(normalised)
    twice = normalise(normalised, second)
    for part in second:
        mean = sum(twice[i] for i in part) / len(part)
        for i in part:
            twice[i] = mean
    return restore(restore(twice, second, normalised), first, cells)


@given(
    # Quotients of small integers round alike when they are equal, so a tie is a tie in both accounts.
    arrays(
        np.float64, st.tuples(st.integers(1, 12), st.integers(2, 4)), elements=st.integers(-9, 9).map(float)
    ),
    st.integers(2, 48),
)
def test_it_follows_the_paper_step_by_step(values, k):
    k = min(k, values.size)
    expected = exact([Fraction(value) for value in values.ravel().tolist()], k)
    np.testing.assert_allclose(mic1d(values, k).ravel(), [float(value) for value in expected], atol=1e-12)


def real_anonymity(released, groups):
    """Mean over the groups of columns of records per distinct released record, the paper's k′."""
    return np.mean([len(released) / len(np.unique(released[:, list(group)], axis=0)) for group in groups])


@pytest.mark.parametrize(("k", "checked"), [(500, 3.42), (800, 7.82), (900, 14.71)])
def test_real_anonymity_on_water_treatment_is_the_checked_one(water, k, checked):
    complete = water.dropna()
    assert len(complete) == 380
    released = mic1d(complete[WATER_COLUMNS].to_numpy(dtype=np.float64), k)
    assert real_anonymity(released, CORRELATED_1G) == pytest.approx(checked, rel=0.02)


@pytest.mark.parametrize(("k", "checked"), [(3000, 5.74), (4000, 13.70), (5000, 56.91)])
def test_real_anonymity_on_census_stays_what_it_was(census, k, checked):
    # Of the columns that the paper names. Those that it ran give the printed 72.83: tests/papers.
    released = mic1d(census[:, CENSUS_COLUMNS], k)
    assert real_anonymity(released, CORRELATED_1G) == pytest.approx(checked, rel=0.02)


@pytest.mark.parametrize("k", [3000, 4000, 5000, 9720])
def test_k_counts_values_up_to_all_of_the_file(census, k):
    frame = pd.DataFrame(census[:, CENSUS_COLUMNS], columns=list("abcdefghi"))
    data = Microdata.from_frame(frame, roles=dict.fromkeys(frame.columns, "quasi_identifier"))
    release = protect(data, Plan(method="mic1d", k=k))
    assert len(release.protected) == 1080
    np.testing.assert_array_equal(release.protected, mic1d(census[:, CENSUS_COLUMNS], k))
    with pytest.raises(PlanError, match="k is 9721, but there are only 9720 values"):
        protect(data, Plan(method="mic1d", k=9721))


@pytest.mark.parametrize(("k", "gaps"), [(6, 0), (13, 2), (12, 2)])
def test_records_with_gaps_are_dropped_and_the_others_count_with_all_their_values(k, gaps):
    frame = pd.DataFrame({"a": np.arange(8.0), "b": np.arange(8.0) ** 2})
    frame.loc[[1, 5][:gaps], "b"] = np.nan
    data = Microdata.from_frame(frame, roles={"a": "quasi_identifier", "b": "quasi_identifier"})
    plan = Plan(method="mic1d", k=k, missing="drop")
    if k > 2 * (8 - gaps):
        with pytest.raises(
            DataError, match=r"Only 6 of 8 records .* fewer than the 7 that hold k = 13 values"
        ):
            protect(data, plan)
        return
    release = protect(data, plan)
    np.testing.assert_array_equal(release.protected, mic1d(frame.dropna().to_numpy(), k))


def test_values_far_from_zero_lose_no_digits():
    values = np.random.default_rng(3).integers(0, 100, (40, 3)).astype(float)
    np.testing.assert_allclose(mic1d(values + 2.0**40, 15) - 2.0**40, mic1d(values, 15), atol=2.0**-11)


def test_one_part_releases_the_mean_of_all_values():
    values = np.array([[1.0, 2.0], [4.0, 9.0]])
    assert mic1d(values, 4).tolist() == [[4.0, 4.0], [4.0, 4.0]]


def test_a_constant_file_comes_back_as_it_was():
    assert (mic1d(np.full((5, 2), 7.25), 3) == 7.25).all()


def test_the_input_is_left_alone():
    values = np.arange(12.0).reshape(4, 3)
    mic1d(values, 5)
    assert values.ravel().tolist() == list(range(12))


@pytest.mark.parametrize("k", [1, 0, 13])
def test_a_part_size_that_no_file_can_fill_is_refused(k):
    with pytest.raises(PlanError, match="between 2 and 12"):
        mic1d(np.zeros((4, 3)), k)
