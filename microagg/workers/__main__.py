"""The worker's side: plans come in at standard input, outcomes go out at standard output.

It yields to whatever a visitor waits for (a lower priority), says nothing of the data when something breaks
(the kind and the place of the fault, never its text), and ends when the other side does.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import sys
import threading
from typing import TYPE_CHECKING, BinaryIO

from microagg.errors import Cancelled
from microagg.methods import METHODS
from microagg.sweep import outcome
from microagg.warming import ready
from microagg.workers import Fault, Task

if TYPE_CHECKING:
    from microagg.types import Microdata

_POLITE = 5  # steps of priority below the dashboard


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Carry out what comes in, one after the other, until the other side ends."""
    tasks: queue.SimpleQueue[Task | Microdata | None] = queue.SimpleQueue()
    stop = threading.Event()
    threading.Thread(target=_listen, args=(source, tasks, stop), daemon=True).start()
    data: Microdata | None = None
    while True:
        task = tasks.get()
        if not isinstance(task, Task):
            data = task
            continue
        if data is None:
            raise RuntimeError("A plan came before its data.")
        pickle.dump(_done(data, task, stop), sink, protocol=5)
        sink.flush()


def _listen(
    source: BinaryIO, tasks: queue.SimpleQueue[Task | Microdata | None], stop: threading.Event
) -> None:
    """Take what comes in while a plan runs: "stop" ends that plan, the end of the input ends the process."""
    while True:
        try:
            told = pickle.load(source)  # noqa: S301 - from the process that started this one
        except (EOFError, OSError, pickle.UnpicklingError):
            os._exit(0)
        if told == "stop":
            stop.set()
        else:
            if isinstance(told, Task):
                stop.clear()
            tasks.put(told)


def _done(data: Microdata, task: Task, stop: threading.Event) -> object:
    try:
        if task.plan.method in METHODS:
            ready(task.plan.method)
        return outcome(data, task.plan, task.knowledge, stop)
    except Cancelled:
        return None
    except Exception as error:  # noqa: BLE001 - told to the other side, without its text, which may quote a cell
        return Fault.of(error)


if __name__ == "__main__":
    with contextlib.suppress(OSError, AttributeError):
        os.nice(_POLITE)
    # What a library prints must not get between the outcomes.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.stdin.buffer, answers)
