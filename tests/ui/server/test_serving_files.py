"""The unit and the container file name paths, options and commands that there are."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from streamlit import config

ROOT = Path(__file__).parents[3]
SERVING = ROOT / ".docs/serving"
CONTAINER = (SERVING / "Containerfile").read_text(encoding="utf-8")
UNIT = (SERVING / "microagg.service").read_text(encoding="utf-8")


def commands() -> list[list[str]]:
    """How the two files start the dashboard."""
    entry = json.loads(re.findall(r"^ENTRYPOINT (.*)$", CONTAINER, re.MULTILINE)[0])
    return [entry, shlex.split(re.findall(r"^ExecStart=(.*)$", UNIT, re.MULTILINE)[0])]


@pytest.mark.parametrize("command", commands(), ids=["container", "unit"])
def test_the_command_and_its_options_exist(command: list[str]) -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    assert Path(command[0]).name in scripts
    told = subprocess.run(
        [sys.executable, "-P", "-m", "microagg.cli", command[1], "--help"], capture_output=True, cwd=ROOT
    )
    assert told.returncode == 0
    options = [word[2:] for word in command if word.startswith("--")]
    assert options
    assert set(options) <= set(config._config_options_template)


def test_what_the_container_copies_and_installs_is_there() -> None:
    for path in re.findall(r"/src/(\S+)", CONTAINER):
        assert (ROOT / path).is_file(), path
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "requires-python"
    ]
    version = re.findall(r"^FROM python:3\.(\d+)", CONTAINER, re.MULTILINE)[0]
    assert int(version) >= int(wanted.rpartition(".")[2])


def test_its_health_is_asked_by_a_program_that_can_be_run_and_a_port_that_it_listens_on() -> None:
    program = json.loads(re.findall(r"^HEALTHCHECK CMD (.*)$", CONTAINER, re.MULTILINE)[0])
    compile(program[2], "health", "exec")
    (port,) = re.findall(r"^EXPOSE (\d+)$", CONTAINER, re.MULTILINE)
    assert f"localhost:{port}/_stcore/health" in program[2]
    assert commands()[0][-1] == port
