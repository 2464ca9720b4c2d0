"""No file in the folder of the data is run, whatever its name: neither by a command nor by what it starts."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.patience import PATIENCE

ROOT = Path(__file__).parents[1]
NAMES = [
    "numpy",
    "random",
    "pandas",
    "typing_extensions",
    "streamlit",
    "json",
    "secrets",
    "microagg",
    "sitecustomize",
]
PEOPLE = "age,rent,wage\n" + "".join(f"{20 + i},{500 + i * 7 % 31},{900 + i}\n" for i in range(30))
PLAN = ["--k", "5"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of data, with files beside them that say when they are run."""
    for name in NAMES:
        (tmp_path / f"{name}.py").write_text(
            f"open({str(tmp_path / 'RUN')!r}, 'a').write({name!r} + chr(10))\nraise SystemExit(77)\n"
        )
    (tmp_path / "people.csv").write_text(PEOPLE)
    return tmp_path


def ran(folder: Path) -> str:
    """What was run of it."""
    told = folder / "RUN"
    return told.read_text() if told.exists() else ""


def python(*arguments: object) -> list[str]:
    return [sys.executable, *map(str, arguments)]


@pytest.mark.parametrize(
    "command",
    [
        ("protect", "people.csv", *PLAN, "--out", "out.csv"),
        ("assess", "people.csv", "people.csv"),
        ("sweep", "people.csv", "--methods", "mdav,pcp", "--k", "3", "--out", "found.csv"),
    ],
    ids=lambda command: command[0],
)  # fmt: skip
def test_a_command_runs_no_file_beside_the_data(folder: Path, command: tuple[str, ...]) -> None:
    (folder / "microagg.py").unlink()  # what -m itself would run: Python's own doing
    done = subprocess.run(
        python("-m", "microagg.cli", *command), cwd=folder, capture_output=True, text=True, check=False
    )
    assert (ran(folder), done.returncode) == ("", 0), done.stderr


def test_the_installed_command_runs_none_either(folder: Path) -> None:
    command = shutil.which("microagg", path=str(Path(sys.executable).parent))
    assert command is not None
    done = subprocess.run(
        [command, "protect", "people.csv", *PLAN, "--out", "out.csv"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ran(folder), done.returncode) == ("", 0), done.stderr


def test_processes_of_dask_run_none(folder: Path) -> None:
    pytest.importorskip("distributed")
    (folder / "microagg.py").unlink()
    source = "import pandas as pd; pd.read_csv('people.csv').to_parquet('people.parquet')"
    subprocess.run(python("-P", "-c", source), cwd=folder, check=True)
    protect = ("protect", "people.parquet", *PLAN, "--engine", "dask", "--out", "out")
    done = subprocess.run(
        python("-m", "microagg.cli", *protect), cwd=folder, capture_output=True, text=True, check=False
    )
    assert (ran(folder), done.returncode) == ("", 0), done.stderr


def test_the_library_starts_dask_without_the_current_folder(folder: Path) -> None:
    pytest.importorskip("distributed")
    script = (
        "import os, sys\nfrom microagg.distributed.cluster import cluster\n"
        "if __name__ == '__main__':\n"
        f"    os.chdir({str(folder)!r})\n"
        "    with cluster() as client:\n"
        "        print(client.submit(sum, [1, 2]).result())\n"
    )
    place = folder / "elsewhere"
    place.mkdir()
    (place / "script.py").write_text(script)
    done = subprocess.run(python("-P", place / "script.py"), capture_output=True, text=True, check=False)
    assert (ran(folder), done.stdout) == ("", "3\n"), done.stderr


def test_the_dashboard_runs_no_file_beside_the_data(folder: Path) -> None:
    (folder / "microagg.py").unlink()
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = ["--server.port", port, "--server.headless", "true", "--server.address", "127.0.0.1"]
    server = subprocess.Popen(
        python("-m", "microagg.cli", "app", *options),
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        until = time.monotonic() + PATIENCE
        healthy = False
        while server.poll() is None and not healthy and time.monotonic() < until:
            with suppress(OSError):
                url = f"http://127.0.0.1:{port}/_stcore/health"
                healthy = urllib.request.urlopen(url, timeout=5).status == 200
            time.sleep(0.2)
        assert (ran(folder), healthy) == ("", True)
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=60)
