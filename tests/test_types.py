"""The nouns refuse wrong values where they are made, and survive a round trip."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.errors import DataError, PlanError
from microagg.types import Attribute, Microdata, Partition, Plan


def people() -> pd.DataFrame:
    return pd.DataFrame({"name": ["Ann", "Ben", "Cy"], "age": [31, 44, 31], "wage": [9.5, 12.0, 30.25]})


plans = st.builds(
    Plan,
    method=st.sampled_from(["mdav", "pcp"]),
    k=st.integers(2, 500),
    columns=st.none() | st.lists(st.text(), min_size=1, max_size=3, unique=True).map(tuple),
    blocks=st.just("all") | st.just("contiguous:2") | st.just((("a", "b"), ("c",))),
    lam=st.floats(0, 1),
    aggregate=st.sampled_from(["mean", "median"]),
    options=st.dictionaries(st.text(min_size=1), st.text() | st.integers() | st.floats(allow_nan=False)),
    seed=st.integers(0, 2**31),
    roles=st.dictionaries(st.text(), st.sampled_from(["identifier", "confidential"])),
    keep_identifiers=st.booleans(),
)


@given(plan=plans)
def test_a_plan_survives_json_pickling_and_hashing(plan: Plan) -> None:
    again = Plan.from_json(plan.to_json())
    assert again == plan
    assert hash(again) == hash(plan)
    assert pickle.loads(pickle.dumps(plan)) == plan  # noqa: S301 - our own bytes


def test_plan_json_holds_only_what_was_chosen() -> None:
    assert Plan(k=7).to_json() == '{"method": "mdav", "k": 7}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not valid JSON"),
        ("[1]", "JSON object"),
        ('{"method": "mdav", "speed": 3}', "no 'speed'"),
        ('{"method": "mdav", "k": "five"}', "whole number of at least 2"),
        ('{"method": "mdav", "k": 5, "lam": 2}', "between 0 and 1"),
        ('{"method": "mdav", "k": 5, "options": 3}', "wrong kind"),
        ('{"method": "mdav", "k": 5, "blocks": [1, 2]}', "wrong kind"),
    ],
)
def test_a_broken_plan_file_is_refused_in_words(text: str, message: str) -> None:
    with pytest.raises(PlanError, match=message):
        Plan.from_json(text)


@pytest.mark.parametrize("lam", [-0.1, 1.1, float("nan"), "0.5", True])
def test_lambda_outside_its_range_is_refused(lam: object) -> None:
    with pytest.raises(PlanError, match="between 0 and 1"):
        Plan(lam=lam)


def test_pinned_plans_spell_out_the_roles() -> None:
    data = Microdata.from_frame(people(), roles={"wage": "confidential"})
    assert Plan().pinned(data).roles == {
        "name": "identifier",
        "age": "quasi_identifier",
        "wage": "confidential",
    }


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
