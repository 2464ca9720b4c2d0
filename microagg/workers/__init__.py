"""Sweeps in processes of their own, few and shared by all visitors, so that the dashboard stays quick.

A thread would share the interpreter with every visitor's slider. A worker is a process that holds one
visitor's data at a time and takes one plan after another. There are as many as cores but one, and at least
two; whoever sweeps gets one at a time, the one who holds fewest first and then the one who waits longest, and
never the last one while there are several, so that a plan of an hour does not keep others waiting. A stop is
passed on, and a worker that does not heed it is ended; so is one that has had nothing to do for a while,
which gives its memory back.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from microagg.errors import MicroaggError
from microagg.sweep import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from threading import Event

    from microagg.measures.knowledge import Knowledge
    from microagg.types import Microdata, Plan

MOST = max(2, (os.cpu_count() or 1) - 1)
IDLE = 30.0  # seconds without a task after which a worker is ended
GRACE = 1.0  # seconds that a worker has to stop before it is ended
_LOOK = 0.05  # seconds between two looks at a stop request and at who waits
ENDED = (
    "The process that worked on this plan was ended from outside, most likely because memory ran out; take "
    "fewer records, or a method that needs less."
)


@dataclass(frozen=True)
class Task:
    """One plan to carry out on the data that were sent last."""

    plan: Plan
    knowledge: Knowledge


@dataclass(frozen=True)
class Fault:
    """A defect of ours, by its kind and place; its text may quote a cell and stays where it happened."""

    kind: str
    place: str

    @classmethod
    def of(cls, error: BaseException) -> Self:
        """Kind and innermost place.

        Examples
        --------
        >>> try:
        ...     float("4711 secret")
        ... except ValueError as error:
        ...     Fault.of(error).kind
        'ValueError'
        """
        frames = traceback.extract_tb(error.__traceback__)
        ours = [frame for frame in frames if "microagg" in Path(frame.filename).parts] or list(frames)
        where = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else "an unknown place"
        return cls(type(error).__name__, where)


class Broken(MicroaggError):
    """Something in the computation is broken; kind and place of it, for a report."""


class Worker:
    """One process."""

    def __init__(self) -> None:
        root = str(Path(__file__).parents[2])
        path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "microagg.workers"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": path},
        )
        self._holds = ""
        self._answer: Callable[[object], None] = _nobody
        self.idle_since = time.monotonic()
        threading.Thread(target=self._listen, daemon=True).start()

    def begin(self, data: Microdata, task: Task, answer: Callable[[object], None]) -> None:
        """Send a task, and the data where the worker does not hold them; the answer comes by the callable.

        It is an `Outcome`, a `Fault`, None after a stop, or `ENDED` where the process is no more.
        """
        self._answer = answer
        if self._holds != data.fingerprint:
            self._send(data)
            self._holds = data.fingerprint
        self._send(task)

    def forget(self, data: Microdata) -> None:
        """Drop these data, if they are what it holds."""
        if self._holds == data.fingerprint:
            self._holds = ""
            self._send(None)

    def stop(self) -> None:
        """Ask the plan that runs to stop."""
        self._send("stop")

    def end(self) -> None:
        """End the process at once."""
        self._process.kill()

    def _send(self, told: object) -> None:
        if self._process.stdin is not None:
            content = pickle.dumps(told, protocol=5)
            with contextlib.suppress(OSError, ValueError):  # it has ended; the listener says so
                self._process.stdin.write(content)
                self._process.stdin.flush()

    def _listen(self) -> None:
        if self._process.stdout is None:
            return
        with contextlib.suppress(EOFError, OSError, pickle.UnpicklingError):
            while True:
                found = pickle.load(self._process.stdout)  # noqa: S301 - from the process we started
                self._answer(found)
        with contextlib.suppress(OSError):
            self._process.stdout.close()
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        self._process.wait()
        self._answer(ENDED)

    @property
    def alive(self) -> bool:
        """Whether the process is there."""
        return self._process.poll() is None


def _nobody(_answer: object) -> None:
    """Nobody waits for an answer."""


class Pool:
    """Workers, lent out fairly.

    Parameters
    ----------
    most : int
        Processes at once.
    """

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        self._lock = threading.Lock()
        self._idle: list[Worker] = []
        self._lent: dict[Worker, object] = {}
        self._waiting: dict[object, tuple[float, float]] = {}  # since when, and asked last
        atexit.register(self.close)

    @property
    def share(self) -> int:
        """Workers that one owner may hold at once."""
        return max(1, self.most - 1)

    def outcomes(
        self,
        data: Microdata,
        plans: Sequence[Plan],
        *,
        knowledge: Knowledge,
        stop: Event,
        owner: object,
    ) -> Iterator[tuple[int, Outcome]]:
        """Run plans and yield each as it finishes, as `microagg.sweep.outcomes` does.

        Parameters
        ----------
        data : Microdata
        plans : sequence of Plan
        knowledge : Knowledge
        stop : threading.Event
            Set it to end the sweep; what is finished stays.
        owner : hashable
            Whose sweep it is; workers are shared out evenly between owners.

        Yields
        ------
        tuple of int and Outcome
            The plan's position and what became of it.

        Raises
        ------
        Broken
            A defect in the computation of a plan.
        """
        left = list(enumerate(plans))[::-1]
        running: dict[Worker, int] = {}
        answers: queue.SimpleQueue[tuple[Worker, Any]] = queue.SimpleQueue()
        try:
            while (left or running) and not stop.is_set():
                while left and (worker := self._borrow(owner)) is not None:
                    position, plan = left.pop()
                    running[worker] = position
                    worker.begin(data, Task(plan, knowledge), _to(answers, worker))
                try:
                    worker, answer = answers.get(timeout=_LOOK)
                except queue.Empty:
                    continue
                position = running.pop(worker)
                self._take_back(worker)
                if isinstance(answer, Fault):
                    raise Broken(f"This cannot be computed: {answer.kind} in {answer.place}.")
                yield position, _ended(plans[position]) if answer == ENDED else answer
        finally:
            self._halt(running, answers)
            with self._lock:
                self._waiting.pop(owner, None)
                for worker in self._idle:
                    worker.forget(data)

    def _borrow(self, owner: object) -> Worker | None:
        """A worker, if there is one and it is this owner's turn."""
        now = time.monotonic()
        with self._lock:
            since = self._waiting.get(owner, (now, now))[0]
            self._waiting[owner] = (since, now)
            waiting = {who: at for who, (at, asked) in self._waiting.items() if now - asked < 10 * _LOOK}
            held = {who: sum(holder == who for holder in self._lent.values()) for who in waiting}
            turn = min(waiting, key=lambda who: (held[who], waiting[who]))
            if turn != owner or held[owner] >= self.share or len(self._lent) >= self.most:
                return None
            self._idle = [worker for worker in self._idle if worker.alive]
            worker = self._idle.pop() if self._idle else Worker()
            self._lent[worker] = owner
            self._waiting[owner] = (now, now)
            return worker

    def _take_back(self, worker: Worker) -> None:
        with self._lock:
            self._lent.pop(worker, None)
            if worker.alive:
                worker.idle_since = time.monotonic()
                self._idle.append(worker)
        timer = threading.Timer(IDLE + 0.1, self._end_idle)
        timer.daemon = True
        timer.start()

    def _halt(self, running: dict[Worker, int], answers: queue.SimpleQueue[tuple[Worker, Any]]) -> None:
        """Stop what runs; a worker that does not heed is ended."""
        for worker in running:
            worker.stop()
        until = time.monotonic() + GRACE
        while running and (rest := until - time.monotonic()) > 0:
            with contextlib.suppress(queue.Empty):
                worker, _ = answers.get(timeout=rest)
                del running[worker]
                self._take_back(worker)
        for worker in running:
            worker.end()
            self._take_back(worker)

    def _end_idle(self) -> None:
        with self._lock:
            now = time.monotonic()
            for worker in [worker for worker in self._idle if now - worker.idle_since >= IDLE]:
                self._idle.remove(worker)
                worker.end()

    def close(self) -> None:
        """End all workers."""
        with self._lock:
            for worker in [*self._idle, *self._lent]:
                worker.end()
            self._idle.clear()


def _to(answers: queue.SimpleQueue[tuple[Worker, Any]], worker: Worker) -> Callable[[object], None]:
    return lambda answer: answers.put((worker, answer))


def _ended(plan: Plan) -> Outcome:
    return Outcome(plan, {}, ENDED)


POOL = Pool()
