"""Arrays as measures take them: numbers, none missing, row for row and column for column the same records.

Every public measure asks here before it counts. A wrong shape would be broadcast, a missing value compares
equal to nothing, and both come out as "no risk"; whatever is not two files of the same records is refused.
DataFrames are welcome, and then their index and columns must agree too: positions are never compared where
names say otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from microagg.errors import DataError, PlanError
from microagg.model.arguments import shown, whole_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from microagg.kernels.compiled import FloatArray, IntArray

Sets: TypeAlias = tuple[tuple[int, ...], ...]
"""Positions of the attributes in each of several sets."""


def records(values: Any, what: str, *, missing: bool = False, none: bool = False) -> FloatArray:
    """Read records × attributes.

    Parameters
    ----------
    values : (n, p) array-like or DataFrame of numbers
    what : str
        How a message calls it.
    missing : bool
        Whether missing values (nan) are values like any other.
    none : bool
        Whether there may be no attribute, p = 0.

    Returns
    -------
    (n, p) float64, n ≥ 1, C-contiguous; the array itself where it is that already

    Raises
    ------
    DataError
        It is no table of numbers, holds no record, or values that are missing or infinite.

    Examples
    --------
    >>> records([[1, 2], [3, 4]], "original").tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    read = _numbers(values, what)
    if read.ndim != 2:
        raise DataError(
            f"{what} has {read.ndim} dimensions, not two: records × attributes, n × 1 for one attribute."
        )
    if not len(read) or not (read.shape[1] or none):
        raise DataError(f"{what} holds no {'attribute' if len(read) else 'record'}.")
    usable = np.isfinite(read)
    if missing:
        usable |= np.isnan(read)
    if not usable.all():
        row, column = np.argwhere(~usable)[0]
        raise DataError(
            f"{what} has {int((~usable).sum())} values that are missing or infinite, the "
            f"first in record {row + 1}, attribute {column + 1}; fill them or leave those records out."
        )
    return np.ascontiguousarray(read)  # sums depend on the order in memory, in their last digit


def counterparts(original: Any, protected: Any, *, none: bool = False) -> tuple[FloatArray, FloatArray]:
    """Read two files whose rows are the same records and whose columns are the same attributes.

    Parameters
    ----------
    original, protected : (n, p) array-like or DataFrame of finite numbers
    none : bool
        Whether there may be no attribute, p = 0.

    Returns
    -------
    original, protected : (n, p) float64

    Raises
    ------
    DataError
        As `records`, they differ in shape, or they are DataFrames with different columns or index.

    Examples
    --------
    >>> counterparts([[1.0], [2.0]], [[1.5]])
    Traceback (most recent call last):
    ...
    microagg.errors.DataError: original is 2 × 1 and protected is 1 × 1; they must be the same records.
    """
    before, after = records(original, "original", none=none), records(protected, "protected", none=none)
    if before.shape != after.shape:
        (n, p), (m, q) = before.shape, after.shape
        raise DataError(f"original is {n} × {p} and protected is {m} × {q}; they must be the same records.")
    framed = all(hasattr(side, "columns") for side in (original, protected))
    for axis in ("columns", "index") if framed else ():
        here, there = getattr(original, axis, None), getattr(protected, axis, None)
        if here is not None and there is not None and list(here) != list(there):
            raise DataError(
                f"original and protected have different {axis}, or in another order; compare aligns them."
            )
    return before, after


def groups(labels: Any, n: int) -> IntArray:
    """Read the group of each record.

    Parameters
    ----------
    labels : (n,) array-like of whole numbers
    n : int

    Returns
    -------
    (n,) int64

    Raises
    ------
    DataError
        They are not one whole number a record.

    Examples
    --------
    >>> groups([0, 1.0, 1], 3).tolist()
    [0, 1, 1]
    """
    read = _numbers(labels, "labels")
    if read.shape != (n,):
        raise DataError(f"labels have the shape {read.shape}; there must be one for each of {n} records.")
    if not (np.isfinite(read) & (read == np.round(read))).all():
        raise DataError("labels must be whole numbers, none of them missing.")
    return np.asarray(labels).astype(np.int64)


def positions(columns: Iterable[Any], p: int, what: str = "columns") -> tuple[int, ...]:
    """Read positions of attributes, or of records, counted from 0; at least one.

    Raises
    ------
    PlanError
        There is none, or one that is no whole number in 0…p − 1.

    Examples
    --------
    >>> positions([np.int64(2), 0], 3)
    (2, 0)
    """
    if isinstance(columns, str) or not hasattr(columns, "__iter__"):
        raise PlanError(f"{what} is {shown(columns)}; it must be a list of positions, counted from 0.")
    read = tuple(whole_number(one, f"A position in {what}", least=0) for one in columns)
    if not read:
        raise PlanError(f"{what} names nothing; name at least one by its position.")
    if max(read) >= p:
        raise PlanError(f"{what} names position {max(read)}; there are {p}, counted from 0.")
    return read


def known_sets(sets: Iterable[Iterable[Any]], p: int) -> Sets:
    """Read sets of known attributes, by position; there may be none, but no empty one.

    Raises
    ------
    PlanError
        As `positions`.

    Examples
    --------
    >>> known_sets([[0, 1], (2,)], 3)
    ((0, 1), (2,))
    """
    if isinstance(sets, str) or not hasattr(sets, "__iter__"):
        raise PlanError(f"sets is {shown(sets)}; it must list sets of positions, such as ((0, 1), (2,)).")
    return tuple(positions(columns, p, "A set of known attributes") for columns in sets)


def _numbers(values: Any, what: str) -> FloatArray:
    """As float64; text, dates and complex numbers are none, what a mask hides is missing."""
    wrong = DataError(f"{what} must hold numbers only, in rows of one length.")
    try:
        read: Any = np.asanyarray(values)
    except ValueError:
        raise wrong from None
    if read.dtype.kind not in "biufO" or (read.dtype.kind == "O" and _texts(read)):
        raise wrong
    try:
        if isinstance(read, np.ma.MaskedArray):
            read = np.ma.filled(read.astype(np.float64), np.nan)
        if read.dtype.kind == "O" and hasattr(values, "to_numpy"):  # a frame's own sign for missing
            return np.asarray(values.to_numpy(np.float64, na_value=np.nan))
        return np.asarray(read, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise wrong from None


def _texts(values: Any) -> bool:
    """Whether a text stands among the values, which would be read as the number that it spells."""
    return any(isinstance(value, str | bytes) for value in values.flat)


def looked_up(rows: Sequence[int] | IntArray | None, n: int) -> IntArray | None:
    """Read which records are looked up, by position; None: all.

    Raises
    ------
    PlanError
        As `positions`.
    """
    return None if rows is None else np.array(positions(rows, n, "rows"), dtype=np.int64)
