"""Long work beside the page: a thread that hands back piece by piece, and a fragment that looks at it.

The page answers while the job runs, because nothing waits for it: pieces are taken when they are there, and
a cancelled job is left to end at its next look at the event. A job belongs to a visit: when the visit's
state is dropped, so is the job, and it stops.
"""

from __future__ import annotations

import math
import threading
import time
import weakref
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import streamlit as st

from microagg.ui.state import session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Piece = TypeVar("Piece")
EVERY = 0.5  # seconds between two looks at a bar
CHARTS = 2.0  # and at charts: the browser is busy for half a second with each redrawing


class Job(Generic[Piece]):
    """Work that is running or has run.

    Parameters
    ----------
    work : callable
        Given an event, yields pieces; it looks at the event often and ends when that is set. It must not
        touch Streamlit.
    total : int
        How many pieces it will yield.
    """

    def __init__(self, work: Callable[[threading.Event], Iterable[Piece]], total: int) -> None:
        self.total = total
        self._began = time.monotonic()
        self._stop = threading.Event()
        self._pieces: list[Piece] = []
        self._taken = 0
        self._seen = False
        self._fault: list[Exception] = []
        self._thread = threading.Thread(
            target=_run, args=(work, self._stop, self._pieces, self._fault), daemon=True
        )
        self._thread.start()
        weakref.finalize(self, self._stop.set)

    @property
    def running(self) -> bool:
        """Whether more may come that is wanted."""
        return self._thread.is_alive() and not self._stop.is_set()

    @property
    def cancelled(self) -> bool:
        """Whether it was stopped before its end."""
        return self._stop.is_set() and self.done < self.total

    @property
    def unseen(self) -> bool:
        """Whether it has ended since its pieces were last taken, so that what was drawn of it may be old."""
        return not self.running and not self._seen

    @property
    def done(self) -> int:
        """How many pieces there are so far."""
        return len(self._pieces)

    def take(self) -> list[Piece]:
        """The pieces that are done and were not taken before.

        Raises
        ------
        Exception
            Whatever ended the work, if it was not its end.
        """
        self._seen = not self.running
        if self._fault:
            raise self._fault[0]
        fresh = self._pieces[self._taken :]
        self._taken += len(fresh)
        return fresh

    @property
    def left(self) -> float:
        """Seconds until the end at the pace so far; nan before the first piece."""
        passed = time.monotonic() - self._began
        return passed * (self.total - self.done) / self.done if self.done else math.nan

    def wait(self, seconds: float) -> None:
        """Wait for its end, but not longer than that."""
        self._thread.join(seconds)

    def cancel(self) -> None:
        """Ask it to stop; what is done stays."""
        self._stop.set()


def _run(
    work: Callable[[threading.Event], Iterable[Any]],
    stop: threading.Event,
    pieces: list[Any],
    fault: list[Exception],
) -> None:
    try:
        for piece in work(stop):
            pieces.append(piece)  # noqa: PERF402 - others read the list while it grows
    except Exception as error:  # noqa: BLE001 - raised again where the pieces are taken
        fault.append(error)


def watch(
    jobs: Callable[[], Sequence[Job[Any] | None]], draw: Callable[[], None], key: str, every: float = EVERY
) -> None:
    """Draw now and, while a job runs, again and again; when one ends the whole page runs once more.

    It may have ended before this is called, but after the page had looked at it: then too.

    Parameters
    ----------
    jobs : callable
        Gives the jobs to look at.
    draw : callable
        Draws from what is done so far; it should draw the same things in the same order each time.
    key : str
        Unique on the page.
    every : float, seconds
    """
    before = _count(jobs())

    @st.fragment(run_every=every if before else None, key=key)
    def look() -> None:
        draw()
        session.write_address()
        now = jobs()
        if _count(now) != before or any(job is not None and job.unseen for job in now):
            st.rerun()

    look()


def _count(jobs: Sequence[Job[Any] | None]) -> int:
    return sum(job is not None and job.running for job in jobs)


def bar(job: Job[Any], what: str, key: str, *, note: str = "") -> None:
    """Draw progress, the time that is left and Cancel, in one line.

    Parameters
    ----------
    job : Job
    what : str
        The pieces' noun.
    key : str
        Of the button.
    note : str
        Shown before the first piece is done.
    """
    remaining = note if math.isnan(job.left) else f"{about(job.left)} left"
    text = f"{job.done:,} of {job.total:,} {what}{', ' if remaining else ''}{remaining}"
    line, button = st.columns([6, 1.3], vertical_alignment="center")
    line.progress(min(job.done / max(job.total, 1), 1.0), text)
    button.button("Cancel", key=key, icon=":material/stop:", on_click=job.cancel, width="stretch")


def about(seconds: float) -> str:
    """A time as one says it.

    Examples
    --------
    >>> about(0.4), about(12.3), about(200)
    ('less than a second', 'about 12 s', 'about 3 min')
    """
    if seconds < 1:
        return "less than a second"
    if seconds < 100:
        return f"about {seconds:.0f} s"
    return f"about {seconds / 60:.0f} min" if seconds < 5400 else f"about {seconds / 3600:.1f} h"
