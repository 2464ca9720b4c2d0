"""Whatever the server is asked, and on whatever address it listens, it asks no other host."""

from __future__ import annotations

import asyncio
import ipaddress
from typing import TYPE_CHECKING

import pytest
from streamlit import net_util
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from microagg.ui.server.address_lookups import forbid_address_lookups
from tests.ui.server.running import COMMAND_LINE, STREAMLIT, Visit, ask, running

if TYPE_CHECKING:
    from pathlib import Path

RECORD = """
import os, socket, sys
_file = os.open({place!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
def _note(event, args):
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        target = args[1][0] if isinstance(args[1], tuple) else "unix"
    elif event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"):
        target = args[0]
    else:
        return
    target = target.decode() if isinstance(target, bytes) else str(target)
    os.write(_file, f"{{event}} {{target}}\\n".encode())
sys.addaudithook(_note)
socket.getaddrinfo("127.0.0.77", 80)
"""
"""Put where every process of the server imports it at its start: writes down whom it addresses."""


def is_outside(target: str) -> bool:
    if target in ("localhost", "None", "unix"):
        return False
    try:
        return not ipaddress.ip_address(target).is_loopback
    except ValueError:
        return True


async def foreign_requests(port: int) -> None:
    """What a foreign page can make a browser send, and what a visitor sends."""
    for origin in ("http://elsewhere.example", "http://192.0.2.7:8501", "null", "http://localhost.example"):
        with pytest.raises(InvalidStatus, match="403"):
            await connect(f"ws://127.0.0.1:{port}/_stcore/stream", origin=origin)
        for method, path in (("GET", "/_stcore/health"), ("PUT", "/_stcore/upload_file/a/b"), ("POST", "/")):
            assert ask(port, path, method, Origin=origin).status == 403
    assert ask(port, Host="elsewhere.example").status == 403
    async with Visit(port, Origin=f"http://127.0.0.1:{port}") as visit:
        assert visit.id


@pytest.mark.parametrize(
    ("how", "address"),
    [(STREAMLIT, "localhost"), (STREAMLIT, "0.0.0.0"), (COMMAND_LINE, "0.0.0.0")],  # noqa: S104
    ids=["localhost", "all interfaces", "microagg app on all interfaces"],
)
def test_the_server_addresses_no_other_host(how: tuple[str, ...], address: str, tmp_path: Path):
    place = tmp_path / "addressed"
    (tmp_path / "sitecustomize.py").write_text(RECORD.format(place=str(place)), encoding="utf-8")
    with running("--server.address", address, how=how, path=tmp_path) as port:
        asyncio.run(foreign_requests(port))
    addressed = [line.split(" ", 1) for line in place.read_text(encoding="utf-8").splitlines()]
    assert ["socket.getaddrinfo", "127.0.0.77"] in addressed  # it is written down
    assert [line for line in addressed if is_outside(line[1])] == []


def test_streamlits_look_ups_find_nothing(monkeypatch: pytest.MonkeyPatch):
    for name in ("get_internal_ip", "get_external_ip"):
        monkeypatch.setattr(net_util, name, getattr(net_util, name))
    forbid_address_lookups()
    assert net_util.get_internal_ip() is None
    assert net_util.get_external_ip() is None
