"""Real files on the command line: every choice reaches the plan, and what happened is said."""

from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING

import pandas as pd
import pytest

import microagg as ma
from microagg.cli.refinement_progress import watched
from microagg.io.writing import csv_bytes
from microagg.protection.refinement import Moment
from microagg.protection.shuffle_seed import GUESSABLE
from tests.cli.test_cli import run

if TYPE_CHECKING:
    from pathlib import Path

PEOPLE = """age,rent,town,grade,weight
31,7.5,Reus,low,2
32,-999,Reus,high,3
35,8,Reus,middle,1
61,9,Valls,low,2
66,9.5,Valls,low,4
70,,Valls,high,1
"""


@pytest.fixture
def people(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text(PEOPLE, encoding="utf-8")
    return tmp_path / "people.csv"


def test_every_choice_for_real_files_reaches_the_plan(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, people: Path
) -> None:
    choices = [
        *("--method", "mixed", "--k", 2, "--columns", "age,rent,grade", "--strata", "town"),
        *("--missing", "drop", "--missing-codes", "rent=-999", "--missing-codes", "*=?"),
        *("--small-strata", "merge next", "--weight", "weight", "--nominal", "town"),
        *("--order", "grade=low<middle<high", "--rounding", "half up", "--shuffle", 3),
    ]
    status, printed, error = run(capsys, "protect", people, *choices, "--json", "--out", tmp_path / "o.csv")
    assert status == 0
    done = json.loads(printed)
    plan = ma.Plan(
        method="mixed",
        k=2,
        columns=("age", "rent", "grade"),
        strata=("town",),
        missing="drop",
        missing_codes={"rent": -999, "*": "?"},
        small_strata="merge next",
        weighted=True,
        roles={"weight": "weight"},
        scales={"town": "nominal"},
        orders={"grade": ("low", "middle", "high")},
        rounding="half up",
        shuffle=3,
    )
    assert ma.Plan.from_json(done["plan"]) == plan
    assert (done["records"], done["left_out"]) == (4, 2)
    assert "note: 2 of 6 records are not released" in error
    assert (tmp_path / "o.csv").read_bytes() == csv_bytes(
        ma.protect(ma.read_microdata(people), plan).protected
    )


def test_ranks_and_patterns_need_no_more_than_their_name(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, people: Path
) -> None:
    choices = [
        "--method",
        "mixed",
        "--k",
        2,
        "--columns",
        "age,rent",
        "--ordinal",
        "age",
        "--missing",
        "patterns",
    ]
    status, _, error = run(capsys, "protect", people, *choices, "--out", tmp_path / "o.csv")
    assert status == 0
    assert "note: 1 of 6 records is not released" in error
    assert set(pd.read_csv(tmp_path / "o.csv")["age"]) <= {31, 32, 35, 61, 66}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--missing", "impute"], "must be one of 'refuse', 'drop', 'patterns'"),
        (["--missing-codes", "-999"], "must be COLUMN=VALUE"),
        (["--order", "grade"], "must be COLUMN=LOWEST<…<HIGHEST"),
        (["--strata", "town", "--k", "4", "--missing", "drop"], "fewer than k = 4 records: 2 of 2"),
        (["--columns", "town"], "such as mixed"),
        (["--rounding", "up"], "must be one of 'none', 'half even', 'half up'"),
    ],
)
def test_what_cannot_be_honoured_is_said_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, people: Path, arguments: list[str], message: str
) -> None:
    status, printed, error = run(capsys, "protect", people, *arguments, "--out", tmp_path / "o.csv")
    assert (status, printed) == (2, "")
    assert message in error
    assert error.splitlines()[-1].startswith("microagg: ")
    assert not (tmp_path / "o.csv").exists()


def test_cells_that_a_spreadsheet_would_run_are_told_and_neutralised_on_request(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    source, out = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("remark,age,rent\n=1+1,20,7.5\n@x,21,8.5\nfine,30,9\nfine,31,9\n", encoding="utf-8")
    status, _, told = run(capsys, "protect", source, "--k", 2, "--out", out)
    assert status == 0
    assert "warning: 2 cells would run as formulas in a spreadsheet. --neutralise marks them as text." in told
    assert "\n=1+1," in out.read_text(encoding="utf-8")
    status, _, told = run(capsys, "protect", source, "--k", 2, "--out", out, "--neutralise", "--force")
    assert status == 0
    assert "warning" not in told
    assert "\n'=1+1," in out.read_text(encoding="utf-8")


def test_a_budget_ends_refinement_and_the_printed_plan_repeats_the_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    choices = ["--k", 3, "--refine", 100_000, "--budget", 0.3, "--json"]
    status, printed, _ = run(capsys, "protect", "tarragona", *choices, "--out", tmp_path / "first.csv")
    assert status == 0
    plan = json.loads(printed)["plan"]
    assert 0 < ma.Plan.from_json(plan).stop_at < 1
    (tmp_path / "plan.json").write_text(plan, encoding="utf-8")
    again = ["--plan", tmp_path / "plan.json", "--out", tmp_path / "second.csv"]
    assert run(capsys, "protect", "tarragona", *again)[0] == 0
    assert (tmp_path / "first.csv").read_bytes() == (tmp_path / "second.csv").read_bytes()


def test_an_interrupt_during_refinement_asks_for_the_best_so_far_and_before_and_after_ends_the_command() -> (
    None
):
    usual = signal.getsignal(signal.SIGINT)
    with watched(None) as watch:
        assert signal.getsignal(signal.SIGINT) is usual
        assert not watch(Moment(0.0, 0.0, 0.2, 0.2, 0.0))
        signal.raise_signal(signal.SIGINT)
        assert watch(Moment(0.1, 3.0, 0.2, 0.1, 0.5))
    assert signal.getsignal(signal.SIGINT) is usual


def test_every_column_is_named_by_what_became_of_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "out.csv"
    status, printed, told = run(capsys, "protect", "household_survey", "--out", out, "--json")
    assert status == 0
    assert json.loads(printed)["columns"] == {
        "protected": ["age", "income", "hours"],
        "untouched": ["household", "sex", "region", "education", "occupation", "weight", "diagnosis"],
        "dropped": ["id"],
    }
    assert "sex, region, education and occupation are quasi-identifiers and leave as they are" in told
    assert list(ma.read_microdata(out).frame.columns) == list(ma.load_dataset("household_survey").frame)[1:]


def test_a_unit_is_named_and_of_several_weights_the_named_one_weighs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    source, out = tmp_path / "in.csv", tmp_path / "out.csv"
    rows = [f"{i // 2},{20 + i},{1.5 + i % 3},{0.25 * (1 + i % 4)}" for i in range(24)]
    source.write_text("\n".join(["nest,age,wgt,pweight", *rows]), encoding="utf-8")
    choices = ["--unit", "nest", "--weight", "wgt", "--k", 4, "--json"]
    status, printed, _ = run(capsys, "protect", source, *choices, "--out", out)
    assert status == 0
    plan = ma.Plan.from_json(json.loads(printed)["plan"])
    assert plan.roles == {"nest": "unit", "wgt": "weight", "pweight": "other"}
    before, after = pd.read_csv(source), pd.read_csv(out)
    assert (after["age"] * after["wgt"]).sum() == pytest.approx((before["age"] * before["wgt"]).sum())
    pd.testing.assert_frame_equal(after.drop(columns="age"), before.drop(columns="age"))


def test_shuffle_random_draws_a_seed_that_the_printed_plan_holds(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, people: Path
) -> None:
    seeds = []
    for name in ("a.csv", "b.csv"):
        choices = ("--k", 2, "--columns", "age", "--shuffle", "random", "--json", "--out", tmp_path / name)
        status, printed, error = run(capsys, "protect", people, *choices)
        assert status == 0, error
        plan = ma.Plan.from_json(json.loads(printed)["plan"])
        seeds.append(plan.shuffle)
        assert (tmp_path / name).read_bytes() == csv_bytes(
            ma.protect(ma.read_microdata(people), plan).protected
        )
    assert min(seeds) >= GUESSABLE
    assert len(set(seeds)) == 2
    status, _, error = run(
        capsys, "protect", people, "--columns", "age", "--shuffle", "often", "--out", tmp_path / "c.csv"
    )
    assert status != 0
    assert "it must be a seed" in error
