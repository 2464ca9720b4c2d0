"""R data: .rds holds one object, .rda several by name; a data frame among them is the table.

Factors come as categories, R's integers as integers (``Int64`` where some are missing). Row names are kept
as index unless they only count. Out again, integers beyond R's 32 bits become floating numbers, as in R
itself, and dates become text; files are packed with bzip2, which records no time.
"""

from __future__ import annotations

import io
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from microagg.errors import DataError
from microagg.io.optional import needed
from microagg.io.table import Labels, Table, simplest, unique_names

if TYPE_CHECKING:
    from collections.abc import Mapping


def read_rds(data: bytes, name: str, sheet: str | None) -> Table:  # noqa: ARG001 (one object a file)
    """Read the data frame of an .rds file."""
    return _table({name: _read("read_rds", data, name)}, name, "rds", None)


def read_rda(data: bytes, name: str, sheet: str | None) -> Table:
    """Read a data frame of an .rda file; the first where none is named."""
    return _table(_read("read_rda", data, name), name, "rda", sheet)


def write_rds(frame: pd.DataFrame, labels: Labels) -> bytes:  # noqa: ARG001 (no labels in a data frame)
    """Write an .rds file."""
    return _written("write_rds", _for_r(frame))


def write_rda(frame: pd.DataFrame, labels: Labels) -> bytes:  # noqa: ARG001 (no labels in a data frame)
    """Write an .rda file that holds one object, ``data``."""
    return _written("write_rda", {"data": _for_r(frame)})


def _read(function: str, data: bytes, name: str) -> Any:
    rdata = needed("rdata", "R files")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # classes that rdata does not know come as their plain values
            return getattr(rdata, function)(io.BytesIO(data))
    except Exception as error:  # noqa: BLE001 (a damaged file fails in many ways inside the parser)
        raise DataError(f"{name}: this R file cannot be read ({error or type(error).__name__}).") from None


def _table(objects: Mapping[str, Any], name: str, kind: str, sheet: str | None) -> Table:
    frames = {key: value for key, value in objects.items() if isinstance(value, pd.DataFrame)}
    if not frames:
        raise DataError(f"{name}: there is no data frame in this R file.")
    chosen = sheet or next(iter(frames))
    if chosen not in frames:
        raise DataError(f"{name}: there is no data frame {chosen!r}; there are {', '.join(frames)}.")
    frame = frames[chosen]
    names, notes = unique_names(frame.columns)
    counting = [str(label) for label in frame.index] in (
        [str(i) for i in range(len(frame))],
        [str(i + 1) for i in range(len(frame))],
    )
    index = pd.RangeIndex(len(frame)) if counting else frame.index
    columns = {column: simplest(frame.iloc[:, i].set_axis(index)) for i, column in enumerate(names)}
    others = tuple(key for key in frames if key != chosen)
    sheets = (chosen, *others) if others else ()
    return Table(pd.DataFrame(columns, index=index), name, kind, notes=notes, sheets=sheets)


def _for_r(frame: pd.DataFrame) -> pd.DataFrame:
    index = pd.RangeIndex(1, len(frame) + 1)
    labels = (
        index if isinstance(frame.index, pd.RangeIndex) else pd.Index(frame.index.astype(str), dtype=object)
    )
    columns = {str(name): _column(frame[name]).set_axis(labels) for name in frame.columns}
    return pd.DataFrame(columns, index=labels)


def _column(column: pd.Series[Any]) -> pd.Series[Any]:
    factor = isinstance(column.dtype, pd.CategoricalDtype) and not column.isna().any()
    if pd.api.types.is_bool_dtype(column) or pd.api.types.is_float_dtype(column) or factor:
        return column
    if pd.api.types.is_integer_dtype(column):
        largest = column.dropna().abs().max()
        if largest >= 2**53:
            raise DataError(f"Column {column.name!r} has integers of more digits than R holds; save as CSV.")
        return column.astype("Int32" if largest < 2**31 else "float64")
    missing = column.isna()
    return column.astype(str).astype(pd.StringDtype("python")).mask(missing)


def _written(function: str, content: Any) -> bytes:
    rdata = needed("rdata", "R files")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table"
        try:
            getattr(rdata, function)(path, content, compression="bzip2")
        except (AssertionError, NotImplementedError, TypeError, ValueError) as error:
            raise DataError(f"R files cannot hold this table: {error}.") from None
        return path.read_bytes()
