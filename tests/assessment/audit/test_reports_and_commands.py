"""Both reports and every command say what the audit says, and nothing kinder."""

from __future__ import annotations

import datetime as dt
import html
import json
from typing import TYPE_CHECKING

import pandas as pd
import pytest

import microagg as ma
from microagg.handover.release_file import Outgoing
from microagg.handover.report import report
from microagg.handover.report.plan_in_words import plan_in_words
from microagg.io.writing import csv_bytes
from tests.assessment.audit.test_small_inputs import QI, SECRET, SECRET_ROLES, released
from tests.cli.test_cli import run

if TYPE_CHECKING:
    from pathlib import Path

DAY = dt.date(2026, 1, 31)
TOWNS = {"town": list("abaaba"), "age": [20, 61, 22, 60, 62, 21], "income": [1, 8, 3, 9, 7, 2]}
KIND_WORDS = ("need be recognised", "Yes. Every record", "are green.", "All is well", "checks passed")


def texts(release: ma.Release) -> dict[bool, str]:
    """The owner's report and the public one, by whether it is public."""
    return {
        external: html.unescape(report(Outgoing(release), ma.assess(release), date=DAY, external=external))
        for external in (False, True)
    }


def merged() -> ma.Release:
    return released(TOWNS, {"town": "stratum", "age": QI, "income": QI}, small_strata="merge next")


def test_both_reports_say_who_is_alone_with_his_town() -> None:
    for text in texts(merged()).values():
        assert "1 of 6 records is like nobody else" in text
        assert not [word for word in KIND_WORDS if word in text]


def test_both_reports_say_that_people_are_hidden_only_where_all_is_green() -> None:
    frame = {"age": [40, 20, 41, 21, 42, 22], "rent": [9, 1, 8, 2, 7, 3]}
    release = released(frame, {"age": QI, "rent": QI})
    assert Outgoing(release).audit.status == "green"
    owner, public = texts(release).values()
    assert "All 7 findings and all 11 checks of the written file are green." in owner
    assert "Yes. Every record is like at least 2 others" in owner
    assert "need be recognised" in public


def test_a_reason_is_quoted_in_both_reports_and_never_turns_into_yes() -> None:
    release = released(SECRET, SECRET_ROLES, accept={"secrets": "Published by the ministry."})
    owner, public = texts(release).values()
    assert "Published by the ministry." in owner
    assert "Published by the ministry." in public
    assert "Is anybody's secret told?</dt><dd>Perhaps." in owner
    assert not [word for word in ("are green.", "need be recognised") if word in public + owner]


def test_order_is_amber_where_rows_follow_what_was_hidden() -> None:
    frame = {"home": [1, 1, 1, 2, 2, 2], "age": [40, 20, 41, 21, 42, 22]}
    for roles, follows in (
        ({"home": "unit"}, True),
        ({"home": "confidential"}, True),
        ({"home": "other"}, False),
    ):
        release = released(frame, {"age": QI} | roles)
        order = next(one for one in Outgoing(release).checks if one.name == "Order")
        assert (order.status == "amber", "home" in order.sentence) == (follows, follows)
    shuffled = released(frame, {"age": QI, "home": "unit"}, shuffle=2**40)
    assert next(one for one in Outgoing(shuffled).checks if one.name == "Order").status == "green"


def test_the_audit_is_of_the_file_that_was_written_and_not_of_the_release() -> None:
    from microagg.handover.verification import look

    release = released(SECRET | {"name": list("uvwxyz")}, SECRET_ROLES | {"name": "identifier"})
    named = csv_bytes(release.protected.assign(name=list("uvwxyz"), more=range(6)))
    findings = look(named, "x.csv", release)[1]
    assert ma.audit(release).named("identifiers").status == "green"
    assert findings.named("identifiers").status == "red"
    assert findings.named("singled out").records == 6
    unread = look(b"", "x.xlsx", release)[1]
    assert {found.status for found in unread} == {"amber"}


def test_the_plan_in_words_names_refinement_seed_scales_and_orders() -> None:
    said = dict(plan_in_words(released({"age": range(12)}, {"age": QI}, refine=4, seed=77)))
    assert (said["Refinement"], said["Seed"]) == (
        "Groups are refined in 4 rounds.",
        "Random choices follow from 77.",
    )
    frame = {"sex": list("mfmfmf"), "grade": list("abcabc")}
    said = dict(
        plan_in_words(
            released(
                frame,
                {"sex": QI, "grade": QI},
                method="mixed",
                orders={"grade": ("c", "b", "a")},
                accept={"secrets": "There are none."},
            )
        )
    )
    assert (said["Scale of grade"], said["Scale of sex"]) == ("Ordinal: c < b < a.", "Nominal.")
    assert said["Accepted: secrets"] == "“There are none.”"


def saved(folder: Path, **plan: object) -> tuple[Path, Path]:
    pd.DataFrame(SECRET).to_csv(folder / "people.csv", index=False)
    roles = {"roles": SECRET_ROLES, "k": 3}
    (folder / "plan.json").write_text(json.dumps(roles | plan), encoding="utf-8")
    return folder / "people.csv", folder / "plan.json"


def test_every_command_says_the_same_for_machines(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    people, plan = saved(tmp_path)
    out = tmp_path / "out.csv"
    expected = {"finding": "secrets", "status": "red", "records": 3}
    columns = {"protected": ["age", "income"], "untouched": ["diagnosis"], "dropped": []}
    protect = run(capsys, "protect", people, "--plan", plan, "--out", out, "--json")
    check = run(capsys, "check", people, out, "--plan", plan, "--json")
    assess = run(capsys, "assess", people, out, "--columns", "age,income", "--confidential", "diagnosis",
                 "--k", 3, "--json")  # fmt: skip
    assert [status for status, _, _ in (protect, check, assess)] == [0, 1, 0]
    for _, printed, _ in (protect, check, assess):
        told = json.loads(printed)
        (secrets,) = (one for one in told["audit"] if one["finding"] == "secrets")
        assert {name: secrets[name] for name in expected} == expected
        assert told["columns"] == columns


def test_every_command_says_the_same_in_words_and_names_every_column(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    people, plan = saved(tmp_path)
    out = tmp_path / "out.csv"
    for command in (
        ("protect", people, "--plan", plan, "--out", out),
        ("check", people, out, "--plan", plan),
        ("assess", people, out, "--columns", "age,income", "--confidential", "diagnosis", "--k", 3),
    ):
        printed = run(capsys, *command)[1]
        assert "RED    secrets" in printed
        assert "diagnosis in 1 class (3 records)" in printed
        assert "Protected: age, income\nReleased as they are: diagnosis\nLeft out: none" in printed


def test_a_reason_on_the_command_line_goes_to_plan_report_and_status(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    people, plan = saved(tmp_path)
    out, why = tmp_path / "out.csv", ("--accept", "secrets=Known = said long ago.")
    told = json.loads(run(capsys, "protect", people, "--plan", plan, "--out", out, "--json", *why)[1])
    assert json.loads(told["plan"])["accept"] == {"secrets": "Known = said long ago."}
    assert {one.get("reason") for one in told["audit"]} == {None, "Known = said long ago."}
    assert run(capsys, "check", people, out, "--plan", plan, *why)[0] == 0
    assert run(capsys, "report", people, "--plan", plan, "--out", tmp_path / "r.html", *why)[0] == 0
    assert "Known = said long ago." in (tmp_path / "r.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("accept", ["secrets", "secrets=", "secrets=  ", "secret=It is so.", "=It is so."])
def test_what_cannot_be_accepted_is_one_line_and_nothing_is_written(
    accept: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    people, plan = saved(tmp_path)
    out = tmp_path / "out.csv"
    status, _, error = run(capsys, "protect", people, "--plan", plan, "--out", out, "--accept", accept)
    assert (status, len(error.strip().splitlines()), out.exists()) == (2, 1, False)


def test_single_blocks_are_said_to_leave_people_alone_when_they_are_made(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    frame = pd.DataFrame({f"v{step}": [(i * step) % 9 / 2 for i in range(60)] for step in (7, 11, 17)})
    frame.to_csv(tmp_path / "x.csv", index=False)
    printed = run(
        capsys, "protect", tmp_path / "x.csv", "--k", 5, "--blocks", "single", "--columns", "v7,v11,v17",
        "--out", tmp_path / "y.csv",
    )[1]  # fmt: skip
    sizes = pd.read_csv(tmp_path / "y.csv").groupby(["v7", "v11", "v17"]).size()
    assert f"{(sizes == 1).sum()} of 60 records are like nobody else" in printed


def test_what_was_measured_in_other_ways_is_said_in_other_words(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    people, plan = saved(tmp_path)
    out = tmp_path / "out.csv"
    run(capsys, "protect", people, "--plan", plan, "--out", out)
    printed = run(
        capsys, "assess", people, out, "--columns", "age,income", "--interval-width", "standard deviations",
        "--linkage-direction", "original to protected", "--loss-weight", 0.25,
    )[1]  # fmt: skip
    assert "1–10 % of a standard deviation around" in printed
    assert "Share of originals whose nearest released record" in printed
    assert "25 % information loss, 75 % disclosure risk" in printed
    assert "of ranks" not in printed
