"""One worker: a process that loky starts, watches, ends when idle, and starts again when it is needed.

loky, because an executor of one process can be killed alone, an idle process ends and gives its memory back,
one that has grown is replaced, and a new one never runs the server's ``__main__`` (in Streamlit a visitor's
page). Pebble ends single tasks too, but runs ``__main__``, keeps its processes for good, and waits three
seconds for a kernel that does not heed.
"""

from __future__ import annotations

import os
import re
import signal
from typing import TYPE_CHECKING

from loky.backend import get_context
from loky.process_executor import ProcessPoolExecutor

from microagg.io.import_path import for_processes
from microagg.workers.fault import Broken
from microagg.workers.process import begin, carry_out

if TYPE_CHECKING:
    from concurrent.futures import BrokenExecutor, Future

    from microagg.exploration.sweep import Outcome
    from microagg.measures.knowledge import Knowledge
    from microagg.model.microdata import Microdata
    from microagg.model.plan import Plan
    from microagg.workers.fault import Fault

_MEMORY = "most likely because memory ran out; take fewer records, or a method that needs less."


class Worker:
    """One process, started at its first plan.

    Parameters
    ----------
    idle : float, seconds
        Without a plan, after which the process ends.
    """

    def __init__(self, idle: float) -> None:
        for_processes()  # nor does one of loky's trackers import from the current folder
        context = get_context("loky")
        self._requests = context.Semaphore(0)
        self._executor = ProcessPoolExecutor(
            1, context=context, timeout=idle, initializer=begin, initargs=(self._requests, os.getpid())
        )
        self.process: Future[int]

    def begin(self, data: Microdata, plan: Plan, knowledge: Knowledge) -> Future[Outcome | Fault | None]:
        """Start a plan.

        Returns
        -------
        Future
            As `microagg.workers.process.carry_out`; `BrokenExecutor` where the process ended.

        Raises
        ------
        BrokenExecutor
            The process ended while it was idle.
        """
        while self._requests.acquire(block=False):
            pass  # a stop that came after the last plan had ended
        self.process = self._executor.submit(os.getpid)
        future: Future[Outcome | Fault | None] = self._executor.submit(carry_out, data, plan, knowledge)
        return future

    def stop(self) -> None:
        """Ask the plan that runs to stop."""
        self._requests.release()

    def end(self) -> None:
        """End the process at once; the worker cannot be used again."""
        queue = getattr(self._executor, "_call_queue", None)
        self._executor.shutdown(wait=False, kill_workers=True)
        if queue is not None:  # else loky's thread keeps the data, waiting for somebody to read them
            queue._reader.close()

    def reason(self, error: BrokenExecutor) -> str:
        """Why the plan that ran came to no result, in a sentence.

        Raises
        ------
        Broken
            The process did not even start.
        """
        found = re.search(r"\{(\w+)\((-?\d+)\)", str(error))
        name, code = (found[1], int(found[2])) if found else ("", 0)
        if code >= 0 and self.process.exception() is not None:
            status = f" (status {code})" if found else ""
            raise Broken(
                f"The process that works on plans could not start{status}; the server's output says why."
            )
        if name in ("", "SIGKILL"):
            return f"The process that worked on this plan was ended from outside, {_MEMORY}"
        if code < 0 and -code in _OF_THE_PROGRAM:
            return f"The process that worked on this plan crashed ({name}); the server's output says where."
        return f"The process that worked on this plan was ended from outside ({name})."


_OF_THE_PROGRAM = {
    getattr(signal, name, 0) for name in ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE", "SIGSYS")
}
