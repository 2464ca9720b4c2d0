"""Parquet and Feather: typed columns, with the index where pandas wrote the file.

Integers with gaps stay integers (``Int64``): pandas by itself makes them floats, which lose digits above
2⁵³. Column labels live in the fields' metadata under ``label``; other programs read past them.
"""

from __future__ import annotations

import importlib
import io
import json
import re
from decimal import Decimal
from typing import Any

import pandas as pd

from microagg.errors import DataError
from microagg.io.lossless_floats import some_digit_lost
from microagg.io.memory_estimate import refuse_vast
from microagg.io.optional_packages import needed
from microagg.io.table import TEXT, Beside, Labels, Table, simplest, unique_names
from microagg.model.categories import only_used_categories

_LABEL = b"label"
_PANDAS = {"index_columns", "column_indexes", "columns", "attributes", "creator", "pandas_version"}


def read_parquet(data: bytes, name: str, sheet: str | None) -> Table:  # noqa: ARG001 (one table a file)
    """Read a Parquet file."""
    return _table(data, name, "parquet", needed("pyarrow.parquet", "Parquet files").read_table)


def read_feather(data: bytes, name: str, sheet: str | None) -> Table:  # noqa: ARG001 (one table a file)
    """Read a Feather (Arrow IPC) file."""
    return _table(data, name, "feather", needed("pyarrow.feather", "Feather files").read_table)


def write_parquet(frame: pd.DataFrame, labels: Labels) -> bytes:
    """Write a Parquet file."""
    file = io.BytesIO()
    needed("pyarrow.parquet", "Parquet files").write_table(_arrow(frame, labels), file)
    return file.getvalue()


def write_feather(frame: pd.DataFrame, labels: Labels) -> bytes:
    """Write a Feather file."""
    file = io.BytesIO()
    needed("pyarrow.feather", "Feather files").write_feather(_arrow(frame, labels), file)
    return file.getvalue()


def _table(data: bytes, name: str, kind: str, read: Any) -> Table:
    pa = needed("pyarrow", "Arrow files")
    integers = {
        getattr(pa, kind)(): pd.api.types.pandas_dtype(kind.replace("u", "U").replace("i", "I"))
        for kind in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
    }
    if kind == "parquet":
        promised = needed("pyarrow.parquet", "Parquet files").read_metadata(io.BytesIO(data))
        refuse_vast(name, 8.0 * promised.num_rows * promised.num_columns)
    importlib.import_module("pandas.core.arrays.arrow.extension_types")  # else periods are read as numbers
    arrow = read(io.BytesIO(data))
    arrow.validate(full=True)  # offsets that lead elsewhere would read foreign memory as text
    frame = arrow.to_pandas(types_mapper=integers.get)
    labelled = {
        f.name: f.metadata[_LABEL].decode() for f in arrow.schema if f.metadata and _LABEL in f.metadata
    }
    names, notes = unique_names(frame.columns)
    columns = [simplest(_plain_cells(frame.iloc[:, i])) for i in range(frame.shape[1])]
    notes += tuple(
        f"Column {name!r} has more digits than a number holds and is read as text."
        for i, (name, column) in enumerate(zip(names, columns, strict=True))
        if _decimals(frame.iloc[:, i]) and not pd.api.types.is_numeric_dtype(column)
    )
    frame = pd.DataFrame(dict(zip(names, columns, strict=True)), index=frame.index)
    beside = _beside(arrow.schema, promised.metadata if kind == "parquet" else None)
    return Table(frame, name, kind, labels=Labels(labelled), notes=notes, beside=beside)


def _beside(schema: Any, of_file: Any) -> tuple[Beside, ...]:
    """What the metadata hold but pandas' description of the columns and their labels."""
    found = dict(of_file or {}) | dict(schema.metadata or {})
    pandas = found.pop(b"pandas", b"")
    found.pop(b"ARROW:schema", None)
    keys = [key.decode(errors="replace")[:40] for key in found]
    beside = [Beside("red", f"metadata {key!r}") for key in keys]
    try:
        described = json.loads(pandas or b"{}")
        if described.get("attributes") or set(described) - _PANDAS:
            beside.append(Beside("red", "attributes of pandas (df.attrs)"))
    except (ValueError, AttributeError):
        beside.append(Beside("red", "metadata that call themselves pandas' and are not"))
    more = [f.name for f in schema if set(f.metadata or {}) - {_LABEL, b"PARQUET:field_id"}]
    return (*beside, *(Beside("red", f"metadata of column {name!r}") for name in more))


def _plain_cells(column: pd.Series[Any]) -> pd.Series[Any]:
    """Decimal numbers, which pandas has no type for, as floats; as text where a float would round one."""
    if not _decimals(column):
        return column
    texts = column.map(str, na_action="ignore")
    return texts.astype(TEXT) if some_digit_lost(texts.dropna().unique()) else column.astype("float64")


def _decimals(column: pd.Series[Any]) -> bool:
    return column.dtype == object and {type(value) for value in column.dropna()} == {Decimal}


def _arrow(frame: pd.DataFrame, labels: Labels) -> Any:
    pa = needed("pyarrow", "Arrow files")
    try:
        table = pa.Table.from_pandas(only_used_categories(frame))
    except pa.ArrowException as error:
        found = re.search("for column (.+) with type", str(error))  # all else may quote a cell
        what = f"column {found[1]!r}" if found else "the table"
        raise DataError(f"Arrow has no type that holds {what}; save as CSV.") from None
    fields = [
        f.with_metadata({_LABEL: labels.columns[f.name].encode()}) if f.name in labels.columns else f
        for f in table.schema
    ]
    return table.cast(pa.schema(fields, metadata=table.schema.metadata))
