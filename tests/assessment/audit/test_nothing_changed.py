"""A release that is the original, and secrets that nobody called so: nothing of them is green."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

import microagg as ma
from microagg.assessment.audit import columns_of
from microagg.handover.release_file import Outgoing
from microagg.handover.report import report
from microagg.handover.verification import look
from microagg.io.writing import csv_bytes
from tests.command_line import run

if TYPE_CHECKING:
    from pathlib import Path

DRAW = np.random.default_rng(2)
HOMES = pd.DataFrame(
    {
        "Wohneinheit": np.repeat(np.arange(40), 5),
        "Nettolohn": np.repeat(DRAW.lognormal(8, 0.6, 40).round(), 5),
        "Zimmer": np.repeat(DRAW.integers(1, 9, 40), 5),
        "Krebs": np.repeat(DRAW.choice(["ja", "nein"], 40), 5),
    }
)
"""Five identical rows a home, so that groups of five change nothing."""


@pytest.fixture
def homes() -> ma.Release:
    return ma.protect(ma.Microdata.from_frame(HOMES), ma.Plan(method="mdav", k=5))


def test_a_release_that_is_the_original_is_not_green(homes: ma.Release) -> None:
    assert (homes.protected.to_numpy() == HOMES.to_numpy()).all()
    found = ma.audit(homes)
    assert found.status == "amber"
    left = found.named("untouched columns")
    assert (left.status, left.records) == ("amber", len(HOMES))
    assert "every value is still the original one" in left.sentence


def test_a_column_that_leaves_as_it_is_may_be_a_secret_in_any_language(homes: ma.Release) -> None:
    found = ma.audit(homes).named("secrets")
    assert found.status == "amber"
    assert "Krebs may be" in found.sentence


def test_the_check_of_the_file_says_that_nothing_was_changed(homes: ma.Release) -> None:
    checks = look(csv_bytes(homes.protected), "x.csv", homes)[0]
    (found,) = [one for one in checks if one.name == "Unchanged values"]
    assert (found.status, found.sentence) == (
        "amber",
        "Every cell of the protected columns still holds the original value.",
    )


@pytest.mark.parametrize("external", [False, True])
def test_no_report_says_that_values_are_of_nobody(homes: ma.Release, *, external: bool) -> None:
    page = report(Outgoing(homes), ma.assess(homes), date=dt.date(2026, 1, 2), external=external)
    assert "therefore not those of individual records" not in page
    assert "need be recognised" not in page
    assert "every value is still the original one" in page


def test_the_original_handed_in_as_the_release_is_called_so(tmp_path: Path) -> None:
    rows = pd.DataFrame({"age": range(20, 60), "income": [7 * i % 41 + 100 for i in range(40)]})
    source, plan = tmp_path / "in.csv", tmp_path / "plan.json"
    rows.to_csv(source, index=False)
    plan.write_text(ma.Plan(k=5).to_json(), encoding="utf-8")
    release = ma.protect(ma.read_microdata(source), ma.Plan(k=5))
    checks, findings = look(source.read_bytes(), "in.csv", release)[:2]
    (found,) = [one for one in checks if one.name == "Unchanged values"]
    assert (found.status, "nothing is protected" in found.sentence) == ("red", True)
    assert findings.named("untouched columns").status != "green"


def test_without_a_plan_what_has_not_changed_is_not_called_protected() -> None:
    after = HOMES.assign(Nettolohn=HOMES["Nettolohn"].mean())
    roles = dict.fromkeys(HOMES.columns, "quasi_identifier")
    pair = ma.compare(*(ma.Microdata.from_frame(one, roles=roles) for one in (HOMES, after)), k=5)
    assert columns_of(pair)["protected"] == ["Nettolohn"]
    assert columns_of(pair)["untouched"] == ["Wohneinheit", "Zimmer", "Krebs"]


def test_text_that_everybody_has_of_their_own_looks_like_an_identifier() -> None:
    names = [f"{a}{b}{c}" for a in "BDFGK" for b in "aeiou" for c in "lmnr"]
    rows = pd.DataFrame({"age": [20 + i % 40 for i in range(100)], "Nach": names})
    data = ma.Microdata.from_frame(rows, roles={"age": "quasi_identifier", "Nach": "other"})
    found = ma.audit(ma.protect(data, ma.Plan(k=5))).named("identifiers")
    assert (found.status, found.records) == ("red", 100)


def test_a_command_says_the_same(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = tmp_path / "homes.csv"
    HOMES.to_csv(source, index=False, sep=";")
    status, printed, said = run(capsys, "protect", source, "--k", 5, "--out", tmp_path / "out.csv")
    assert status == 0
    assert "every value is still the original one" in printed + said
