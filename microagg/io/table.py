"""What a file held once read: the columns, how they were written, and what was guessed on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from microagg.model.column_limit import refuse_wide
from microagg.model.safe_repr import discreet

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from microagg.io.dialect import Dialect
    from microagg.model.findings import Status
    from microagg.model.roles import Scale

TEXT = pd.Series(["text"]).dtype


@dataclass(frozen=True)
class Labels:
    """Words that statistical files keep beside names and codes.

    Parameters
    ----------
    columns : mapping of str to str
        What a column means: ``{"v12": "Monthly rent, euro"}``.
    values : mapping of str to mapping
        What a column's codes mean: ``{"sex": {1: "female", 2: "male"}}``.
    measures : mapping of str to str
        A column's scale where the file says that its values are names or grades: "nominal", "ordinal".
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[Any, str]] = field(default_factory=dict)
    measures: Mapping[str, Scale] = field(default_factory=dict)

    __repr__ = discreet

    def only(self, columns: Iterable[str]) -> Labels:
        """Labels of these columns alone."""
        kept = set(columns)
        return Labels(
            {name: label for name, label in self.columns.items() if name in kept},
            {name: labels for name, labels in self.values.items() if name in kept},
            {name: measure for name, measure in self.measures.items() if name in kept},
        )

    def occurring(self, frame: pd.DataFrame) -> Labels:
        """Labels of the frame's columns, and of the values that stand in them: others tell what was replaced.

        Examples
        --------
        >>> grades = Labels(values={"grade": {1: "good", 77: "refused"}})
        >>> grades.occurring(pd.DataFrame({"grade": [1.0, 2.0]})).values
        {'grade': {1: 'good'}}
        """
        labels = self.only(map(str, frame.columns))
        values = {}
        for name, own in labels.values.items():
            there = set(frame[name].dropna().unique().tolist())
            if kept := {code: label for code, label in own.items() if code in there}:
                values[name] = kept
        return Labels(labels.columns, values, labels.measures)


class Beside(NamedTuple):
    """Something that a file holds beside its table.

    Parameters
    ----------
    status : {"red", "amber"}
        Red where it may tell of records, amber where it may tell of whoever wrote the file.
    what : str
        What it is, for a list in a sentence; never a value.
    """

    status: Status
    what: str


@dataclass(frozen=True, eq=False)
class Table:
    """A file read into columns.

    Parameters
    ----------
    frame : DataFrame, (n, columns)
        Records count by position. The index is the file's own where its format has one, else 0…n−1.
    name : str
        The file's name without folder and ending.
    format : str
        A key of `microagg.io.formats.FORMATS`, such as "csv".
    dialect : Dialect or None
        How the text was written; None for formats that are not text.
    labels : Labels
        Column and value labels; empty where the format has none.
    notes : tuple of str
        What was changed or guessed, one plain sentence each.
    sheets : tuple of str
        The sheets or objects that the file offers, the one that was read first.
    beside : tuple of Beside
        What else is in the file, as far as its format says so.
    """

    frame: pd.DataFrame
    name: str
    format: str = "csv"
    dialect: Dialect | None = None
    labels: Labels = field(default_factory=Labels)
    notes: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    beside: tuple[Beside, ...] = ()

    __repr__ = discreet


def unique_names(raw: Iterable[object]) -> tuple[list[str], tuple[str, ...]]:
    """Names that are there and differ, with a note for each that had to be changed; O(columns).

    Raises
    ------
    DataError
        More columns than a table may have.

    Examples
    --------
    >>> unique_names(["age", "", "age"])[0]
    ['age', 'column 2', 'age (2)']
    """
    given = ["" if name is None else str(name).replace("\ufeff", "").strip() for name in raw]
    refuse_wide("The table", len(given))
    there = set(given)
    tried: dict[str, int] = {}  # the last number after each name, so that many alike take no longer each
    taken: set[str] = set()
    names, notes = [], []
    for position, wanted in enumerate(given, start=1):
        base = name = wanted or f"column {position}"
        while name in taken or (name != wanted and name in there):
            tried[base] = tried.get(base, 1) + 1
            name = f"{base} ({tried[base]})"
        taken.add(name)
        names.append(name)
        if name != wanted:
            reason = f"has the same name as another, {wanted!r}" if wanted else "has no name"
            notes.append(f"Column {position} {reason}; it is called {name!r}.")
    return names, tuple(notes)


def simplest(column: pd.Series[Any]) -> pd.Series[Any]:
    """Return NumPy's type where it can hold the values, as pandas users expect; else ``Int64``.

    Examples
    --------
    >>> simplest(pd.Series([1, 2], dtype="Int64")).dtype, simplest(pd.Series([1, None], dtype="Int64")).dtype
    (dtype('int64'), Int64Dtype())
    """
    if isinstance(column.dtype, pd.StringDtype):
        return column.astype(TEXT)
    if not pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column):
        return column
    missing = column.isna()
    if pd.api.types.is_float_dtype(column) or missing.all():
        values: np.ndarray[Any, Any] = column.to_numpy(np.float64, na_value=np.nan)
    elif missing.any():
        return column.astype("UInt64" if pd.api.types.is_unsigned_integer_dtype(column) else "Int64")
    else:
        values = column.to_numpy(np.uint64 if pd.api.types.is_unsigned_integer_dtype(column) else np.int64)
    return pd.Series(values, index=column.index, name=column.name)


def whole(column: pd.Series[Any]) -> pd.Series[Any]:
    """Floating numbers without a fraction as integers, where a file says that they are.

    Examples
    --------
    >>> whole(pd.Series([1.0, None])).tolist()
    [1, <NA>]
    """
    numbers = column.to_numpy(np.float64, na_value=np.nan)
    present = numbers[~np.isnan(numbers)]
    if not len(present) or not (present == np.round(present)).all() or np.abs(present).max() >= 2.0**53:
        return column
    return simplest(pd.Series(pd.array(numbers).astype("Int64"), index=column.index, name=column.name))
