"""No digit of an untouched column is lost: as a number it is written again as it was; else it stays text."""

from __future__ import annotations

import io
from decimal import Decimal

import hypothesis.strategies as st
import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given, settings

import microagg as ma
from microagg.assessment.equal_cells import alike
from microagg.errors import DataError
from microagg.handover.release_file import Outgoing
from microagg.handover.verification import check
from microagg.io.formats import FORMATS
from microagg.io.lossless_floats import loses_no_digit
from microagg.io.reading import read_table
from microagg.io.saving import table_bytes
from microagg.io.writing import csv_bytes

LOST = "has more digits than a number holds and "
TEXTS = {  # what stands in a column, and whether it stays text
    "long integers beside a fraction": (["9007199254740993", "9007199254740995.0"], True),
    "long integers": (["9007199254740993", "9007199254740995"], False),
    "a long fraction": (["0.1234567890123456789", "1.5"], True),
    "seventeen digits of a floating number": (["0.30000000000000004", "0.1"], False),
    "a floating number printed to 20 places": (["0.10000000000000000555", "2.5"], False),
    "unsigned integers": (["18446744073709551615", "1"], False),
    "unsigned beside signed": (["18446744073709551615", "-1"], True),
    "more than 64 bits": (["18446744073709551616", "1"], True),
    "beyond the largest number": (["1e400", "1.5"], True),
    "nearer zero than the smallest": (["1e-400", "1.5"], True),
    "far but exact": (["1e22", "1.5"], False),
    "underscores": (["1_000", "2_000"], True),
    "leading zeros": (["007", "010"], True),
    "hexadecimal": (["0x10", "0x11"], True),
    "a long integer with a word for missing": (["9007199254740993", "NA", "1.5"], True),
    "grouped long integers beside a fraction": (["9 007 199 254 740 993", "1.5"], True),
}


@pytest.mark.parametrize(("cells", "text"), TEXTS.values(), ids=TEXTS)
def test_a_column_is_a_number_only_where_no_digit_is_lost(cells, text):
    data = ("a;n\n" + "".join(f"{cell};{i}\n" for i, cell in enumerate(cells))).encode()
    table = read_table(data, name="x.csv")
    column = table.frame["a"]
    assert isinstance(column.dtype, pd.StringDtype) == text
    if text:
        assert column.tolist() == cells
        assert csv_bytes(table.frame, table.dialect) == data
    else:
        assert [Decimal(repr(value)) for value in column.tolist()] == [
            Decimal(cell) if "0000000000555" not in cell else Decimal("0.1") for cell in cells
        ]


def test_a_long_number_that_stays_text_is_said():
    notes = read_table(b"a,b\n9007199254740993,1\n9007199254740995.0,2\n", name="x.csv").notes
    assert notes == (f"Column 'a' {LOST}stays text.",)


def test_excel_keeps_long_integers_beside_fractions_as_text():
    book = openpyxl.Workbook()
    for row in (["a", "b", "c"], ["x", 1, 2], ["x", 1.5, 2**70]):
        book.active.append(row)
    file = io.BytesIO()
    book.save(file)
    content = file.getvalue()
    import zipfile

    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(other := io.BytesIO(), "w") as new:
        for member in old.namelist():
            sheet = old.read(member)
            if member.endswith("sheet1.xml"):
                sheet = sheet.replace(b"<v>1</v>", b"<v>9007199254740993</v>")
            new.writestr(member, sheet)
    table = read_table(other.getvalue(), name="x.xlsx")
    assert table.frame["b"].tolist() == ["9007199254740993", "1.5"]
    assert f"Column 'b' {LOST}is read as text." in table.notes


def test_excel_writes_every_digit_of_a_floating_number_and_refuses_long_integers():
    values = [0.1 + 0.2, 1 / 3, 2 / 3, 1e22, 123456789.123456789]
    back = read_table(table_bytes(pd.DataFrame({"a": values}), "excel"), name="x.xlsx").frame["a"]
    assert back.tolist() == values
    with pytest.raises(
        DataError, match=r"^Column 'id' has integers of more digits than Excel holds; save as"
    ):
        table_bytes(pd.DataFrame({"id": [2**53 + 1]}), "excel")


def test_parquet_keeps_unsigned_integers_with_gaps_and_decimals():
    table = pa.table(
        {
            "u": pa.array([2**64 - 1, None], pa.uint64()),
            "short": pa.array([Decimal("1.50"), None], pa.decimal128(20, 2)),
            "long": pa.array([Decimal("9007199254740993.01"), None], pa.decimal128(20, 2)),
        }
    )
    pyarrow.parquet.write_table(table, file := io.BytesIO())
    read = read_table(file.getvalue(), name="x.parquet")
    assert read.frame["u"].tolist() == [2**64 - 1, pd.NA]
    assert read.frame["short"].tolist()[0] == 1.5
    assert read.frame["long"].tolist()[0] == "9007199254740993.01"
    assert read.notes == (f"Column 'long' {LOST}is read as text.",)


@pytest.mark.parametrize("number", [1e300, 1e-300, np.inf])
def test_sas_transport_files_refuse_what_they_would_make_infinite_or_zero(number):
    with pytest.raises(DataError, match="'a' has numbers too large or too close to zero"):
        table_bytes(pd.DataFrame({"a": [number, 1.0]}), "xport")


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ([9007199254740993], [9007199254740992.0], False),
        ([9007199254740993], [9007199254740993], True),
        ([9007199254740993], ["9007199254740993"], True),
        ([9007199254740992.0], ["9007199254740993"], False),
        (["007"], [7], False),
        (["7"], [7], True),
        (["7.50"], [7.5], True),
        ([0.3], [0.1 + 0.2], False),
        ([2**64 - 1], [float(2**64)], False),
        ([1], [1.0], True),
        (["x"], [1.0], False),
    ],
)
def test_values_are_alike_to_the_last_digit(before, after, same):
    assert alike(pd.Series(before), pd.Series(after)).tolist() == [same]
    assert alike(pd.Series(after), pd.Series(before)).tolist() == [same]


def test_the_check_sees_a_rounded_identifier_number():
    ids = [9007199254740993 + 2 * i for i in range(4)]
    frame = pd.DataFrame({"n": ids, "age": [1, 2, 3, 4]})
    release = ma.protect(
        ma.Microdata.from_frame(frame, roles={"n": "other", "age": "quasi_identifier"}), ma.Plan(k=2)
    )
    good = check(csv_bytes(release.protected), "x.csv", release)
    assert {one.name: one.status == "green" for one in good}["Copied columns"]
    rounded = release.protected.assign(n=release.protected["n"].astype("float64"))
    found = {one.name: one for one in check(csv_bytes(rounded), "x.csv", release)}["Copied columns"]
    assert (found.status, found.sentence) == ("red", "Not as in the original: n.")


@settings(deadline=None, max_examples=200)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_what_python_prints_of_a_number_loses_no_digit(number):
    assert loses_no_digit(repr(number))
    assert loses_no_digit(f"{number:.17g}")


@settings(deadline=None, max_examples=200)
@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**18), max_value=10**18, places=4))
def test_a_decimal_that_a_number_holds_is_the_one_that_it_prints(value):
    assert loses_no_digit(str(value)) == (Decimal(repr(float(value))) == value)


NUMBERS = st.one_of(
    st.lists(st.integers(-(2**63), 2**63 - 1), min_size=2, max_size=4),
    st.lists(st.integers(0, 2**64 - 1), min_size=2, max_size=4),
    st.lists(
        st.floats(-1e70, 1e70).filter(lambda x: x == 0 or abs(x) > 1e-70).map(lambda x: x + 0.0),
        min_size=2,
        max_size=4,
    ),
)
KINDS = [row.name for row in FORMATS.values() if row.write is not None]


@settings(deadline=None, max_examples=150)
@given(NUMBERS, st.sampled_from(KINDS))
def test_untouched_numbers_leave_with_every_digit_or_in_a_sentence(numbers, kind):
    frame = pd.DataFrame({"n": numbers, "age": range(len(numbers))})
    data = ma.Microdata.from_frame(frame, roles={"n": "other", "age": "quasi_identifier"})
    out = Outgoing(ma.protect(data, ma.Plan(k=2)), kind)
    if kind not in ("csv", "parquet", "feather") and isinstance(numbers[0], int):
        largest = max(map(abs, numbers))
        if largest > 2**53 or (largest == 2**53 and kind != "excel"):
            with pytest.raises(DataError, match="more digits"):
                table_bytes(out.frame, kind)
            return
    written = out.written
    back = read_table(written, name=f"x{FORMATS[kind].suffixes[0]}").frame["n"]
    assert [int(a) == int(b) and float(a) == float(b) for a, b in zip(back, numbers, strict=True)] == [
        True
    ] * len(back)
    assert {one.name: one.status == "green" for one in out.checks}["Copied columns"]
