"""What goes wrong on a cluster is survived, or said in one sentence with nothing left behind."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

import dask
import dask.dataframe as dd
import pandas as pd
import pytest
from distributed import Client, LocalCluster, wait
from distributed.deploy.subprocess import SubprocessCluster
from fsspec.implementations.local import LocalFileSystem
from fsspec.implementations.memory import MemoryFileSystem

import microagg as ma
from microagg.distributed import cluster as clusters
from microagg.distributed import release as releasing
from microagg.distributed import result_writing as writing
from microagg.distributed.cluster import cluster
from microagg.distributed.engine import protect_lazily
from microagg.distributed.result_folder import opened_result
from microagg.distributed.result_writing import Destination
from tests.cli.test_cli import run
from tests.distributed.test_parts import lognormal
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

PLAN = ma.Plan(k=5)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("in")
    frame = pd.DataFrame(lognormal(6_000)[:, :4], columns=list("abcd"))
    for number in range(3):
        frame.iloc[number * 2_000 : (number + 1) * 2_000].to_parquet(place / f"{number}.parquet")
    return place


@contextmanager
def replaced() -> Iterator[Any]:
    """Two workers, each of which is started again when it dies."""
    with LocalCluster(
        n_workers=2, threads_per_worker=1, memory_limit="2GiB", dashboard_address="127.0.0.1:0"
    ) as local:
        yield local


@contextmanager
def alone() -> Iterator[Any]:
    """Two workers that nobody starts again."""
    with SubprocessCluster(
        n_workers=2,
        threads_per_worker=1,
        worker_class="distributed.Worker",
        worker_kwargs={"dashboard": False},
        dashboard_address=None,
    ) as apart:
        yield apart


def _wait_for(place: Path, pattern: str) -> None:
    """Return once there is such a file, or after a minute."""
    ends = time.monotonic() + PATIENCE
    while not list(place.glob(pattern)) and time.monotonic() < ends:
        time.sleep(0.005)


def written(folder: Path, out: Path) -> dict[str, bytes]:
    protect_lazily(dd.read_parquet(folder), PLAN, part=500, chunk=700).write(str(out))
    return {file.name: file.read_bytes() for file in sorted(out.iterdir())}


@pytest.mark.parametrize("workers", [replaced, alone])
def test_a_killed_worker_changes_no_byte(
    workers: Callable[[], AbstractContextManager[Any]], folder: Path, tmp_path: Path
) -> None:
    before = written(folder, tmp_path / "threads")
    files = sum(name.startswith("part-") for name in before)
    there: list[int] = []
    with workers() as local, Client(local) as client, dask.config.set(scheduler="distributed"):
        client.wait_for_workers(2, timeout=PATIENCE)
        pids = client.run(os.getpid)

        def kill_one_once_files_appear() -> None:
            _wait_for(tmp_path, ".killed.*/part-*")
            os.kill(next(iter(pids.values())), signal.SIGKILL)
            there.append(len(list(tmp_path.glob(".killed.*/part-*"))))

        killer = threading.Thread(target=kill_one_once_files_appear)
        killer.start()
        after = written(folder, tmp_path / "killed")
        killer.join()
        assert pids.keys() - client.scheduler_info()["workers"].keys() == {next(iter(pids))}
    assert 0 < there[0] < files
    assert after == before


def test_tasks_that_dask_left_in_its_queue_are_done_while_we_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after the death of a worker: one is idle, tasks are queued, and nothing is about to finish."""
    monkeypatch.setattr(clusters, "NUDGE", 0.1)
    with (
        LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0"
        ) as local,
        Client(local) as client,
        dask.config.set(scheduler="distributed"),
    ):
        with monkeypatch.context() as blind:
            blind.setattr(local.scheduler, "stimulus_queue_slots_maybe_opened", lambda **_: None)
            tasks = client.map(abs, range(8))
            wait(tasks[:1], timeout=PATIENCE)
            while any(client.processing().values()):
                time.sleep(0.01)
        assert local.scheduler.queued
        with clusters.told("Waiting"):
            wait(tasks, timeout=PATIENCE)
        assert client.gather(tasks) == list(range(8))
    assert not [thread for thread in threading.enumerate() if thread.name == clusters.THREAD]


def test_threads_of_this_process_are_given_none() -> None:
    before = threading.active_count()
    with clusters.told("Waiting"):
        assert threading.active_count() == before


def full(*_: Any, **__: Any) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_one_sentence_and_leaves_nothing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LocalFileSystem, "pipe_file", full)
    with pytest.raises(ma.MicroaggError, match=r"nothing is left behind: No space left on device\.$"):
        written(folder, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_class_below_k_in_the_files_is_never_released(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = releasing.write_chunk

    def spoilt(frame: pd.DataFrame, *place: Any) -> int:
        return whole(frame.assign(a=frame["a"].where(frame.index != 0, -1.0)), *place)

    monkeypatch.setattr(releasing, "write_chunk", spoilt)
    with pytest.raises(ma.MicroaggError, match="A class of 1 records was found where k is 5"):
        written(folder, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_scheduler_that_dies_is_one_sentence_and_leaves_nothing(folder: Path, tmp_path: Path) -> None:
    local = LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0")
    client = Client(local, set_as_default=False)
    stopped = threading.Event()

    def stop_once_there_is_a_folder() -> None:
        _wait_for(tmp_path, ".out.*")
        local.close()
        stopped.set()

    stopper = threading.Thread(target=stop_once_there_is_a_folder)
    stopper.start()
    try:
        with (
            dask.config.set(scheduler=client.get),
            pytest.raises(ma.MicroaggError, match="the Dask scheduler is gone"),
        ):
            written(folder, tmp_path / "out")
    finally:
        stopper.join()
        client.close()
    assert stopped.is_set()
    assert list(tmp_path.iterdir()) == []


def test_a_scheduler_that_does_not_answer_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "PATIENCE", "300ms")
    with (
        pytest.raises(ma.MicroaggError, match=r"The Dask scheduler tcp://127\.0\.0\.1:9 does not answer"),
        cluster("tcp://127.0.0.1:9"),
    ):
        pass


def test_a_result_is_never_written_over_another(tmp_path: Path) -> None:
    with pytest.raises(ma.DataError, match="exists; choose another name"):
        Destination(str(tmp_path))


def test_a_remote_folder_is_marked_when_it_is_whole(folder: Path) -> None:
    release = protect_lazily(dd.read_parquet(folder), PLAN, part=2_000)
    release.write("memory://results/one")
    system = Destination("memory://results/two").system
    names = {path.rpartition("/")[2] for path in system.ls("/results/one", detail=False)}
    assert names == {"part-00000.parquet", "_plan.json", "_measures.json", "_SUCCESS"}


class Remembering(MemoryFileSystem):
    """Like S3's client, it answers from the listing it kept until it is told to look again."""

    kept: ClassVar[dict[str, bool]] = {}

    def exists(self, path: str, **_: Any) -> bool:
        return self.kept.setdefault(path, super().exists(path))

    def invalidate_cache(self, path: str | None = None) -> None:
        del path
        self.kept.clear()


def test_what_workers_wrote_is_removed_from_where_listings_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "url_to_fs", lambda url: (Remembering(), url))
    folder = Destination("/kept/result")
    MemoryFileSystem().pipe_file(folder.path("part-00000.parquet"), b"from another process")
    folder.discard()
    assert not MemoryFileSystem().exists("/kept/result")


def test_the_command_protects_a_folder(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    out = tmp_path / "out"
    arguments = ["protect", str(folder), "--engine", "dask", "--out", str(out), "--part", "1000"]
    status, printed, _ = run(capsys, *arguments)
    assert status == 0
    assert "6000 records protected" in printed
    result = opened_result(out)
    assert result.measures["smallest_class"] >= 5
    assert len(result.sample(100)) == 100
    again = ma.protect(dd.read_parquet(folder), result.plan)
    assert again.plan == result.plan


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--engine", "spark"], "There is no engine 'spark'"),
        (["--part", "100"], "need --engine dask"),
        (["--engine", "dask", "--neutralise"], "are for one machine"),
        (["--engine", "dask", "--force"], "are for one machine"),
    ],
)
def test_wrong_ways_of_asking_are_one_line(
    arguments: list[str], message: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    status, printed, error = run(capsys, "protect", str(folder), "--out", str(tmp_path / "out"), *arguments)
    assert (status, printed) == (2, "")
    assert message in error


def test_no_result_goes_into_the_folder_that_is_read(folder: Path, capsys: pytest.CaptureFixture) -> None:
    for out in (folder, folder / "out"):
        status, printed, error = run(capsys, "protect", str(folder), "--engine", "dask", "--out", str(out))
        assert (status, printed) == (2, "")
        assert "that is read here" in error
    assert not (folder / "out").exists()


def test_without_dask_the_command_says_what_to_install(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    arguments = ["protect", str(folder), "--engine", "dask", "--out", str(tmp_path / "out")]
    status, _, error = run(capsys, *arguments)
    assert status == 2
    assert "pip install microagg[dask]" in error


def test_a_plain_frame_is_refused_with_what_to_do() -> None:
    with pytest.raises(ma.DataError, match="dask DataFrame"):
        ma.protect(pd.DataFrame({"a": [1.0, 2.0]}), PLAN)


def test_an_unfinished_folder_is_no_result(tmp_path: Path) -> None:
    with pytest.raises(ma.DataError, match="no finished result"):
        opened_result(tmp_path)
