"""Whole numbers stay whole on request, as rational arithmetic rounds, and the cost is measured."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microagg.assessment.assess import assess
from microagg.handover.totals import totals
from microagg.model.microdata import Microdata
from microagg.model.plan import Plan
from microagg.protection.protect import protect
from microagg.protection.rounding import as_released, rounded

VALUES = st.floats(-1e9, 1e9) | st.integers(-(10**6), 10**6).map(lambda half: half / 2)


@given(value=VALUES)
def test_half_even_is_pythons_exact_rounding(value: float) -> None:
    assert rounded(np.array([value]), "half even")[0] == round(Fraction(value))


@given(value=VALUES)
def test_half_up_is_the_floor_of_a_half_more(value: float) -> None:
    assert rounded(np.array([value]), "half up")[0] == math.floor(Fraction(value) + Fraction(1, 2))


def people(seed: int) -> Microdata:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 90, 40),
            "rooms": rng.integers(1, 9, 40).astype("uint8"),
            "floor": rng.integers(0, 4, 40).astype(float),
            "rent": rng.lognormal(2, 1, 40),
        }
    )
    return Microdata.from_frame(frame, roles=dict.fromkeys(frame.columns, "quasi_identifier"))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), how=st.sampled_from(["half even", "half up"]))
def test_only_whole_numbers_are_rounded_and_their_types_come_back(seed: int, how: str) -> None:
    data = people(seed)
    plain, whole = protect(data, Plan(k=3)), protect(data, Plan(k=3, rounding=how))
    assert whole.protected.dtypes.tolist() == data.frame.dtypes.tolist()
    assert (whole.protected["rent"] == plain.protected["rent"]).all()
    for name in ("age", "rooms", "floor"):
        assert (whole.protected[name] == np.floor(whole.protected[name])).all()
        assert (whole.protected[name] - plain.protected[name]).abs().max() <= 0.5
    assert whole.partitions == plain.partitions
    assert assess(whole).disclosed.anonymity.k_prime >= assess(plain).disclosed.anonymity.k_prime


def test_the_release_that_is_measured_is_the_rounded_one() -> None:
    data = Microdata.from_frame(pd.DataFrame({"x": [1, 2, 11, 12]}), roles={"x": "quasi_identifier"})
    release = protect(data, Plan(k=2, rounding="half up"))
    assert release.protected["x"].tolist() == [2, 2, 12, 12]
    assert assess(release).lost.squared.total == pytest.approx(0.5 / np.var([1, 2, 11, 12]))
    assert totals(release).iloc[0].tolist() == ["x", 26.0, 28.0, pytest.approx(2 / 26)]


@pytest.mark.parametrize("dtype", ["int64", "uint64", "Int64", "UInt64"])
def test_the_largest_whole_numbers_round_to_one_that_their_type_holds(dtype: str) -> None:
    most = np.iinfo(dtype.lower()).max
    column = pd.Series([most, most], dtype=dtype)
    found = pd.Series(as_released(np.full(2, float(most)), column, "half even"))
    assert found.dtype == dtype
    assert 0 <= most - int(found[0]) < 2**11
