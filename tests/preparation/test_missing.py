"""Codes for missing are taken for what they mean, and only where the user says so."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from microagg.errors import DataError
from microagg.kernels.scaling import standardise
from microagg.model.microdata import Microdata
from microagg.model.plan import Plan
from microagg.preparation.missing import decoded, describe, over_present
from microagg.protection.protect import protect


def incomes() -> Microdata:
    frame = pd.DataFrame(
        {
            "income": [-999, 10, 12, 14, -999, 30, 33, 35],
            "age": [31.0, 32, 33, 34, -1, 60, 61, 62],
            "town": list("aabb?abb"),
            "children": [0, -999, 1, 2, 1, 0, 3, 1],
        }
    )
    roles = {"income": "quasi_identifier", "age": "quasi_identifier", "children": "confidential"}
    return Microdata.from_frame(frame, roles=roles)


def test_minus_999_is_a_value_unless_it_is_said_to_be_a_code() -> None:
    released = protect(incomes(), Plan(k=2)).protected
    assert released["income"].isna().sum() == 0
    assert released["income"].sum() == pytest.approx(incomes().frame["income"].sum())


def test_a_code_for_one_column_leaves_the_others_alone() -> None:
    plan = Plan(k=2, missing="patterns", missing_codes={"income": -999})
    release = protect(incomes(), plan)
    assert release.protected["income"].isna().tolist() == [True, *[False] * 3, True, *[False] * 3]
    assert release.protected["children"].tolist() == incomes().frame["children"].tolist()
    assert release.protected["income"].sum() == pytest.approx(10 + 12 + 14 + 30 + 33 + 35)


def test_a_code_for_every_column_means_those_to_protect() -> None:
    release = protect(incomes(), Plan(k=2, missing="drop", missing_codes={"*": (-999, -1)}))
    assert [out.positions.tolist() for out in release.left_out] == [[0, 4]]
    assert release.protected["children"].tolist() == [-999, 1, 2, 0, 3, 1]


def test_codes_add_up_and_may_be_text() -> None:
    plan = Plan(missing_codes={"*": -999, "town": "?", "children": (0, -999)})
    frame = decoded(incomes(), plan, ["income"]).frame
    assert frame.isna().sum().to_dict() == {"income": 2, "age": 0, "town": 1, "children": 3}
    assert str(frame["income"].dtype) == "Int64"


def test_a_code_that_is_declared_and_refused_counts_as_missing() -> None:
    with pytest.raises(DataError, match=r"missing values in 'income' \(2\), the first in record 1; drop"):
        protect(incomes(), Plan(k=2, missing_codes={"income": (-999,)}))


@pytest.mark.parametrize("rounding", ["none", "half even"])
def test_columns_that_mark_missing_values_still_do(rounding: str) -> None:
    frame = pd.DataFrame({"x": pd.array([1, 2, None, None, 5, 8], dtype="Int64")})
    data = Microdata.from_frame(frame, roles={"x": "quasi_identifier"})
    release = protect(data, Plan(k=2, missing="patterns", rounding=rounding))
    assert release.protected["x"].isna().tolist() == [False, False, True, True, False, False]
    assert str(release.protected["x"].dtype) == ("Float64" if rounding == "none" else "Int64")


def test_patterns_are_described_the_most_frequent_first() -> None:
    frame = pd.DataFrame({"a": [1, None, None, 4.0], "b": [1, None, 3, 4.0], "c": [None, None, 1, 1.0]})
    assert describe(Microdata.from_frame(frame), ["a", "b"]).values.tolist() == [
        ["nothing missing", 2],
        ["a missing", 1],
        ["a and b missing", 1],
    ]


def test_scaling_over_what_is_there_is_scaling_without_the_rest() -> None:
    values = np.array([[1.0, 5], [np.nan, 7], [4.0, np.nan], [7.0, 6]])
    scaled = over_present(standardise, values)
    assert np.isnan(scaled).tolist() == np.isnan(values).tolist()
    assert scaled[[0, 2, 3], 0].tolist() == standardise(np.array([[1.0], [4], [7]]))[:, 0].tolist()
