"""README is true: its tables are those of the program, and its commands run."""

from __future__ import annotations

import re
import shlex
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import typer

import microagg as ma
from microagg import cli
from microagg.io.writing import csv_bytes
from tests.conftest import BUNDLED

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
NOT_RUN = {
    "python3 -m venv .venv": "installs; .ci/run does it",
    ".venv/bin/pip install -e .": "installs",
    ".venv/bin/pip install -e '.[test]'": "installs; .ci/run does it",
    ".venv/bin/pip install -e '.[dask]'": "installs; '.[test]' holds the same",
    ".venv/bin/python -m pytest -n 2 --dist loadfile": "is this",
    ".venv/bin/microagg app": "serves; tests/browser does it",
    "microagg app --result out/": "serves; tests/ui/test_opened_result.py opens such a result",
    "microagg protect in/ --engine dask --out out/": "takes processes; tests/distributed has small parts",
    "microagg papers run comparative-study": "takes minutes; tests/papers runs its tables one by one",
    "microagg datasets get census": "needs the network",
}


def test_every_method_stands_in_the_table_with_its_source() -> None:
    for m in ma.METHODS.values():
        assert f"| {m.title} | `{m.name}` | {m.summary} | {m.guarantees} | {m.reference} |" in README


def test_every_measure_stands_in_the_table_with_its_source() -> None:
    for m in ma.MEASURES.values():
        assert f"| {m.title} | `{m.name}` | {m.sentence} | {m.better} | {m.reference} |" in README


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.DOTALL | re.MULTILINE)


def commands() -> list[str]:
    """Every command of the blocks of shell, in their order, without comments."""
    lines = [line.partition(" # ")[0] for block in blocks("sh") for line in block.splitlines()]
    return [command.strip() for line in lines for command in line.split("&&") if command.strip()]


def test_the_python_runs_and_the_figures_beside_it_are_its_own() -> None:
    (block,) = blocks("python")
    short = block.replace("range(2, 31)", "range(2, 4)")
    assert short != block
    names: dict[str, Any] = {}
    exec(compile(short, "README.md", "exec"), names)  # noqa: S102 - what the reader is told to run
    printed = re.search(r"result\.il, result\.dr, result\.score +# (.*)", block)
    assert printed is not None
    result = names["result"]
    assert printed[1] == f"{result.il:.2f}, {result.dr:.2f}, {result.score:.2f}"
    assert len(names["table"]) == 4


def test_the_commands_that_are_not_run_are_printed_and_understood() -> None:
    """Each with its reason; those of ours have words and options that the program has."""
    printed = commands()
    assert not [command for command in NOT_RUN if command not in printed]
    ours = [command for command in NOT_RUN if "microagg " in command]
    assert len(ours) == 5
    for command in ours:
        understood(shlex.split(command)[1:])
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = re.findall(r"install -e '\.\[(\w+)\]'", "\n".join(printed))
    assert asked == ["test", "dask"]
    assert set(asked) <= extras["optional-dependencies"].keys()


def understood(words: Iterable[str]) -> None:
    """Read the words of a command without carrying it out; click says what it does not know."""
    command: Any = typer.main.get_command(cli.app)
    left = list(words)
    while hasattr(command, "commands"):
        command = command.commands[left.pop(0)]
    assert command.make_context("microagg", left).args == [], "not an option of ours"


@pytest.mark.parametrize("command", ["protect in/ --engin dask", "papers rn one", "app --results out/"])
def test_a_command_that_does_not_exist_is_not_understood(command: str) -> None:
    with pytest.raises(Exception, match=r"engin|rn|not an option"):
        understood(command.split())


def test_every_other_command_runs_as_it_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "survey.csv").write_bytes((BUNDLED / "survey.csv").read_bytes())
    monkeypatch.chdir(tmp_path)
    printed = {}
    for command in commands():
        if command in NOT_RUN:
            continue
        program, *words = shlex.split(command)
        assert program == "microagg", f"neither run nor given a reason: {command}"
        monkeypatch.setattr(sys, "argv", ["microagg", *words])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        printed[words[0], words[-1]] = capsys.readouterr().out
        assert not ended.value.code, command
    assert len(printed) == 4
    data = ma.read_microdata("survey.csv")
    release = ma.protect(data, ma.Plan(method="mdav", k=5))
    assert Path("protected.csv").read_bytes() == csv_bytes(release.protected)
    assert f"{ma.assess(release).il:.4g}" in printed["assess", "5"]
    refined = ma.read_microdata("refined.csv")
    assert ma.assess(ma.compare(data, refined)).il < ma.assess(release).il
    assert printed["sweep", "3-10"].count("kward") == 8
