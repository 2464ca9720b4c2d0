"""Worker processes: the library's outcomes, stopped at once, shared fairly, ended and missed."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import microagg as ma
from microagg import workers
from microagg.measures.knowledge import DEFAULT
from microagg.sweep import outcomes
from microagg.workers import ENDED, Broken, Fault, Pool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PLANS = [ma.Plan(method=method, k=k) for method in ("mdav", "pcp") for k in (3, 5)]


@pytest.fixture(scope="module")
def data() -> ma.Microdata:
    return ma.load_dataset("tarragona")


@pytest.fixture(scope="module")
def shared() -> Iterator[Pool]:
    made = Pool(2)
    yield made
    made.close()
    until(lambda: not held(made))


def held(pool: Pool) -> list[int]:
    """Processes that the pool has."""
    return [worker._process.pid for worker in [*pool._idle, *pool._lent] if worker.alive]


def until(condition: Callable[[], object], seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)


def long_plan(data: ma.Microdata) -> ma.Plan:
    """Minutes of work that looks at its progress often."""
    name = data.columns("quasi_identifier")[0]
    return ma.Plan(method="genetic", k=3, columns=(name,), options={"generations": 2000, "population": 500})


class Sweep:
    """A sweep in a thread of its own."""

    def __init__(self, pool: Pool, data: ma.Microdata, plans: list[ma.Plan], owner: str) -> None:
        self.stop, self.found = threading.Event(), []

        def run() -> None:
            for _, outcome in pool.outcomes(data, plans, knowledge=DEFAULT, stop=self.stop, owner=owner):
                self.found.append(outcome)

        self.thread = threading.Thread(target=run)
        self.thread.start()


def test_the_outcomes_are_those_of_the_library(shared: Pool, data: ma.Microdata):
    plans = [*PLANS, ma.Plan(method="mdav", k=10_000), ma.Plan(method="no such method")]
    stop = threading.Event()
    here = dict(outcomes(data, plans))
    there = dict(shared.outcomes(data, plans, knowledge=DEFAULT, stop=stop, owner="one"))
    assert sorted(there) == list(range(len(plans)))
    for position, plan in enumerate(plans):
        assert there[position].plan == plan
        assert repr(there[position].figures) == repr(here[position].figures)
        assert there[position].reason == here[position].reason


def test_a_stop_ends_the_plan_that_runs_and_the_worker_is_used_again(shared: Pool, data: ma.Microdata):
    sweep = Sweep(shared, data, [long_plan(data)] * 3, "one")
    until(lambda: shared._lent)
    processes = held(shared)
    time.sleep(0.3)
    began = time.monotonic()
    sweep.stop.set()
    sweep.thread.join(20)
    assert not sweep.thread.is_alive()
    assert time.monotonic() - began < 10
    assert not sweep.found
    assert not shared._lent
    again = dict(shared.outcomes(data, PLANS[:1], knowledge=DEFAULT, stop=threading.Event(), owner="one"))
    assert again[0].figures
    assert set(held(shared)) & set(processes)


def test_nobody_holds_the_last_worker_so_that_another_visitor_gets_one(shared: Pool, data: ma.Microdata):
    first = Sweep(shared, data, [long_plan(data)] * 5, "first")
    until(lambda: shared._lent)
    second = Sweep(shared, data, PLANS, "second")
    second.thread.join(60)
    assert len(second.found) == len(PLANS)
    assert not first.found
    first.stop.set()
    first.thread.join(20)


def test_workers_go_in_turn_to_those_who_wait(data: ma.Microdata):
    pool = Pool(1)
    sweeps = [Sweep(pool, data, PLANS * 5, owner) for owner in ("a", "b")]
    until(lambda: all(len(sweep.found) >= 8 for sweep in sweeps), 60)
    difference = abs(len(sweeps[0].found) - len(sweeps[1].found))
    for sweep in sweeps:
        sweep.thread.join(60)
    pool.close()
    assert difference <= 3
    assert [len(sweep.found) for sweep in sweeps] == [len(PLANS) * 5] * 2


def test_a_worker_that_is_killed_costs_its_plan_and_says_why(shared: Pool, data: ma.Microdata):
    plans = [long_plan(data), *PLANS]
    sweep = Sweep(shared, data, plans, "one")
    until(lambda: shared._lent)
    time.sleep(0.2)
    for worker in list(shared._lent):
        os.kill(worker._process.pid, signal.SIGKILL)
    sweep.thread.join(60)
    reasons = {outcome.plan: outcome.reason for outcome in sweep.found}
    assert reasons[plans[0]] == ENDED
    assert [reasons[plan] for plan in PLANS] == [""] * len(PLANS)
    assert ENDED.endswith(".")


def test_a_worker_without_work_is_ended(monkeypatch: pytest.MonkeyPatch, data: ma.Microdata):
    monkeypatch.setattr(workers, "IDLE", 0.2)
    pool = Pool(2)
    assert dict(pool.outcomes(data, PLANS[:1], knowledge=DEFAULT, stop=threading.Event(), owner="one"))
    processes = held(pool)
    until(lambda: not held(pool))
    until(lambda: not any(Path(f"/proc/{process}/cmdline").exists() for process in processes))


def test_data_are_dropped_with_the_sweep(shared: Pool, data: ma.Microdata):
    assert dict(shared.outcomes(data, PLANS[:1], knowledge=DEFAULT, stop=threading.Event(), owner="one"))
    assert [worker._holds for worker in shared._idle] == [""] * len(shared._idle)


def test_a_defect_is_told_by_its_kind_and_place_without_what_its_text_quotes(monkeypatch, data: ma.Microdata):
    try:
        float("Sentinel-4711")
    except ValueError as error:
        fault = Fault.of(error)
    assert fault.kind == "ValueError"
    assert "Sentinel" not in repr(fault)
    pool = Pool(2)

    def broken(self, _data, _task, answer):
        self.stop()
        answer(fault)

    monkeypatch.setattr(workers.Worker, "begin", broken)
    with pytest.raises(Broken, match=r"^This cannot be computed: ValueError in test_workers\.py:\d+\.$"):
        dict(pool.outcomes(data, PLANS, knowledge=DEFAULT, stop=threading.Event(), owner="one"))
    pool.close()
