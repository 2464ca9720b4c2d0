"""R data: .rds holds one object, .rda several by name; a data frame among them is the table.

Factors come as categories, dates as dates, R's integers as integers (``Int64`` where some are missing). Row
names are kept as index unless they only count. Out again, integers beyond R's 32 bits become floating
numbers, as in R itself, and dates become text; files are packed with bzip2, which records no time.
"""

from __future__ import annotations

import io
import re
import warnings
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from microagg.errors import DataError
from microagg.io.memory_estimate import unpacked
from microagg.io.memory_file import nameless
from microagg.io.optional_packages import needed
from microagg.io.table import Beside, Labels, Table, simplest, unique_names
from microagg.model.categories import only_used_categories

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_TIMES = 4.0  # bytes in memory for a byte of an unpacked file


def read_rds(data: bytes, name: str, sheet: str | None) -> Table:  # noqa: ARG001 (one object a file)
    """Read the data frame of an .rds file."""
    content, notes = _read("read_rds", unpacked(data, name, _TIMES))
    return _table({name: content}, name, "rds", None, notes)


def read_rda(data: bytes, name: str, sheet: str | None) -> Table:
    """Read a data frame of an .rda file; the first where none is named."""
    content, notes = _read("read_rda", unpacked(data, name, _TIMES))
    return _table(content, name, "rda", sheet, notes)


def write_rds(frame: pd.DataFrame, labels: Labels) -> bytes:  # noqa: ARG001 (no labels in a data frame)
    """Write an .rds file."""
    return _written("write_rds", _for_r(frame))


def write_rda(frame: pd.DataFrame, labels: Labels) -> bytes:  # noqa: ARG001 (no labels in a data frame)
    """Write an .rda file that holds one object, ``data``."""
    return _written("write_rda", {"data": _for_r(frame)})


def _read(function: str, data: bytes) -> tuple[Any, tuple[str, ...]]:
    """The file's content, and a note for each class that only its plain values are known of."""
    rdata = needed("rdata", "R files")
    known = {**rdata.conversion.DEFAULT_CLASS_MAP, "Date": _moments("D"), "POSIXct": _moments("s")}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        content = getattr(rdata, function)(io.BytesIO(data), constructor_dict=known)
    classes = {match[1] for one in caught if (match := re.search('R class "(.+?)"', str(one.message)))}
    return content, tuple(
        f"R's class {name!r} is read as plain values, without labels." for name in sorted(classes)
    )


def _moments(unit: Literal["D", "s"]) -> Callable[[Any, Any], pd.DatetimeIndex]:
    """How R's days or seconds since 1970 become dates."""

    def convert(values: Any, _: Any) -> pd.DatetimeIndex:
        numbers = pd.Index(np.ma.filled(np.ma.asarray(values, dtype=np.float64), np.nan))
        return pd.to_datetime(numbers, unit=unit)

    return convert


def _table(
    objects: Mapping[str, Any], name: str, kind: str, sheet: str | None, notes: tuple[str, ...]
) -> Table:
    frames = {key: value for key, value in objects.items() if isinstance(value, pd.DataFrame)}
    if not frames:
        raise DataError(f"{name}: there is no data frame in this R file.")
    chosen = sheet or next(iter(frames))
    if chosen not in frames:
        raise DataError(f"{name}: there is no data frame {chosen!r}; there are {', '.join(frames)}.")
    frame = frames[chosen]
    names, renamed = unique_names(frame.columns)
    counting = [str(label) for label in frame.index] in (
        [str(i) for i in range(len(frame))],
        [str(i + 1) for i in range(len(frame))],
    )
    index = pd.RangeIndex(len(frame)) if counting else frame.index
    columns = {column: simplest(frame.iloc[:, i].set_axis(index)) for i, column in enumerate(names)}
    others = tuple(key for key in frames if key != chosen)
    sheets = (chosen, *others) if others else ()
    beside = tuple(Beside("red", f"the object {key!r}") for key in objects if key != chosen)
    return Table(
        pd.DataFrame(columns, index=index),
        name,
        kind,
        notes=(*notes, *renamed),
        sheets=sheets,
        beside=beside,
    )


def _for_r(frame: pd.DataFrame) -> pd.DataFrame:
    frame = only_used_categories(frame)
    index = pd.RangeIndex(1, len(frame) + 1)
    counted = isinstance(frame.index, pd.RangeIndex)
    labels = index if counted else pd.Index(frame.index.to_flat_index().astype(str), dtype=object)
    columns = {str(name): _column(frame[name]).set_axis(labels) for name in frame.columns}
    return pd.DataFrame(columns, index=labels)


def _column(column: pd.Series[Any]) -> pd.Series[Any]:
    if isinstance(column.dtype, pd.CategoricalDtype) and not column.isna().any():
        levels = [str(category) for category in column.cat.categories]  # those of a factor are text
        if len(set(levels)) == len(levels):
            return column.cat.rename_categories(levels)
    plain = isinstance(column.dtype, np.dtype)
    if pd.api.types.is_bool_dtype(column):
        return column if plain else column.astype("boolean")
    if pd.api.types.is_float_dtype(column):
        return column.astype("float64" if plain else "Float64")
    if pd.api.types.is_integer_dtype(column):
        present = column.dropna()
        largest = max(abs(int(present.min())), abs(int(present.max()))) if len(present) else 0
        if largest >= 2**53:
            raise DataError(f"Column {column.name!r} has integers of more digits than R holds; save as CSV.")
        return column.astype("Int32" if largest < 2**31 else "float64")
    missing = column.isna()
    return column.astype(str).astype(pd.StringDtype("python")).mask(missing)


def _written(function: str, content: Any) -> bytes:
    rdata = needed("rdata", "R files")
    with nameless() as path:
        try:
            getattr(rdata, function)(path, content, compression="bzip2")
        except ValueError as error:
            kind = type(error).__name__  # its text may quote a cell
            raise DataError(f"R files cannot hold this table ({kind}); save as CSV.") from None
        return path.read_bytes()
