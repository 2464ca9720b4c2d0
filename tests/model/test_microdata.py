"""The nouns refuse wrong values where they are made, and survive a round trip."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pandas as pd
import pytest

from microagg.errors import DataError, PlanError
from microagg.model.microdata import Attribute, Microdata
from microagg.model.partition import Partition


def people() -> pd.DataFrame:
    return pd.DataFrame({"name": ["Ann", "Ben", "Cy"], "age": [31, 44, 31], "wage": [9.5, 12.0, 30.25]})


def test_partitions_are_numbered_by_first_appearance_and_compared_so() -> None:
    partition = Partition(np.array([9, 3, 9, 3]), 2)
    assert partition.labels.tolist() == [0, 1, 0, 1]
    assert partition == Partition(np.array([0, 5, 0, 5]), 2)
    assert partition.sizes.tolist() == [2, 2]
    assert len(partition) == 2


def test_a_group_under_k_is_refused() -> None:
    with pytest.raises(PlanError, match="1 records, fewer than k = 2"):
        Partition(np.array([0, 0, 1]), 2)


def test_roles_are_guessed_and_can_be_given() -> None:
    data = Microdata.from_frame(people(), roles={"wage": "confidential"})
    assert [a.role for a in data.attributes] == ["identifier", "quasi_identifier", "confidential"]
    assert data.columns("quasi_identifier") == ("age",)


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.DataFrame({"a": []}), "holds no record"),
        (pd.DataFrame(index=[0, 1]), "holds no column"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "more than one column is called 'a'"),
    ],
)
def test_frames_that_are_no_file_are_refused(frame: pd.DataFrame, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Microdata.from_frame(frame)


def test_unknown_columns_and_roles_are_refused() -> None:
    with pytest.raises(DataError, match="no column 'salary'"):
        Microdata.from_frame(people(), roles={"salary": "confidential"})
    with pytest.raises(DataError, match="no role 'secret'"):
        Attribute("age", "secret")


def test_a_message_tells_the_place_and_never_the_value() -> None:
    data = Microdata.from_frame(pd.DataFrame({"wage": ["1", "2", "confidential!"]}))
    with pytest.raises(DataError, match="first in record 3") as caught:
        data.matrix(["wage"])
    assert "confidential!" not in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        lambda f: f.assign(age=[31, 44, 32]),
        lambda f: f.assign(age=f["age"].astype(float)),
        lambda f: f.rename(columns={"age": "years"}),
        lambda f: f.iloc[::-1],
        lambda f: f.set_index(pd.Index([5, 6, 7])),
    ],
)
def test_the_fingerprint_tells_any_two_files_apart(change: object) -> None:
    assert Microdata.from_frame(people()).fingerprint != Microdata.from_frame(change(people())).fingerprint


def test_the_fingerprint_covers_roles_and_is_stable() -> None:
    data = Microdata.from_frame(people())
    assert data.fingerprint == Microdata.from_frame(people()).fingerprint
    assert data.fingerprint != data.with_roles({"wage": "confidential"}).fingerprint


def test_scales_are_guessed_and_can_be_given() -> None:
    frame = people().assign(
        grade=pd.Categorical(["low", "high", "low"], ["low", "high"], ordered=True), town=list("aba")
    )
    data = Microdata.from_frame(frame)
    assert {a.name: a.scale for a in data.attributes} == {
        "name": "nominal",
        "age": "continuous",
        "wage": "continuous",
        "grade": "ordinal",
        "town": "nominal",
    }
    assert data.order("grade") == ("low", "high")
    given = data.with_scales({"age": "nominal"}, {"town": ("b", "a")})
    assert (given["age"].scale, given["town"].scale, given.order("town")) == (
        "nominal",
        "ordinal",
        ("b", "a"),
    )
    assert given.fingerprint != data.fingerprint
    with pytest.raises(DataError, match="no column 'salary' to give a scale"):
        data.with_scales({"salary": "ordinal"})


def test_bodies_weights_and_strata_are_not_guessed_to_be_weights_and_strata() -> None:
    data = Microdata.from_frame(pd.DataFrame({"weight": [60.5, 72.0, 81.5], "stratum": [1, 2, 1]}))
    assert [a.role for a in data.attributes] == ["undecided", "quasi_identifier"]


def test_numbers_may_be_missing_where_a_matrix_may_not() -> None:
    data = Microdata.from_frame(pd.DataFrame({"a": [1.0, None, 3]}))
    assert np.isnan(data.numbers(["a"])).ravel().tolist() == [False, True, False]
    with pytest.raises(DataError, match=r"missing values in 'a' \(1\), the first in record 2"):
        data.matrix(["a"])


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ([1 + 2j, 0j], "'x' holds complex numbers"),
        ([[1], [2, 3]], "'x' holds lists"),
        ([{"a": 1}, None], "'x' holds lists or the like"),
    ],
)
def test_cells_that_are_no_single_value_are_refused(cells: list[object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        Microdata.from_frame(pd.DataFrame({"x": pd.Series(cells)}))


def test_numbers_too_large_to_be_added_are_refused_with_their_place() -> None:
    data = Microdata.from_frame(pd.DataFrame({"x": [1.0, 1e300, -1.7e308]}))
    with pytest.raises(
        DataError, match=r"too large \(beyond 1e\+300\) values in 'x' \(1\), the first in record 3"
    ):
        data.numbers(["x"])


def test_codes_that_are_no_values_are_in_the_fingerprint() -> None:
    """A cache that left them out would give the figures of averaged codes for those of gaps."""
    frame = pd.DataFrame({"income": [1200, -9, 940, 2210]})
    plain, coded = (
        Microdata(frame, (Attribute("income", "quasi_identifier", codes=codes),)) for codes in ((), (-9,))
    )
    assert plain.fingerprint != coded.fingerprint
    others = ("wage", "confidential", "ordinal", (1, 2), (-9,))
    for field, value in zip(
        fields(Attribute), others, strict=True
    ):  # every one, also one that is added later
        held = frame.set_axis(["wage"], axis=1) if field.name == "name" else frame
        other = replace(Attribute("income", "quasi_identifier"), **{field.name: value})
        assert Microdata(held, (other,)).fingerprint != plain.fingerprint, field.name
