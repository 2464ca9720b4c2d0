"""A hostile visitor beside an honest one: what the one does to the other, and to the server's memory.

Run ``python -m tests.benchmarks.hostile --seconds 300``. The honest visitor moves k on Census, first alone,
then beside the hostile one, who opens fifty visits, starts twenty sweeps, leaves them all, sends every file
of `tests.io.hostile` in turn, and begins again. It comes from an address of its own, or with ``--together``
from the honest visitor's, as behind a proxy that does not say who asks. Printed: the honest visitor's moves,
median and 95th percentile, alone, beside, and beside each part; errors that were shown to it; the server's
memory before, at its peak, and after all have left. The aim: p95 at most 1.5 times that alone, no error,
memory back within 20 %.
"""

from __future__ import annotations

import argparse
import asyncio
import time
import uuid
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import WebSocketException

from tests.benchmarks.load import Found, Session, memory, serving, visits
from tests.io import hostile
from tests.ui.server.running import Visit, ask

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FILES: dict[str, Callable[[], bytes]] = {
    "long_string.parquet": hostile.parquet_of_one_long_string,
    "many_groups.parquet": hostile.parquet_of_many_groups,
    "deep_lists.parquet": hostile.parquet_of_deep_lists,
    "zeros.feather": hostile.feather_of_zeros,
    "long_strings.sav": hostile.spss_of_long_strings,
    "long_string.dta": hostile.stata_of_one_long_string,
    "says_many.dta": hostile.stata_that_says_many,
    "says_all.xlsx": hostile.workbook_that_says_all,
    "far_row.xlsx": hostile.workbook_with_a_far_row,
    "far_cell.xlsx": hostile.workbook_with_a_far_cell,
    "entities.xlsx": hostile.workbook_of_entities,
    "zeros.xlsx": hostile.zip_of_zeros,
    "gzip_of_gzip.rds": hostile.gzip_of_gzip,
    "gzip_of_zeros.rds": hostile.gzip_of_zeros,
    "sequence.rds": hostile.r_compact_sequence,
    "letters.rds": hostile.r_letters,
    "nameless.csv": lambda: b"," * 20_000 + b"\n" + b"1," * 20_000 + b"1\n",
    "wide.csv": lambda: ",".join(f"c{i}" for i in range(50_000)).encode() + b"\n" + b"1," * 49_999 + b"1\n",
}
SESSIONS, SWEEPS = 50, 20


class Attack:
    """What the hostile visitor does, until it is told to stop.

    Parameters
    ----------
    port : int
    client : str
        The address that it comes from.
    parts : sequence of str
        What it does: ``crowd``, ``files``.
    """

    def __init__(self, port: int, client: str, parts: Sequence[str]) -> None:
        self.port, self.client, self.parts = port, client, parts
        self.done: Counter[str] = Counter()
        self.began: list[tuple[float, str]] = []

    async def run(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if "crowd" in self.parts:
                self.began.append((time.monotonic(), "crowd"))
                await self._crowd(until)
            if "files" in self.parts:
                self.began.append((time.monotonic(), "files"))
                for name, make in FILES.items():
                    if time.monotonic() < until:
                        await self._tried(self._send(name, await asyncio.to_thread(make)), "files", until)

    async def _crowd(self, until: float) -> None:
        """Fifty visits, twenty sweeps, and gone without a word."""
        visitors = [Session(self.port, "explore", "tarragona", Found(), self.client) for _ in range(SESSIONS)]
        sweepers = [Session(self.port, "compare", "eia", Found(), self.client) for _ in range(SWEEPS)]
        await asyncio.gather(*(self._tried(one.open(), "visits", until) for one in visitors))
        await asyncio.gather(*(self._tried(one.sweep(), "sweeps", until) for one in sweepers))
        for one in (*visitors, *sweepers):
            if hasattr(one, "socket"):
                await self._tried(one.socket.close(), "left")

    async def _tried(self, deed: object, name: str, until: float | None = None) -> None:
        """Do it; what the server refuses, or takes no end with, is counted and left."""
        left = 60.0 if until is None else max(1.0, min(60.0, until - time.monotonic()))
        try:
            await asyncio.wait_for(deed, left)
        except (OSError, KeyError, StopIteration, RuntimeError, TimeoutError, WebSocketException) as error:
            self.done[f"{name} that came to nothing ({type(error).__name__})"] += 1
        else:
            self.done[name] += 1

    async def _send(self, name: str, content: bytes) -> None:
        async with Visit(self.port, client=self.client) as visit:
            self.done[f"answered {await sent(visit, name, content)}"] += 1


async def sent(visit: Visit, name: str, content: bytes) -> int:
    """Give a file to a visit's page, and wait until it has been drawn; the status of the upload's answer."""
    uploader = next(
        message.delta.new_element.file_uploader
        for message in visit.messages
        if message.delta.new_element.WhichOneof("type") == "file_uploader"
    )
    file = str(uuid.uuid4())
    address = f"/_stcore/upload_file/{visit.id}/{file}"
    answer = await asyncio.to_thread(put, visit.port, address, name, content, visit.client)
    message = BackMsg()
    message.rerun_script.page_script_hash = next(
        one.new_session.page_script_hash
        for one in reversed(visit.messages)
        if one.WhichOneof("type") == "new_session"
    )
    state = message.rerun_script.widget_states.widgets.add()
    state.id = uploader.id
    info = state.file_uploader_state_value.uploaded_file_info.add()
    info.name, info.size, info.file_id = name, len(content), file
    info.file_urls.file_id, info.file_urls.upload_url = file, address
    info.file_urls.delete_url = address
    await visit.run(message)
    return answer


def put(port: int, address: str, name: str, content: bytes, client: str) -> int:
    """Send a file as the page does; the status of the answer."""
    mark, token = uuid.uuid4().hex, ask(port, "/_stcore/health").headers["Set-Cookie"]
    token = str(token).partition("=")[2].partition(";")[0]
    head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    return ask(
        port,
        address,
        "PUT",
        head.encode() + content + f"\r\n--{mark}--\r\n".encode(),
        client,
        Content_Type=f"multipart/form-data; boundary={mark}",
        Cookie=f"_streamlit_xsrf={token}",
        X_Xsrftoken=token,
    ).status


async def beside(attack: Attack, port: int, seconds: float) -> tuple[Found, Attack]:
    """The honest visitor and the hostile one at the same time."""
    found, _ = await asyncio.gather(visits(port, 1, seconds), attack.run(seconds))
    return found, attack


def main() -> None:
    """Start a server, visit it alone and beside a hostile visitor, print what that did."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--quiet", type=float, default=60, help="Seconds that the honest visitor is alone.")
    parser.add_argument("--settle", type=float, default=60, help="Seconds to wait after all have left.")
    parser.add_argument("--stay", type=int, default=20, help="Seconds that a visit is kept for a return.")
    parser.add_argument("--port", type=int, default=8766)
    parser.add_argument("--parts", nargs="+", default=["crowd", "files"], help="What the hostile one does.")
    parser.add_argument("--together", action="store_true", help="Both come from one address.")
    chosen = parser.parse_args()
    attack = Attack(chosen.port, "127.0.0.1" if chosen.together else "127.0.0.2", chosen.parts)
    with serving(chosen.port, chosen.stay) as server:
        asyncio.run(visits(chosen.port, 1, 20.0))  # everything is imported and compiled
        quiet = asyncio.run(visits(chosen.port, 1, chosen.quiet))
        time.sleep(chosen.settle)
        before = memory(server.pid, "VmRSS")
        found, attack = asyncio.run(beside(attack, chosen.port, chosen.seconds))
        peak = memory(server.pid, "VmHWM")
        time.sleep(chosen.settle)
        after = memory(server.pid, "VmRSS")
    print(
        "the hostile visitor: " + ", ".join(f"{count} {name}" for name, count in sorted(attack.done.items()))
    )
    for name, one in (("alone", quiet), ("beside it", found)):
        times = np.array(one.times or [np.nan])
        print(
            f"the honest visitor {name}: {len(one.times)} moves, median {np.median(times):.2f} s, "
            f"p95 {np.quantile(times, 0.95):.2f} s, {len(one.errors)} errors {sorted(set(one.errors))}"
        )
    for part in chosen.parts:
        during = [
            took
            for took, when in zip(found.times, found.when, strict=True)
            if [name for began, name in attack.began if began <= when][-1:] == [part]
        ]
        if during:
            print(f"  {part}: {len(during)} moves, p95 {np.quantile(during, 0.95):.2f} s")
    ratio = np.quantile(found.times or [np.nan], 0.95) / np.quantile(quiet.times or [np.nan], 0.95)
    print(f"p95 beside it / alone: {ratio:.2f}")
    print(f"memory: {before:.0f} MB before, {peak:.0f} at the peak, {after:.0f} after all have left", end=" ")
    print(f"({100 * (after / before - 1):+.0f} %)")


if __name__ == "__main__":
    main()
