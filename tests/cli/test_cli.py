"""The command does what the library does, and answers bad input with one line and status 2."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from hypothesis import given, settings

import microagg as ma
from microagg.exploration.least_loss import least_loss
from microagg.io.writing import csv_bytes
from microagg.measures.risk import PAPER_1, RiskWeights
from tests.command_line import run
from tests.fuzz.command import strange_commands, try_command

if TYPE_CHECKING:
    from pathlib import Path


def test_protect_writes_what_the_library_releases(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    status, _, _ = run(capsys, "protect", "tarragona", "--method", "pcp", "--k", 4, "--out", out)
    assert status == 0
    release = ma.protect(ma.load_dataset("tarragona"), ma.Plan(method="pcp", k=4))
    assert out.read_bytes() == csv_bytes(release.protected)


def test_a_saved_plan_means_the_same_with_the_bare_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    data = ma.load_dataset("survey")
    plan = ma.Plan(k=3, lam=0.4, blocks="single").pinned(data)
    (tmp_path / "plan.json").write_text(plan.to_json(), encoding="utf-8")
    (tmp_path / "people.csv").write_bytes(csv_bytes(data.frame))
    status, _, _ = run(
        capsys,
        "protect",
        tmp_path / "people.csv",
        "--plan",
        tmp_path / "plan.json",
        "--out",
        tmp_path / "o.csv",
    )
    assert status == 0
    assert (tmp_path / "o.csv").read_bytes() == csv_bytes(ma.protect(data, plan).protected)


def test_every_choice_on_the_command_line_reaches_the_plan(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    choices = [
        *("--method", "zscores", "--k", 6, "--columns", "SALES,LABOR_COSTS,DEPRECIATION"),
        *("--blocks", "SALES+DEPRECIATION,LABOR_COSTS", "--lam", 0.25, "--aggregate", "median"),
        *("--option", "cost=projected", "--seed", 3, "--refine", 2, "--confidential", "NET_PROFIT"),
        *("--identifiers", "TREASURY", "--keep-identifiers", "--json", "--out", tmp_path / "o.csv"),
    ]
    status, printed, _ = run(capsys, "protect", "tarragona", *choices)
    assert status == 0
    assert ma.Plan.from_json(json.loads(printed)["plan"]) == ma.Plan(
        method="zscores",
        k=6,
        columns=("SALES", "LABOR_COSTS", "DEPRECIATION"),
        blocks=(("SALES", "DEPRECIATION"), ("LABOR_COSTS",)),
        lam=0.25,
        aggregate="median",
        options={"cost": "projected"},
        seed=3,
        refine=2,
        roles={"NET_PROFIT": "confidential", "TREASURY": "identifier"},
        keep_identifiers=True,
    )


def test_assess_prints_the_librarys_figures(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data = ma.load_dataset("tarragona")
    release = ma.protect(data, ma.Plan(k=4))
    (tmp_path / "released.csv").write_bytes(csv_bytes(release.protected))
    status, printed, _ = run(capsys, "assess", "tarragona", tmp_path / "released.csv", "--k", 4, "--json")
    assert status == 0
    told = ma.assess(release).figures() | {"l_at_least": least_loss(release)}
    figures = {name: None if math.isnan(value) else value for name, value in told.items()}
    printed_figures = json.loads(printed)
    assert printed_figures.pop("audit")
    assert "matched by position" in printed_figures.pop("notes")[0]
    assert printed_figures.pop("columns")["protected"] == list(release.attributes)
    assert printed_figures == pytest.approx(figures)
    _, words, _ = run(capsys, "assess", "tarragona", tmp_path / "released.csv", "--knowledge", "up-to:1")
    assert "Disclosure risk" in words


def test_sweep_prints_one_row_a_plan(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, printed, _ = run(capsys, "sweep", "survey", "--methods", "mdav,pcp", "--k", "3-5", "--json")
    assert status == 0
    assert [(row["method"], row["k"]) for row in json.loads(printed)] == [
        (method, k) for method in ("mdav", "pcp") for k in (3, 4, 5)
    ]
    _, said, _ = run(capsys, "sweep", "survey", "--k", "3", "--out", tmp_path / "t.csv")
    assert said == f"{tmp_path / 't.csv'}: 1 plan written.\n"
    assert pd.read_csv(tmp_path / "t.csv")["k"].tolist() == [3]


def test_datasets_lists_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    _, printed, _ = run(capsys, "datasets", "--json")
    rows = {row["name"]: row for row in json.loads(printed)}
    assert rows["tarragona"]["here"]
    assert set(rows) >= {
        "tarragona",
        "eia",
        "census",
        "water_treatment",
        "survey",
        "household_survey",
        "gaussian_05",
        "gaussian_09",
    }


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00", "not a text table"),
        (b"town\n" + b"Reus\nValls\n" * 3, "'town' holds text"),
        (b"x,y\n1,2\n3,4\n,6\n7,8\n9,1\n", "missing values in 'x' (1), the first in record 3"),
        (b"x,y\n1.5,2\n", "only 1 record"),
    ],
)
def test_bad_files_get_one_line_status_2_and_no_output_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes, message: str
) -> None:
    (tmp_path / "bad.csv").write_bytes(content)
    status, printed, error = run(capsys, "protect", tmp_path / "bad.csv", "--out", tmp_path / "out.csv")
    assert status == 2
    assert printed == ""
    assert error.startswith("microagg: ")
    assert error.count("\n") == 1
    assert message in error
    assert [path.name for path in tmp_path.iterdir()] == ["bad.csv"]


def test_what_was_changed_in_reading_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "twice.csv").write_bytes(b"x,x\n1,2\n3,4\n5,5\n")
    status, _, error = run(capsys, "protect", tmp_path / "twice.csv", "--k", 3, "--out", tmp_path / "out.csv")
    assert status == 0
    assert "note: Column 2 has the same name as another, 'x'" in error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--k", "1"], "k is 1"),
        (["--k", "835"], "only 834 records"),
        (["--method", "magic"], "no method 'magic'"),
        (["--option", "tail"], "must be NAME=VALUE"),
        (["--option", "speed=3"], "no option 'speed'"),
        (["--blocks", "rows"], "no way of making blocks"),
        (["--lam", "2"], "between 0 and 1"),
        (["--columns", "TURNOVER"], "no column 'TURNOVER'"),
        (["--plan", "nowhere.json"], "cannot be read"),
    ],
)
def test_bad_choices_are_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: list[str], message: str
) -> None:
    status, _, error = run(capsys, "protect", "tarragona", "--out", tmp_path / "out.csv", *arguments)
    assert status == 2
    assert message in error
    assert list(tmp_path.iterdir()) == []


def test_assess_weighs_and_looks_as_asked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data = ma.load_dataset("tarragona")
    release = ma.protect(data, ma.Plan(k=4))
    (tmp_path / "p.csv").write_bytes(csv_bytes(release.protected))
    asked = ["--weights", "0.1,0.2,0.7", "--loss-weight", "0.3", "--interval-width", "value"]
    asked += ["--linkage-direction", "original to protected", "--k", "4", "--json"]
    status, out, _ = run(capsys, "assess", "tarragona", tmp_path / "p.csv", *asked)
    assert status == 0
    found = ma.assess(
        release,
        weights=RiskWeights(0.1, 0.2, 0.7),
        loss_weight=0.3,
        direction="original to protected",
        width="value",
    )
    printed = json.loads(out)
    for name in ("dr", "score", "dld", "pld", "id"):
        assert printed[name] == pytest.approx(found.figures()[name])


def test_sweep_weighs_as_asked(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["sweep", "tarragona", "--k", "4", "--weights", "paper 1", "--json"]
    status, out, _ = run(capsys, *command)
    assert status == 0
    found = ma.assess(ma.protect(ma.load_dataset("tarragona"), ma.Plan(k=4)), weights=PAPER_1)
    assert json.loads(out)[0]["dr"] == pytest.approx(found.dr)


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        ("--weights", "1,1,1", "sum to 1"),
        ("--loss-weight", "2", "between 0 and 1"),
        ("--linkage-direction", "sideways", "no direction 'sideways'"),
        ("--interval-width", "miles", "no interval width in 'miles'"),
    ],
)
def test_a_wrong_way_of_assessing_is_one_line(
    capsys: pytest.CaptureFixture[str], option: str, value: str, says: str
) -> None:
    status, _, err = run(capsys, "assess", "tarragona", "tarragona", option, value)
    assert status == 2
    assert says in err
    assert err.count("\n") == 1


def test_assess_says_on_how_many_records_linkage_was_found_and_looks_up_all_when_asked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decided = ma.disclosed.__globals__["whom_to_look_up"].__globals__
    monkeypatch.setitem(decided, "PATIENCE", 0.0)
    monkeypatch.setitem(decided, "SAMPLE", 400)
    data = ma.load_dataset("tarragona")
    for name, frame in (("a", data.frame), ("b", ma.protect(data, ma.Plan()).protected)):
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    files = ["assess", str(tmp_path / "a.csv"), str(tmp_path / "b.csv")]
    assert "On a sample of 400 records, ± " in run(capsys, *files)[1]
    assert "sample" not in run(capsys, *files, "--exact")[1]
    told = json.loads(run(capsys, *files, "--json")[1])
    assert told["dld_looked_up"] == 400
    assert 0 < told["dld_standard_error"] < 0.05


def _shuffled(folder: Path) -> tuple[ma.Release, list[str]]:
    """A shuffled release as files, and the arguments that name them."""
    data = ma.load_dataset("survey")
    release = ma.protect(data, ma.Plan(k=4, shuffle=9).pinned(data))
    (folder / "plan.json").write_text(release.plan.to_json(), encoding="utf-8")
    (folder / "before.csv").write_bytes(csv_bytes(data.frame))
    (folder / "after.csv").write_bytes(csv_bytes(release.protected))
    return release, ["assess", str(folder / "before.csv"), str(folder / "after.csv"), "--json"]


def test_assess_undoes_the_shuffle_of_a_plan(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    release, files = _shuffled(tmp_path)
    status, printed, _ = run(capsys, *files, "--plan", tmp_path / "plan.json")
    assert status == 0
    told = ma.assess(release).figures()
    expected = {name: None if math.isnan(value) else value for name, value in told.items()}
    assert {name: json.loads(printed)[name] for name in expected} == pytest.approx(expected)


def test_assess_refuses_a_shuffled_file_without_its_plan_unless_asked_for_rows(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    _, files = _shuffled(tmp_path)
    status, printed, error = run(capsys, *files)
    assert (status, printed) == (2, "")
    assert "The rows stand in another order" in error
    status, printed, error = run(capsys, *files, "--align", "row")
    assert status == 0
    assert "the same values in other rows" in error
    assert any("the same values in other rows" in note for note in json.loads(printed)["notes"])


def test_assess_aligns_by_a_column(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    frame = pd.DataFrame({"age": range(20, 60), "rent": [x * x % 37 for x in range(40)]})
    frame["pid"] = [f"p{x * 7 % 40}" for x in range(40)]
    data = ma.Microdata.from_frame(frame, roles={"age": "quasi_identifier", "pid": "identifier"})
    release = ma.protect(data, ma.Plan(k=4, columns=("age", "rent"), keep_identifiers=True))
    frame.to_csv(tmp_path / "a.csv", index=False)
    release.protected.sample(frac=1, random_state=2).to_csv(tmp_path / "b.csv", index=False)
    command = ["assess", tmp_path / "a.csv", tmp_path / "b.csv", "--columns", "age,rent", "--k", 4, "--json"]
    status, printed, _ = run(capsys, *command, "--align", "pid")
    assert status == 0
    assert json.loads(printed)["dr"] == pytest.approx(ma.assess(release).dr)
    assert run(capsys, *command, "--align", "nowhere")[0] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["assess", "tarragona", "tarragona", "--k", "-1"],
            "k is -1; it must be a whole number of at least 2",
        ),
        (["assess", "tarragona", "tarragona", "--k", "0"], "k is 0"),
        (["assess", "tarragona", "tarragona", "--k", "1"], "k is 1"),
        (["assess", "tarragona", "tarragona", "--k", "835"], "only 834 records"),
        (["assess", "tarragona", "tarragona", "--loss-weight", "nan"], "between 0 and 1"),
        (
            ["assess", "tarragona", "tarragona", "--columns", "SALES", "--confidential", "SALES"],
            "one of them",
        ),
        (["sweep", "survey", "--k", "5-3"], "ends before it begins; write 3-5"),
        (["sweep", "survey", "--k", ""], "--k names nothing to try"),
        (["sweep", "survey", "--k", "2-99999999"], "more than 10,000"),
        (["sweep", "survey", "--k", "9" * 30], "must be whole numbers"),
        (["sweep", "survey", "--k", "3-9000", "--lam", "0,0.5"], "makes 17,996 plans"),
        (["sweep", "survey", "--methods", ""], "--methods names nothing to try"),
        (["sweep", "survey", "--methods", "mdav,magic"], "no method 'magic'"),
        (["sweep", "survey", "--blocks", ","], "--blocks names nothing to try"),
        (["sweep", "survey", "--lam", ""], "--lam names nothing to try"),
        (["sweep", "survey", "--lam", "nan"], "between 0 and 1"),
        (["sweep", "survey", "--knowledge", "sets:nobody"], "no attribute 'nobody'"),
        (["sweep", "survey", "--weights", "1,0"], "three numbers"),
    ],
)
def test_edges_of_what_may_be_asked_for_are_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    status, printed, error = run(capsys, *arguments)
    assert (status, printed) == (2, "")
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "options",
    [
        ["--columns", "SALES,TREASURY", "--confidential", "TREASURY"],
        ["--columns", "SALES,TREASURY", "--identifiers", "TREASURY"],
        ["--confidential", "TREASURY", "--identifiers", "TREASURY"],
        ["--identifiers", "TREASURY", "--weight", "TREASURY"],
        ["--nominal", "TREASURY", "--ordinal", "TREASURY"],
    ],
)
def test_a_column_is_named_as_one_thing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, options: list[str]
) -> None:
    status, _, error = run(capsys, "protect", "tarragona", "--out", tmp_path / "o.csv", *options)
    assert status == 2
    assert "'TREASURY' is named under" in error
    assert not list(tmp_path.iterdir())


@settings(max_examples=25)
@given(drawn=strange_commands())
def test_whatever_is_asked_for_is_done_or_refused_in_words(drawn: tuple[list[str], str]) -> None:
    try_command(drawn)


def test_assess_reads_each_file_as_it_is_told_and_takes_what_is_accepted_and_known(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Each workbook has a first sheet with other numbers, which a guess would take."""
    frame = pd.DataFrame(
        {
            "age": range(20, 60),
            "rent": [x * x % 37 for x in range(40)],
            "debt": [x * 7 % 31 for x in range(40)],
        }
    )
    release = ma.protect(ma.Microdata.from_frame(frame), ma.Plan(k=4, blocks="single"))
    for name, table in (("a", frame), ("b", release.protected)):
        with pd.ExcelWriter(tmp_path / f"{name}.xlsx") as book:
            (table * 2 + 1).to_excel(book, sheet_name="first", index=False)
            table.to_excel(book, sheet_name=f"{name} is here", index=False)
    words = [
        "assess",
        tmp_path / "a.xlsx",
        tmp_path / "b.xlsx",
        "--k",
        4,
        "--columns",
        "age,rent,debt",
        "--json",
    ]
    words += ["--read", "sheet=a is here", "--read-protected", "sheet=b is here"]
    words += ["--knowledge", "up-to:1", "--accept", "k, protected=They are all dead."]
    status, printed, _ = run(capsys, *words)
    told = json.loads(printed)
    lost = (frame - release.protected).pow(2).sum() / (frame - frame.mean()).pow(2).sum()
    assert (status, told["l"]) == (0, pytest.approx(lost.mean()))
    alone = ma.assess(release, knowledge=ma.Knowledge.up_to(1)).figures()
    assert told["dld"] == pytest.approx(alone["dld"])
    assert told["dld"] != pytest.approx(ma.assess(release).figures()["dld"])
    (found,) = (one for one in told["audit"] if one["finding"] == "k, protected")
    below = release.protected.groupby(list(frame)).transform("size").lt(4).sum()
    assert (found["status"], found["records"]) == ("amber", below)
    assert found["reason"] == "They are all dead."


def test_sweep_sets_the_refined_beside_each_plan(capsys: pytest.CaptureFixture[str]) -> None:
    status, printed, _ = run(capsys, "sweep", "survey", "--k", "3-4", "--refine", 5, "--json")
    rows = pd.DataFrame(json.loads(printed))
    assert status == 0
    assert rows["refine"].fillna(0).tolist() == [0, 5, 0, 5]
    assert rows["k"].tolist() == [3, 3, 4, 4]
    loss = rows["l"].to_numpy()
    assert (loss[1::2] <= loss[::2]).all()
    assert (loss[1::2] < loss[::2]).any()
