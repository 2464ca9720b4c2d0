"""Whom the server answers, and what it sends along: a real server, asked by hand."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.ui.server.running import Visit, ask, running

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with running("--server.corsAllowedOrigins", "https://proxy.example") as port:
        yield port


PAGES = ("/", "/explore", "/_stcore/health", "/_stcore/host-config", "/media/abc.csv", "/_stcore/metrics")


@pytest.mark.parametrize(
    "host",
    ["elsewhere.example", "localhost.elsewhere.example", "127.0.0.1.nip.example", "192.0.2.7", "a@localhost"],
)
def test_a_foreign_host_is_answered_nothing(port: int, host: str):
    for path in PAGES:
        answer = ask(port, path, Host=host)
        assert answer.status == 403
        assert b"does not answer to that name" in answer.body
    with pytest.raises(InvalidStatus, match="403"):
        asyncio.run(handshake(port, Host=host))


@pytest.mark.parametrize("headers", [b"", b"Host: localhost\r\nHost: elsewhere.example\r\n", b"Host:\r\n"])
def test_no_host_or_two_are_answered_nothing(port: int, headers: bytes):
    with socket.create_connection(("127.0.0.1", port), timeout=60) as plain:
        plain.sendall(b"GET /_stcore/health HTTP/1.1\r\n" + headers + b"Connection: close\r\n\r\n")
        assert plain.recv(100).split()[1] in (b"400", b"403")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1:8501"])
def test_its_own_names_are_answered_at_any_port(port: int, host: str):
    assert ask(port, "/_stcore/health", Host=host).status == 200


@pytest.mark.parametrize(
    "origin",
    [
        "http://elsewhere.example",
        "null",
        "",
        "http://localhost:1",
        "http://127.0.0.1",
        "http://localhost:{port}.elsewhere.example",
        "file://127.0.0.1:{port}",
        "http://[",
        "http://user@127.0.0.1:{port}",
    ],
)
def test_a_foreign_page_is_answered_nothing(port: int, origin: str):
    origin = origin.format(port=port)
    for method in ("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        answer = ask(port, "/_stcore/upload_file/visit/file", method, Origin=origin)
        assert answer.status == 403
        assert b"from other pages than its own" in answer.body
    with pytest.raises(InvalidStatus, match="403"):
        asyncio.run(handshake(port, Origin=origin))


async def handshake(port: int, **headers: str) -> None:
    if "Host" not in headers:
        socket = await connect(f"ws://127.0.0.1:{port}/_stcore/stream", additional_headers=headers)
        await socket.close()
        return
    wanted = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13", **headers}
    wanted["Sec-WebSocket-Key"] = "AAAAAAAAAAAAAAAAAAAAAA=="
    lines = ["GET /_stcore/stream HTTP/1.1", *(f"{name}: {value}" for name, value in wanted.items())]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)  # the library writes a Host of its own
    writer.write("\r\n".join([*lines, "", ""]).encode())
    answer = (await reader.readline()).decode()
    writer.close()
    if "101" not in answer:
        raise InvalidStatusLine(answer)


class InvalidStatusLine(InvalidStatus):
    """What was answered to a handshake that is written by hand."""

    def __init__(self, line: str) -> None:
        Exception.__init__(self, line)

    def __str__(self) -> str:
        return str(self.args[0])


def test_its_own_page_and_a_listed_proxy_are_answered(port: int):
    asyncio.run(handshake(port, Host="127.0.0.1"))
    for origin in (f"http://127.0.0.1:{port}", "https://proxy.example"):
        asyncio.run(handshake(port, Origin=origin))
        assert ask(port, "/_stcore/health", Origin=origin).status == 200
        refused = ask(port, "/_stcore/upload_file/visit/file", "PUT", Origin=origin)
        assert b"XSRF token" in refused.body  # it came through the gate, to the next one


def test_every_answer_says_how_a_browser_is_to_treat_it(port: int):
    asyncio.run(visited(port))
    script = ask(port).body.partition(b'src="./')[2].partition(b'"')[0].decode()
    assert script.endswith(".js")
    for answer in [
        *(ask(port, path) for path in (*PAGES, f"/{script}", "/static/nothing")),
        ask(port, Host="elsewhere.example"),
        ask(port, "/_stcore/upload_file/a/b", "PUT"),
    ]:
        policy = answer.headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy
        assert "default-src 'self'" in policy
        assert "http" not in policy
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"


async def visited(port: int) -> None:
    async with Visit(port):
        pass
