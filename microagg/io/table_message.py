"""A table as bytes between two processes: JSON for its words, Arrow for its columns, never code.

What reads a file and what uses it are different processes, and the bytes between them must not be able to run
anything, as a pickle can. Every type that a reader gives comes back equal: numbers, dates, text and extension
types as Arrow arrays beside the name of their type, categories as codes and the categories, and columns of
mixed objects cell by cell as JSON, each cell with its type.
"""

from __future__ import annotations

import base64
import datetime as dt
import json
import struct
from dataclasses import asdict
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa

from microagg.errors import DataError
from microagg.io.table import Beside, Labels, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LENGTH = struct.Struct("<Q")
"""What stands before each part on its way: how many bytes it has."""
_DEEPEST = 16  # lists in lists
_Spec = dict[str, Any]


def packed(table: Table) -> Iterator[Any]:
    """Cut a table into parts: first its words, then one part a column.

    Parameters
    ----------
    table : Table
        Read from a format that is not text, so that it has no dialect.

    Yields
    ------
    buffer
        JSON, then Arrow's stream format.

    Raises
    ------
    DataError
        A column of objects that no file of data holds.
    """
    arrays: list[Any] = []
    labels = table.labels
    words = {
        "name": table.name,
        "format": table.format,
        "notes": table.notes,
        "sheets": table.sheets,
        "beside": table.beside,
        "labels": {
            **asdict(Labels(labels.columns, {}, labels.measures)),
            "values": {
                column: [[_cell(code), label] for code, label in values.items()]
                for column, values in labels.values.items()
            },
        },
        "index": _index(table.frame.index, arrays),
        "columns": [[name, _column(column, arrays)] for name, column in table.frame.items()],
        "arrays": 0,
    }
    words["arrays"] = len(arrays)
    yield json.dumps(words).encode()
    for array in arrays:
        sink = pa.BufferOutputStream()
        batch = pa.record_batch([array], names=["values"])
        with pa.ipc.new_stream(sink, batch.schema) as stream:
            stream.write_batch(batch)
        yield sink.getvalue()


def unpacked_table(part: Callable[[], Any]) -> Table:
    """Put a table together from its parts.

    Parameters
    ----------
    part : callable
        Gives the next part, a buffer.

    Returns
    -------
    Table
        Equal to the one that was packed.
    """
    words = json.loads(bytes(part()))
    arrays = [_array(part()) for _ in range(words["arrays"])]
    labels = words["labels"]
    values = {
        column: {_value(code): label for code, label in pairs} for column, pairs in labels["values"].items()
    }
    index = _as_index(words["index"], arrays)
    columns = {name: pd.Series(_values(spec, arrays), index=index) for name, spec in words["columns"]}
    return Table(
        pd.DataFrame(columns, index=index),
        words["name"],
        words["format"],
        labels=Labels(labels["columns"], values, labels["measures"]),
        notes=tuple(words["notes"]),
        sheets=tuple(words["sheets"]),
        beside=tuple(Beside(*one) for one in words["beside"]),
    )


def _array(data: Any) -> Any:
    """The one array of a stream, looked at wholly: offsets that lead elsewhere would read foreign memory."""
    with pa.ipc.open_stream(pa.py_buffer(data)) as stream:
        array = stream.read_next_batch().column(0)
    array.validate(full=True)
    return array


def _keep(array: Any, arrays: list[Any]) -> int:
    arrays.append(array)
    return len(arrays) - 1


def _index(index: pd.Index[Any], arrays: list[Any]) -> _Spec:
    if isinstance(index, pd.RangeIndex):
        return {"range": [index.start, index.stop, index.step], "names": [_cell(index.name)]}
    levels = [index.get_level_values(i).to_series() for i in range(index.nlevels)]
    several = isinstance(index, pd.MultiIndex)
    return {
        "levels": [_column(level, arrays) for level in levels],
        "several": several,
        "names": [_cell(name) for name in index.names],
    }


def _as_index(spec: _Spec, arrays: list[Any]) -> pd.Index[Any]:
    names = [_value(name) for name in spec["names"]]
    if "range" in spec:
        return pd.RangeIndex(*spec["range"]).rename(names[0])
    levels = [pd.Index(_values(level, arrays)) for level in spec["levels"]]
    return pd.MultiIndex.from_arrays(levels, names=names) if spec["several"] else levels[0].rename(names[0])


def _column(column: pd.Series[Any], arrays: list[Any]) -> _Spec:
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        codes = _keep(pa.array(column.cat.codes.to_numpy()), arrays)
        categories = _column(pd.Series(dtype.categories), arrays)
        return {"kind": "category", "at": codes, "categories": categories, "ordered": bool(dtype.ordered)}
    if isinstance(dtype, pd.StringDtype):
        missing = "NA" if dtype.na_value is pd.NA else "nan"
        at = _keep(pa.array(column.array, pa.large_string()), arrays)
        return {"kind": "text", "at": at, "storage": dtype.storage, "missing": missing}
    if isinstance(dtype, pd.DatetimeTZDtype):
        return {
            "kind": "zoned",
            "at": _keep(pa.array(pd.DatetimeIndex(column).asi8), arrays),
            "type": str(dtype),
        }
    if isinstance(dtype, np.dtype) and dtype.kind in "mM":
        at = _keep(pa.array(column.to_numpy().view(np.int64)), arrays)
        return {"kind": "moments", "at": at, "type": str(dtype)}
    if isinstance(dtype, np.dtype) and dtype.kind in "biuf":
        return {"kind": "numbers", "at": _keep(pa.array(column.to_numpy()), arrays), "type": str(dtype)}
    if pd.api.types.is_object_dtype(dtype):
        texts = [json.dumps(_cell(value), ensure_ascii=False) for value in column]
        return {"kind": "cells", "at": _keep(pa.array(texts, pa.large_string()), arrays)}
    if hasattr(dtype, "__from_arrow__"):
        array = pa.array(column.array)
        array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
        return {"kind": "extension", "at": _keep(array, arrays), "type": str(dtype)}
    raise DataError(f"Column {column.name!r} holds values of type {dtype}, which are no data; save as CSV.")


def _values(spec: _Spec, arrays: list[Any]) -> Any:
    array, kind = arrays[spec["at"]], spec["kind"]
    if kind == "category":
        categories = pd.Index(_values(spec["categories"], arrays))
        return pd.Categorical.from_codes(array.to_numpy(), categories, ordered=spec["ordered"])
    if kind == "text":
        text: Any = pd.StringDtype(spec["storage"], na_value=pd.NA if spec["missing"] == "NA" else np.nan)
        return text.__from_arrow__(pa.chunked_array([array]))
    if kind == "zoned":
        dtype: Any = pd.api.types.pandas_dtype(spec["type"])
        moments = array.to_numpy().view(f"datetime64[{dtype.unit}]")
        return pd.DatetimeIndex(moments, tz="UTC").tz_convert(dtype.tz)
    if kind == "moments":
        return np.array(array.to_numpy()).view(spec["type"])
    if kind == "numbers":
        return np.array(array.to_numpy(zero_copy_only=False), dtype=spec["type"])
    if kind == "cells":
        return pd.Series([_value(json.loads(text)) for text in array.to_pylist()], dtype=object).array
    dtype = pd.api.types.pandas_dtype(spec["type"])
    return dtype.__from_arrow__(pa.chunked_array([array]))


def _cell(value: Any, depth: int = 0) -> Any:
    """Anything that a cell may be, as JSON: plain values as they are, all else as [type, content]."""
    kind = type(value)
    if kind in (str, bool, int, float) or value is None:
        return value
    if depth > _DEEPEST:
        raise DataError("A column holds lists in lists in lists; save it as plain columns.")
    if isinstance(value, tuple | list):
        return ["tuple" if isinstance(value, tuple) else "list", [_cell(one, depth + 1) for one in value]]
    if kind is dict:
        return ["dict", [[_cell(key, depth + 1), _cell(one, depth + 1)] for key, one in value.items()]]
    if isinstance(value, np.ndarray):
        plain = value.view(np.int64) if value.dtype.kind in "mM" else value
        return ["array", [str(value.dtype), [_cell(one, depth + 1) for one in plain.tolist()]]]
    if isinstance(value, np.generic):
        return ["scalar", _cell(np.array([value]), depth + 1)]
    if kind in _WRITTEN:
        return [kind.__name__, _WRITTEN[kind][0](value)]
    raise DataError(f"A column holds values of type {kind.__name__}, which are no data; save as CSV.")


def _value(cell: Any) -> Any:
    if not isinstance(cell, list):
        return cell
    kind, content = cell
    if kind in ("tuple", "list"):
        return (tuple if kind == "tuple" else list)(_value(one) for one in content)
    if kind == "dict":
        return {_value(key): _value(one) for key, one in content}
    if kind == "array":
        dtype = np.dtype(content[0])
        made = np.empty(len(content[1]), dtype=np.int64 if dtype.kind in "mM" else dtype)
        for at, one in enumerate(content[1]):  # one by one: lists in it stay lists
            made[at] = _value(one)
        return made.view(dtype) if dtype.kind in "mM" else made
    if kind == "scalar":
        return _value(content)[0]
    return _READ[kind](content)


_WRITTEN: dict[type, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    type(pd.NA): (lambda _: None, lambda _: pd.NA),
    type(pd.NaT): (lambda _: None, lambda _: pd.NaT),
    pd.Timestamp: (
        lambda v: [v.as_unit(v.unit).asm8.view("i8").item(), v.unit, None if v.tz is None else str(v.tz)],
        lambda c: _timestamp(*c),
    ),
    pd.Timedelta: (
        lambda v: [v.asm8.view("i8").item(), v.unit],
        lambda c: pd.Timedelta(np.timedelta64(c[0], c[1])).as_unit(c[1]),
    ),
    dt.datetime: (lambda v: v.isoformat(), dt.datetime.fromisoformat),
    dt.date: (lambda v: v.isoformat(), dt.date.fromisoformat),
    dt.time: (lambda v: v.isoformat(), dt.time.fromisoformat),
    dt.timedelta: (
        lambda v: [v.days, v.seconds, v.microseconds],
        lambda c: dt.timedelta(c[0], c[1], c[2]),
    ),
    Decimal: (str, Decimal),
    bytes: (lambda v: base64.b64encode(v).decode(), base64.b64decode),
    complex: (lambda v: [v.real, v.imag], lambda c: complex(c[0], c[1])),
}
_READ = {kind.__name__: read for kind, (_, read) in _WRITTEN.items()}


def _timestamp(number: int, unit: Any, zone: str | None) -> pd.Timestamp:
    moment = pd.Timestamp(np.datetime64(number, unit)).as_unit(unit)
    return moment if zone is None else moment.tz_localize("UTC").tz_convert(zone)
