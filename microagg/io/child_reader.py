"""Packed files are read in a child process with bounds, so that no file can take the machine or the page.

Parquet, Feather, Stata, SPSS, SAS, R and Excel files are unpacked by libraries written for files of friends:
a few kilobytes can ask for any memory and any time. The child may take `memory_estimate.MOST_BYTES` of
address space and `SECONDS` by the clock; whoever asked only waits, without holding up others, and ends it
when nobody wants its table any more. The table comes back as Arrow and JSON (`microagg.io.table_message`).

This needs Linux. Elsewhere there is no bound on address space that holds, and files are read in the asker's
own process, bounded by what their headers say alone.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import math
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from microagg.errors import DataError, MicroaggError
from microagg.io import memory_estimate
from microagg.io.table_message import LENGTH, unpacked_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from microagg.io.formats import Format
    from microagg.io.table import Table

SECONDS = 120
"""Seconds that a packed file may take to read."""
AT_ONCE = max(2, os.cpu_count() or 1)
"""Files that are read at once; others wait."""
BOUNDED = sys.platform == "linux" and hasattr(os, "pidfd_open")
"""Whether this system can hold a reader to its bounds."""
_LOOK = 0.1  # seconds between two looks whether the table is still wanted
_PROGRAM = """
import sys
sys.path += [place for place in sys.argv[2:] if place not in sys.path]
package = type(sys)("microagg")
package.__path__ = [sys.argv[2] + "/microagg"]
sys.modules["microagg"] = package  # the readers alone, without what its front loads
from microagg.io.child_process import main
main(int(sys.argv[1]))
"""


class _Ended(Exception):
    """The other end of the line is gone."""


class _Nursery:
    """The process that children are forked from, started when it is first needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._asker: socket.socket

    def line(self) -> socket.socket:
        """Order a child, and give the line to it."""
        mine, theirs = socket.socketpair()
        with self._lock, theirs:
            for _ in range(2):
                try:
                    self._start()
                    socket.send_fds(self._asker, [b"+"], [theirs.fileno()])
                except OSError:  # it was ended from outside
                    self.close()
                else:
                    return mine
        mine.close()
        raise _Ended

    def _start(self) -> None:
        if self._process is not None and self._process.poll() is None:
            return
        self.close()
        self._asker, theirs = socket.socketpair()
        root, here = str(Path(__file__).parents[2]), str(Path.cwd())
        places = [place for place in sys.path if place and place != here and Path(place).is_absolute()]
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - this interpreter and our own program
                [sys.executable, "-I", "-c", _PROGRAM, str(theirs.fileno()), root, *places],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,  # what libraries print may quote a cell
                start_new_session=True,  # an interrupt at the keyboard is for the asker
                env={**os.environ, "ARROW_DEFAULT_MEMORY_POOL": "system", **dict.fromkeys(_THREADS, "1")},
            )

    def close(self) -> None:
        """End it and all children."""
        if self._process is not None:
            self._asker.close()
            self._process.kill()
            self._process.wait()
            self._process = None

    def forget(self) -> None:
        """After a fork the nursery is the parent's alone."""
        self._lock = threading.Lock()
        if self._process is not None:
            self._asker.close()
            self._process.returncode = 0  # or this copy would warn that it is not waited for
            self._process = None


_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MALLOC_ARENA_MAX")
_NURSERY = _Nursery()
_SLOTS = threading.BoundedSemaphore(AT_ONCE)
atexit.register(_NURSERY.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_NURSERY.forget)


def prepare() -> None:
    """Start what children are forked from, so that the first file need not wait for it."""
    if BOUNDED:
        with contextlib.suppress(_Ended):
            _NURSERY.line().close()


def read_apart(
    chosen: Format, data: bytes, name: str, sheet: str | None, wanted: Callable[[], object] | None = None
) -> Table:
    """Read a packed file in a child process.

    Parameters
    ----------
    chosen : Format
        One that has a reader.
    data : bytes
    name : str
        For messages.
    sheet : str, optional
    wanted : callable, optional
        Called in this thread ten times a second; what it raises ends the child and is raised.

    Returns
    -------
    Table

    Raises
    ------
    DataError
        The file is damaged or has no table, or takes more memory or time than it may.
    """
    if not BOUNDED:
        return _read_here(chosen, data, name, sheet)
    call = _Call(name, wanted or (lambda: None))
    while not _SLOTS.acquire(timeout=_LOOK):
        call.look()
    try:
        return call.read(chosen, data, sheet)
    except _Ended:
        if call.begun:
            said = (
                f"what reads {chosen.title} files broke down on it: it is damaged, or needs more than "
                f"{memory_estimate.MOST_BYTES / 1e9:.0f} GB of memory."
            )
        else:
            said = "the process that reads packed files cannot be started here."
        raise DataError(f"{name}: {said}") from None
    finally:
        _SLOTS.release()


def _read_here(chosen: Format, data: bytes, name: str, sheet: str | None) -> Table:
    assert chosen.read is not None  # noqa: S101 - text is not read here
    try:
        return chosen.read(data, name, sheet)
    except MicroaggError:
        raise
    except MemoryError:
        raise memory_estimate.too_vast(name) from None
    except Exception as error:  # noqa: BLE001 (a damaged file fails in any way inside the library that reads it)
        raise damaged(name, chosen.title, type(error).__name__) from None


class _Call:
    """One file on its way there, and its table on the way back."""

    def __init__(self, name: str, wanted: Callable[[], object]) -> None:
        self._name, self._wanted = name, wanted
        self._until = math.inf
        self._left = int(memory_estimate.MOST_BYTES / 2)  # a table, and as much again to work with it
        self.begun = False

    def look(self) -> None:
        """Raise where there is nothing to wait for any more."""
        self._wanted()
        if time.monotonic() > self._until:
            raise DataError(
                f"{self._name} takes more than {SECONDS} seconds to read, which is the most; divide it, or "
                "save it as CSV."
            )

    def read(self, chosen: Format, data: bytes, sheet: str | None) -> Table:
        """Send the file to a child and take what it answers; the child ends however this ends."""
        with contextlib.ExitStack() as ends:
            self._line = ends.enter_context(_NURSERY.line())
            self._line.settimeout(_LOOK)
            child = self._child()
            ends.callback(os.close, child)
            ends.callback(_kill, child)
            self.begun, self._until = True, time.monotonic() + SECONDS
            request = {
                "format": chosen.name,
                "name": self._name,
                "sheet": sheet,
                "memory": int(memory_estimate.MOST_BYTES),
                "seconds": SECONDS + 10,  # by itself, should this process not be there to end it
            }
            self._send(json.dumps(request).encode())
            self._send(data)
            answer = json.loads(bytes(self._part()))
            if answer.get("memory"):
                raise memory_estimate.too_vast(self._name)
            if "refused" in answer:
                raise DataError(str(answer["refused"]))
            if "damaged" in answer:
                raise damaged(self._name, chosen.title, str(answer["damaged"]))
            try:
                return unpacked_table(self._part)
            except MicroaggError:
                raise
            except Exception:  # noqa: BLE001 (no child of ours sends such a table)
                raise _Ended from None

    def _child(self) -> int:
        """A handle of the child, by which it can be ended and nobody else be hit."""
        while True:
            try:
                word, handles, _, _ = socket.recv_fds(self._line, 1, 1)
            except TimeoutError:
                self.look()
            except OSError:
                raise _Ended from None
            else:
                if not word or not handles:
                    raise _Ended
                return handles[0]

    def _send(self, part: bytes) -> None:
        for piece in (LENGTH.pack(len(part)), part):
            view = memoryview(piece)
            while view:
                try:
                    view = view[self._line.send(view) :]
                except TimeoutError:
                    self.look()
                except OSError:
                    raise _Ended from None

    def _part(self) -> bytearray:
        (length,) = LENGTH.unpack(self._exactly(LENGTH.size))
        self._left -= length
        if self._left < 0:
            raise memory_estimate.too_vast(self._name)
        return self._exactly(length)

    def _exactly(self, length: int) -> bytearray:
        received = bytearray(length)
        view = memoryview(received)
        while view:
            try:
                count = self._line.recv_into(view)
            except TimeoutError:
                self.look()
            except OSError:
                raise _Ended from None
            else:
                if not count:
                    raise _Ended
                view = view[count:]
        return received


def damaged(name: str, title: str, kind: str) -> DataError:
    """What is said of a file that its reader makes no sense of: the error's kind, as its text may quote."""
    return DataError(f"{name}: this is no {title} file, or a damaged one ({kind}).")


def _kill(child: int) -> None:
    with contextlib.suppress(OSError):  # it has ended
        signal.pidfd_send_signal(child, signal.SIGKILL)
