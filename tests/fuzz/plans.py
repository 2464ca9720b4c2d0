"""Plans as nobody would write them: a release or one sentence, never a traceback or a hang.

Run ``python -m tests.fuzz.plans --seconds 300``; the test suite tries some hundred each time.
"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from microagg.errors import MicroaggError
from microagg.methods import METHODS
from microagg.model.microdata import Microdata
from microagg.model.plan import Plan
from microagg.model.roles import Role
from microagg.protection.protect import protect
from tests.fuzz.timed import run_for_seconds

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

NUMBERS = np.random.default_rng(17)
PEOPLE = pd.DataFrame(
    {
        "age": NUMBERS.integers(18, 90, 24),
        "rent": NUMBERS.normal(800, 200, 24).round(2),
        "wage": np.where(NUMBERS.random(24) < 0.2, np.nan, NUMBERS.lognormal(3, 1, 24)),
        "grade": NUMBERS.choice(["low", "middle", "high"], 24),
        "town": NUMBERS.choice(["Reus", "Valls"], 24),
        "w": NUMBERS.integers(1, 9, 24),
        "id": NUMBERS.permutation(24) + 1000,
    }
)
ROLES = {
    "id": "identifier",
    "age": "quasi_identifier",
    "rent": "quasi_identifier",
    "wage": "confidential",
    "w": "weight",
}
DATA = Microdata.from_frame(PEOPLE, roles=ROLES)

WORDS = st.sampled_from([*PEOPLE.columns, *METHODS]) | st.sampled_from(
    ["all", "single", "contiguous:2", "correlated:0", "age+rent,w", "*", "mean", "median", "drop", "patterns"]
)
WORDS |= st.sampled_from(["nominal", "merge next", "half up", "low<high", "", "a\x00b", "ä" * 300, "=1+1"])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=6,
)
COLUMN = st.sampled_from(list(PEOPLE.columns))
LIKELY: dict[str, SearchStrategy[Any]] = {
    "k": st.sampled_from([0, 2, 3, 5, 8, 12, 24, 25]),
    "columns": st.lists(COLUMN, max_size=4, unique=True),
    "blocks": WORDS | st.lists(st.lists(COLUMN, max_size=3), max_size=3),
    "lam": st.floats(0, 1),
    "refine": st.integers(0, 3),
    "roles": st.dictionaries(COLUMN, st.sampled_from(get_args(Role)), max_size=3),
    "scales": st.dictionaries(COLUMN, st.sampled_from(["nominal", "ordinal", "continuous"]), max_size=3),
    "orders": st.dictionaries(COLUMN, st.lists(WORDS | st.integers(0, 9), max_size=4), max_size=2),
    "missing": st.sampled_from(["drop", "patterns"]),
    "missing_codes": st.dictionaries(COLUMN | st.just("*"), ANYTHING, max_size=2),
    "strata": st.lists(COLUMN, max_size=2),
    "small_strata": st.sampled_from(["merge next", "merge together"]),
    "weighted": st.booleans(),
    "shuffle": st.integers(0),
}


@st.composite
def strange_plans(draw: st.DrawFn) -> str:
    """JSON that is nearly a plan: a method with options, further fields, some changed or cut for anything."""
    method = draw(st.sampled_from(list(METHODS.values())))
    plan: dict[str, Any] = {"method": method.name, "options": {}}
    for option in draw(st.lists(st.sampled_from(method.options), unique=True)) if method.options else ():
        usual = st.sampled_from(option.choices or (option.default,))
        plan["options"][option.name] = draw(usual | st.integers() | st.floats(allow_nan=False))
    for name in draw(st.lists(st.sampled_from(list(LIKELY)), max_size=4, unique=True)):
        plan[name] = draw(LIKELY[name])
    kind = draw(st.sampled_from(["whole", "whole", "whole", "whole", "changed", "changed", "cut"]))
    if kind == "changed":
        named = st.sampled_from([field.name for field in fields(Plan)])
        plan[draw(named | st.text(max_size=5))] = draw(ANYTHING)
    text = json.dumps(plan)
    if kind == "cut":
        end = draw(st.sampled_from(["", "[" * 5_000, '"', "\ud800", "NaN", "9" * 5_000]))
        text = text[: draw(st.integers(0, len(text)))] + end
    return text


def try_plan(text: str) -> None:
    """Read the plan and protect by it; anything but a release or a sentence goes through."""
    try:
        plan = Plan.from_json(text)
        assert Plan.from_json(plan.to_json()) == plan
        release = protect(DATA, plan)
    except MicroaggError as error:
        assert_sentence(str(error))
    else:
        assert len(release.protected) <= len(PEOPLE)


def assert_sentence(said: str) -> None:
    """Refuse what is no sentence: empty, without an end, of several lines, or endless."""
    assert said.endswith("."), said
    assert "\n" not in said, said
    assert len(said) < 1_000, said


if __name__ == "__main__":
    run_for_seconds(strange_plans(), try_plan, __doc__)
