"""A visitor who leaves while a file is read: a real server, whose reading child ends with the visit."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from typing import TYPE_CHECKING

import psutil
import pytest

from microagg.io import child_reader
from tests.benchmarks.hostile import sent
from tests.io import hostile
from tests.patience import PATIENCE
from tests.ui.server.running import Visit, running

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.skipif(not child_reader.BOUNDED, reason="only Linux holds a reader to its bounds")
ENDLESS = """
import sys
from microagg.io import child_reader as apart
from microagg.ui.shell import session_cleanup as departures
apart.SECONDS, departures.EVERY = 100_000, 0.5
from streamlit.web import cli
sys.argv = ["streamlit", "run", "app.py", *sys.argv[1:]]
cli.main()
"""


def until(true: Callable[[], object]) -> None:
    """Wait for it, however busy the machine is."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def readers(port: int) -> list[psutil.Process]:
    """Processes that read a file for the server: those under its child that they are forked from.

    They are polite as soon as they have the file and its bounds.
    """
    server = next(child for child in psutil.Process().children() if str(port) in child.cmdline())
    nurseries = [
        child for child in server.children() if "microagg.io.child_process" in " ".join(child.cmdline())
    ]
    return [
        reader for nursery in nurseries for reader in nursery.children() if reader.nice() > nursery.nice()
    ]


async def leave_while_reading(port: int) -> psutil.Process:
    """Send a file that takes a minute, hold its reader, so that it never ends by itself, and leave."""
    async with Visit(port) as visit:
        reading = asyncio.create_task(sent(visit, "letters.rds", hostile.r_letters(2_000_000)))
        while not (found := await asyncio.to_thread(readers, port)):
            assert not reading.done()
            await asyncio.sleep(0.02)
        found[0].send_signal(signal.SIGSTOP)
        reading.cancel()
    return found[0]


def test_the_reading_child_ends_with_the_visit_of_who_asked():
    with running("--server.disconnectedSessionTTL", "1", how=(sys.executable, "-c", ENDLESS)) as port:
        reader = asyncio.run(leave_while_reading(port))
        until(lambda: not reader.is_running() or reader.status() == psutil.STATUS_ZOMBIE)
        assert readers(port) == []
