"""Which row of a released file is whose, and what of the two files says so.

Rows are matched by an index that both files have, by a column that names each record, by the order that a
plan gives, or, where nothing else is there, by position. A match by position is a guess until something
confirms it: the columns that stand unchanged in both files. They confirm it for every record that they tell
from all others; where a column holds the same values in other rows, they disprove it, and measures would
count the gaps between strangers as safety. O(n log n) a column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from microagg.assessment.equal_cells import alike
from microagg.errors import DataError
from microagg.measures.anonymity import class_sizes
from microagg.model import phrases
from microagg.model.categories import distinguished
from microagg.model.safe_repr import discreet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microagg.kernels.compiled import IntArray
    from microagg.model.microdata import Microdata

WAYS = ("index", "position")


@dataclass(frozen=True, eq=False)
class Aligned:
    """The record of the original in each row of a released file.

    Parameters
    ----------
    rows : (m,) int64
        Positions in the original, none twice.
    named : bool
        Whether names of records say so; else only where they stand.
    """

    rows: IntArray
    named: bool

    __repr__ = discreet


def aligned(original: Microdata, protected: Microdata, by: str) -> Aligned:
    """Find each released row's record.

    Parameters
    ----------
    original, protected : Microdata
    by : str
        "index", "position", or a column that names each record in both files.

    Returns
    -------
    Aligned
        Under "index" by position where neither file has one but the numbers of its rows.

    Raises
    ------
    DataError
        The column or index is not in both files, names a record twice, or one that the original has not;
        there is none, and the files differ in length.
    """
    if by == "position":
        return _by_position(original, protected)
    if by != "index":
        for data in (original, protected):
            if by not in data.frame.columns:
                raise DataError(f"{data.name} has no column {by!r} to align the rows by.")
        named = f"column {by!r}"
        return _by_name(original, protected, original.frame[by], protected.frame[by], named)
    if _named(protected):
        before, after = (data.frame.index.to_series() for data in (original, protected))
        return _by_name(original, protected, before, after, "the index")
    if _named(original):
        raise DataError(
            f"{original.name} has an index and {protected.name} has none, so that nothing says which row is "
            "whose; align by a column that both have, or by position where the rows are in the same order."
        )
    return _by_position(original, protected)


def _named(data: Microdata) -> bool:
    """Whether the index says more than where a row stands; a slice or a reversed file keeps its numbers."""
    index = data.frame.index
    return any(name is not None for name in index.names) or not index.equals(pd.RangeIndex(len(index)))


def _by_position(original: Microdata, protected: Microdata) -> Aligned:
    if len(original) != len(protected):
        raise DataError(
            f"{original.name} has {len(original)} records and {protected.name} has {len(protected)}; give "
            "the plan, or a column that names the records in both, to tell which are the same."
        )
    return Aligned(np.arange(len(original)), named=False)


def _by_name(
    original: Microdata, protected: Microdata, before: pd.Series[Any], after: pd.Series[Any], what: str
) -> Aligned:
    for data, names in ((original, before), (protected, after)):
        if names.isna().any():
            raise DataError(f"In {data.name}, {what} does not name every record; align by another column.")
        if not names.is_unique:
            raise DataError(f"In {data.name}, {what} names several records alike; align by another column.")
    if pd.api.types.is_numeric_dtype(before) != pd.api.types.is_numeric_dtype(after):
        before, after = before.astype(str), after.astype(str)
    rows = pd.Index(before).get_indexer(pd.Index(after))
    unknown = int((rows < 0).sum())
    if unknown:
        raise DataError(
            f"{what[:1].upper()}{what[1:]} names {unknown} records of {protected.name} that {original.name} "
            "has not; align by another column, or by position where the rows are in the same order."
        )
    return Aligned(np.asarray(rows, dtype=np.int64), named=True)


def confirmed(
    before: pd.DataFrame, after: pd.DataFrame, names: Sequence[str], *, refuse: bool, how: str
) -> tuple[str, ...]:
    """Hold a match of rows against the columns that should stand unchanged in both files.

    Parameters
    ----------
    before, after : DataFrame, (m, …)
        Rows matched.
    names : sequence of str
        Columns of both that were not to be changed.
    refuse : bool
        Whether a match that these columns disprove is refused; else it is noted.
    how : str
        How rows were matched, for a sentence; empty where names of records say so.

    Returns
    -------
    tuple of str
        What the reader of the measures should know, one sentence each.

    Raises
    ------
    DataError
        A column holds the same values in other rows.
    """
    agreeing: list[str] = []
    moved: list[str] = []
    changed: list[str] = []
    for name in names:
        if alike(before[name], after[name]).all():
            agreeing.append(name)
        else:
            (moved if same_values(before[name], after[name]) else changed).append(name)
    if moved and refuse:
        raise DataError(
            f"The rows stand in another order: {listed(moved)} holds the same values in other rows. Give the "
            "plan that the file was released by, or align by a column that names the records, or by position "
            "where values were exchanged on purpose."
        )
    notes = []
    if how:
        alone = class_sizes(distinguished([before[name] for name in agreeing])) if agreeing else None
        together = len(before) if alone is None else int((alone > 1).sum())
        if alone is None or alone.min() == len(before):
            notes.append(f"Rows are matched by {how}: nothing in the files confirms it.")
        elif together:
            notes.append(
                f"Rows are matched by {how}: {listed(agreeing)} agrees in every row, but {together:,} of "
                f"{len(before):,} records share these values with others and may stand in each other's place."
            )
    if moved:
        notes.append(f"Not compared: {listed(moved)}, with the same values in other rows.")
    if changed:
        notes.append(f"Not compared: {listed(changed)}, changed in the released file.")
    return tuple(notes)


def same_values(before: pd.Series[Any], after: pd.Series[Any]) -> bool:
    """Whether two columns hold the same values as often, in whatever rows.

    Examples
    --------
    >>> same_values(pd.Series([1.5, 2.0, None]), pd.Series(["2", None, "1.50"]))
    True
    >>> same_values(pd.Series(["a", "a", "b"]), pd.Series(["a", "b", "b"]))
    False
    """
    if len(before) != len(after) or int(before.isna().sum()) != int(after.isna().sum()):
        return False
    one, other = before.dropna(), after.dropna()
    numbers = [pd.to_numeric(column, errors="coerce") for column in (one, other)]
    if all(column.notna().all() for column in numbers):
        one, other = numbers
    else:
        one, other = one.astype(str), other.astype(str)
    sides = [column.sort_values().reset_index(drop=True) for column in (one, other)]
    return bool(alike(*sides).all())


def listed(names: Sequence[str]) -> str:
    """Names for a sentence, the first five of them."""
    return phrases.listed([repr(name) for name in names], 5)
