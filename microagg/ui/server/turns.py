"""Whose page is drawn next: whoever asks for little goes before whoever asks for much.

Streamlit draws every visit in a thread of its own, all at once, in one interpreter that runs one thread at a
time: fifty visits opened by one visitor would make another's page fifty times as slow. Here a run needs a
turn. A few are drawn at once, two at most for one client's address, and a run gives way, whenever it
sends something to its page, to one that goes before it:

- a visitor who is there before one who has left,
- the address that asks for less: pages asked for now, and pages being drawn in the last half minute,
- of one address, a visit that has been drawn before a new one, whose first drawing takes longest.

A run that has sent nothing for a while is computing without the interpreter, or waits for a child process; it
holds nobody up and keeps no place. Behind a proxy on this machine the address is what its
``X-Forwarded-For`` says; without one all are one address.
"""

from __future__ import annotations

import contextlib
import math
import os
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import script_runner
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

AT_ONCE = max(4, 2 * (os.cpu_count() or 1))
"""Pages drawn at once."""
OF_ONE = 2
"""Of these, of one address."""
BEGUN_OF_ONE = 8
"""Of one address, with those that keep no place."""
_STOP = ScriptRequestType.STOP
_QUIET = 0.5  # seconds without a look after which a run keeps no place, and between two looks of who waits
_OFTEN = 0.005  # seconds between two looks that count
_LATELY = 30.0  # seconds over which what was drawn is forgotten
_VISITS = 1_000  # that are known to have been drawn
_MARGIN = 0.25  # pages by which an address must ask for less to go first


@dataclass(eq=False)
class Run:
    """One drawing of a page, from its request to its end."""

    visit: str
    address: str
    first: bool
    asked: float
    ended: Callable[[], bool]
    looked: float = math.nan
    go: threading.Event = field(default_factory=threading.Event)

    @property
    def drawing(self) -> bool:
        """Whether it has its turn."""
        return self.go.is_set()


class Turns:
    """The queue.

    Parameters
    ----------
    here : callable
        Whether the visitor of a visit is there.
    clock : callable, seconds
    """

    def __init__(
        self,
        here: Callable[[str], bool] = lambda _visit: True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._here, self._clock = here, clock
        self._lock = threading.Lock()
        self._runs: list[Run] = []
        self._drawn: dict[str, None] = {}  # visits, those drawn last at the end
        self._lately: dict[str, tuple[float, float]] = {}  # seconds drawn, and when that was so

    @contextlib.contextmanager
    def turn(self, visit: str, address: str, ended: Callable[[], bool] = lambda: False) -> Iterator[Run]:
        """Wait until a run may go; it ends with the block.

        Parameters
        ----------
        visit, address : str
            Whose it is.
        ended : callable
            Whether the run will stop as soon as it may, because its visit is over.
        """
        with self._lock:
            run = Run(visit, address, visit not in self._drawn, self._clock(), ended)
            self._runs.append(run)
            self._admit()
        try:
            self._wait(run)
            yield run
        finally:
            with self._lock:
                self._charge(run)
                self._runs.remove(run)
                self._drawn.pop(visit, None)
                self._drawn[visit] = None
                self._forget()
                self._admit()

    def look(self, run: Run) -> None:
        """Give way to a run that goes first, and come back when its turn is over."""
        if self._clock() - run.looked < _OFTEN:
            return
        with self._lock:
            self._charge(run)
            if not any(self._before(other, run) for other in self._runs if self._asks(other)):
                return
            run.go.clear()
            run.asked = self._clock()
            self._admit()
        self._wait(run)

    def _wait(self, run: Run) -> None:
        while not run.go.wait(_QUIET):
            with self._lock:
                self._admit()

    def _asks(self, run: Run) -> bool:
        """Whether a run waits for the interpreter or uses it."""
        return not run.drawing or self._clock() - run.looked < _QUIET

    def _admit(self) -> None:
        """Let those go who may, the first first."""
        waiting = [run for run in self._runs if not run.drawing]
        if not waiting:
            return
        asks = {address: self._asked(address) for address in {run.address for run in waiting}}
        waiting.sort(key=lambda run: (not self._here(run.visit), asks[run.address], run.first, run.asked))
        for run in waiting:
            if run.ended() or self._may(run):
                run.looked = self._clock()
                run.go.set()

    def _may(self, run: Run) -> bool:
        begun = [other for other in self._runs if other.drawing]
        places = [other for other in begun if self._asks(other)]
        return (
            len(places) < AT_ONCE
            and sum(other.address == run.address for other in places) < OF_ONE
            and sum(other.address == run.address for other in begun) < BEGUN_OF_ONE
            and not any(self._before(other, run) for other in places)
        )

    def _before(self, one: Run, other: Run) -> bool:
        """Whether a run goes first so clearly that the other gives way."""
        here = self._here(one.visit)
        if here != self._here(other.visit):
            return here
        if one.address == other.address:
            return other.first and not one.first
        return self._asked(one.address) + _MARGIN < self._asked(other.address)

    def _asked(self, address: str) -> float:
        """Pages that an address asks for now, and that were drawn for it on the average of late."""
        seconds, at = self._lately.get(address, (0.0, 0.0))
        of_late = seconds * math.exp((at - self._clock()) / _LATELY) / _LATELY
        return of_late + sum(run.address == address for run in self._runs)

    def _charge(self, run: Run) -> None:
        """Put down the time since a run's last look."""
        now = self._clock()
        if run.drawing:
            seconds, at = self._lately.get(run.address, (0.0, now))
            seconds = seconds * math.exp((at - now) / _LATELY) + now - run.looked
            self._lately[run.address] = seconds, now
        run.looked = now

    def _forget(self) -> None:
        """Drop what is told of addresses and visits that are long gone."""
        now, asking = self._clock(), Counter(run.address for run in self._runs)
        for address, (_, at) in list(self._lately.items()):
            if now - at > 10 * _LATELY and address not in asking:
                del self._lately[address]
        while len(self._drawn) > _VISITS:
            del self._drawn[next(iter(self._drawn))]


def share_out() -> Turns:
    """From now on Streamlit's script threads take turns; the queue they take them in."""
    # Streamlit has no public way to hold a run back; a test holds this to the version at hand.
    runner: Any = script_runner.ScriptRunner
    turns = Turns(_is_here)
    if hasattr(runner, "turns"):
        return runner.turns  # type: ignore[no-any-return]
    runner.turns = turns
    draw, send = runner._run_script, runner._enqueue_forward_msg

    def draw_in_turn(self: Any, request: Any) -> None:
        requests, visit = self._requests, self._session_id
        with turns.turn(visit, _address(visit), lambda: requests._state is _STOP) as self.run:
            draw(self, request)

    def give_way_and_send(self: Any, message: Any) -> None:
        if self._execing and self._is_in_script_thread():
            turns.look(self.run)
        send(self, message)

    runner._run_script = draw_in_turn
    runner._enqueue_forward_msg = give_way_and_send
    return turns


def _is_here(visit: str) -> bool:
    return Runtime.instance().is_active_session(visit)


def _address(visit: str) -> str:
    client: Any = Runtime.instance().get_client(visit)
    return str(getattr(client, "client_context", None) and client.client_context.remote_ip)
