"""The command line killed in the middle: the file is there whole or not at all, and the next run succeeds."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

# The program is loaded once and forked for each run, which saves two seconds of imports a kill.
SERVER = """
import os, sys
from microagg.cli import main
sys.argv = ["microagg", *sys.stdin.readline().split()]
try:
    main()  # compiled functions are loaded once as well
except SystemExit as ended:
    print(ended.code, flush=True)
for line in iter(sys.stdin.readline, ""):
    child = os.fork()
    if child == 0:
        sys.argv = ["microagg", *line.split()]
        main()
        os._exit(0)
    print(child, flush=True)
    sys.stdin.readline()  # until then a child that has ended keeps its number
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class CommandLine:
    """The microagg command, started again and again and killed at will."""

    def __init__(self, folder: Path) -> None:
        root = str(Path(__file__).parents[2])
        self.server = subprocess.Popen(
            [sys.executable, "-c", SERVER],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": root},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def start(self) -> int:
        command = "protect in.csv --out out.csv --method fixed --k 5 --json --force"
        print(command, file=self.server.stdin, flush=True)
        return self._number()

    def ended(self) -> int:
        """Exit status of the run, minus the signal where it was killed."""
        print(file=self.server.stdin, flush=True)
        return self._number()

    def _number(self) -> int:
        """The next number it prints; what the command says of itself is passed over."""
        for line in self.server.stdout:
            if line.strip().lstrip("-").isdecimal():
                return int(line)
        raise AssertionError("the command line cannot be started")


@pytest.fixture
def command(tmp_path: Path) -> Iterator[CommandLine]:
    values = np.random.default_rng(0).normal(size=(4_000, 8)).round(6)
    pd.DataFrame(values, columns=list("abcdefgh")).to_csv(tmp_path / "in.csv", index=False)
    started = CommandLine(tmp_path)
    yield started
    started.server.stdin.close()
    started.server.wait()
    started.server.stdout.close()


def writes(child: int, folder: Path) -> bool:
    """Whether the process has a file in the folder that has no name yet."""
    try:
        held = [str(link.readlink()) for link in Path(f"/proc/{child}/fd").iterdir()]
    except OSError:  # it has ended
        return False
    return any(place.startswith(f"{folder}/") and place.endswith("(deleted)") for place in held)


def kill_again_and_again(command: CommandLine, folder: Path, times: int) -> None:
    moments = random.Random(7)  # noqa: S311 - moments, not secrets
    source, target = folder / "in.csv", folder / "out.csv"
    given = source.read_bytes()
    command.start()
    began = time.monotonic()
    command.start()
    assert command.ended() == 0
    took = time.monotonic() - began
    whole, old = target.read_bytes(), b"what stood there before\n"
    killed = caught = early = 0
    for turn in range(times):
        target.unlink()
        if turn % 2:
            target.write_bytes(old)
        child = command.start()
        until = time.monotonic() + moments.uniform(0, 1.2 * took)
        while time.monotonic() < until:
            if turn % 4 > 1 and writes(child, folder):  # half of the kills
                caught += 1
                time.sleep(moments.uniform(0, 0.003))
                break
            time.sleep(0.0002)
        os.kill(child, signal.SIGKILL)
        killed += command.ended() == -signal.SIGKILL
        found = target.read_bytes() if target.exists() else None
        early += found != whole
        assert found in ((whole, old) if turn % 2 else (whole, None))
        assert source.read_bytes() == given
        for path in set(folder.iterdir()) - {source, target}:  # killed between giving a name and the last one
            assert path.read_bytes() == whole
            path.unlink()
        target.touch()
    assert killed > times / 4
    assert early  # some were killed before the file had its name
    assert caught > times / 8 or not hasattr(os, "O_TMPFILE")
    command.start()
    assert command.ended() == 0
    assert target.read_bytes() == whole


def test_a_killed_run_leaves_a_whole_file_or_none(command: CommandLine, tmp_path: Path) -> None:
    kill_again_and_again(command, tmp_path, 20)


@pytest.mark.nightly
def test_two_hundred_killed_runs_leave_a_whole_file_or_none(command: CommandLine, tmp_path: Path) -> None:
    kill_again_and_again(command, tmp_path, 200)
