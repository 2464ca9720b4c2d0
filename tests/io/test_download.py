"""Downloads, against a server on loopback: no test here leaves the machine."""

from __future__ import annotations

import hashlib
import io
import socket
import threading
import tracemalloc
import zipfile
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType

import pandas as pd
import pytest
import rdata

from microagg.errors import Cancelled, DataError
from microagg.io import datasets, download
from microagg.io.catalogue import CATALOGUE, Home
from microagg.io.datasets import FOLDER_VARIABLE, load_dataset
from tests.conftest import reference_file


@pytest.fixture
def cache(monkeypatch, tmp_path):
    folder = tmp_path / "cache" / "datasets"
    for module in (datasets, download):
        monkeypatch.setattr(module, "cache_folder", lambda: folder)
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    return folder


@pytest.fixture
def server():
    """Answers each path with the (status, promised length, body) put into its ``answers``."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            status, length, body = running.answers.get(self.path, (404, 0, b""))
            self.send_response(status)
            if length != "":
                self.send_header("Content-Length", str(length))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running.answers = {}
    running.address = f"http://127.0.0.1:{running.server_port}"
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield running
    running.shutdown()
    thread.join()
    running.server_close()


@pytest.fixture
def at_home(monkeypatch):
    """Move a data set of the catalogue to other addresses, with the digest of other bytes."""

    def move(name, original, *addresses):
        home = Home(CATALOGUE[name].home.file, addresses, hashlib.sha256(original).hexdigest())
        changed = {**CATALOGUE, name: replace(CATALOGUE[name], home=home)}
        monkeypatch.setattr(datasets, "CATALOGUE", MappingProxyType(changed))

    return move


@pytest.fixture(scope="module")
def census_rda(tmp_path_factory):
    """A file as R would write it, with Census's columns and two rows."""
    path = tmp_path_factory.mktemp("r") / "census.rda"
    names = [column.name for column in CATALOGUE["census"].columns]
    frame = pd.DataFrame([range(13), range(100, 113)], columns=names, dtype="int32")
    rdata.write_rda(path, {"CASCrefmicrodata": frame}, compression="xz")
    return path.read_bytes()


@pytest.fixture(scope="module")
def water_reference():
    return pd.read_csv(reference_file("water_treatment"))


def left_behind(cache):
    return list(cache.parent.rglob("*.*"))


def test_a_good_file_is_converted_and_loads(server, at_home, cache, census_rda):
    server.answers["/census.rda"] = (200, len(census_rda), census_rda)
    at_home("census", census_rda, f"{server.address}/census.rda")
    shares = []
    assert download.download("census", shares.append) == cache / "census.csv"
    assert load_dataset("census").frame["ERNVAL"].tolist() == [12, 112]
    assert shares[-1] == 1.0
    assert left_behind(cache) == [cache / "census.csv"]
    assert (cache / "census.csv").stat().st_mode & 0o777 == 0o600


def test_water_treatment_as_published_becomes_the_reference_file(water_reference, server, at_home, cache):
    original = water_reference.to_csv(header=False, index=False, na_rep="?").encode()
    server.answers["/water"] = (200, len(original), original)
    at_home("water_treatment", original, f"{server.address}/water")
    download.download("water_treatment")
    pd.testing.assert_frame_equal(
        pd.read_csv(cache / "water_treatment.csv"), water_reference, check_dtype=False, check_exact=True
    )


@pytest.mark.usefixtures("cache")
def test_the_file_is_taken_out_of_an_archive_when_the_first_address_is_gone(server, at_home, census_rda):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as opened:
        opened.writestr("folder/CASCrefmicrodata.rda", census_rda)
    body = archive.getvalue()
    server.answers["/all.zip"] = (200, len(body), body)
    at_home("census", census_rda, f"{server.address}/gone", f"{server.address}/all.zip")
    assert download.download("census").is_file()


def test_an_archive_without_the_file_is_refused(server, at_home, cache, census_rda):
    server.answers["/all.zip"] = (200, len(census_rda), census_rda)
    at_home("census", census_rda, f"{server.address}/all.zip")
    with pytest.raises(DataError, match=r"does not hold CASCrefmicrodata\.rda"):
        download.download("census")
    assert not left_behind(cache)


def test_other_bytes_than_expected_are_refused_and_not_kept(server, at_home, cache, census_rda):
    changed = census_rda + b"\n"
    server.answers["/census.rda"] = (200, len(changed), changed)
    at_home("census", census_rda, f"{server.address}/census.rda")
    with pytest.raises(DataError, match="not the file it should be"):
        download.download("census")
    assert not left_behind(cache)


def test_an_endless_answer_is_ended(server, at_home, cache, census_rda):
    server.answers["/census.rda"] = (200, "", bytes(download.MOST + 1))
    at_home("census", census_rda, f"{server.address}/census.rda")
    with pytest.raises(DataError, match="sends more than 4,000,000 bytes"):
        download.download("census")
    assert not left_behind(cache)


@pytest.mark.parametrize("length", [download.MOST + 1, "9" * 5_000, "many", "-1"])
def test_a_length_that_cannot_be_is_no_traceback(server, at_home, cache, census_rda, length):
    server.answers["/census.rda"] = (200, length, b"other bytes")
    at_home("census", census_rda, f"{server.address}/census.rda")
    with pytest.raises(DataError, match=r"sends more than|not the file it should be|cannot be reached"):
        download.download("census")
    assert not left_behind(cache)


@pytest.mark.parametrize("packing", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_archive_is_unpacked_no_further_than_a_file_may_be_long(
    server, at_home, cache, census_rda, packing
):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", packing) as opened:
        opened.writestr("CASCrefmicrodata.rda", bytes(200_000_000))
    body = archive.getvalue()
    server.answers["/all.zip"] = (200, len(body), body)
    at_home("census", census_rda, f"{server.address}/all.zip")
    tracemalloc.start()
    with pytest.raises(
        DataError, match=r"in the archive has more than 4,000,000 bytes|packed in a way that is not read"
    ):
        download.download("census")
    assert tracemalloc.get_traced_memory()[1] < 40_000_000
    tracemalloc.stop()
    assert not left_behind(cache)


def test_nothing_is_read_into_before_its_bytes_are_compared(server, at_home, cache, census_rda, monkeypatch):
    def read(*_):
        raise AssertionError("read before it was compared")

    monkeypatch.setattr(download, "read_rda", read)
    server.answers["/census.rda"] = (200, 5, b"other")
    at_home("census", census_rda, f"{server.address}/census.rda")
    with pytest.raises(DataError, match="not the file it should be"):
        download.download("census")
    assert not left_behind(cache)


def test_a_cut_connection_says_how_far_it_came_and_keeps_nothing(server, at_home, cache, census_rda):
    server.answers["/census.rda"] = (200, len(census_rda), census_rda[:100])
    at_home("census", census_rda, f"{server.address}/census.rda")
    with pytest.raises(DataError, match=f"cut off after 100 of {len(census_rda)} bytes"):
        download.download("census")
    assert not left_behind(cache)


def test_an_answer_that_is_an_error_is_named(server, at_home, cache, census_rda):
    at_home("census", census_rda, f"{server.address}/nowhere")
    with pytest.raises(DataError, match="answers 404"):
        download.download("census")
    assert not left_behind(cache)


def test_no_network_is_said_in_words(at_home, cache, census_rda):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    at_home("census", census_rda, f"http://127.0.0.1:{port}/census.rda")
    with pytest.raises(DataError, match="Is there a network"):
        download.download("census")
    assert not left_behind(cache)


def test_cancelling_while_it_comes_in_keeps_nothing(server, at_home, cache, census_rda):
    def stop(_):
        raise Cancelled("stopped")

    server.answers["/census.rda"] = (200, len(census_rda), census_rda)
    at_home("census", census_rda, f"{server.address}/census.rda")
    with pytest.raises(Cancelled):
        download.download("census", stop)
    assert not left_behind(cache)


def test_a_failed_download_leaves_an_earlier_one_in_place(server, at_home, cache, census_rda):
    cache.mkdir(parents=True)
    (cache / "census.csv").write_text("earlier")
    at_home("census", census_rda, f"{server.address}/nowhere")
    with pytest.raises(DataError):
        download.download("census")
    assert (cache / "census.csv").read_text() == "earlier"


def test_a_bundled_data_set_is_not_downloaded():
    with pytest.raises(DataError, match="comes with the program"):
        download.download("survey")
