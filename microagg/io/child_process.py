"""The process that children are forked from, and the child that reads one file and ends.

Loading pandas takes a second or more, a fork a few milliseconds: so one process without threads loads what
the readers need and waits. For each file it is sent one end of a line to whoever asked, forks, and the child
answers there. The child may take so much address space, time and no disk at all; it ends with the nursery,
and the nursery with the process that started it. Linux only.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import os
import resource
import signal
import socket
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microagg.errors import MicroaggError
from microagg.io.formats import FORMATS
from microagg.io.optional_packages import needed
from microagg.io.table_message import LENGTH, packed

if TYPE_CHECKING:
    from collections.abc import Iterable

_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of linux/prctl.h
_POLITE = 5  # steps of priority below whoever asked


def main(handle: int) -> None:
    """Wait for lines, and fork a child for each, until the asker's end is closed."""
    for package in ("pyarrow.parquet", "pyarrow.feather", "pyreadstat", "openpyxl", "rdata"):
        with contextlib.suppress(MicroaggError):  # said to whoever comes with such a file
            needed(package, "")
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # children are not waited for
    gc.freeze()
    asker, nursery = socket.socket(fileno=handle), os.getpid()
    while True:
        word, handles, _, _ = socket.recv_fds(asker, 1, 1)
        if not word:
            return
        if os.fork() == 0:
            asker.close()
            _child(socket.socket(fileno=handles[0]), nursery)
        os.close(handles[0])


def _child(line: socket.socket, nursery: int) -> None:
    try:
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() == nursery:
            handle = os.pidfd_open(os.getpid())
            socket.send_fds(line, [b"+"], [handle])  # what the asker ends this process by
            request = json.loads(_part(line))
            data = _part(line)
            _limit(request["memory"], request["seconds"])
            for part in _answer(request, data):
                line.sendall(LENGTH.pack(memoryview(part).nbytes))
                line.sendall(part)
    finally:
        os._exit(0)


def _limit(memory: int, seconds: int) -> None:
    """Bind this process: bytes of address space more than now, seconds by the clock, no files."""
    now = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = now + memory if most == resource.RLIM_INFINITY else min(most, now + memory)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    signal.setitimer(signal.ITIMER_REAL, seconds)
    with contextlib.suppress(OSError):
        os.nice(_POLITE)
        Path("/proc/self/oom_score_adj").write_text(
            "1000", encoding="ascii"
        )  # first to go when memory is short


def _part(line: socket.socket) -> bytes:
    (length,) = LENGTH.unpack(_exactly(line, LENGTH.size))
    return bytes(_exactly(line, length))


def _exactly(line: socket.socket, length: int) -> bytearray:
    received = bytearray(length)
    view, at = memoryview(received), 0
    while at < length:
        count = line.recv_into(view[at:])
        if not count:
            os._exit(0)  # nobody asks any more
        at += count
    return received


def _answer(request: dict[str, Any], data: bytes) -> Iterable[Any]:
    """A table in parts, behind an empty word; or one part that says why there is none."""
    read = FORMATS[request["format"]].read
    assert read is not None  # noqa: S101 - text is not read here
    try:
        parts = packed(read(data, request["name"], request["sheet"]))
        return chain([b"{}", next(parts)], parts)
    except MicroaggError as error:
        return [json.dumps({"refused": str(error)}).encode()]
    except MemoryError:
        return [b'{"memory": true}']
    except Exception as error:  # noqa: BLE001 (a damaged file fails in any way inside the library that reads it)
        if "llocate memory" in str(error):
            return [b'{"memory": true}']
        return [json.dumps({"damaged": type(error).__name__}).encode()]  # its text may quote a cell
