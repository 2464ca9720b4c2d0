"""A table that goes from one process to another comes back equal, whatever a reader can have put into it."""

from __future__ import annotations

import datetime as dt
import io
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from microagg.errors import DataError
from microagg.io import table_message
from microagg.io.formats import FORMATS
from microagg.io.reading import read_table
from microagg.io.table import Labels, Table

DAY = dt.datetime(2024, 5, 1, 12, 30)  # noqa: DTZ001 - as a reader gives it
COLUMNS = {
    "bool": [True, False, True],
    "int8": np.array([1, -2, 3], np.int8),
    "uint64": np.array([2**64 - 1, 0, 1], np.uint64),
    "float": [1.5, np.nan, -np.inf],
    "float32": np.array([1.5, np.nan, 2], np.float32),
    "Int64": pd.array([2**53 + 1, None, -1], dtype="Int64"),
    "UInt64": pd.array([2**64 - 1, None, 1], dtype="UInt64"),
    "Float64": pd.array([1.5, None, 2], dtype="Float64"),
    "boolean": pd.array([True, None, False], dtype="boolean"),
    "str": ["Reus", None, "Münster €\0"],
    "string": pd.array(["a", None, ""], dtype="string"),
    "python": pd.array(["a", None, ""], dtype=pd.StringDtype("python", na_value=np.nan)),
    "seconds": np.array([0, "NaT", 10**9], "datetime64[s]"),
    "nanoseconds": np.array([1, "NaT", 3], "datetime64[ns]"),
    "span": np.array([1, "NaT", 3], "timedelta64[ms]"),
    "zoned": pd.DatetimeIndex([DAY, pd.NaT, DAY], tz="Europe/Madrid"),
    "offset": pd.DatetimeIndex([DAY, pd.NaT, DAY], tz=dt.timezone(dt.timedelta(hours=2))),
    "names": pd.Categorical(["b", None, "a"], categories=["b", "c", "a"]),
    "grades": pd.Categorical([3, 1, 1], categories=[3, 2, 1], ordered=True),
    "days": pd.Categorical(pd.to_datetime(["2024-05-01"] * 3)),
    "any": pd.Categorical(["a", 1, "a"]),
    "period": pd.period_range("2024-05", periods=3, freq="M"),
    "interval": pd.interval_range(0, 3),
    "mixed": pd.Series(["a", 1, 2.5], dtype=object),
    "gaps": pd.Series([None, pd.NA, pd.NaT], dtype=object),
    "dates": pd.Series([DAY.date(), DAY.time(), DAY], dtype=object),
    "moments": pd.Series([pd.Timestamp(DAY, tz="UTC"), pd.Timestamp(1), pd.Timedelta(5, "s")], dtype=object),
    "more": pd.Series([Decimal("1.50"), b"\0\xff", 1 + 2j], dtype=object),
    "numpy": pd.Series([np.int8(1), np.float64(1.5), np.datetime64("2024-05-01")], dtype=object),
    "lists": pd.Series([[1, [2]], ("a", None), {"a": [1], 2: "b"}], dtype=object),
    "large": pd.Series([2**70, True, dt.timedelta(days=1, microseconds=1)], dtype=object),
}
INDICES = [
    pd.RangeIndex(3),
    pd.RangeIndex(10, 4, -2, name="row"),
    pd.Index(["x", "y", "z"], name="key"),
    pd.Index([3, 1, 1]),
    pd.DatetimeIndex([DAY, DAY, DAY], name=("a", 1)),
    pd.MultiIndex.from_tuples([("x", 1), ("y", 2), ("x", 2)], names=["town", None]),
]


def there_and_back(table):
    parts = iter([bytes(part) for part in table_message.packed(table)])
    return table_message.unpacked_table(lambda: next(parts))


def same(one, other):
    assert type(one) is type(other)
    assert repr(one) == repr(other)


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_of_any_type_comes_back_equal(name):
    frame = pd.DataFrame({name: COLUMNS[name]})
    back = there_and_back(Table(frame, "x", "parquet")).frame
    pd.testing.assert_frame_equal(back, frame, check_exact=True)
    assert back.dtypes.equals(frame.dtypes)
    if frame[name].dtype == object:
        for one, other in zip(back[name], frame[name], strict=True):
            same(one, other)
    for i in range(3):  # it can be written to
        back.iloc[i, 0] = back.iloc[0, 0]


def test_arrays_in_cells_come_back_equal():
    cells = [np.array([1, 2]), np.array(["2024-05-01", "NaT"], "M8[D]"), np.array([[1], "a"], dtype=object)]
    frame = pd.DataFrame({"a": pd.Series(cells, dtype=object)})
    for one, other in zip(there_and_back(Table(frame, "x")).frame["a"], cells, strict=True):
        assert one.dtype == other.dtype
        same(one, other)


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_an_index_comes_back_equal(index):
    frame = pd.DataFrame({"a": [1, 2, 3]}, index=index)
    pd.testing.assert_frame_equal(there_and_back(Table(frame, "x")).frame, frame, check_index_type="exact")


def test_words_come_back_equal():
    labels = Labels({"a": "An a"}, {"a": {1: "one", 1.5: "more", "x": "a letter"}}, {"a": "ordinal"})
    table = Table(pd.DataFrame({"a": [1]}), "x", "spss", None, labels, ("A note.",), ("one", "two"))
    back = there_and_back(table)
    assert back.labels == labels
    assert [type(code) for code in back.labels.values["a"]] == [int, float, str]
    assert (back.name, back.format, back.notes, back.sheets) == ("x", "spss", table.notes, table.sheets)


def test_no_record_and_no_column_come_back_equal():
    for frame in (pd.DataFrame({"a": pd.Series([], dtype="str")}), pd.DataFrame(index=range(3))):
        pd.testing.assert_frame_equal(there_and_back(Table(frame, "x")).frame, frame)


@pytest.mark.parametrize("cell", [object(), range(3), [[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]])
def test_objects_that_are_no_data_are_refused(cell):
    frame = pd.DataFrame({"a": pd.Series([cell], dtype=object)})
    with pytest.raises(DataError, match=r"A column holds .*\."):
        there_and_back(Table(frame, "x"))


def test_offsets_that_lead_out_of_the_column_are_seen():
    (data,) = list(table_message.packed(Table(pd.DataFrame({"a": ["ab"]}), "x")))[1:]
    ends = np.array([0, 2], np.int64).tobytes()
    told = bytes(data).replace(ends, np.array([0, 2**40], np.int64).tobytes())
    assert told != bytes(data)
    with pytest.raises(pa.ArrowInvalid):
        table_message._array(told)


@pytest.mark.parametrize(
    "row", [row for row in FORMATS.values() if row.write and row.read], ids=lambda r: r.name
)
def test_what_a_child_reads_is_what_is_read_here(row):
    frame = pd.DataFrame(
        {
            "id": [1, 2, 3],
            "sex": pd.array([1, None, 2], dtype="Int64"),
            "rent": [1.5, np.nan, 2.25],
            "town": ["Reus", None, "Münster €"],
            "kind": pd.Categorical(["b", "a", "b"], categories=["b", "a"]),
            "ok": [True, False, True],
            "day": pd.to_datetime(["2024-05-01", None, "2024-06-01"]),
        }
    )
    data = row.write(frame, Labels({"sex": "Sex"}, {"sex": {1: "female"}}))
    here, there = row.read(data, "x", None), read_table(data, name=f"x{row.suffixes[0]}")
    pd.testing.assert_frame_equal(there.frame, here.frame, check_exact=True, check_index_type="exact")
    assert there.frame.columns.equals(here.frame.columns)
    assert (there.labels, there.notes, there.sheets, there.format) == (
        here.labels,
        here.notes,
        here.sheets,
        here.format,
    )


def test_a_parquet_file_of_every_type_is_read_alike_in_a_child():
    kinds = {
        "list": pa.array([[1, 2], None]),
        "struct": pa.array([{"a": 1, "b": ["x"]}, None]),
        "map": pa.array([[("k", 1)], None], pa.map_(pa.string(), pa.int64())),
        "decimal": pa.array([Decimal("1.50"), None]),
        "binary": pa.array([b"\0\xff", None]),
        "date": pa.array([DAY.date(), None]),
        "time": pa.array([DAY.time(), None]),
        "zoned": pa.array([DAY, None], pa.timestamp("us", "Europe/Madrid")),
        "span": pa.array([dt.timedelta(seconds=1), None]),
        "words": pa.array(["b", None]).dictionary_encode(),
        "nothing": pa.array([None, None]),
        "small": pa.array([1, None], pa.uint8()),
    }
    file = io.BytesIO()
    pq.write_table(pa.table(kinds), file)
    here = FORMATS["parquet"].read(file.getvalue(), "x", None).frame
    there = read_table(file.getvalue(), name="x.parquet").frame
    pd.testing.assert_frame_equal(there, here, check_exact=True)
    for name in here.columns:
        for one, other in zip(there[name], here[name], strict=True):
            same(one, other)
