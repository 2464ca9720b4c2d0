"""Inside a worker: one plan at a time is protected and assessed.

It yields to whatever a visitor waits for (a lower priority), looks often whether it is asked to stop, and
ends when the server does, so that no plan of an hour outlives its visitor.
"""

from __future__ import annotations

import contextlib
import os
import threading
from typing import TYPE_CHECKING, Protocol

import psutil

from microagg.errors import Cancelled
from microagg.exploration.sweep import Outcome, outcome
from microagg.exploration.warm_up import ready
from microagg.methods import METHODS
from microagg.workers.fault import Fault

if TYPE_CHECKING:
    from microagg.measures.knowledge import Knowledge
    from microagg.model.microdata import Microdata
    from microagg.model.plan import Plan

NO_MEMORY = "Memory ran out while this plan was worked on; take fewer records, or a method that needs less."
_POLITE = 5  # steps of priority below the dashboard


class Semaphore(Protocol):
    """What is used of a semaphore shared with the server: one release is one request to stop."""

    def acquire(self, block: bool = True) -> bool:
        """Take a request; whether there was one."""

    def release(self) -> None:
        """Make a request."""


class _Stop(threading.Event):
    """The server's request as the event that `microagg.exploration.sweep.outcome` looks at.

    A semaphore, because taking it is one step: a process that is killed at any moment leaves no lock behind.
    """

    def __init__(self, requests: Semaphore) -> None:
        super().__init__()
        self._requests = requests

    def is_set(self) -> bool:
        """Whether the server has asked for a stop since this plan began."""
        if self._requests.acquire(block=False):
            self.set()
        return super().is_set()


_REQUESTS: list[Semaphore] = []


def begin(requests: Semaphore, server: int) -> None:
    """Prepare this process, once.

    Parameters
    ----------
    requests : Semaphore
        Released by the server to stop the plan that runs.
    server : int
        Process that this one ends with.
    """
    _REQUESTS[:] = [requests]
    with contextlib.suppress(OSError, AttributeError):
        os.nice(_POLITE)
    threading.Thread(target=_end_with, args=(server,), daemon=True).start()


def _end_with(server: int) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):  # it ended while this one started
        psutil.Process(server).wait()
    os._exit(0)


def carry_out(data: Microdata, plan: Plan, knowledge: Knowledge) -> Outcome | Fault | None:
    """Protect and assess one plan.

    Returns
    -------
    Outcome, Fault or None
        What became of it; a defect by its kind and place; None after a stop.
    """
    try:
        if plan.method in METHODS:
            ready(plan.method)
        return outcome(data, plan, knowledge, _Stop(_REQUESTS[0]))
    except Cancelled:
        return None
    except MemoryError:
        return Outcome(plan, {}, NO_MEMORY)
    except Exception as error:  # noqa: BLE001 - told to the server, without its text, which may quote a cell
        return Fault.of(error)
