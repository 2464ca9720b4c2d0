"""Strata are shown before the run, and merged until none is too small."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.errors import DataError, PlanError
from microagg.model.microdata import Microdata
from microagg.preparation import strata

SIZES = st.lists(st.integers(1, 12), min_size=1, max_size=12)


def regions() -> Microdata:
    grades = pd.Categorical([*["low"] * 3, *["high"] * 5, None], ["low", "high"], ordered=True)
    return Microdata.from_frame(pd.DataFrame({"grade": grades, "sex": list("FFMFFMMMF"), "age": range(9)}))


@pytest.mark.parametrize("merge", [strata.merge_next, strata.merge_together])
@given(sizes=SIZES, k=st.integers(2, 20))
def test_merging_leaves_none_too_small_and_keeps_the_large(merge: object, sizes: list[int], k: int) -> None:
    parts = merge(sizes, k)
    assert sorted(s for part in parts for s in part) == list(range(len(sizes)))
    totals = [sum(sizes[s] for s in part) for part in parts]
    assert min(totals) >= k or len(parts) == 1
    if min(sizes) >= k:
        assert parts == tuple((s,) for s in range(len(sizes)))


@given(sizes=SIZES, k=st.integers(2, 20))
def test_only_neighbours_in_order_are_merged_by_the_first_rule(sizes: list[int], k: int) -> None:
    assert [s for part in strata.merge_next(sizes, k) for s in part] == list(range(len(sizes)))


@given(sizes=SIZES, k=st.integers(2, 20))
def test_the_second_rule_makes_one_stratum_of_all_small_ones(sizes: list[int], k: int) -> None:
    joined = [part for part in strata.merge_together(sizes, k) if len(part) > 1]
    assert len(joined) <= 1
    small = {s for s, size in enumerate(sizes) if size < k}
    assert not joined or small <= set(joined[0])


def test_strata_stand_in_the_order_of_their_values_and_missing_comes_last() -> None:
    shown = strata.describe(regions(), ["grade", "sex"], k=2)
    assert shown["stratum"].tolist() == [
        "grade=low, sex=F",
        "grade=low, sex=M",
        "grade=high, sex=F",
        "grade=high, sex=M",
        "grade=(missing), sex=F",
    ]
    assert shown["records"].tolist() == [2, 1, 2, 3, 1]
    assert shown["enough"].tolist() == [True, False, True, True, False]


def test_the_description_shows_what_will_be_merged() -> None:
    shown = strata.describe(regions(), ["grade"], k=3, rule="merge next")
    assert shown["protected with"].tolist() == ["grade=low", *["grade=high + grade=(missing)"] * 2]
    assert shown["together"].tolist() == [3, 6, 6]
    assert shown["enough"].all()


def test_too_small_strata_are_named_with_their_sizes() -> None:
    found = strata.stratify(regions(), ["grade"], 4, "refuse")
    with pytest.raises(DataError, match=r"fewer than k = 4 records: 2 of 3\. Merge"):
        strata.refuse_small(found, 4)


def test_a_column_of_amounts_makes_no_strata() -> None:
    data = Microdata.from_frame(pd.DataFrame({"wage": np.arange(strata.MOST + 1) / 3}))
    with pytest.raises(PlanError, match="take columns with few values"):
        strata.stratify(data, ["wage"], 3, "merge next")


def test_values_of_kinds_that_have_no_order_make_strata_kind_by_kind() -> None:
    mixed = [3, dt.date(2000, 1, 2), None, dt.date(2000, 1, 1), 3, dt.date(2000, 1, 2)]
    frame = pd.DataFrame({"when": pd.Series(mixed, dtype=object), "age": range(6)})
    found = strata.stratify(Microdata.from_frame(frame), ["when"], 2, "refuse")
    assert found.names == ("when=2000-01-01", "when=2000-01-02", "when=3", "when=(missing)")
    assert found.stratum.tolist() == [2, 1, 3, 0, 2, 1]
