"""Small files that ask for far more memory or time than they should, made on the spot; most have a few kB."""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
import zlib

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat

from microagg.io.memory_file import nameless
from microagg.io.statistical import write_statistical
from microagg.io.table import Labels

_NAMES, _ROW_NAMES, _CLASS = b"names", b"row.names", b"class"


def parquet_of_one_long_string() -> bytes:
    """One word of 4 MB in a dictionary, 1,200 records that have it: 3.9 kB, 5 GB as plain text."""
    words = pa.DictionaryArray.from_arrays(pa.array(np.zeros(1_200, np.int8)), pa.array(["a" * 4_000_000]))
    file = io.BytesIO()
    pq.write_table(pa.table({"a": words}), file, compression="zstd", store_schema=False)
    return file.getvalue()


def parquet_of_many_groups() -> bytes:
    """Five thousand row groups of one record."""
    file = io.BytesIO()
    pq.write_table(pa.table({"a": pa.array(np.zeros(5_000, np.int8))}), file, row_group_size=1)
    return file.getvalue()


def parquet_of_deep_lists() -> bytes:
    """A list in a list, sixty deep."""
    array = pa.array([1])
    for _ in range(60):
        array = pa.ListArray.from_arrays(pa.array([0, 1], pa.int32()), array)
    file = io.BytesIO()
    pq.write_table(pa.table({"a": array}), file)
    return file.getvalue()


def feather_of_zeros() -> bytes:
    """Zeros that zstd packs to almost nothing."""
    batch = pa.record_batch([pa.array(np.zeros(10_000_000))] * 10, names=list("abcdefghij"))
    file = io.BytesIO()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_file(file, batch.schema, options=options) as written:
        for _ in range(8):
            written.write_batch(batch)
    return file.getvalue()


def spss_of_long_strings() -> bytes:
    """Strings of 30,000 characters, packed: 100 kB, half a gigabyte as text."""
    frame = pd.DataFrame({"a": ["a" * 30_000] * 18_000})
    with nameless() as path:
        pyreadstat.write_sav(frame, str(path), compress=True)
        return path.read_bytes()


def stata_of_one_long_string() -> bytes:
    """A string of 2 MB kept once, that 1,200 records point at."""
    file = io.BytesIO()
    frame = pd.DataFrame({"a": ["a" * 2_000_000] * 1_200})
    frame.to_stata(file, version=118, convert_strl=["a"], write_index=False)
    return file.getvalue()


def stata_that_says_many() -> bytes:
    """A file of Stata whose header counts a thousand million records."""
    data = write_statistical(pd.DataFrame({"a": [1.0, 2.0]}), Labels(), "stata")
    at = data.index(b"<N>") + 3
    return data[:at] + struct.pack("<Q", 100_000_000) + data[at + 8 :]


def workbook(part: bytes, by: bytes, sheet: str = "xl/worksheets/sheet1.xml") -> bytes:
    """A workbook of three cells with one part of its sheet replaced."""
    book = openpyxl.Workbook()
    for row in (["a", "b"], [1, 2], [3, 4]):
        book.active.append(row)
    made, file = io.BytesIO(), io.BytesIO()
    book.save(made)
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.namelist():
            content = old.read(member)
            if member == sheet:
                assert part in content
                content = content.replace(part, by)
            new.writestr(member, content)
    return file.getvalue()


def workbook_that_says_all() -> bytes:
    """A workbook that says it fills the whole sheet."""
    return workbook(b'<dimension ref="A1:B3"', b'<dimension ref="A1:XFD1048576"')


def workbook_with_a_far_row() -> bytes:
    """A workbook whose last line is the nine-hundred-millionth."""
    return workbook(b'<row r="3"', b'<row r="900000000"')


def workbook_with_a_far_cell() -> bytes:
    """A workbook with a cell in a column that no sheet has."""
    return workbook(b'<c r="B3"', b'<c r="ZZZ3"')


def workbook_of_entities() -> bytes:
    """A workbook whose sheet blows up by entities of entities."""
    levels = b"".join(
        b'<!ENTITY e%d "%s">' % (i, b"&e%d;" % (i - 1) * 10 if i else b"a" * 10) for i in range(9)
    )
    return workbook(b"<worksheet", b"<!DOCTYPE x [" + levels + b"]><worksheet", "xl/worksheets/sheet1.xml")


def zip_of_zeros() -> bytes:
    """A workbook whose sheet ends in a hundred million spaces."""
    return workbook(b"</sheetData>", b"</sheetData>" + b" " * 100_000_000)


def gzip_of_gzip() -> bytes:
    """A gigabyte of zeros packed twice."""
    pack = zlib.compressobj(9, wbits=31)
    once = b"".join(pack.compress(bytes(1 << 24)) for _ in range(64)) + pack.flush()
    return gzip.compress(once)


def gzip_of_zeros() -> bytes:
    """A gigabyte of zeros packed once."""
    return gzip.decompress(gzip_of_gzip())


def _int(*numbers: int) -> bytes:
    return struct.pack(f">{len(numbers)}i", *numbers)


def _text(word: bytes) -> bytes:
    return _int(0x00040009, len(word)) + word


def _symbol(word: bytes) -> bytes:
    return _int(1) + _text(word)


def _strings(*words: bytes) -> bytes:
    return _int(16, len(words)) + b"".join(map(_text, words))


def _attribute(name: bytes, value: bytes) -> bytes:
    return _int(0x402) + _symbol(name) + value


def _data_frame(column: bytes, records: int) -> list[bytes]:
    """The pieces of an .rds file before and after its one column."""
    head = b"X\n" + _int(3, 0x00040100, 0x00030500, 5) + b"UTF-8" + _int(0x313, 1)
    tail = (
        _attribute(_NAMES, _strings(b"a"))
        + _attribute(_CLASS, _strings(b"data.frame"))
        + _attribute(_ROW_NAMES, _int(13, 2, -(2**31), -records))
        + _int(254)
    )
    return [head, column, tail]


def r_compact_sequence(records: int = 400_000_000) -> bytes:
    """A sequence that R writes in three numbers, as a column of 4·10⁸."""
    state = _int(14, 3) + struct.pack(">3d", records, 1.0, 1.0)
    info = _int(2) + _symbol(b"compact_intseq") + _int(2) + _symbol(b"base") + _int(2, 13, 1, 13) + _int(254)
    return gzip.compress(b"".join(_data_frame(_int(238) + info + state + _int(254), records)))


def r_letters(records: int = 20_000_000) -> bytes:
    """A column of twenty million letters."""
    head, _, tail = _data_frame(b"", records)
    pack, each = zlib.compressobj(9, wbits=31), 100_000
    pieces = [pack.compress(head + _int(16, records))]
    pieces += [pack.compress(_text(b"a") * each) for _ in range(records // each)]
    return b"".join(pieces) + pack.compress(tail) + pack.flush()
