"""Whatever the bytes: a table or one sentence, never another error; and what was read survives writing."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from microagg.errors import DataError
from microagg.io import table_shape
from microagg.io.dialect import Dialect
from microagg.io.reading import read_table
from microagg.io.table_shape import find_shape
from microagg.io.writing import csv_bytes

PIECES = [
    *(
        b",",
        b";",
        b"\t",
        b"|",
        b'"',
        b"'",
        b"\n",
        b"\r",
        b"\r\n",
        b"\x1a",
        b"\x00",
        b" ",
        b"\xc2\xa0",
        b"\xa0",
    ),
    *(
        b"1",
        b"0",
        b"1.5",
        b"1,5",
        b"1.234",
        b"01",
        b"1e5",
        b"-",
        b"+",
        b".",
        b"9223372036854775808",
        b"9" * 20,
    ),
    *(b"a", b"\xe9", b"\xc3\xa9", b"\x81", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"NA", b"inf", b"nan", b"TRUE"),
    *(b"=", b"_", b"sep=", b""),
]
any_bytes = st.lists(st.sampled_from(PIECES), max_size=40).map(b"".join)


def rows(frame):
    return frame.astype(object).where(frame.notna(), None).to_numpy().tolist()


@settings(deadline=None, max_examples=150)
@given(any_bytes)
def test_any_bytes_are_a_table_or_one_sentence(data):
    try:
        table = read_table(data, name="x.csv")
        written = csv_bytes(table.frame, table.dialect)
    except DataError:
        return
    assert table.frame.columns.is_unique
    assert rows(read_table(written, name="x.csv", dialect=table.dialect).frame) == rows(table.frame)


@settings(deadline=None, max_examples=100)
@given(st.lists(st.lists(st.sampled_from(["1", "a", ""]), min_size=1, max_size=3), min_size=2, max_size=5))
def test_the_quick_look_at_the_lines_agrees_with_cutting_each(lines):
    payload = "\n".join(map(",".join, lines)).encode()
    outcomes = []
    for quick in (table_shape._is_even, lambda *_: False):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(table_shape, "_is_even", quick)
            try:
                outcomes.append(find_shape(payload, Dialect(), "x"))
            except DataError as refusal:
                outcomes.append(str(refusal))
    assert outcomes[0] == outcomes[1]
