from __future__ import annotations

import csv
import io
import os

import hypothesis.strategies as st
import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import given, settings

from microagg.errors import DataError
from microagg.io.dialect import DELIMITERS, Dialect
from microagg.io.reading import read_table
from microagg.io.saving import table_bytes
from microagg.io.writing import csv_bytes, formula_cells, neutralise, write_atomic

FRAME = pd.DataFrame(
    {
        "größe": [1.5, np.nan, -0.1],
        "n": pd.array([1, None, 3], dtype="Int64"),
        "text": ['a;"b"', None, "c\nd"],
        "zip": ["01234", "90210", "00000"],
    }
)
DIALECTS = [
    Dialect(delimiter, decimal, thousands, encoding, newline)
    for delimiter, decimal, thousands in ((",", ".", ""), (";", ",", "."), ("\t", ",", ""), ("|", ".", ","))
    for encoding in ("utf-8", "utf-8-sig", "cp1252", "latin-1", "utf-16")
    for newline in ("\n", "\r\n")
]


@pytest.mark.parametrize("dialect", DIALECTS, ids=repr)
def test_what_is_written_in_a_dialect_reads_back_equal_in_it(dialect):
    table = read_table(csv_bytes(FRAME, dialect), name="x.csv", dialect=dialect)
    pd.testing.assert_frame_equal(table.frame, FRAME)


@pytest.mark.parametrize("dialect", DIALECTS, ids=repr)
def test_the_dialect_is_found_again_from_the_bytes(dialect):
    found = read_table(csv_bytes(FRAME, dialect), name="x.csv").dialect
    assert (found.delimiter, found.decimal, found.newline) == (
        dialect.delimiter,
        dialect.decimal,
        dialect.newline,
    )
    assert found.encoding == {"latin-1": "cp1252"}.get(dialect.encoding, dialect.encoding)


def test_a_file_in_a_foreign_dialect_is_saved_back_byte_for_byte():
    data = "Ort;Miete;Code\r\nMünster;7,5;01\r\nKöln;;02\r\n".encode("cp1252")
    table = read_table(data, name="mieten.csv")
    assert csv_bytes(table.frame, table.dialect) == data


def test_a_file_without_a_header_is_saved_back_without_one():
    table = read_table(b"1,2.5\n3,4.0\n", name="x.csv")
    assert csv_bytes(table.frame, table.dialect) == b"1,2.5\n3,4.0\n"


text_cells = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\x00\r"), max_size=5)
cells = {
    "float": st.floats(allow_nan=False, allow_infinity=False).map(lambda number: number + 0.0),
    "int": st.integers(-(2**63), 2**63 - 1),
    "text": st.one_of(st.none(), text_cells.map(lambda text: f"t{text}")),
}


@st.composite
def frames(draw):
    n = draw(st.integers(1, 6))
    kinds = draw(st.lists(st.sampled_from(sorted(cells)), min_size=1, max_size=4))
    columns = {
        f"c{i} {draw(text_cells).strip()}x": draw(st.lists(cells[kind], min_size=n, max_size=n))
        for i, kind in enumerate(kinds)
    }
    return pd.DataFrame(columns)


@settings(deadline=None, max_examples=150)
@given(frames(), st.sampled_from(DELIMITERS), st.sampled_from([".", ","]))
def test_any_frame_reads_back_equal(frame, delimiter, decimal):
    dialect = Dialect(delimiter, decimal)
    table = read_table(csv_bytes(frame, dialect), name="x.csv", dialect=dialect)
    back = table.frame.astype(object).where(table.frame.notna(), None)
    assert back.to_numpy().tolist() == frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    assert list(back.columns) == list(frame.columns)


@settings(deadline=None, max_examples=100)
@given(frames())
def test_pythons_own_csv_module_reads_the_same_cells(frame):
    rows = list(csv.reader(io.StringIO(csv_bytes(frame).decode(), newline="")))
    assert rows[0] == list(frame.columns)
    assert [
        ["" if pd.isna(cell) else str(cell) for cell in row] for row in frame.itertuples(index=False)
    ] == rows[1:]


def test_floats_have_the_shortest_digits_that_read_back():
    assert (
        csv_bytes(pd.DataFrame({"x": [0.1, 1e22, 1.0, 1 / 3]})) == b"x\n0.1\n1e+22\n1.0\n0.3333333333333333\n"
    )


def test_minus_zero_is_written_as_zero():
    assert csv_bytes(pd.DataFrame({"x": [-0.0, 0.0]})) == b"x\n0.0\n0.0\n"


def test_the_index_and_its_order_leave_the_bytes_alone():
    assert csv_bytes(FRAME.set_axis(["r", "s", "t"])) == csv_bytes(FRAME)


def test_a_letter_that_the_encoding_lacks_is_named():
    with pytest.raises(DataError, match=r"'Ł' cannot be written in Windows-1252; save as UTF-8"):
        csv_bytes(pd.DataFrame({"a": ["Łódź"]}), Dialect(encoding="cp1252"))


def test_a_single_column_with_a_gap_keeps_its_rows():
    assert csv_bytes(pd.DataFrame({"a": [1.0, np.nan, 2.0]})) == b'a\n1.0\n""\n2.0\n'


def test_cells_that_a_spreadsheet_would_run_are_counted_and_disarmed():
    frame = pd.DataFrame({"a": ["=1+1", "@x", "-5", "+4,5", "b"], "=b": [-1, -2, -3, -4, -5]})
    assert formula_cells(frame) == 3
    safe = neutralise(frame)
    assert safe.columns.tolist() == ["a", "'=b"]
    assert safe["a"].tolist() == ["'=1+1", "'@x", "-5", "+4,5", "b"]
    assert formula_cells(safe) == 0
    assert formula_cells(frame) == 3


SIGNS = "=+-@|＝＋－＠｜﹦﹢﹣﹫"
UNSEEN = [
    "",
    " ",
    "\n",
    "\t",
    "\r\n",
    "\u00a0",
    "\u3000",
    "\u200b",
    "\ufeff",
    "\u2028",
    "\x0b\x0c",
    "\x00",
    " \u202e",
]


@pytest.mark.parametrize("sign", SIGNS)
def test_nothing_before_a_sign_hides_a_formula_in_cells_or_names(sign):
    texts = [f"{before}{sign}cmd|' /C calc'!A0" for before in UNSEEN]
    frame = pd.DataFrame([texts], columns=texts)
    assert formula_cells(frame) == 2 * len(texts)
    safe = neutralise(frame)
    assert [*safe.columns, *safe.iloc[0]] == [f"'{text}" for text in texts] * 2
    assert formula_cells(safe) == 0


def test_numbers_and_text_with_a_sign_inside_are_left_as_they_are():
    frame = pd.DataFrame({"a": [" -5", "+4,5 ", "\t-1.5e-3", "a=b", "x - y", "me@here"]}, dtype=object)
    assert formula_cells(frame) == 0
    assert neutralise(frame)["a"].tolist() == frame["a"].tolist()


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("cell", ["a;=1", "a,=1", "a\t@x", "a; ＝1", "a,\u200b+1"])
def test_a_program_that_splits_at_another_delimiter_finds_no_formula(cell, delimiter):
    written = csv_bytes(pd.DataFrame({cell: [cell], "b": ["x"]}), Dialect(delimiter)).decode()
    for other in ",;\t|":
        for line in csv.reader(io.StringIO(written, newline=""), delimiter=other):
            assert formula_cells(pd.DataFrame({"a": line})) == 0


def test_a_workbook_holds_text_as_text_in_cells_and_names():
    texts = [f"{before}{sign}1" for before in ("", " ", "\n") for sign in SIGNS]
    book = openpyxl.load_workbook(io.BytesIO(table_bytes(pd.DataFrame([texts], columns=texts), "excel")))
    assert book.sheetnames == ["data"]
    assert {cell.data_type for row in book["data"].iter_rows() for cell in row} == {"s"}


def test_a_new_file_is_its_owners_alone(tmp_path):
    before = os.umask(0)
    try:
        path = write_atomic(tmp_path / "out.csv", b"x")
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600


def test_disarming_keeps_missing_cells_missing():
    assert neutralise(pd.DataFrame({"a": ["=1", None]}))["a"].isna().tolist() == [False, True]


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "out.csv"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_atomic(path, b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_folder_is_said_and_nothing_made(tmp_path):
    with pytest.raises(DataError, match="cannot be written"):
        write_atomic(tmp_path / "gone" / "out.csv", b"x")
    assert not list(tmp_path.iterdir())


def test_a_failure_while_writing_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    path = tmp_path / "out.csv"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DataError, match="No space left"):
        write_atomic(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
