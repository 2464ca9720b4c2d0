"""Worker processes: the library's outcomes, stopped at once, shared fairly, ended and missed."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import threading
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import psutil
import pytest

import microagg as ma
from microagg.exploration.sweep import outcomes
from microagg.measures.knowledge import DEFAULT
from microagg.workers import Broken, Fault, Pool, process
from microagg.workers import pool as pool_of_workers
from microagg.workers.worker import Worker
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from microagg.exploration.sweep import Outcome

PLANS = [ma.Plan(method=method, k=k) for method in ("mdav", "pcp") for k in (3, 5)]
MEMORY = "most likely because memory ran out; take fewer records, or a method that needs less."


@pytest.fixture(scope="module")
def data() -> ma.Microdata:
    return ma.load_dataset("tarragona")


@pytest.fixture(scope="module")
def few(data: ma.Microdata) -> ma.Microdata:
    """So few records that most plans take no time worth counting."""
    return ma.Microdata.from_frame(data.frame.head(200))


@pytest.fixture(scope="module")
def shared() -> Iterator[Pool]:
    """A pool whose workers have all the time they need to heed a stop."""
    made = Pool(2, idle=PATIENCE, grace=PATIENCE)
    yield made
    made.close()
    until(lambda: not workers())


def workers(server: int | None = None) -> set[int]:
    """Processes that work for a server, this one by default."""
    found = set()
    for child in psutil.Process(server).children():
        with contextlib.suppress(psutil.NoSuchProcess):
            if "loky.backend.popen_loky" in " ".join(child.cmdline()):
                found.add(child.pid)
    return found


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)


def long_plan(data: ma.Microdata) -> ma.Plan:
    """Minutes of work that looks at its progress often."""
    name = data.columns("quasi_identifier")[0]
    return ma.Plan(method="genetic", k=3, columns=(name,), options={"generations": 10_000, "population": 500})


BEGUN: list[Worker] = []


@pytest.fixture(autouse=True)
def _begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write down which worker was sent a plan."""

    def begin(worker: Worker, *arguments: Any) -> Any:
        future = usual(worker, *arguments)
        BEGUN.append(worker)
        return future

    usual = Worker.begin
    BEGUN.clear()
    monkeypatch.setattr(Worker, "begin", begin)


def at_work(plans: int = 1) -> int:
    """The process that has begun with the last of so many plans."""
    until(lambda: len(BEGUN) == plans and BEGUN[-1].process.done())
    return BEGUN[-1].process.result()


class Sweep:
    """A sweep in a thread of its own."""

    def __init__(self, pool: Pool, data: ma.Microdata, plans: list[ma.Plan], owner: str) -> None:
        self.stop, self.found, self.error = threading.Event(), [], None
        self.found: list[Outcome] = []

        def run() -> None:
            try:
                for _, outcome in pool.outcomes(data, plans, knowledge=DEFAULT, stop=self.stop, owner=owner):
                    self.found.append(outcome)
            except Broken as error:
                self.error = error

        self.thread = threading.Thread(target=run)
        self.thread.start()

    def end(self) -> list[Outcome]:
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()
        return self.found


def run(pool: Pool, data: ma.Microdata, plans: list[ma.Plan], knowledge: Any = DEFAULT) -> dict[int, Outcome]:
    return dict(pool.outcomes(data, plans, knowledge=knowledge, stop=threading.Event(), owner="one"))


def test_the_outcomes_are_those_of_the_library(shared: Pool, data: ma.Microdata) -> None:
    plans = [*PLANS, ma.Plan(method="mdav", k=10_000), ma.Plan(method="no such method")]
    here, there = dict(outcomes(data, plans)), run(shared, data, plans)
    assert sorted(there) == list(range(len(plans)))
    for position, plan in enumerate(plans):
        assert there[position].plan == plan
        assert repr(there[position].figures) == repr(here[position].figures)
        assert there[position].reason == here[position].reason


def test_a_stop_ends_the_plan_that_runs_and_the_worker_is_used_again(
    shared: Pool, data: ma.Microdata
) -> None:
    sweep = Sweep(shared, data, [long_plan(data)] * 3, "one")
    before = at_work()
    sweep.stop.set()
    assert sweep.end() == []
    assert not shared._lent
    found = run(shared, data, PLANS)
    assert [found[position].reason for position in range(len(PLANS))] == [""] * len(PLANS)
    assert BEGUN[-1].process.result() == before


def test_a_worker_that_does_not_heed_a_stop_is_ended_and_never_lent_again(data: ma.Microdata) -> None:
    pool = Pool(2, grace=0.0)
    sweep = Sweep(pool, data, [long_plan(data)], "one")
    before = at_work()
    sweep.stop.set()
    assert sweep.end() == []
    assert not pool._idle
    assert not pool._lent
    assert run(pool, data, PLANS[:1])[0].reason == ""
    until(lambda: before not in workers())
    pool.close()


def test_nobody_holds_the_last_worker_so_that_another_visitor_gets_one(
    shared: Pool, data: ma.Microdata
) -> None:
    first = Sweep(shared, data, [long_plan(data)] * 5, "first")
    until(lambda: shared._lent)
    second = Sweep(shared, data, PLANS, "second")
    assert len(second.end()) == len(PLANS)
    assert first.found == []
    first.stop.set()
    assert first.end() == []


def test_workers_go_in_turn_to_those_who_wait(monkeypatch: pytest.MonkeyPatch, data: ma.Microdata) -> None:
    monkeypatch.setattr(pool_of_workers, "_ABSENT", PATIENCE)  # a busy machine may keep a sweep from asking
    pool = Pool(1)
    sweeps = [Sweep(pool, data, PLANS * 5, owner) for owner in ("a", "b")]
    until(lambda: all(len(sweep.found) >= 8 for sweep in sweeps))
    difference = abs(len(sweeps[0].found) - len(sweeps[1].found))
    assert [len(sweep.end()) for sweep in sweeps] == [len(PLANS) * 5] * 2
    pool.close()
    assert difference <= 3


@pytest.mark.skipif(sys.platform == "win32", reason="Windows tells no signal")
@pytest.mark.parametrize(
    ("number", "said"),
    [
        (
            "SIGKILL",
            f"The process that worked on this plan was ended from outside, {MEMORY}",
        ),
        (
            "SIGSEGV",
            "The process that worked on this plan crashed (SIGSEGV); the server's output says where.",
        ),
        ("SIGUSR1", "The process that worked on this plan was ended from outside (SIGUSR1)."),
    ],
)
def test_a_worker_that_ends_costs_its_plan_and_says_why(
    shared: Pool, data: ma.Microdata, number: str, said: str
) -> None:
    plans = [long_plan(data), *PLANS]
    sweep = Sweep(shared, data, plans, "one")
    psutil.Process(at_work()).send_signal(getattr(signal, number))
    reasons = {outcome.plan: outcome.reason for outcome in sweep.end()}
    assert reasons == {plans[0]: said} | dict.fromkeys(PLANS, "")


def test_a_worker_that_died_of_idleness_costs_no_plan(data: ma.Microdata) -> None:
    pool = Pool(2, idle=PATIENCE)
    before = workers()
    assert run(pool, data, PLANS[:1])[0].figures
    (pid,) = workers() - before
    psutil.Process(pid).kill()
    until(lambda: pid not in workers())
    until(lambda: pool._idle[0]._executor._flags.broken)
    assert run(pool, data, PLANS[:1])[0].reason == ""
    pool.close()


def test_a_worker_without_work_is_ended_and_comes_back(data: ma.Microdata) -> None:
    pool = Pool(2, idle=0.5)
    before = workers()
    for _ in range(2):
        assert run(pool, data, PLANS[:1])[0].figures
        until(lambda: workers() <= before)
    pool.close()


def test_memory_that_runs_out_inside_a_plan_is_its_reason(monkeypatch, data: ma.Microdata) -> None:
    def full(*_arguments: object) -> None:
        raise MemoryError

    monkeypatch.setattr(process, "outcome", full)
    monkeypatch.setattr(process, "_REQUESTS", [None])
    assert process.carry_out(data, PLANS[0], DEFAULT) == process.Outcome(PLANS[0], {}, process.NO_MEMORY)


def test_a_defect_is_told_by_its_kind_and_place_without_what_its_text_quotes(
    shared: Pool, data: ma.Microdata
) -> None:
    try:
        float("Sentinel-4711")
    except ValueError as error:
        fault = Fault.of(error)
    assert fault.kind == "ValueError"
    assert "Sentinel" not in repr(fault)
    with pytest.raises(Broken, match=r"^This cannot be computed: TypeError in \w+\.py:\d+\.$") as raised:
        run(shared, data, [SimpleNamespace(method="mdav", k="Sentinel-4711, which is no plan")])
    assert "Sentinel" not in str(raised.value)
    assert run(shared, data, PLANS[:1])[0].figures


def test_a_process_that_cannot_start_is_called_that(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, data: ma.Microdata, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "numba.py").write_text("raise ImportError('no library on purpose')")
    monkeypatch.syspath_prepend(tmp_path)
    pool = Pool(2)
    with pytest.raises(Broken) as raised:
        run(pool, data, PLANS)
    assert str(raised.value) == (
        "The process that works on plans could not start (status 1); the server's output says why."
    )
    assert "no library on purpose" in capfd.readouterr().out
    assert not pool._lent
    assert not pool._idle


IMPORTED = ["argparse", "loky", "microagg", "numpy", "pickle", "psutil", "runpy", "signal", "warnings"]
SERVER = """
import threading
import microagg as ma
from microagg.measures.knowledge import DEFAULT
from microagg.workers import POOL

data = ma.load_dataset("tarragona")
plan = {plan}
for _, outcome in POOL.outcomes(data, [plan], knowledge=DEFAULT, stop=threading.Event(), owner="one"):
    print(outcome.reason or "figures", flush=True)
"""


def server(folder: Path, plan: ma.Plan) -> list[str]:
    """A program of its own that works on one plan."""
    script = folder / "server.py"
    script.write_text(SERVER.format(plan=f"ma.Plan.from_json({plan.to_json()!r})"))
    return [sys.executable, str(script)]


def test_no_process_runs_what_lies_in_the_current_folder(tmp_path: Path) -> None:
    beside, scripts = tmp_path / "data", tmp_path / "scripts"
    beside.mkdir()
    scripts.mkdir()
    for name in IMPORTED:
        (beside / f"{name}.py").write_text(
            "import os\nos.write(2, b'ran ' + __file__.encode())\nos._exit(7)\n"
        )
    done = subprocess.run(server(scripts, PLANS[0]), cwd=beside, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("figures\n", "", 0)


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM", "SIGKILL"])
def test_no_worker_outlives_its_server(tmp_path: Path, data: ma.Microdata, number: str) -> None:
    with subprocess.Popen(
        server(tmp_path, long_plan(data)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as started:
        until(lambda: workers(started.pid))
        began = [psutil.Process(pid) for pid in workers(started.pid)]
        started.send_signal(getattr(signal, number))
        started.wait(PATIENCE)
        until(lambda: not any(worker.is_running() for worker in began))


BUSY = """
import os
getattr(os, "nice", int)(5)  # as polite as a worker, else that would start in a minute
while True: pass
"""


@pytest.fixture
def busy() -> Iterator[None]:
    """A machine with more to do than it has cores."""
    loops = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(psutil.cpu_count() or 2)]
    yield
    for loop in loops:
        loop.kill()
        loop.wait()


@pytest.mark.usefixtures("busy")
def test_two_hundred_stops_and_starts_say_nothing_wrong_and_leave_nothing(few: ma.Microdata) -> None:
    """Most are heeded, which costs no new process; of those that end theirs, some end it while it starts."""
    quick, long = ma.Plan(method="mdav", k=3), long_plan(few)
    before = workers()
    killing, heeding = Pool(2, grace=0.0), Pool(2, idle=PATIENCE, grace=PATIENCE)
    threads, files = threading.active_count(), _open_files()
    processes = set()
    for _ in range(192):
        sweep = Sweep(heeding, few, [quick, long], "one")
        until(lambda: sweep.found)  # noqa: B023 - called at once
        sweep.stop.set()
        assert ([outcome.reason for outcome in sweep.end()], sweep.error) == ([""], None)
        processes.add(BEGUN[-1].process.result())
        BEGUN.clear()
    assert len(processes) == 1
    for turn in range(8):
        sweep = Sweep(killing, few, [long] * 2, "one")
        until(lambda: killing._lent)
        if turn % 4 == 0:
            at_work()
        sweep.stop.set()
        assert (sweep.end(), sweep.error, killing._lent, killing._idle) == ([], None, {}, [])
        BEGUN.clear()
    assert run(killing, few, [quick])[0].reason == ""
    killing.close()
    heeding.close()
    until(lambda: workers() <= before)
    until(lambda: threading.active_count() <= threads + 2)  # each pool has one that waits for the main thread
    until(lambda: _open_files() <= files + 2)  # loky's two trackers


def _open_files() -> int:
    return len(psutil.Process().open_files()) if sys.platform == "win32" else psutil.Process().num_fds()
