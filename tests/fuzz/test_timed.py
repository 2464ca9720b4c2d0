"""What bounds a fuzzed input is itself seen to bound: a loop is ended and told, memory runs out in words."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
START = "from tests.fuzz.timed import limit_memory, watched\n"


def ran(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", START + program], cwd=ROOT, capture_output=True, text=True)


def test_an_input_that_computes_without_end_is_ended_and_its_place_told() -> None:
    ended = ran("def loop(n):\n    while True: pass\nwatched(loop, 0.5)(1)")
    assert ended.returncode == -signal.SIGPROF
    assert "in loop" in ended.stderr


def test_an_input_that_ends_in_time_leaves_no_clock_running() -> None:
    ended = ran("watched(len, 0.5)([])\nimport time\nuntil = time.process_time() + 1\n"
                "while time.process_time() < until: pass\nprint('done')")  # fmt: skip
    assert (ended.returncode, ended.stdout) == (0, "done\n")


def test_an_input_that_takes_more_memory_than_it_may_fails() -> None:
    ended = ran("limit_memory(200_000_000)\nwatched(bytearray)(100_000_000)\nwatched(bytearray)(500_000_000)")
    assert ended.returncode == 1
    assert ended.stderr.strip().endswith("MemoryError")
