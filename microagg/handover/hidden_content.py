"""Whether a written file is its table and nothing beside it.

What a reader passes over still leaves the house: further sheets, comments, metadata, labels of values that no
record has, categories, properties. Green needs a file that is, byte for byte, what this program writes for
the promised table, so that nothing else can be in it; where another program wrote it, what its format is
known to hold is looked at, and the rest is amber.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import pandas as pd

from microagg.errors import MicroaggError
from microagg.handover.file_check import Check
from microagg.io.formats import FORMATS
from microagg.io.saving import table_bytes
from microagg.io.table import Beside, Labels, Table
from microagg.model.findings import worst

if TYPE_CHECKING:
    from collections.abc import Iterator

    from microagg.io.dialect import Dialect

_MOST = 6


def beside(written: bytes, table: Table, promised: pd.DataFrame, labels: Labels) -> Check:
    """Look for all that a file holds beside its table.

    Parameters
    ----------
    written : bytes
    table : Table
        As it was read back.
    promised : DataFrame, (n, columns)
    labels : Labels
        Those of the original.

    Returns
    -------
    Check
    """
    name = "Nothing beside the table"
    found = [*table.beside, *_labels(table, labels), *_categories(table.frame)]
    same = as_written(written, table, promised, labels)
    if table.dialect is not None and not same:
        found += _ways(written, table.frame, table.dialect, promised)
    if found:
        shown = ", ".join(one.what for one in found[:_MOST])
        more = f" and {len(found) - _MOST:,} more" if len(found) > _MOST else ""
        why = "It leaves with the file, whether a reader shows it or not."
        return Check(name, worst(one.status for one in found), f"There is more: {shown}{more}.", why)
    if same:
        return Check(name, "green", "The file is, byte for byte, what this program writes for the table.")
    return Check(
        name,
        "amber",
        "Nothing was found, but the file is not byte for byte what this program writes for the table.",
        f"What {FORMATS[table.format].title} files may hold elsewhere cannot all be looked at.",
    )


def as_written(written: bytes, table: Table, promised: pd.DataFrame, labels: Labels) -> bool:
    """Whether a file has the bytes that this program gives the promised table."""
    dialects: list[Dialect | None] = [table.dialect]
    for dialect in dialects if table.dialect is None else [*dialects, None]:
        try:
            if table_bytes(promised, table.format, dialect=dialect, labels=labels) == written:
                return True
        except MicroaggError:  # a format or an encoding that cannot hold the table
            continue
    return False


def _ways(written: bytes, frame: pd.DataFrame, dialect: Dialect, promised: pd.DataFrame) -> Iterator[Beside]:
    """Columns of a text in which one value is written in several ways, such as 0.5 and 0.50."""
    text = io.StringIO(written.decode(dialect.encoding, errors="replace").lstrip("\ufeff"), newline="")
    cells = [row for row in csv.reader(text, delimiter=dialect.delimiter) if row]
    cells = cells[len(cells) - len(frame) :]
    for i, name in enumerate(frame.columns):
        column = frame[name]
        if name in promised and pd.api.types.is_numeric_dtype(promised[name]):
            column = pd.to_numeric(column, errors="coerce")
        texts = pd.Series([row[i] if i < len(row) else "" for row in cells])
        if len(texts) == len(frame):
            pairs = pd.DataFrame({"value": column.to_numpy(), "text": texts}).drop_duplicates()
            if len(pairs) > pairs["value"].nunique(dropna=False):
                yield Beside("red", f"equal values of {name!r} written in several ways")


def _labels(table: Table, original: Labels) -> Iterator[Beside]:
    """Labels of columns that are not the original's, and of values that are not or that no record has."""
    for column, label in table.labels.columns.items():
        if original.columns.get(column) != label:
            yield Beside("red", f"a label of column {column!r} that the original has not")
    occurring = table.labels.occurring(table.frame).values
    for column, labels in table.labels.values.items():
        if unused := len(labels) - len(occurring.get(column, {})):
            what = "a value" if unused == 1 else f"{unused:,} values"
            yield Beside("red", f"labels of {what} of {column!r} that no record has")
        own = original.values.get(column, {})
        if any(own.get(code) != label for code, label in occurring.get(column, {}).items()):
            yield Beside("red", f"value labels of {column!r} that the original has not")


def _categories(frame: pd.DataFrame) -> Iterator[Beside]:
    """Categories that no record has."""
    for name, column in frame.items():
        if not isinstance(column.dtype, pd.CategoricalDtype):
            continue
        unused = len(column.cat.categories) - int(column.nunique())
        if unused:
            what = "a category" if unused == 1 else f"{unused:,} categories"
            yield Beside("red", f"{what} of {name!r} that no record has")
