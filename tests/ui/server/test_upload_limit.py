"""What one visit may leave on the server: a real server whose limit is three megabytes."""

from __future__ import annotations

import asyncio
import select
import socket
import sys
import uuid
from typing import TYPE_CHECKING

import pytest

from microagg.ui.shell import uploads
from tests.ui.server.running import WAIT, Answer, Visit, ask, running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.ui.conftest import Opened

THREE = """
import sys
from microagg.ui.shell import uploads
uploads.VISIT_LIMIT = 3
from streamlit.web import cli
sys.argv = ["streamlit", "run", "app.py", *sys.argv[1:]]
cli.main()
"""
MB = 2**20


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with running(how=(sys.executable, "-c", THREE)) as port:
        yield port


def upload(port: int, size: int) -> tuple[bytes, dict[str, str]]:
    """The body of an upload of that many bytes, and its headers, as the page sends them."""
    mark, token = uuid.uuid4().hex, xsrf(port)
    head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'.encode()
    return head + b"x" * size + f"\r\n--{mark}--\r\n".encode(), {
        "Content_Type": f"multipart/form-data; boundary={mark}",
        "Cookie": f"_streamlit_xsrf={token}",
        "X_Xsrftoken": token,
    }


def send(
    port: int, visit: str, size: int, *, file: str = "", method: str = "PUT", chunked: bool = False
) -> Answer:
    """Upload a file, or take it back."""
    body, headers = upload(port, size)
    pieces = (body[at : at + 100_000] for at in range(0, len(body), 100_000))
    content = None if method == "DELETE" else pieces if chunked else body
    return ask(port, f"/_stcore/upload_file/{visit}/{file or uuid.uuid4()}", method, content, **headers)


def xsrf(port: int) -> str:
    cookie = ask(port, "/_stcore/health").headers["Set-Cookie"]
    return str(cookie).partition("=")[2].partition(";")[0]


def test_the_files_of_a_visit_are_bounded_together(port: int):
    async def visit() -> None:
        async with Visit(port) as mine, Visit(port) as other:
            for file in ("1", "2", "3"):
                assert (await sent(mine, MB - 1000, file=file)).status == 204
            for chunked in (False, True):
                refused = await sent(mine, MB, chunked=chunked)
                assert refused.status == 413
                assert b"3 MB of files together" in refused.body
            assert (await sent(mine, MB - 1000, file="3")).status == 204  # takes the place of the third
            assert (await sent(other, MB)).status == 204  # has three of its own
            assert (await sent(mine, 0, file="1", method="DELETE")).status == 204
            assert (await sent(mine, MB - 1000)).status == 204

    async def sent(visit: Visit, size: int, **how: object) -> Answer:
        return await asyncio.to_thread(send, visit.port, visit.id, size, **how)

    asyncio.run(visit())


def test_files_that_arrive_at_once_are_counted_together(port: int):
    """Two of two megabytes are there but for the mark of their end: one is refused, the other one held."""

    async def visit() -> tuple[int, int]:
        async with Visit(port) as mine:
            return await asyncio.to_thread(both, mine.id)

    def both(visit: str) -> tuple[int, int]:
        open_ends = [begun(port, visit, 2 * MB) for _ in range(2)]
        first, *_ = select.select(open_ends, [], [], WAIT)[0]
        other = next(end for end in open_ends if end is not first)
        other.sendall(b"0\r\n\r\n")
        statuses = tuple(int(end.recv(12).split()[1]) for end in (first, other))
        for end in open_ends:
            end.close()
        return statuses

    assert asyncio.run(visit()) == (413, 204)


def begun(port: int, visit: str, size: int) -> socket.socket:
    """Send all of an upload but the mark of its end."""
    body, headers = upload(port, size)
    lines = [f"PUT /_stcore/upload_file/{visit}/{uuid.uuid4()} HTTP/1.1", f"Host: localhost:{port}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    end = socket.create_connection(("127.0.0.1", port), timeout=WAIT)
    end.sendall("\r\n".join([*lines, "Transfer-Encoding: chunked", "", ""]).encode())
    end.sendall(f"{len(body):x}\r\n".encode() + body + b"\r\n")
    return end


def test_nothing_is_taken_for_a_visit_that_is_unknown_or_over(port: int):
    async def over() -> str:
        async with Visit(port) as mine:
            pass
        return mine.id

    assert send(port, str(uuid.uuid4()), 10).status == 400
    assert send(port, asyncio.run(over()), 10).status == 400


def test_the_page_says_the_limit(opened: Opened):
    assert f"{uploads.VISIT_LIMIT} MB together" in opened("data").file_uploader(key="file").help
