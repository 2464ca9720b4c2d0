"""What one visitor uploads no other sees, no log quotes and no address carries; and it goes with them."""

from __future__ import annotations

import asyncio
import functools
import gc
import importlib
import json
import logging
import os
import pkgutil
import signal
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
import weakref
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

import microagg
from microagg.ui.shell import log_redaction, uploads
from microagg.ui.state import session
from microagg.ui.state.result_cache import Memory
from tests.benchmarks.load import Found, Session, wait_for
from tests.browser.served import free_port
from tests.patience import PATIENCE
from tests.ui.conftest import ROOT, Opened, address, said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from streamlit.testing.v1 import AppTest

CELL = "Sentinel-4711"
FILE = "town,age,wage\n" + "".join(f"{CELL} {i},{20 + i % 40},{1000.5 + i * 7 % 90}\n" for i in range(60))


def sent(page: AppTest) -> bytes:
    """All that is sent to the browser, as bytes."""
    parts: list[bytes] = []

    def walk(block: object) -> None:
        proto = getattr(block, "proto", None)
        if proto is not None and hasattr(proto, "SerializeToString"):
            parts.append(proto.SerializeToString())
        for child in getattr(block, "children", {}).values():
            walk(child)

    walk(page._tree)
    return b"\n".join(parts)


def test_another_visitor_never_sees_an_upload_even_under_its_name(opened: Opened):
    mine = opened("data")
    mine.file_uploader(key="file").upload("towns.csv", FILE.encode(), "text/csv").run()
    assert "60 records" in said(mine)
    assert CELL.encode() in sent(mine)
    for page in ("data", "explore", "attack", "release"):
        theirs = opened(page, data="file:towns.csv")
        assert CELL.encode() not in sent(theirs)
        assert theirs.session_state["upload"] is None


def test_the_address_carries_settings_and_no_data(opened: Opened):
    mine = opened("data")
    mine.file_uploader(key="file").upload("towns.csv", FILE.encode(), "text/csv").run()
    mine.switch_page("pages/explore.py").run()
    held = json.dumps(address(mine))
    assert "towns.csv" in held
    assert all(word not in held for word in (CELL, "wage", "age", "town,"))


def test_nothing_holds_what_a_visit_held(opened: Opened):
    mine = opened("data")
    mine.file_uploader(key="file").upload("towns.csv", FILE.encode(), "text/csv").run()
    mine.switch_page("pages/explore.py").run()
    watched = [weakref.ref(mine.session_state["upload"].data), weakref.ref(mine.session_state["memory"])]
    assert all(one() is not None for one in watched)
    del mine
    end = time.monotonic() + PATIENCE  # what was begun beside the page ends first
    while any(one() is not None for one in watched) and time.monotonic() < end:
        gc.collect()
        time.sleep(0.1)
    assert [one() is None for one in watched] == [True, True]


BOUNDED = {
    "microagg.measures.subsets.prefix_tree": "positions of columns",
    "microagg.handover.report._template": "the template of the report",
    "microagg.io.dialect.number_pattern": "patterns of numbers",
    "microagg.kernels.kernel_cache.others_may_write": "folders of compiled kernels",
    "microagg.kernels.kernel_cache.private_folder": "folders of compiled kernels",
}


def caches() -> Iterator[tuple[str, object]]:
    for module in pkgutil.walk_packages(microagg.__path__, "microagg."):
        if module.name.endswith("__main__"):
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, functools._lru_cache_wrapper) and value.__module__ == module.name:
                yield f"{module.name}.{name}", value


def test_functions_that_remember_for_all_visitors_remember_no_uploaded_data():
    found = {name for name, _ in caches()}
    published = {name for name in found if name.startswith("microagg.papers.")}  # of bundled data sets
    assert found - published == set(BOUNDED)


def test_the_results_of_a_visit_are_bounded_in_bytes_and_the_oldest_go_first():
    held = Memory(most=1000)
    for number in range(50):
        held.recall(number, object, 90)
        assert held.used <= 1000
    assert 49 in held
    assert 0 not in held


@pytest.fixture
def logged() -> Iterator[list[str]]:
    """What the program writes down."""
    lines: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(self.format(record))

    usual, handler, hooks = (
        logging.getLogRecordFactory(),
        Kept(),
        (sys.excepthook, log_redaction.threading.excepthook),
    )
    logging.getLogger().addHandler(handler)
    log_redaction.guard()
    yield lines
    logging.getLogger().removeHandler(handler)
    logging.setLogRecordFactory(usual)
    sys.excepthook, log_redaction.threading.excepthook = hooks


def test_a_defect_is_shown_and_logged_without_the_cell_that_it_quotes(opened: Opened, logged, monkeypatch):
    def broken(*_: object) -> None:
        float(CELL)

    mine = opened("data")
    monkeypatch.setattr(uploads, "how", broken)
    monkeypatch.setattr(session, "source", broken)
    mine.run()
    shown = "\n".join(one.value for one in mine.exception)
    assert "ValueError in " in shown
    assert "ValueError in " in "\n".join(logged)
    assert CELL.encode() not in sent(mine)
    assert CELL not in "\n".join(logged)


def test_whoever_logs_an_error_logs_its_kind_and_place(logged):
    log = logging.getLogger("some.library")
    try:
        float(CELL)
    except ValueError as error:
        log.exception("Exception in application")
        log.warning("It failed: %s", error)
    assert len(logged) == 2
    assert all("ValueError in test_privacy.py" in line for line in logged)
    assert CELL not in "".join(logged)


SERVER = """
import gc, json, os, signal, sys
from streamlit.web import cli
place, port = sys.argv[1:3]
def count(*_):
    gc.collect()
    with open(place, "w") as file:
        json.dump(sum(type(one).__name__ == "Memory" for one in gc.get_objects()), file)
signal.signal(signal.SIGUSR1, count)
from microagg.ui.shell import session_cleanup as departures
departures.EVERY = 0.5
options = ["--server.port", port, "--server.headless", "true", "--server.disconnectedSessionTTL", "1"]
sys.argv = ["streamlit", "run", "app.py", *options]
cli.main()
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Callable[[], int]]]:
    """A dashboard that forgets soon: its port, and how many visits' results it holds."""
    port, told = free_port(), tmp_path_factory.mktemp("server") / "told.json"
    command = [sys.executable, "-c", SERVER, str(told), str(port)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def counted() -> int:
        told.unlink(missing_ok=True)
        os.kill(process.pid, signal.SIGUSR1)
        until = time.monotonic() + PATIENCE
        while not told.exists() or not told.read_text():
            assert time.monotonic() < until, "the server does not answer"
            time.sleep(0.05)
        return int(told.read_text())

    wait_for(port)
    yield port, counted
    process.kill()
    process.wait()


def test_a_visit_is_forgotten_when_its_time_is_over(server):
    port, counted = server

    async def visit() -> int:
        one = Session(port, "data", "tarragona", Found())
        await one.open()
        until = time.monotonic() + PATIENCE
        while not (held := counted()) and time.monotonic() < until:  # the page's own thread may still begin
            await asyncio.sleep(0.1)
        await one.socket.close()
        return held

    assert asyncio.run(visit()) == 1
    until = time.monotonic() + PATIENCE
    while (left := counted()) and time.monotonic() < until:
        time.sleep(0.3)
    assert left == 0


def test_the_server_answers_its_own_page_on_this_computer_alone(server):
    port, _ = server

    async def from_elsewhere() -> None:
        async with connect(f"ws://127.0.0.1:{port}/_stcore/stream", origin="http://elsewhere.example"):
            raise AssertionError("it was let in")

    with pytest.raises(InvalidStatus, match="403"):
        asyncio.run(from_elsewhere())
    listening = Path("/proc/net/tcp").read_text(encoding="ascii") + Path("/proc/net/tcp6").read_text("ascii")
    places = {line.split()[1] for line in listening.splitlines() if f":{port:04X} " in line.split("0A", 1)[0]}
    addresses = {place.partition(":")[0] for place in places if place.endswith(f":{port:04X}")}
    assert addresses <= {"0100007F", "00000000000000000000000001000000"}
    upload = urllib.request.Request(f"http://127.0.0.1:{port}/_stcore/upload_file/x/y", b"z", method="PUT")
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(upload)  # noqa: S310 - our own server


def test_the_upload_limit_that_is_stated_is_the_servers():
    config = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert config["server"]["maxUploadSize"] == uploads.MOST
    assert config["server"]["address"] == "localhost"
    assert config["server"]["enableXsrfProtection"]
    assert config["server"]["enableCORS"]
    assert not config["browser"]["gatherUsageStats"]
