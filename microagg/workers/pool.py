"""The fair queue: workers are lent to one sweep after another, so that no visitor waits for another's hour.

Whoever sweeps gets one worker at a time, the one who holds fewest first and then the one who waits longest,
and never the last one while there are several. A stop is passed on; a worker that does not heed it is ended
and never lent again.
"""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from typing import TYPE_CHECKING

from microagg.exploration.sweep import Outcome
from microagg.workers.fault import Broken, Fault
from microagg.workers.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from threading import Event
    from typing import TypeAlias

    from microagg.measures.knowledge import Knowledge
    from microagg.model.microdata import Microdata
    from microagg.model.plan import Plan

    Running: TypeAlias = dict[Future[Outcome | Fault | None], tuple[Worker, int]]

PROCESSES = max(2, (os.cpu_count() or 1) - 1)
IDLE = 30.0  # seconds without a plan after which a process ends
GRACE = 0.8  # seconds that a worker has to stop before it is ended
_LOOK = 0.05  # seconds between two looks at a stop request and at who waits
_ABSENT = 2.0  # seconds after which who has not asked does not wait any more


class Pool:
    """Workers, lent out fairly.

    Parameters
    ----------
    most : int
        Processes at once.
    idle : float, seconds
        Without a plan, after which a process ends.
    grace : float, seconds
        That a worker has to heed a stop.
    """

    def __init__(self, most: int = PROCESSES, *, idle: float = IDLE, grace: float = GRACE) -> None:
        self.most = most
        self._idle_seconds, self._grace = idle, grace
        self._lock = threading.Lock()
        self._idle: list[Worker] = []
        self._lent: dict[Worker, object] = {}
        self._waiting: dict[object, tuple[float, float]] = {}  # since when, and asked last
        self._closing: threading.Thread | None = None

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
        """Run plans and yield each as it finishes, as `microagg.exploration.sweep.outcomes` does.

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
            A defect in the computation of a plan, or a process that cannot start.
        """
        left = list(enumerate(plans))[::-1]
        running: Running = {}
        try:
            while (left or running) and not stop.is_set():
                while left and (worker := self._borrow(owner)) is not None:
                    position, plan = left[-1]
                    try:
                        running[worker.begin(data, plan, knowledge)] = worker, position
                    except BrokenExecutor:  # its process died of something else while it was idle
                        self._drop(worker)
                    else:
                        left.pop()
                if not running:
                    stop.wait(_LOOK)
                for future in wait(running, timeout=_LOOK, return_when=FIRST_COMPLETED).done:
                    worker, position = running.pop(future)
                    result = self._outcome(worker, future, plans[position])
                    if result is not None:
                        yield position, result
        finally:
            self._halt(running)
            with self._lock:
                self._waiting.pop(owner, None)

    def _outcome(self, worker: Worker, future: Future[Outcome | Fault | None], plan: Plan) -> Outcome | None:
        """What became of a plan that has ended; the worker is given back, or dropped where it is broken."""
        error = future.exception()
        if isinstance(error, BrokenExecutor):
            self._drop(worker)
            return Outcome(plan, {}, worker.reason(error))
        self._take_back(worker)
        answer = future.result()
        if isinstance(answer, Fault):
            raise Broken(f"This cannot be computed: {answer.kind} in {answer.place}.")
        return answer

    def _borrow(self, owner: object) -> Worker | None:
        """A worker, if there is one and it is this owner's turn."""
        now = time.monotonic()
        with self._lock:
            since = self._waiting.get(owner, (now, now))[0]
            self._waiting[owner] = (since, now)
            waiting = {who: at for who, (at, asked) in self._waiting.items() if now - asked < _ABSENT}
            held = {who: sum(holder == who for holder in self._lent.values()) for who in waiting}
            turn = min(waiting, key=lambda who: (held[who], waiting[who]))
            if turn != owner or held[owner] >= self.share or len(self._lent) >= self.most:
                return None
            worker = self._idle.pop() if self._idle else Worker(self._idle_seconds)
            self._lent[worker] = owner
            self._waiting[owner] = (now, now)
            self._close_with_the_server()
            return worker

    def _take_back(self, worker: Worker) -> None:
        """Ready for the next plan."""
        with self._lock:
            del self._lent[worker]
            self._idle.append(worker)

    def _drop(self, worker: Worker) -> None:
        """End it, and never lend it again."""
        with self._lock:
            del self._lent[worker]
        worker.end()

    def _halt(self, running: Running) -> None:
        """Stop what runs; a worker that does not heed is ended."""
        for worker, _ in running.values():
            worker.stop()
        heeded = wait(running, timeout=self._grace).done
        for future, (worker, _) in running.items():
            if future in heeded and future.exception() is None:
                self._take_back(worker)
            else:
                self._drop(worker)

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            for worker in [*self._idle, *self._lent]:
                worker.end()
            self._idle.clear()

    def _close_with_the_server(self) -> None:
        """When the server's main thread ends, so do the plans that run: loky would wait for them."""
        if self._closing is None:
            self._closing = threading.Thread(target=self._wait_and_close)
            self._closing.start()

    def _wait_and_close(self) -> None:
        threading.main_thread().join()
        self.close()


POOL = Pool()
