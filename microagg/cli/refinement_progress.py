"""Refinement on the command line: the loss falls on one line; Ctrl-C or a budget keeps the best so far."""

from __future__ import annotations

import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from microagg.protection.refinement import Moment, Watch

EVERY = 0.2
"""Seconds between two lines."""


@contextmanager
def watched(budget: float | None) -> Iterator[Watch]:
    """What the running `protect` asks; from its first question on, Ctrl-C stops the refinement only.

    Parameters
    ----------
    budget : float, optional
        Seconds of refinement after which it stops.
    """
    asked, before, told = threading.Event(), signal.getsignal(signal.SIGINT), -EVERY
    main = threading.current_thread() is threading.main_thread()

    def ask(_signal: int, _frame: Any) -> None:
        asked.set()

    def watch(now: Moment) -> bool:
        nonlocal told
        if now.share == 0 and main:
            signal.signal(signal.SIGINT, ask)
        if now.seconds - told >= EVERY and sys.stderr.isatty():
            told = now.seconds
            line = f"\rrefining, {now.share:.0%}: loss {100 * now.before:.3f}, now {100 * now.loss:.3f} "
            typer.echo(line + "(Ctrl-C keeps the best)", nl=False, err=True)
        return asked.is_set() or (budget is not None and now.seconds >= budget)

    try:
        yield watch
    finally:
        if main:
            signal.signal(signal.SIGINT, before)
        if told >= 0:
            typer.echo("", err=True)
