"""Many visitors at once: browser-less sessions on one server, each moving k on Census.

Run ``python -m tests.benchmarks.load --sessions 30 --seconds 120``. Each session speaks the dashboard's own
websocket: it opens Explore, moves the slider of k to a random place, waits until the page has been drawn, and
moves it again. With ``--sweep`` one more visitor first starts a sweep of 200 plans on EIA on the Compare
page, to see what that costs the others (``--sessions 1`` for one other). Printed: moves, the median and the
95th percentile of their times, errors, and the server's memory after a first visit, at its peak, and after
all have left and the server has forgotten them (it keeps a visit for two minutes, in case the visitor comes
back).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.conftest import reference_file

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]


@dataclass
class Found:
    """What all sessions saw."""

    times: list[float] = field(default_factory=list)
    when: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


class Session:
    """One visitor without a browser."""

    def __init__(self, port: int, page: str, data: str, found: Found, client: str = "127.0.0.1") -> None:
        self.client = client  # the address that it comes from
        self.address, self.query, self.found = f"ws://127.0.0.1:{port}/_stcore/stream", f"data={data}", found
        self.stem, self.page, self.widgets = page, "", {}

    async def open(self) -> None:
        self.socket = await connect(  # as a browser
            self.address, max_size=None, ping_interval=None, local_addr=(self.client, 0)
        )
        await self._run({})

    async def visit(self, seconds: float, moves: random.Random) -> None:
        """Move k again and again."""
        await self.open()
        slider, until = self.widgets.get("k"), time.monotonic() + seconds
        while time.monotonic() < until and slider is not None:
            k = float(moves.randint(int(slider.min), int(min(slider.max, 30))))
            began = time.monotonic()
            await self._run({slider.id: [k]})
            self.found.times.append(time.monotonic() - began)
            self.found.when.append(began)
            await asyncio.sleep(0.2)  # nobody moves faster
        if slider is None:
            self.found.errors.append("Explore has no slider of k.")
        await self.socket.close()

    async def sweep(self) -> None:
        """Start 200 plans and stay: five methods, forty group sizes."""
        await self.open()
        sizes = next(widget for key, widget in self.widgets.items() if key.startswith("grid_k"))
        asked = {sizes.id: [2.0, 41.0]}
        await self._run(asked)
        await self._run(asked | {self.widgets["compare_start"].id: None})
        print(f"swept beside it: {self.widgets['compare_start'].label!r}")

    async def _run(self, moved: dict[str, list[float] | None]) -> None:
        """Ask for a run with a widget moved and wait for its end; note what went wrong."""
        message = BackMsg()
        message.rerun_script.query_string = self.query
        if self.page:
            message.rerun_script.page_script_hash = self.page
        else:
            message.rerun_script.page_name = self.stem
        for name, value in moved.items():
            state = message.rerun_script.widget_states.widgets.add()
            state.id = name
            if value is None:
                state.trigger_value = True
            else:
                state.double_array_value.data.extend(value)
        while True:
            try:
                if message is not None:
                    await self.socket.send(message.SerializeToString())
                    message = None
                data = await self.socket.recv()
            except ConnectionClosed:
                self.found.errors.append("The server closed the connection.")
                return
            answer = ForwardMsg.FromString(data)
            kind = answer.WhichOneof("type")
            if kind == "new_session":
                self.page = answer.new_session.page_script_hash or self.page
            elif kind == "navigation":
                self.page = answer.navigation.page_script_hash or self.page
            elif kind == "delta" and answer.delta.WhichOneof("type") == "new_element":
                self._look(answer.delta.new_element)
            elif kind == "script_finished":
                return

    def _look(self, element: object) -> None:
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.found.errors.append(element.exception.type)
        elif kind in ("slider", "button"):
            widget = getattr(element, kind)
            key = widget.id.split("-", 2)[-1]
            self.widgets[re.sub(r"-\d+$", "", key)] = widget  # which is numbered, where it shows a setting


def memory(process: int, what: str) -> float:
    """Megabytes of a process: VmRSS now, VmHWM at its peak."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(what)) / 1024


def wait_for(port: int) -> None:
    for _ in range(600):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1).read()
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
        else:
            return
    raise SystemExit("The dashboard does not start.")


@contextmanager
def serving(port: int, stay: int) -> Iterator[subprocess.Popen[bytes]]:
    """Start a server that keeps a visit for so many seconds after it was left; it is stopped at the end."""
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
    folder = os.environ.get("MICROAGG_DATASETS") or str(reference_file("census").parent)
    server = subprocess.Popen(
        [*command, "--server.port", str(port), "--server.disconnectedSessionTTL", f"{stay}"],
        cwd=ROOT,
        env={**os.environ, "MICROAGG_DATASETS": folder},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(port)
        yield server
    finally:
        server.terminate()
        server.wait()


async def visits(port: int, sessions: int, seconds: float, *, sweep: bool = False) -> Found:
    found = Found()
    beside = Session(port, "compare", "eia", found)
    if sweep:
        await beside.sweep()
    seeds = (random.Random(seed) for seed in range(sessions))  # noqa: S311 - moves, not secrets
    each = (Session(port, "explore", "census", found).visit(seconds, moves) for moves in seeds)
    await asyncio.gather(*each)
    if sweep:
        await beside.socket.close()
    return found


def main() -> None:
    """Start a server, visit it, print what that took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--settle", type=float, default=150, help="Seconds to wait after all have left.")
    parser.add_argument("--stay", type=int, default=120, help="Seconds that a visit is kept for a return.")
    parser.add_argument("--sweep", action="store_true", help="Beside one visitor who sweeps.")
    parser.add_argument("--port", type=int, default=8765)
    chosen = parser.parse_args()
    with serving(chosen.port, chosen.stay) as server:
        asyncio.run(visits(chosen.port, 1, 20.0))  # everything is imported and compiled
        time.sleep(chosen.settle)
        before = memory(server.pid, "VmRSS")
        found = asyncio.run(visits(chosen.port, chosen.sessions, chosen.seconds, sweep=chosen.sweep))
        peak = memory(server.pid, "VmHWM")
        time.sleep(chosen.settle)
        after = memory(server.pid, "VmRSS")
    times = np.array(found.times or [np.nan])
    moves, errors = len(found.times), len(found.errors)
    print(f"{chosen.sessions} sessions for {chosen.seconds:g} s: {moves} moves, {errors} errors")
    print(f"latency: median {np.median(times):.2f} s, p95 {np.quantile(times, 0.95):.2f} s")
    print(
        f"memory: {before:.0f} MB after one visit, {peak:.0f} MB at the peak, "
        f"{after:.0f} MB after all have left ({100 * (after / before - 1):+.0f} %)"
    )
    for error in sorted(set(found.errors)):
        print(f"error: {error}")


if __name__ == "__main__":
    main()
