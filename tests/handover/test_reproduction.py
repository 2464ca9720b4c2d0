"""The same bytes from the plan, the command line and the script, each in a process of its own."""

from __future__ import annotations

import shlex
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

import microagg as ma
from microagg.handover.release_file import Outgoing
from microagg.handover.reproduction import Source, command_line, plan_text, script
from microagg.io.reading import read_table

ROOT = Path(__file__).parents[2]
SURVEY = "Name;Größe;Miete;Notiz\r\n" + "".join(
    f"P{i};{150 + 7 * i % 40};{5 + i * 3 % 11},5;{'=1+1' if i == 3 else 'x'}\r\n" for i in range(20)
)
PARTS = {"delimiter": ";", "decimal": ","}


@pytest.fixture
def leaving(tmp_path: Path) -> Outgoing:
    (tmp_path / "my survey.csv").write_bytes(SURVEY.encode("cp1252"))
    table = read_table(tmp_path / "my survey.csv", **PARTS)
    data = ma.Microdata.from_frame(
        table.frame, roles={"Name": "identifier", "Größe": "quasi_identifier"}, name=table.name
    )
    plan = ma.Plan(k=4, rounding="half up", shuffle=7, method="constrained_lloyd")
    return Outgoing(ma.protect(data, plan), "csv", table.dialect, table.labels, neutralised=True)


def run(*words: str, where: Path) -> str:
    done = subprocess.run(
        [sys.executable, *words],
        cwd=where,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin"},
        check=True,
        text=True,
        capture_output=True,
    )
    return done.stdout


def test_the_command_line_with_the_saved_plan_gives_the_same_bytes(leaving: Outgoing, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text(plan_text(leaving.release), encoding="utf-8")
    words = shlex.split(command_line(Source("my survey.csv", PARTS), leaving))
    assert words[0] == "microagg"
    run("-c", "from microagg.cli import main; main()", *words[1:], where=tmp_path)
    assert (tmp_path / leaving.file_name).read_bytes() == leaving.written
    assert "Größe;Miete".encode("cp1252") in leaving.written


def test_the_script_gives_the_same_bytes_and_says_so(leaving: Outgoing, tmp_path: Path) -> None:
    text = script(Source("my survey.csv", PARTS), leaving)
    (tmp_path / "again.py").write_text(text, encoding="utf-8")
    assert run("again.py", where=tmp_path) == "my survey_protected.csv: the same bytes\n"
    assert (tmp_path / leaving.file_name).read_bytes() == leaving.written


def test_the_command_line_says_all_that_was_chosen_instead_of_guessed(leaving: Outgoing) -> None:
    chosen = {"sheet": "May", "skip": 2, "header": False, "decimal": ","}
    words = shlex.split(command_line(Source("x.xlsx", chosen), leaving))
    told = [after for word, after in pairwise(words) if word == "--read"]
    assert told == ["sheet=May", "skip=2", "header=False", "decimal=,"]


def test_a_script_that_gives_other_bytes_says_so_and_fails(leaving: Outgoing, tmp_path: Path) -> None:
    other = tmp_path / "my survey.csv"
    other.write_bytes(other.read_bytes().replace(b"150;", b"950;"))
    (tmp_path / "again.py").write_text(script(Source(other.name, PARTS), leaving), encoding="utf-8")
    command = [sys.executable, "again.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "my survey_protected.csv: not the same bytes\n")


def test_the_script_never_replaces_the_original(leaving: Outgoing, tmp_path: Path) -> None:
    source = tmp_path / "my survey.csv"
    before = source.read_bytes()
    (tmp_path / "again.py").write_text(script(Source(source.name, PARTS), leaving), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "again.py", source.name, source.name], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, "an input is never replaced" in done.stderr) == (1, True)
    assert source.read_bytes() == before


def test_the_plan_alone_gives_the_same_bytes_in_the_library(leaving: Outgoing, tmp_path: Path) -> None:
    table = read_table(tmp_path / "my survey.csv")
    plan = ma.Plan.from_json(plan_text(leaving.release))
    release = ma.protect(ma.Microdata.from_frame(table.frame, name=table.name), plan)
    assert Outgoing(release, "csv", table.dialect, neutralised=True).written == leaving.written


def test_a_script_for_a_reference_data_set_needs_no_file(tmp_path: Path) -> None:
    leaving = Outgoing(ma.protect(ma.load_dataset("survey"), ma.Plan(k=3)), "parquet")
    (tmp_path / "again.py").write_text(script(Source("survey"), leaving), encoding="utf-8")
    assert "the same bytes" in run("again.py", where=tmp_path)
    assert (tmp_path / "survey_protected.parquet").read_bytes() == leaving.written


def test_hostile_names_stay_inside_their_quotes() -> None:
    source = Source("a'; rm -rf $HOME; '.csv", {"sheet": '"""\'\n'})
    leaving = Outgoing(ma.protect(ma.load_dataset("survey"), ma.Plan(k=3)))
    assert shlex.split(command_line(source, leaving))[2] == source.file
    compile(script(source, leaving), "again.py", "exec")
