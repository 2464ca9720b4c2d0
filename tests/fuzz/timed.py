"""Run an attempt on drawn inputs for so many seconds; a failure is shrunk and printed, a hang ends it."""

from __future__ import annotations

import argparse
import faulthandler
import secrets
import time
from typing import TYPE_CHECKING, TypeVar

from hypothesis import HealthCheck, given, seed, settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import SearchStrategy

HANGS = 120
"""Seconds that one small input may take on however busy a machine."""

Input = TypeVar("Input")


def run_for_seconds(inputs: SearchStrategy[Input], attempt: Callable[[Input], None], doc: str) -> None:
    """Read ``--seconds`` and ``--seed`` and try until the time is up."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, help="Of the first round, to repeat it.")
    chosen = parser.parse_args()
    first = secrets.randbelow(2**32) if chosen.seed is None else chosen.seed
    until, tried = time.monotonic() + chosen.seconds, 0

    def watched(one: Input) -> None:
        nonlocal tried
        tried += 1
        faulthandler.dump_traceback_later(HANGS, exit=True)
        attempt(one)
        faulthandler.cancel_dump_traceback_later()

    while time.monotonic() < until:
        print(f"seed {first}", flush=True)
        checks = settings(
            max_examples=50, database=None, deadline=None, suppress_health_check=list(HealthCheck)
        )
        seed(first)(checks(given(inputs)(watched)))()
        first += 1
    print(f"{tried:,} tried: no traceback, no hang")
