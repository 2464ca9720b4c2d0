"""Whose page is drawn next: the queue with a clock of its own, and in Streamlit's script threads."""

from __future__ import annotations

import contextlib
import threading
import time
import tomllib
from typing import TYPE_CHECKING, Any

import pytest
from streamlit.runtime.scriptrunner import script_runner

from microagg.ui.server import turns as queue
from microagg.ui.server.turns import Run, Turns
from tests.browser.served import ROOT
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Asking:
    """A visit that asks for a drawing in a thread of its own, and is drawn until it is told to end."""

    def __init__(self, turns: Turns, visit: str, address: str, **options: Any) -> None:
        self.run: Run | None = None
        self._commands: list[Callable[[], None]] = []
        self._told, self._end = threading.Event(), threading.Event()
        self._turn = turns.turn(visit, address, **options)
        self._turns = turns
        self.thread = threading.Thread(target=self._work, daemon=True)
        asked = len(turns._runs)
        self.thread.start()
        until(lambda: len(turns._runs) > asked or self._end.is_set())

    def _work(self) -> None:
        with self._turn as self.run:
            while not self._end.is_set():
                self._told.wait()
                self._told.clear()
                while self._commands:
                    self._commands.pop()()

    @property
    def drawn(self) -> bool:
        return self.is_drawn()

    def is_drawn(self) -> bool:
        return self.run is not None and self.run.drawing

    def look(self) -> None:
        """Send something to the page, and go on when that is done."""
        done = threading.Event()
        run = self.run
        assert run is not None
        self._commands.append(lambda: (self._turns.look(run), done.set())[0])
        self._told.set()
        until(lambda: done.is_set() or not run.drawing)

    def end(self) -> None:
        self._end.set()
        self._told.set()
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()


def until(true: Callable[[], object]) -> None:
    """Wait for it, however busy the machine is."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.005)


class Clock:
    """Seconds that pass when they are told to."""

    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def asking(clock: Clock) -> Iterator[Callable[..., Asking]]:
    """Let visits ask, all of one queue; at the end all of them end."""
    left: set[str] = set()
    turns = Turns(lambda visit: visit not in left, clock)
    asked: list[Asking] = []

    def ask(visit: str, address: str = "a", **options: Any) -> Asking:
        asked.append(Asking(turns, visit, address, **options))
        return asked[-1]

    ask.left = left  # type: ignore[attr-defined]
    yield ask
    for one in asked:
        one._end.set()
        one._told.set()
    for one in asked:
        one.thread.join(PATIENCE)


def drawn(asked: list[Asking]) -> list[bool]:
    time.sleep(0.02)  # who may go has gone when `_admit` returns; their threads need a moment to notice
    return [one.drawn for one in asked]


def test_two_of_one_address_are_drawn_at_once_and_the_others_after_them(asking) -> None:
    crowd = [asking(f"v{i}") for i in range(5)]
    until(lambda: crowd[1].drawn)
    assert drawn(crowd) == [True, True, False, False, False]
    crowd[0].end()
    until(lambda: crowd[2].drawn)
    assert drawn(crowd[1:]) == [True, True, False, False]


def test_many_addresses_are_drawn_as_many_at_once_as_there_are_places(asking) -> None:
    many = [asking(f"v{i}", f"address {i}") for i in range(queue.AT_ONCE + 2)]
    until(lambda: many[queue.AT_ONCE - 1].drawn)
    assert sum(drawn(many)) == queue.AT_ONCE


def test_a_crowd_gives_way_to_one_who_asks_for_little_and_goes_on_after(asking, clock: Clock) -> None:
    crowd = [asking(f"v{i}") for i in range(6)]
    until(lambda: crowd[1].drawn)
    honest = asking("honest", "b")
    until(lambda: honest.drawn)
    clock.now += 0.1
    for one in crowd[:2]:
        one.look()
    until(lambda: not crowd[0].drawn and not crowd[1].drawn)
    clock.now += 0.1
    honest.look()
    assert honest.drawn
    honest.end()
    until(lambda: sum(one.drawn for one in crowd) == 2)


def test_who_was_drawn_much_of_late_gives_way_and_that_is_forgotten(asking, clock: Clock) -> None:
    busy = asking("v", "busy")
    until(lambda: busy.drawn)
    for _ in range(30):
        clock.now += 0.4
        busy.look()
    idle = asking("w", "idle")
    until(lambda: idle.drawn)
    busy.look()
    clock.now += 0.1
    busy.look()
    until(lambda: not busy.drawn)
    idle.end()
    until(lambda: busy.drawn)
    busy.end()
    clock.now += 1_000
    again, other = asking("v", "busy"), asking("w", "idle")
    until(lambda: again.drawn and other.drawn)
    clock.now += 0.1
    again.look()
    assert again.drawn


def test_a_visit_that_was_drawn_before_goes_before_new_ones(asking, clock: Clock) -> None:
    first = asking("known")
    first.end()
    new = [asking(f"v{i}") for i in range(4)]
    until(lambda: new[1].drawn)
    again = asking("known")
    clock.now += 0.1
    new[0].look()
    until(lambda: again.drawn)
    assert drawn([new[0], *new[2:]]) == [False, False, False]


def test_who_has_left_waits_for_who_is_there(asking, clock: Clock) -> None:
    gone = asking("gone", "a")
    until(lambda: gone.drawn)
    here = asking("here", "b")
    until(lambda: here.drawn)
    asking.left.add("gone")
    clock.now += 0.1
    gone.look()
    until(lambda: not gone.drawn)
    here.end()
    until(lambda: gone.drawn)


def test_whose_visit_is_over_need_not_wait_to_end(asking) -> None:
    over: list[bool] = []
    crowd = [asking(f"v{i}", ended=lambda: bool(over)) for i in range(4)]
    until(lambda: crowd[1].drawn)
    assert drawn(crowd) == [True, True, False, False]
    over.append(True)
    until(lambda: all(one.drawn for one in crowd))


def test_who_waits_for_a_child_or_a_kernel_holds_nobody_up_but_not_without_end(asking, clock: Clock) -> None:
    crowd: list[Asking] = []
    for round_ in range(queue.BEGUN_OF_ONE // queue.OF_ONE):
        crowd += [asking(f"v{round_}.{i}") for i in range(queue.OF_ONE)]
        until(crowd[-1].is_drawn)
        clock.now += 10
    late = asking("late")
    assert not drawn([late])[0]
    crowd[0].end()
    until(lambda: late.drawn)


def test_what_is_told_of_addresses_and_visits_is_bounded(clock: Clock) -> None:
    turns = Turns(clock=clock)
    for i in range(2 * queue._VISITS):
        with turns.turn(f"v{i}", f"address {i}"):
            clock.now += 1
    assert len(turns._drawn) == queue._VISITS
    assert len(turns._lately) <= 11 * queue._LATELY


def test_an_error_in_a_run_ends_its_turn(clock: Clock) -> None:
    turns = Turns(clock=clock)
    for _ in range(queue.AT_ONCE + 1):
        with contextlib.suppress(ZeroDivisionError), turns.turn("v", "a"):
            raise ZeroDivisionError
    assert turns._runs == []


def test_every_run_of_a_script_waits_for_its_turn_and_looks_whenever_it_sends(monkeypatch) -> None:
    looked, order = [], []

    class Runner(script_runner.ScriptRunner):
        def __init__(self) -> None:
            self._session_id, self._execing = "visit", True
            self._requests = script_runner.ScriptRequests()

        def _is_in_script_thread(self) -> bool:
            return True

        def _run_script(self, rerun_data: Any) -> None:
            order.append(rerun_data)
            self._enqueue_forward_msg(rerun_data)

        def _enqueue_forward_msg(self, msg: Any) -> None:
            order.append(f"{msg} sent")

    assert {"_run_script", "_enqueue_forward_msg"} <= vars(script_runner.ScriptRunner).keys()
    monkeypatch.setattr(script_runner, "ScriptRunner", Runner)
    monkeypatch.setattr(queue, "_is_here", lambda _: True)
    monkeypatch.setattr(queue, "_address", lambda _: "a")
    monkeypatch.setattr(Turns, "look", lambda self, _run: looked.append(len(self._runs)))
    turns = queue.share_out()
    assert queue.share_out() is turns
    Runner()._run_script("request")
    assert (order, looked, turns._runs) == (["request", "request sent"], [1], [])


def test_the_thread_that_serves_everybody_looks_at_no_files() -> None:
    given = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert given["server"]["fileWatcherType"] == "none"
