"""A plan refuses what no data could make valid, and means the same after any round trip."""

from __future__ import annotations

import pickle

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.errors import PlanError
from microagg.types import Microdata, Plan


def people() -> pd.DataFrame:
    return pd.DataFrame({"name": ["Ann", "Ben", "Cy"], "age": [31, 44, 31], "wage": [9.5, 12.0, 30.25]})


plans = st.builds(
    Plan,
    method=st.sampled_from(["mdav", "pcp"]),
    k=st.integers(2, 500),
    columns=st.none() | st.lists(st.text(), min_size=1, max_size=3, unique=True).map(tuple),
    blocks=st.just("all") | st.just("contiguous:2") | st.just((("a", "b"), ("c",))),
    lam=st.floats(0, 1),
    aggregate=st.just("mean"),
    options=st.dictionaries(st.text(min_size=1), st.text() | st.integers() | st.floats(allow_nan=False)),
    seed=st.integers(0, 2**31),
    refine=st.none() | st.integers(0, 500),
    roles=st.dictionaries(st.text(), st.sampled_from(["identifier", "confidential"])),
    keep_identifiers=st.booleans(),
    scales=st.dictionaries(st.text(), st.sampled_from(["continuous", "ordinal", "nominal"])),
    orders=st.dictionaries(st.text(), st.lists(st.text() | st.integers(), min_size=2, unique=True)),
    missing=st.sampled_from(["refuse", "drop", "patterns"]),
    missing_codes=st.dictionaries(st.text(), st.integers() | st.lists(st.text() | st.integers())),
    strata=st.none() | st.lists(st.text(), max_size=2),
    small_strata=st.sampled_from(["refuse", "merge next", "merge together"]),
    weighted=st.booleans(),
    rounding=st.sampled_from(["none", "half even", "half up"]),
    shuffle=st.none() | st.integers(0, 2**31),
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


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"missing": "impute"}, "missing is 'impute'; it must be one of 'refuse', 'drop', 'patterns'"),
        ({"small_strata": "merge"}, "must be one of 'refuse', 'merge next', 'merge together'"),
        ({"rounding": "down"}, "must be one of 'none', 'half even', 'half up'"),
        ({"shuffle": True}, "it is a seed"),
        ({"shuffle": -1}, "it is a seed"),
        ({"weighted": 1}, "true or false"),
        ({"weighted": True, "aggregate": "median"}, "kept by means"),
        ({"orders": {"grade": ("low",)}}, "at least two categories"),
        ({"orders": {"grade": ("low", "low")}}, "each once"),
    ],
)
def test_choices_that_do_not_exist_are_refused_in_words(changes: dict, message: str) -> None:
    with pytest.raises(PlanError, match=message):
        Plan(**changes)


def test_one_code_for_missing_may_stand_alone() -> None:
    assert Plan(missing_codes={"income": -999}) == Plan(missing_codes={"income": (-999,)})


def test_pinned_plans_spell_out_scales_and_orders_of_what_is_protected() -> None:
    grades = pd.Categorical(["low", "high", "low"], ["low", "high"], ordered=True)
    data = Microdata.from_frame(people().assign(grade=grades, town=list("aba")))
    pinned = Plan(method="mixed", columns=("grade", "age")).pinned(data)
    assert pinned.scales == {"grade": "ordinal"}
    assert pinned.orders == {"grade": ("low", "high")}
    assert Plan.from_json(pinned.to_json()) == pinned
