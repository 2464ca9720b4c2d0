"""A download is given to the browser that it was made for: a real server, asked by two browsers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from microagg.ui.server.own_media import COOKIE
from tests.ui.server.running import WAIT, Answer, Visit, ask, running

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with running() as port:
        yield port


def cookies(answer: Answer) -> list[str]:
    """What an answer gives a browser to keep, of ours."""
    given = answer.headers.get_all("Set-Cookie") or []
    return [cookie for cookie in given if cookie.startswith(f"{COOKIE}=")]


def test_a_browser_gets_its_cookie_with_the_page_and_once(port: int):
    (one,), (other,) = cookies(ask(port)), cookies(ask(port, "/explore"))
    assert one.partition(";")[0] != other.partition(";")[0]
    assert len(one.partition(";")[0]) > 40
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(one.split("; "))
    assert cookies(ask(port, Cookie=one.partition(";")[0])) == []
    assert cookies(ask(port, "/_stcore/health")) == []


async def pressed(visit: Visit, file: str) -> str:
    """The address of a download that is made when its button is pressed."""
    message = BackMsg()
    message.backend_operation_request.request_id = "1"
    message.backend_operation_request.session_id = visit.id
    message.backend_operation_request.deferred_file.file_id = file
    await visit.socket.send(message.SerializeToString())
    while True:
        answer = ForwardMsg.FromString(await asyncio.wait_for(visit.socket.recv(), WAIT))
        if answer.WhichOneof("type") == "backend_operation_response":
            return answer.backend_operation_response.deferred_file.url


async def buttons(visit: Visit) -> list[Any]:
    """The buttons of a page, which is drawn again until what it waits for is there."""
    while not (found := drawn(visit)):
        message = BackMsg()
        message.rerun_script.page_name = visit.page
        await asyncio.sleep(0.5)
        await visit.run(message)
    return found


def drawn(visit: Visit) -> list[Any]:
    elements = [m.delta.new_element for m in visit.messages if m.WhichOneof("type") == "delta"]
    return [one.download_button for one in elements if one.WhichOneof("type") == "download_button"]


@pytest.mark.parametrize("kind", ["made with the page", "made on a press"])
def test_a_download_is_its_own_browsers_alone_while_that_is_there(port: int, kind: str):
    mine, other = (cookies(ask(port))[0].partition(";")[0] for _ in range(2))

    async def visit() -> str:
        async with Visit(port, "release", Cookie=mine) as one, Visit(port, "data", Cookie=other):
            found = await buttons(one)
            if kind == "made on a press":
                address = await pressed(one, next(b.deferred_file_id for b in found if b.deferred_file_id))
            else:
                address = next(b.url for b in found if b.url)
            for headers, status in (
                ({"Cookie": mine}, 200),
                ({"Cookie": f"a=b; {mine}; c=d"}, 200),
                ({"Cookie": other}, 404),
                ({"Cookie": f"{COOKIE}="}, 404),
                ({"Cookie": f"{COOKIE}; {COOKIE}"}, 404),
                ({}, 404),
            ):
                answer = await asyncio.to_thread(ask, port, address, **headers)
                assert answer.status == status, (headers, address)
                assert (status == 200) or b"no download of yours" in answer.body
        return address

    address = asyncio.run(visit())
    assert ask(port, address, Cookie=mine).status == 404
    assert ask(port, "/media/", Cookie=mine).status == 404
