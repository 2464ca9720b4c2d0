"""A few kilobytes that would take gigabytes once read are refused before they are, with the numbers."""

from __future__ import annotations

import gzip
import io
import resource
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest
import rdata

from microagg.errors import DataError
from microagg.io import memory_estimate
from microagg.io.reading import read_table
from microagg.io.rfiles import read_rds
from microagg.io.table import Labels
from microagg.io.writing import csv_bytes

REFUSED = r"would take about \d+ GB of memory once read; the most is 4 GB"


@pytest.fixture
def roomy():
    """No more address space than there is now and 2 GB: whoever allocates what a header says, fails."""
    now = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (now + 2_000_000_000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.usefixtures("roomy")
def test_a_workbook_whose_sheets_unpack_to_gigabytes():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", bytes(8_000_000))
    data = file.getvalue().replace((8_000_000).to_bytes(4, "little"), (2_000_000_000).to_bytes(4, "little"))
    assert len(data) < 10_000
    with pytest.raises(DataError, match=REFUSED):
        read_table(data, name="x.xlsx")


@pytest.mark.usefixtures("roomy")
def test_a_parquet_file_of_one_value_repeated_a_billion_times():
    file = io.BytesIO()
    column = pa.DictionaryArray.from_arrays(pa.array(np.zeros(1_000_000, np.int8)), pa.array([1.5]))
    table = pa.table({"a": column})
    with pq.ParquetWriter(file, table.schema) as writer:
        for _ in range(600):
            writer.write_table(table)
    assert file.tell() < 5_000_000
    with pytest.raises(DataError, match=REFUSED):
        read_table(file.getvalue(), name="x.parquet")


@pytest.mark.usefixtures("roomy")
def test_a_spss_file_that_says_it_has_a_billion_records(tmp_path):
    pyreadstat.write_sav(pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [4.0, 5.0, 6.0]}), tmp_path / "x.sav")
    data = bytearray((tmp_path / "x.sav").read_bytes())
    data[80:84] = (1_000_000_000).to_bytes(4, "little")
    with pytest.raises(DataError, match=REFUSED):
        read_table(bytes(data), name="x.sav")


def test_an_r_file_that_unpacks_to_more_than_there_is_room_for(monkeypatch, tmp_path):
    rdata.write_rds(tmp_path / "x.rds", pd.DataFrame({"a": np.zeros(100_000)}, index=range(1, 100_001)))
    data = (tmp_path / "x.rds").read_bytes()
    assert len(read_rds(data, "x.rds", None).frame) == 100_000
    monkeypatch.setattr(memory_estimate, "MOST_BYTES", 3_000_000)
    with pytest.raises(DataError, match="of memory once read"):
        read_rds(data, "x.rds", None)


def test_unpacking_stops_at_the_block_that_is_too_much(monkeypatch):
    monkeypatch.setattr(memory_estimate, "MOST_BYTES", 1e6)
    monkeypatch.setattr(memory_estimate, "_BLOCK", 1 << 16)
    bomb = gzip.compress(bytes(50_000_000))
    with pytest.raises(DataError, match=r"x\.rds would take about"):
        memory_estimate.unpacked(bomb, "x.rds", 1.0)
    assert memory_estimate.unpacked(b"plain", "x.rds", 1.0) == b"plain"


@pytest.mark.parametrize("values", [[np.inf], [np.inf, -np.inf] * 6, [1e308, -1e308] * 6])
def test_roles_are_guessed_for_numbers_whose_range_is_infinite_or_none(values):
    frame = pd.DataFrame({"a": values, "b": range(len(values))})
    assert read_table(csv_bytes(frame), name="x.csv").labels == Labels()
