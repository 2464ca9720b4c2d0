"""A plan refuses what no data could make valid, and means the same after any round trip."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.errors import PlanError
from microagg.model.microdata import Microdata
from microagg.model.plan import Plan
from tests.fuzz.plans import strange_plans, try_plan


def people() -> pd.DataFrame:
    return pd.DataFrame({"name": ["Ann", "Ben", "Cy"], "age": [31, 44, 31], "wage": [9.5, 12.0, 30.25]})


FINITE = st.text() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)

PROTECTED, OTHERS = (st.text().map(first.__add__) for first in "po")

plans = st.builds(
    Plan,
    method=st.sampled_from(["mdav", "pcp"]),
    k=st.integers(2, 500),
    columns=st.none() | st.lists(PROTECTED, min_size=1, max_size=3, unique=True).map(tuple),
    blocks=st.just("all") | st.just("contiguous:2") | st.just((("a", "b"), ("c",))),
    lam=st.floats(0, 1),
    aggregate=st.just("mean"),
    options=st.dictionaries(st.text(min_size=1), FINITE),
    seed=st.integers(0, 2**31),
    refine=st.none() | st.integers(0, 500),
    roles=st.dictionaries(OTHERS, st.sampled_from(["identifier", "confidential"])),
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
        ('{"k": 5, "options": 3}', "options is 3; it must give a value by name"),
        ('{"k": 5, "options": {"gamma": NaN}}', "'gamma' is nan; it must be a text or a finite number"),
        ('{"k": 5, "blocks": [["age"], null]}', "A block in blocks is None"),
        ('{"k": 5, "blocks": 7}', "must be a rule such as 'single', or lists of names"),
        ('{"strata": [["a"]]}', r"A name in strata is \['a'\]; it must be the name of a column"),
        ('{"method": {}}', "method is {}; it must be a text"),
        ('{"method": ["mdav"]}', "must be a text"),
        ('{"columns": [[1]]}', "must be the name of a column"),
        ('{"columns": {"age": 1}}', "must be a list of names"),
        ('{"roles": {"age": ["other"]}}', "roles of 'age' is .*must be one of"),
        ('{"roles": {"age": "secret"}}', "must be one of 'identifier'"),
        ('{"scales": {"age": null}}', "must be one of 'continuous'"),
        ('{"missing_codes": {"age": {"a": 1}}}', "must be a text or a finite number"),
        ('{"keep_identifiers": "no"}', "must be true or false"),
        ('{"k": 1e3}', "whole number"),
        ('{"k": ' + "9" * 4000 + "}", "more than fifty digits"),
        ('{"seed": 9223372036854775808}', "whole number of at least 0"),
        ('{"k": 3, "k": 5}', "says 'k' twice"),
        ('{"roles": {"age": "other", "age": "weight"}}', "says 'age' twice"),
        ('{"columns": ["\\ud800"]}', "no text that a file can hold"),
        ("[" * 100_000, "brackets"),
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
        ({"shuffle": True}, "it must be a seed"),
        ({"shuffle": -1}, "it must be a seed"),
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
    assert pinned.scales == {"grade": "ordinal", "age": "continuous", "wage": "continuous", "town": "nominal"}
    assert pinned.orders == {"grade": ("low", "high")}
    assert Plan.from_json(pinned.to_json()) == pinned


@pytest.mark.parametrize("field", ["columns", "strata"])
def test_a_single_name_is_one_column(field: str) -> None:
    assert getattr(Plan(**{field: "age"}), field) == ("age",)
    assert Plan(**{field: "age"}) == Plan(**{field: ["age"]})


def test_a_single_text_is_never_taken_for_its_letters() -> None:
    plan = Plan(blocks=("age", "rent"), missing_codes={"age": "none"}, orders={"grade": "low<high"})
    assert plan.blocks == (("age",), ("rent",))
    assert plan.missing_codes == {"age": ("none",)}
    assert plan.orders == {"grade": ("low", "high")}


def test_blocks_read_as_on_the_command_line() -> None:
    assert Plan(blocks="a+b,c").blocks == (("a", "b"), ("c",))


def test_numbers_of_numpy_are_numbers() -> None:
    with_numpy = Plan(
        k=np.int32(4),
        seed=np.int64(7),
        lam=np.float32(0.5),
        stop_at=np.float64(1),
        refine=np.uint8(2),
        shuffle=np.int16(3),
        keep_identifiers=np.bool_(True),
        missing_codes={"age": np.int64(-9), "rent": np.array([1.5, 2.5])},
        orders={"grade": np.array(["low", "high"])},
        options={"gamma": np.float64(0.25)},
    )
    assert with_numpy == Plan(
        k=4,
        seed=7,
        lam=0.5,
        refine=2,
        shuffle=3,
        keep_identifiers=True,
        missing_codes={"age": (-9,), "rent": (1.5, 2.5)},
        orders={"grade": ("low", "high")},
        options={"gamma": 0.25},
    )
    assert Plan.from_json(with_numpy.to_json()) == with_numpy


@given(text=strange_plans())
def test_whatever_a_plan_says_is_carried_out_or_refused_in_words(text: str) -> None:
    try_plan(text)
