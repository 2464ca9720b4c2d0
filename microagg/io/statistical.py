"""Stata (.dta), SPSS (.sav) and SAS (.xpt; .sas7bdat only in), with the labels of columns and values.

These files hold floating numbers and say by a storage type or a display format without decimals which are
integers; that is honoured both ways. Dates are seconds, days or milliseconds as floating numbers, good to a
millisecond; what they cannot hold is written as text (`microagg.model.dates`). Values that the file itself
declares missing are read as missing, which a note says. The moment of writing, which the formats record, is
blanked: the same frame, the same bytes.
"""

from __future__ import annotations

import datetime as dt
import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from microagg.errors import DataError
from microagg.io.memory_estimate import refuse_vast
from microagg.io.memory_file import nameless
from microagg.io.optional_packages import needed
from microagg.io.table import TEXT, Beside, Labels, Table, simplest, unique_names, whole
from microagg.model.dates import fitted, whole_milliseconds

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class _Kind:
    """What differs between the formats."""

    title: str
    reader: str
    writer: str
    options: Mapping[str, Any]
    whole_format: str  # the display format that marks an integer column
    moment: bytes  # pattern of the times in a file's head, and what stands there instead
    blank: bytes


KINDS = {
    "stata": _Kind(
        "Stata files",
        "read_dta",
        "write_dta",
        {"version": 15},
        "%16.0f",
        rb"(?<=<timestamp>\x11)\d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d",
        b"01 Jan 1980 00:00",
    ),
    "spss": _Kind(
        "SPSS files",
        "read_sav",
        "write_sav",
        {},
        "F16.0",
        rb"\d\d [A-Z][a-z]{2} \d\d\d\d:\d\d:\d\d",
        b"01 Jan 8000:00:00",
    ),
    "xport": _Kind(
        "SAS transport files",
        "read_xport",
        "write_xport",
        {"file_format_version": 8},
        "F16.0",
        rb"\d\d[A-Z]{3}\d\d:\d\d:\d\d:\d\d",
        b"01JAN80:00:00:00",
    ),
    "sas": _Kind("SAS files", "read_sas7bdat", "", {}, "", b"", b""),
}
_WHOLE = re.compile(r"int(8|16|32|64)|F\d+(\.0)?|%\d+\.0f")


def read_statistical(data: bytes, name: str, kind: str) -> Table:
    """Read a file of one of the `KINDS`."""
    chosen = KINDS[kind]
    pyreadstat = needed("pyreadstat", chosen.title)
    read = getattr(pyreadstat, chosen.reader)
    promised = read(io.BytesIO(data), metadataonly=True)[1]
    refuse_vast(name, 16.0 * (promised.number_rows or 0) * promised.number_columns)
    frame, meta = read(io.BytesIO(data))
    spss = kind == "spss"
    declared = read(io.BytesIO(data), metadataonly=True, user_missing=True)[1] if spss else meta
    names, notes = unique_names(frame.columns)
    columns = {
        column: _column(
            frame.iloc[:, i],
            meta.readstat_variable_types.get(original),
            meta.original_variable_types.get(original),
        )
        for i, (column, original) in enumerate(zip(names, frame.columns, strict=True))
    }
    if declared.missing_ranges:
        columns_with = ", ".join(declared.missing_ranges)
        notes += (f"Values that the file declares missing are read as missing, in {columns_with}.",)
    labels = Labels(
        {column: label for column, label in meta.column_names_to_labels.items() if label},
        {column: dict(values) for column, values in meta.variable_value_labels.items()},
        {c: measure for c, measure in meta.variable_measure.items() if measure in ("nominal", "ordinal")},
    )
    return Table(
        pd.DataFrame(columns), name, kind, labels=labels, notes=notes, beside=_beside(meta, declared)
    )


def _beside(meta: Any, declared: Any) -> tuple[Beside, ...]:
    """What the file says beside columns and the labels of columns and values."""
    attached = set(meta.variable_to_label.values())
    there = {
        "a label of the file": meta.file_label,
        "notes": any(str(note).strip() for note in meta.notes or ()),
        "values that it declares missing": declared.missing_ranges or declared.missing_user_values,
        "sets of answers": getattr(meta, "mr_sets", None),
        "value labels of no column": set(meta.value_labels or {}) - attached,
    }
    return tuple(Beside("red", what) for what, found in there.items() if found)


def write_statistical(frame: pd.DataFrame, labels: Labels, kind: str) -> bytes:
    """Write a file of one of the `KINDS`.

    Raises
    ------
    DataError
        A name or value that the format does not allow; the message of the library says which.
    """
    chosen = KINDS[kind]
    pyreadstat = needed("pyreadstat", chosen.title)
    frame = fitted(frame, kind)
    columns = {str(column): _stored(frame[column], kind) for column in frame.columns}
    formats = {str(column): chosen.whole_format for column in frame.columns if _is_integer(frame[column])}
    options = {**chosen.options, "column_labels": dict(labels.columns), "variable_format": formats}
    if kind != "xport":
        options["variable_value_labels"] = {name: dict(values) for name, values in labels.values.items()}
    if kind == "spss":
        options["variable_measure"] = dict(labels.measures)
    with nameless() as path:
        try:
            getattr(pyreadstat, chosen.writer)(pd.DataFrame(columns), str(path), **options)
        except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError) as error:
            raise DataError(f"{chosen.title} cannot hold this table: {str(error).rstrip('.')}.") from None
        except ValueError:  # whose text may quote a cell
            raise DataError(f"{chosen.title} cannot hold this table; save as CSV.") from None
        written = path.read_bytes()
    return re.sub(chosen.moment, chosen.blank, written[:1024]) + written[1024:]


def _column(column: pd.Series[Any], storage: str | None, display: str | None) -> pd.Series[Any]:
    if isinstance(column.dtype, pd.StringDtype) or (storage == "string" and column.dtype == object):
        return column.astype(TEXT).replace("", np.nan)
    if column.dtype == object and {type(value) for value in column.dropna()} <= {dt.date, dt.datetime}:
        return pd.to_datetime(column)
    if pd.api.types.is_datetime64_any_dtype(column):
        return whole_milliseconds(column)
    if _WHOLE.fullmatch(storage or "") or _WHOLE.fullmatch(display or ""):
        return whole(column)
    return simplest(column)


def _within(column: pd.Series[Any], kind: str) -> pd.Series[Any]:
    """Floating numbers, where the format has them: SAS transport files would make others infinite or zero."""
    if kind == "xport" and pd.api.types.is_float_dtype(column):
        size = column.dropna().abs()
        if not ((size == 0) | ((size > 1e-78) & (size < 1e75))).all():
            raise DataError(
                f"Column {column.name!r} has numbers too large or too close to zero for SAS transport files; "
                "save as CSV."
            )
    return column


def _stored(column: pd.Series[Any], kind: str) -> pd.Series[Any]:
    """Integers in 32 bits, where they fit: the widest integer that these formats know."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.astype(object)
    if not _is_integer(column):
        return _within(column, kind)
    largest = column.dropna().abs().max()
    if largest >= 2**53:
        raise DataError(
            f"Column {column.name!r} has integers of more digits than the format holds; save as CSV."
        )
    if largest > 2**31 - 28:  # Stata keeps the last 27 for missing
        return column.astype("float64")
    return column.astype("Int32" if column.isna().any() else "int32")


def _is_integer(column: pd.Series[Any]) -> bool:
    return pd.api.types.is_integer_dtype(column)
