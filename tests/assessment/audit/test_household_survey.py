"""The made-up household survey under the defaults: nothing is called safe that pandas finds open."""

from __future__ import annotations

import datetime as dt
import html
import json
from typing import TYPE_CHECKING

import pytest

import microagg as ma
from microagg.handover.release_file import Outgoing
from microagg.handover.report import report
from tests.assessment.audit.plain import below, class_sizes, different
from tests.cli.test_cli import run

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

KIND = ("are green.", "All is well", "need be recognised", "Yes. Every record", "passed", "k-anonymity holds")


def expected(out: pd.DataFrame) -> dict[str, int]:
    """Records of each finding by pandas alone, with household as the unit and diagnosis as the secret."""
    exposed = [name for name in out if name != "diagnosis"]
    return {
        "k, exposed": below(out, exposed, 5),
        "singled out": int((class_sizes(out, exposed) == 1).sum()),
        "secrets": int(different(out, exposed, out["diagnosis"]).eq(1).sum()),
        "units": int(different(out, exposed, out["household"]).lt(5).sum()),
    }


@pytest.fixture(scope="module")
def release() -> ma.Release:
    return ma.protect(ma.load_dataset("household_survey"), ma.Plan())


def test_nothing_that_pandas_finds_open_is_green(release: ma.Release) -> None:
    counts, found = expected(release.protected), ma.audit(release)
    assert {name: found.named(name).records for name in counts} == counts
    assert {found.named(name).status for name in (*counts, "untouched columns")} == {"red"}
    assert counts["singled out"] > 4500


@pytest.mark.parametrize("external", [False, True])
def test_neither_report_is_kinder(release: ma.Release, external: bool) -> None:
    text = html.unescape(
        report(Outgoing(release), ma.assess(release), date=dt.date(2026, 1, 31), external=external)
    )
    for count in expected(release.protected).values():
        assert f"{count:,}" in text
    assert not [word for word in KIND if word in text]


def test_no_command_is_kinder(
    release: ma.Release, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out, plan = tmp_path / "out.csv", tmp_path / "plan.json"
    plan.write_text(ma.Plan().to_json(), encoding="utf-8")
    counts = expected(release.protected)
    untouched = ["household", "sex", "region", "education", "occupation", "weight", "diagnosis"]
    for command, status in (
        (("protect", "household_survey", "--out", out), 0),
        (("assess", "household_survey", out, "--k", 5), 0),
        (("check", "household_survey", out, "--plan", plan), 1),
    ):
        ended, printed, _ = run(capsys, *command, "--json")
        told = json.loads(printed)
        assert ended == status
        records = {one["finding"]: one["records"] for one in told["audit"]}
        assert {name: records[name] for name in counts} == counts, command[0]
        red = {one["finding"] for one in told["audit"] if one["status"] == "red"}
        assert {*counts, "untouched columns"} <= red
        if command[0] != "assess":
            assert told["columns"]["untouched"] == untouched
            assert told["columns"]["dropped"] == ["id"]
