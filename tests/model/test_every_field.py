"""Every field of a plan is known to all that read, show or write plans; one that is left out fails here."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd
import pytest
import typer.main

from microagg import cli
from microagg.cli.plan_options import FLAGS, plan_asked
from microagg.distributed.outline import IN_PARTS, outline
from microagg.errors import PlanError
from microagg.exploration.sweep import Outcome, table
from microagg.handover.report.plan_in_words import WORDS, plan_in_words
from microagg.model.microdata import Microdata
from microagg.model.plan import SCHEMA, Plan
from microagg.protection.protect import protect
from microagg.ui.state.accepted_findings import named
from microagg.ui.state.plan_settings import from_plan, honoured, typed
from microagg.ui.state.settings import Settings, read_query

if TYPE_CHECKING:
    from collections.abc import Mapping

    from microagg.model.release import Release

UI = Path(__file__).parents[2] / "microagg" / "ui"
FRAME = pd.DataFrame(
    {
        "name": [f"person {i}" for i in range(16)],
        "age": [31, 44, 31, 27, 68, 52, 39, 80, 22, 47, -9, 61, 35, 29, 73, 56],
        "rent": [9.5, 12, 30.25, 8, 7.5, 11, 19, 4, 6, 13.5, 10, 22, 18, 15, 5, 9],
        "school": ["low", "middle", "high", "high"] * 4,
        "region": ["n"] * 7 + ["s"] * 7 + ["w"] * 2,
        "wage": [3.5, 8, 2, 9, 4, 7, 1.5, 6, 5, 3, 2.5, 8.5, 9.5, 1, 6.5, 4.5],
        "count": [2.0, 1, 3, 1, 2, 4, 1, 1, 2, 3, 1, 2, 1, 1, 5, 1],
    }
)
ROLES = {
    "name": "identifier",
    "age": "quasi_identifier",
    "rent": "quasi_identifier",
    "school": "other",
    "region": "other",
    "wage": "confidential",
    "count": "other",
}
WEIGHED = {"roles": ROLES | {"count": "weight"}}
SCHOOLED = {"method": "mixed", "roles": ROLES | {"school": "quasi_identifier"}}


class Case(NamedTuple):
    """A value that is not the default, how the command line asks for it, and what else the plan needs."""

    value: Any
    flags: dict[str, Any]
    base: Mapping[str, Any] = MappingProxyType({})


CASES = {
    "method": Case("pcp", {"method": "pcp"}),
    "k": Case(3, {"k": 3}),
    "columns": Case(("age", "count"), {"columns": "age,count"}),
    "blocks": Case("single", {"blocks": "single"}),
    "lam": Case(0.5, {"lam": 0.5}),
    "aggregate": Case("median", {"aggregate": "median"}),
    "options": Case({"gamma": 0.5}, {"option": ["gamma=0.5"]}, {"method": "vmdav"}),
    "seed": Case(7, {"seed": 7}, {"refine": 2}),
    "refine": Case(2, {"refine": 2}),
    "stop_at": Case(0.5, {}, {"refine": 2}),
    "roles": Case(ROLES | {"rent": "confidential"}, {"confidential": "rent"}),
    "keep_identifiers": Case(True, {"keep_identifiers": True}),
    "scales": Case({"rent": "ordinal"}, {"ordinal": "rent"}),
    "orders": Case({"school": ("low", "middle", "high")}, {"order": ["school=low<middle<high"]}, SCHOOLED),
    "missing": Case("drop", {"missing": "drop"}),
    "missing_codes": Case({"age": (-9,)}, {"missing_codes": ["age=-9"]}, {"missing": "drop"}),
    "strata": Case(("region", "count"), {"strata": "region,count"}, {"small_strata": "merge next"}),
    "small_strata": Case("merge next", {"small_strata": "merge next"}, {"strata": ("region",), "k": 2}),
    "weighted": Case(True, {"weight": "count"}, WEIGHED),
    "rounding": Case("half up", {"rounding": "half up"}),
    "shuffle": Case(7, {"shuffle": "7"}),
    "accept": Case({"units": "Nobody lives together."}, {"accept": ["units=Nobody lives together."]}),
}
NAMES = sorted(SCHEMA)


def data(plan: Plan) -> Microdata:
    return Microdata.from_frame(FRAME, roles=dict(plan.roles))


def plans(name: str) -> tuple[Plan, Plan]:
    """The plan with the field at its default, and the one with the case's value."""
    case = CASES[name]
    base = Plan(**({"k": 4, "roles": ROLES} | dict(case.base)))
    return base, base.replace(**{name: case.value})


def released(plan: Plan) -> Release:
    return protect(data(plan), plan)


def test_every_field_is_declared_and_has_a_case_and_words() -> None:
    assert {f.name for f in fields(Plan)} == SCHEMA.keys() == CASES.keys() == WORDS.keys() == IN_PARTS.keys()
    assert all(declared.title and declared.help for declared in SCHEMA.values())


@pytest.mark.parametrize("name", NAMES)
def test_json_and_the_sweeps_table_hold_it(name: str) -> None:
    base, plan = plans(name)
    assert plan != base
    assert Plan.from_json(plan.to_json()) == plan
    (row,) = table([Outcome(plan, {}, "not run")]).to_dict("records")
    assert Plan.from_json(row["plan"]) == plan


@pytest.mark.parametrize("name", NAMES)
def test_the_command_line_asks_for_it(name: str) -> None:
    base, plan = plans(name)
    command = typer.main.get_command(cli.app)
    offered = {parameter.name for parameter in command.commands["protect"].params}  # type: ignore[attr-defined]
    assert offered >= FLAGS.keys()
    if not SCHEMA[name].flags and name != "weighted":
        assert name == "stop_at"  # what was stopped is said by a saved plan
        return
    defaults = {flag: False if FLAGS[flag].kind is bool else None for flag in FLAGS}
    text = {flag: "" for flag in FLAGS if FLAGS[flag].kind is str}
    got = plan_asked(defaults | text | CASES[name].flags, base)
    assert getattr(got, name) == getattr(plan, name)


@pytest.mark.parametrize("name", NAMES)
def test_an_address_holds_it_and_a_control_sets_it(name: str) -> None:
    _, plan = plans(name)
    bare = Microdata.from_frame(FRAME, roles=ROLES)
    settings = from_plan(plan, bare, Settings())
    again, complaints = read_query(settings.query())
    assert (again, complaints) == (settings, [])
    setting = SCHEMA[name].setting
    assert getattr(again, setting) != getattr(Settings(), setting)
    meant = typed(bare, again)
    asked = honoured(again, meant).plan
    if name == "accept":
        assert named(again.accept, meant) == plan.accept
    else:
        one, other = protect(meant, asked), released(plan)
        pd.testing.assert_frame_equal(one.protected, other.protected)
        assert plan_in_words(one) == plan_in_words(other)
    pages = "".join(file.read_text(encoding="utf-8") for file in UI.rglob("*.py"))
    assert re.search(
        rf'(setting\("{setting}"\)|Place\("{setting}"|change\([^)]*\b{setting}=|changes\["{setting}"\])',
        pages,
    )


@pytest.mark.parametrize("name", NAMES)
def test_words_say_it(name: str) -> None:
    base, plan = plans(name)
    assert plan_in_words(released(plan)) != plan_in_words(released(base))


@pytest.mark.parametrize("name", NAMES)
def test_in_parts_it_is_kept_or_refused(name: str) -> None:
    _, plan = plans(name)
    if IN_PARTS[name]:
        with pytest.raises(PlanError, match=re.escape(IN_PARTS[name])):
            outline([FRAME], plan, len(FRAME))
    elif plan.method != "mixed":
        kept = getattr(outline([FRAME], plan, len(FRAME)).plan, name)
        wanted = getattr(plan, name)
        assert (
            kept == wanted
            or (isinstance(wanted, dict) and kept | wanted == kept)
            or name in ("scales", "orders")
        )
