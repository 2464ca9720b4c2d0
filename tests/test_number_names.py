"""Columns named by numbers are names to every command, and what is read is read as it is told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pandas as pd
import pytest

import microagg as ma
from microagg.handover.verification import check
from microagg.io.saving import table_bytes
from microagg.io.writing import csv_bytes
from tests.command_line import run

if TYPE_CHECKING:
    from pathlib import Path

FRAME = pd.DataFrame({"7": [20, 21, 22, 60, 61, 62], "2020": [1, 2, 3, 9, 8, 7]})


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.json"
    path.write_text(ma.Plan(k=3, columns=("7", "2020")).to_json())
    return path


def test_a_good_file_has_no_red_check():
    data = ma.Microdata.from_frame(FRAME)
    release = ma.protect(data, ma.Plan(k=3, columns=("7", "2020"), roles={"7": "quasi_identifier"}))
    assert [
        one.name for one in check(csv_bytes(release.protected), "x.csv", release) if one.status == "red"
    ] == []


@pytest.mark.parametrize("kind", ["csv", "excel"])
def test_every_command_reads_names_that_are_numbers(capsys, tmp_path, plan, kind):
    original, out = tmp_path / {"csv": "in.csv", "excel": "in.xlsx"}[kind], tmp_path / "out.csv"
    original.write_bytes(table_bytes(FRAME, kind))
    told = ["--read", "header=yes"] if kind == "csv" else []
    assert run(capsys, "protect", original, "--plan", plan, "--out", out, *told)[0] == 0
    assert out.read_text().splitlines()[0] == "7,2020"
    status, printed, _ = run(capsys, "check", original, out, "--plan", plan, *told, "--json")
    checks = json.loads(printed)
    checks = checks if isinstance(checks, list) else checks["checks"]
    assert [one["name"] for one in checks if one["status"] == "red"] == []
    status, printed, _ = run(
        capsys, "assess", original, out, "--k", 3, "--columns", "7,2020", *told, "--json"
    )
    assert (status, json.loads(printed)["k_prime"]) == (0, 3)
    assert run(capsys, "sweep", original, "--k", 3, *told, "--json")[0] == 0


def test_assess_reads_both_files_as_it_is_told(capsys, tmp_path):
    original, released = tmp_path / "in.csv", tmp_path / "out.csv"
    original.write_text("a;b\n1,234;1\n2,345;2\n3,456;3\n")
    released.write_text("a;b\n2,345;2\n2,345;2\n2,345;2\n")
    columns = ["--columns", "a", "--k", 3, "--json"]
    status, printed, _ = run(capsys, "assess", original, released, *columns, "--read", "thousands=,")
    assert (status, json.loads(printed)["l"]) == (0, pytest.approx(1.0))
    _, _, notes = run(capsys, "assess", original, released, *columns)
    assert notes.count("choose the decimal point if they are thousands") == 2
    released.write_text("a|b\n2345|2\n2345|2\n2345|2\n")
    both = ["--read", "thousands=,", "--read", "delimiter=;", "--read-protected", "delimiter=|"]
    assert run(capsys, "assess", original, released, *columns, *both)[0] == 0


@pytest.mark.parametrize("command", ["protect", "assess", "sweep", "check", "report"])
def test_every_command_that_reads_a_file_takes_read(capsys, command):
    assert "--read" in run(capsys, command, "--help")[1]


@pytest.mark.parametrize("value", ["two", "-1"])
def test_lines_to_skip_are_a_number(capsys, tmp_path, value):
    (tmp_path / "in.csv").write_text("a,b\n1,2\n")
    status, _, error = run(capsys, "sweep", tmp_path / "in.csv", "--read", f"skip={value}")
    assert (status, f"--read skip={value} must be a number of lines, such as skip=2." in error) == (2, True)
