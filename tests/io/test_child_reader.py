"""Packed files are read in a child with bounds: hostile ones end in a sentence, and nothing of them stays."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

import pandas as pd
import psutil
import pyarrow as pa
import pyarrow.feather
import pytest

from microagg.errors import DataError
from microagg.io import child_reader, memory_estimate
from microagg.io.formats import FORMATS
from microagg.io.reading import read_microdata, read_table
from microagg.io.table import Labels
from tests.io import hostile
from tests.patience import PATIENCE

pytestmark = pytest.mark.skipif(not child_reader.BOUNDED, reason="only Linux holds a reader to its bounds")
ROOT = Path(__file__).parents[2]
TOO_MUCH = r"x\.\w+ takes more than the 1 GB of memory that a file may take to read\."
TOO_LONG = r"x\.rds takes more than 2 seconds to read"
BROKEN = r"x\.\w+: this is no .* file, or a damaged one \(\w+\)\."
SMALL = Labels(), pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})


def parquet():
    return FORMATS["parquet"].write(SMALL[1], SMALL[0])


def peak():
    """Most bytes of memory that this process has held since it last wrote to its ``clear_refs``."""
    return int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) * 1024


def children():
    """Processes under the nursery, each of which reads a file."""
    started = child_reader._NURSERY._process
    return psutil.Process(started.pid).children() if started else []


@pytest.fixture
def narrow(monkeypatch):
    """A quarter of the room, so that the tests are quick on any machine."""
    monkeypatch.setattr(memory_estimate, "MOST_BYTES", 1e9)


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize(
    ("make", "ending", "said"),
    [
        (hostile.parquet_of_one_long_string, "parquet", TOO_MUCH),
        (hostile.parquet_of_deep_lists, "parquet", BROKEN),
        (hostile.feather_of_zeros, "feather", TOO_MUCH),
        (hostile.spss_of_long_strings, "sav", TOO_MUCH),
        (hostile.stata_of_one_long_string, "dta", TOO_MUCH),
        (hostile.stata_that_says_many, "dta", BROKEN),
        (hostile.workbook_with_a_far_row, "xlsx", "the sheet 'Sheet' has cells beyond the 1,048,576 lines"),
        (hostile.workbook_with_a_far_cell, "xlsx", "the sheet 'Sheet' has cells beyond the 1,048,576 lines"),
        (hostile.gzip_of_gzip, "rds", TOO_MUCH),
        (hostile.gzip_of_zeros, "rds", TOO_MUCH),
        (hostile.r_compact_sequence, "rds", TOO_MUCH),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_hostile_file_ends_in_a_sentence_and_takes_nothing_here(make, ending, said):
    data = make()
    assert len(data) < 5_000_000
    Path("/proc/self/clear_refs").write_text("5")
    before = peak()
    with pytest.raises(DataError, match=said):
        read_table(data, name=f"x.{ending}")
    assert peak() - before < 100_000_000


@pytest.mark.parametrize(
    ("make", "ending", "shape"),
    [
        (hostile.parquet_of_many_groups, "parquet", (5_000, 1)),
        (hostile.workbook_that_says_all, "xlsx", (2, 2)),
        (hostile.workbook_of_entities, "xlsx", (2, 2)),
        (hostile.zip_of_zeros, "xlsx", (2, 2)),
        (lambda: hostile.r_compact_sequence(50_000), "rds", (50_000, 1)),
        (lambda: hostile.r_letters(100_000), "rds", (100_000, 1)),
    ],
    ids=["many_groups", "says_all", "entities", "zeros", "sequence", "letters"],
)
def test_a_strange_file_that_does_fit_is_read(make, ending, shape):
    assert read_table(make(), name=f"x.{ending}").frame.shape == shape


@pytest.mark.parametrize("bounded", [True, False])
@pytest.mark.parametrize("end", [2**20, -1])
def test_a_feather_file_whose_text_lies_elsewhere_is_damaged(end, bounded, monkeypatch):
    monkeypatch.setattr(child_reader, "BOUNDED", bounded)
    file = io.BytesIO()
    pa.feather.write_feather(pa.table({"a": ["abc", "defg"]}), file, compression="uncompressed")
    ends = struct.pack("<3i", 0, 3, 7)
    assert file.getvalue().count(ends) == 1
    data = file.getvalue().replace(ends, struct.pack("<3i", 0, 3, end))
    with pytest.raises(DataError, match=r"no Feather file, or a damaged one \(ArrowInvalid\)"):
        read_table(data, name="x.feather")


def test_a_sheet_that_says_too_little_of_itself_loses_nothing():
    data = hostile.workbook(b'<dimension ref="A1:B3"', b'<dimension ref="A1"')
    assert read_table(data, name="x.xlsx").frame.to_dict("list") == {"a": [1, 3], "b": [2, 4]}


def test_a_file_that_takes_long_is_stopped(monkeypatch):
    monkeypatch.setattr(child_reader, "SECONDS", 2)
    with pytest.raises(DataError, match=TOO_LONG):
        read_table(hostile.r_letters(4_000_000), name="x.rds")
    assert gone(children)


def gone(held):
    """Whether there is none left, in the end."""
    until = time.monotonic() + PATIENCE
    while held() and time.monotonic() < until:
        time.sleep(0.05)
    return not held()


def test_a_file_that_nobody_wants_any_more_is_stopped():
    class Gone(BaseException):
        """As Streamlit ends the run of a page."""

    calls = []

    def wanted():
        calls.append(threading.get_ident())
        if children():
            raise Gone

    with pytest.raises(Gone):
        read_table(hostile.r_letters(4_000_000), name="x.rds", wanted=wanted)
    assert set(calls) == {threading.get_ident()}
    assert gone(children)


def test_others_are_read_while_one_takes_long():
    stop = threading.Event()

    class Gone(Exception):
        """Nobody waits."""

    def wanted():
        if stop.is_set():
            raise Gone

    def read():
        with contextlib.suppress(Gone):
            read_table(hostile.r_letters(4_000_000), name="x.rds", wanted=wanted)

    long = threading.Thread(target=read)
    long.start()
    for _ in range(3):
        assert len(read_table(parquet(), name="x.parquet").frame) == 2
    assert long.is_alive()
    stop.set()
    long.join()


def test_a_nursery_that_was_ended_is_started_again():
    read_table(parquet(), name="x.parquet")
    os.kill(child_reader._NURSERY._process.pid, signal.SIGKILL)
    child_reader._NURSERY._process.wait()
    assert len(read_table(parquet(), name="x.parquet").frame) == 2


def test_a_reader_that_crashes_is_said(monkeypatch):
    sent = child_reader.socket.recv_fds

    def killed(*arguments):
        answer = sent(*arguments)
        signal.pidfd_send_signal(answer[1][0], signal.SIGSEGV)
        return answer

    monkeypatch.setattr(child_reader.socket, "recv_fds", killed)
    with pytest.raises(DataError, match=r"x\.parquet: what reads Parquet files broke down on it"):
        read_table(parquet(), name="x.parquet")


def test_no_reader_starts_is_said(monkeypatch):
    monkeypatch.setattr(child_reader, "_NURSERY", child_reader._Nursery())
    monkeypatch.setattr(child_reader, "_PROGRAM", "raise SystemExit")
    with pytest.raises(DataError, match=r"the process that reads packed files cannot be started here\."):
        read_table(parquet(), name="x.parquet")
    child_reader._NURSERY.close()


PLANTED = "raise SystemExit('code beside the data was run')"


@pytest.mark.parametrize("how", ["-c", "-m"])
def test_no_code_beside_the_data_is_run(tmp_path, how):
    for name in (
        "numpy",
        "random",
        "pandas",
        "pyarrow",
        "json",
        "openpyxl",
        "sitecustomize",
        "usercustomize",
    ):
        (tmp_path / f"{name}.py").write_text(f"open('planted', 'w').close()\n{PLANTED}\n")
    (tmp_path / "x.parquet").write_bytes(parquet())
    program = (
        "import sys; "
        "from microagg.io.reading import read_table; sys.path.insert(0, ''); "
        f"sys.path.insert(0, {str(tmp_path)!r}); print(len(read_table('x.parquet').frame))"
    )
    arguments = ["-c", program] if how == "-c" else ["-m", "microagg.cli", "inspect", "x.parquet"]
    ran = subprocess.run(
        [sys.executable, "-P", *arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert not (tmp_path / "planted").exists()
    assert "planted" not in ran.stderr
    if how == "-c":
        assert (ran.stdout, ran.returncode) == ("2\n", 0)


def test_children_end_with_the_process_that_asked(tmp_path):
    (tmp_path / "x.rds").write_bytes(hostile.r_letters(4_000_000))
    program = "from microagg.io.reading import read_table; read_table('x.rds')"
    asker = subprocess.Popen(
        [sys.executable, "-c", program], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    process, until, readers = psutil.Process(asker.pid), time.monotonic() + PATIENCE, []
    while len(readers) < 2 and time.monotonic() < until:
        readers = process.children(recursive=True)
        time.sleep(0.05)
    assert len(readers) == 2
    asker.kill()
    asker.wait()
    assert not psutil.wait_procs(readers, timeout=PATIENCE)[1]


def test_elsewhere_files_are_read_here(monkeypatch):
    monkeypatch.setattr(child_reader, "BOUNDED", False)
    monkeypatch.setattr(child_reader, "_NURSERY", None)
    assert len(read_table(parquet(), name="x.parquet").frame) == 2
    with pytest.raises(DataError, match=BROKEN):
        read_table(b"no table", name="x.parquet")


@pytest.mark.parametrize("named", [False, True])
def test_as_many_columns_as_there_may_be_are_read_and_one_more_is_refused(named):
    for columns in (10_000, 10_001):
        header = [f"c{i}" if named else "" for i in range(columns)]
        data = "\n".join([",".join(header), ",".join(["1"] * columns)]).encode()
        if columns == 10_000:
            table = read_table(data, name="x.csv")
            assert table.frame.shape == (1, columns)
            assert len(table.notes) < 60
            assert named or table.notes[-1] == "9,950 more notes such as these are left out."
            continue
        with pytest.raises(DataError, match=r"columns; the most is 10,000"):
            read_table(data, name="x.csv")


@pytest.mark.parametrize("ending", ["parquet", "feather"])
def test_a_packed_file_of_too_many_columns_is_refused(ending):
    frame = pd.DataFrame([[1] * 10_001], columns=[f"c{i}" for i in range(10_001)])
    with pytest.raises(DataError, match=r"has 10,001 columns; the most is 10,000"):
        read_table(FORMATS[ending].write(frame, Labels()), name=f"x.{ending}")


@pytest.mark.parametrize("digits", [41, 400, 5_000])
@pytest.mark.parametrize("form", ["{}\n{}\n", "{}\nNA\n", "-{}\n1\n", "{}\nx\n", "0{}\n1\n"])
def test_a_cell_of_thousands_of_digits_stays_as_it_is(digits, form):
    cell = "9" * digits
    data = read_microdata(("a;b\n" + form.format(cell, cell).replace("\n", ";1\n")).encode(), name="x.csv")
    assert any(cell in str(value) for value in data.frame["a"])
