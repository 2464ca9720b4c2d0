"""Run an attempt on drawn inputs for so many seconds; a failure is shrunk and printed, a hang ends it.

Methods are made ready first, or the compiler's time would be the first input's. An input may take `SECONDS`
of this process's own processor time, all threads together, which is the same on a busy machine and a quiet
one; and, since a process that waits for ever takes none, `CLOCK` by the clock. The process may take `MEMORY`
of address space more than it had before the first. Reading children have bounds of their own
(`microagg.io.child_reader`) and are not counted here.
"""

from __future__ import annotations

import argparse
import faulthandler
import resource
import secrets
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hypothesis import HealthCheck, given, seed, settings

from microagg.exploration.warm_up import ready, ready_for_large_files
from microagg.io import memory_estimate
from microagg.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import SearchStrategy

SECONDS = 10
"""Of processor time that one small input may take."""
CLOCK = 120
"""Seconds by the clock, on however busy a machine, after which a process that computes nothing hangs."""
MEMORY = int(memory_estimate.MOST_BYTES)
"""Bytes of address space, as a reading child may take."""

Input = TypeVar("Input")


def limit_memory(more: int = MEMORY) -> None:
    """Bind this process to so many bytes of address space more than it has now."""
    now = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + more, now + more))


def watched(attempt: Callable[[Input], None], seconds: float = SECONDS) -> Callable[[Input], None]:
    """The same attempt; one that hangs prints where, and ends the process, whatever it is doing."""
    faulthandler.register(signal.SIGPROF, chain=True)  # prints where every thread is, then dies of the signal

    def bounded(one: Input) -> None:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        faulthandler.dump_traceback_later(CLOCK, exit=True)
        try:
            attempt(one)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            faulthandler.cancel_dump_traceback_later()

    return bounded


def run_for_seconds(inputs: SearchStrategy[Input], attempt: Callable[[Input], None], doc: str) -> None:
    """Read ``--seconds`` and ``--seed`` and try until the time is up."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, help="Of the first round, to repeat it.")
    chosen = parser.parse_args()
    first = secrets.randbelow(2**32) if chosen.seed is None else chosen.seed
    for method in METHODS:
        ready(method)
    ready_for_large_files()
    bounded = watched(attempt)
    limit_memory()
    until, tried, longest = time.monotonic() + chosen.seconds, 0, 0.0

    def counted(one: Input) -> None:
        nonlocal tried, longest
        tried, began = tried + 1, time.process_time()
        bounded(one)
        longest = max(longest, time.process_time() - began)

    while time.monotonic() < until:
        print(f"seed {first}", flush=True)
        checks = settings(
            max_examples=50, database=None, deadline=None, suppress_health_check=list(HealthCheck)
        )
        seed(first)(checks(given(inputs)(counted)))()
        first += 1
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{tried:,} tried: no traceback, no hang; the longest took {longest:.1f} s of processor time,")
    print(f"and the process {most:,.0f} MB of memory at its peak")
