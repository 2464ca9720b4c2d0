"""A server of one's own kind, and visitors who ask it by hand."""

from __future__ import annotations

import asyncio
import http.client
import os
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect

from tests.benchmarks.load import wait_for
from tests.browser.served import ROOT, free_port

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from websockets.asyncio.client import ClientConnection

STREAMLIT = (sys.executable, "-m", "streamlit", "run", "app.py")
COMMAND_LINE = (sys.executable, "-m", "microagg.cli", "app")
WAIT = 120


@contextmanager
def running(*options: str, how: tuple[str, ...] = STREAMLIT, path: Path | None = None) -> Iterator[int]:
    """Start a server and give its port; a folder may be put before those that Python imports from."""
    port = free_port()
    command = [*how, "--server.headless", "true", "--server.fileWatcherType", "none"]
    process = subprocess.Popen(
        [*command, "--server.port", str(port), *options],
        cwd=ROOT,
        env=os.environ | ({} if path is None else {"PYTHONPATH": str(path)}),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(port)
        yield port
    finally:
        process.terminate()
        try:
            process.wait(timeout=WAIT)
        finally:
            process.kill()


@dataclass(frozen=True)
class Answer:
    """What the server said."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes


def ask(
    port: int,
    path: str = "/",
    method: str = "GET",
    body: bytes | Iterator[bytes] | None = None,
    client: str = "127.0.0.1",
    **headers: str,
) -> Answer:
    """Send one request from a client's address, with exactly these headers besides Host."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT, source_address=(client, 0))
    try:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, named, encode_chunked=body is not None)
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read())
    finally:
        connection.close()


class Visit:
    """A visit to a page, as long as the ``async with`` lasts.

    Parameters
    ----------
    port : int
    page : str
        Stem of the page's file; the first page has none.
    client : str
        The address that it comes from.
    headers : str
        Of the handshake.
    """

    def __init__(self, port: int, page: str = "", client: str = "127.0.0.1", **headers: str) -> None:
        self.port, self.page, self.client, self.headers = port, page, client, headers
        self.id, self.said, self.cookie = "", b"", ""
        self.messages: list[ForwardMsg] = []
        self.socket: ClientConnection

    async def __aenter__(self) -> Self:
        self.socket = await connect(
            f"ws://127.0.0.1:{self.port}/_stcore/stream",
            additional_headers=self.headers,
            max_size=None,
            ping_interval=None,
            local_addr=(self.client, 0),
        )
        self.cookie = self.socket.response.headers.get("Set-Cookie", "").partition(";")[0]
        message = BackMsg()
        message.rerun_script.page_name = self.page
        await self.run(message)
        return self

    async def run(self, message: BackMsg) -> None:
        await self.socket.send(message.SerializeToString())
        finished = False
        while not finished:
            data = await asyncio.wait_for(self.socket.recv(), WAIT)
            answer = ForwardMsg.FromString(data)
            self.messages.append(answer)
            kind = answer.WhichOneof("type")
            if kind == "new_session":
                self.id = answer.new_session.initialize.session_id or self.id
            finished = kind == "script_finished"

    async def __aexit__(self, *_: object) -> None:
        await self.socket.close()
