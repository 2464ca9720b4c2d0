"""Where the work is done, and what can go wrong there, told in one sentence.

Dask itself runs the tasks of a worker that died again on another one; what reaches us is a scheduler that is
gone, workers that die again and again (mostly for want of memory), or a task that failed by itself.

One case Dask leaves standing. Its scheduler hands out queued tasks when a task finishes or a worker joins
(`stimulus_queue_slots_maybe_opened`), and not when a worker dies: where the remaining workers have nothing
left to finish at that moment and nobody joins, tasks stay queued for ever. While we wait, a trivial task
every few seconds finishes on a worker that is left, and the queue moves.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from dask.base import get_scheduler

from microagg.distributed.result_writing import reason
from microagg.errors import MicroaggError
from microagg.io.import_path import for_processes

if TYPE_CHECKING:
    from collections.abc import Iterator

WORKERS = 2
MEMORY = "3GiB"
PATIENCE = "10s"
"""For a scheduler to answer."""

NUDGE = 2.0
"""Seconds between two trivial tasks that keep the queue moving."""

THREAD = "microagg-nudge"
"""Name of the thread that sends them."""


@contextmanager
def cluster(scheduler: str = "", workers: int = WORKERS) -> Iterator[Any]:
    """A client of a cluster, closed at the end.

    Parameters
    ----------
    scheduler : str
        Address such as tcp://host:8786; empty: processes on this machine, of one thread and 3 GiB each.
    workers : int
        How many, where they are started here.

    Raises
    ------
    MicroaggError
        The scheduler does not answer.
    """
    from distributed import Client, LocalCluster

    for_processes()
    if scheduler:
        try:
            client = Client(scheduler, timeout=PATIENCE)
        except (OSError, ValueError) as error:
            raise MicroaggError(f"The Dask scheduler {scheduler} does not answer: {reason(error)}.") from None
        with client:
            yield client
        return
    with (
        LocalCluster(  # type: ignore[no-untyped-call,unused-ignore]
            n_workers=workers, threads_per_worker=1, memory_limit=MEMORY, dashboard_address="127.0.0.1:0"
        ) as local,
        Client(local) as client,
    ):
        yield client


@contextmanager
def told(doing: str) -> Iterator[None]:
    """Wait for work on a cluster: keep its queue moving, and turn what goes wrong there into one sentence.

    Raises
    ------
    MicroaggError
    """
    try:
        with _nudged():
            yield
    except MicroaggError:
        raise
    except Exception as error:
        name = type(error).__name__
        if "Killed" in name:
            why = "workers died again and again, most likely of too little memory; take smaller parts"
        elif "Cancelled" in name or type(error).__module__.startswith("distributed"):
            why = "the Dask scheduler is gone"
        elif isinstance(error, OSError):
            why = reason(error)
        else:
            raise
        raise MicroaggError(f"{doing} failed, and nothing is left behind: {why}.") from None


@contextmanager
def _nudged() -> Iterator[None]:
    """Give the cluster that Dask would use now, if it would, a trivial task every `NUDGE` seconds."""
    submit = getattr(getattr(get_scheduler(), "__self__", None), "submit", None)
    if submit is None:
        yield
        return
    over = threading.Event()

    def nudge() -> None:
        task = None
        while not over.wait(NUDGE):
            # Whoever waits hears what is wrong; a task whose future is dropped would be dropped with it.
            with suppress(Exception):
                task = submit(int, pure=False)
        del task

    thread = threading.Thread(target=nudge, name=THREAD, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
