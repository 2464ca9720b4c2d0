"""A command never writes over what it reads, however that is spelled; over another file only when asked."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

import microagg as ma
from microagg.io.datasets import dataset_file
from microagg.io.destination import claim
from microagg.io.writing import csv_bytes
from tests.command_line import run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def original(tmp_path: Path) -> Path:
    path = tmp_path / "survey.csv"
    path.write_bytes(csv_bytes(ma.load_dataset("survey").frame))
    (tmp_path / "plan.json").write_text(ma.Plan(k=3).to_json())
    (tmp_path / "link.csv").symlink_to(path)
    os.link(path, tmp_path / "hard.csv")
    (tmp_path / "folder").mkdir()
    return path


COMMANDS = {
    "protect": ["protect", "survey.csv", "--plan", "plan.json", "--out"],
    "sweep": ["sweep", "survey.csv", "--k", "3", "--out"],
    "report": ["report", "survey.csv", "--plan", "plan.json", "--out"],
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "spelling", ["survey.csv", "./survey.csv", "folder/../survey.csv", "link.csv", "hard.csv"]
)
@pytest.mark.parametrize("force", [[], ["--force"]], ids=["", "force"])
def test_no_command_writes_over_its_input(capsys, monkeypatch, original, command, spelling, force):
    monkeypatch.chdir(original.parent)
    before = original.read_bytes()
    status, _, error = run(capsys, *COMMANDS[command], spelling, *force)
    assert status == 2
    assert error.endswith(
        f"{spelling.removeprefix('./')} is the file that is read here (survey.csv); an input is never "
        "replaced, so choose another name for the output.\n"
    )
    assert original.read_bytes() == before
    assert (original.parent / "link.csv").is_symlink()
    assert (original.parent / "hard.csv").samefile(original)


@pytest.mark.parametrize("command", ["protect", "report"])
def test_no_command_writes_over_its_plan(capsys, monkeypatch, original, command):
    monkeypatch.chdir(original.parent)
    before = (original.parent / "plan.json").read_bytes()
    status, _, error = run(capsys, *COMMANDS[command], "plan.json", "--force")
    assert (status, "plan.json is the file that is read here" in error) == (2, True)
    assert (original.parent / "plan.json").read_bytes() == before


@pytest.mark.parametrize("command", COMMANDS)
def test_an_existing_output_is_replaced_only_where_that_is_asked_for(capsys, monkeypatch, original, command):
    monkeypatch.chdir(original.parent)
    out = original.parent / "out.csv"
    out.write_bytes(b"another's work")
    status, _, error = run(capsys, *COMMANDS[command], "out.csv")
    assert (status, error) == (
        2,
        "microagg: out.csv exists; choose another name, or replace it with --force.\n",
    )
    assert out.read_bytes() == b"another's work"
    status, _, _ = run(capsys, *COMMANDS[command], "out.csv", "--force")
    assert status == 0
    assert out.read_bytes() != b"another's work"


def test_a_reference_data_set_is_an_input_too(capsys):
    file = dataset_file("survey")
    before = file.read_bytes()
    status, _, error = run(capsys, "protect", "survey", "--k", 3, "--force", "--out", file)
    assert (status, "an input is never replaced" in error) == (2, True)
    assert file.read_bytes() == before


def test_a_folder_that_is_read_takes_no_output(tmp_path):
    (tmp_path / "in" / "deep").mkdir(parents=True)
    for out in (tmp_path / "in" / "out", tmp_path / "in" / "deep" / "more" / "out"):
        with pytest.raises(ma.DataError, match="lies in the folder that is read here"):
            claim(out, [tmp_path / "in"])
    assert claim(tmp_path / "inner", [tmp_path / "in"]) == tmp_path / "inner"


def test_a_folder_is_no_file_to_write(tmp_path):
    with pytest.raises(ma.DataError, match="is a folder; add the name of a file"):
        claim(tmp_path, [], force=True)


def test_a_dangling_link_counts_as_an_output_that_exists(tmp_path):
    (tmp_path / "dangling").symlink_to(tmp_path / "gone.csv")
    with pytest.raises(ma.DataError, match="exists"):
        claim(tmp_path / "dangling", [])
