"""A lesson's records as a table that one can type into, and what is wrong with what was typed, in words.

Cells are text, so that a slip of the keyboard is seen and answered instead of being swallowed.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from microagg.errors import DataError
from microagg.kernels.random_numbers import chosen
from microagg.lessons.lesson import MOST, Records

if TYPE_CHECKING:
    from collections.abc import Sequence

LARGEST = 1e12


def table_of(records: Records) -> pd.DataFrame:
    """Records as text.

    Examples
    --------
    >>> table_of(Records(np.array([[1.0, 2.5]]), ("a", "b"))).iloc[0].tolist()
    ['1', '2.5']
    """
    texts = [[np.format_float_positional(value, trim="-") for value in column] for column in records.values.T]
    return pd.DataFrame(dict(zip(records.names, texts, strict=True)), dtype="object")


def records_of(frame: pd.DataFrame) -> Records:
    """Read the table; rows without any entry count for nothing.

    Parameters
    ----------
    frame : DataFrame
        Of texts, as `table_of` makes it and somebody may have changed it.

    Raises
    ------
    DataError
        A cell is empty or no number, or there are no records or too many; the message says where, and what
        to do.

    Examples
    --------
    >>> records_of(pd.DataFrame({"a": ["1", "2,5"], "b": ["3", "4"]})).values.tolist()
    [[1.0, 3.0], [2.5, 4.0]]
    """
    rows = []
    for number, entries in enumerate(frame.itertuples(index=False), 1):
        texts = ["" if entry is None or entry != entry else str(entry).strip() for entry in entries]
        if any(texts):
            rows.append(
                [_number(text, number, str(name)) for text, name in zip(texts, frame.columns, strict=True)]
            )
    if not rows:
        raise DataError("The table is empty: type some records below, or draw others.")
    if len(rows) > MOST:
        raise DataError(
            f"A lesson shows at most {MOST} records; the table has {len(rows)}. Delete some rows."
        )
    return Records(np.array(rows, dtype=np.float64), tuple(str(name) for name in frame.columns))


def _number(text: str, row: int, name: str) -> float:
    if not text:
        raise DataError(f"Row {row} has no {name} yet: type a number, or tick the row and delete it.")
    try:
        value = float(text.replace(",", ".") if text.count(",") == 1 and "." not in text else text)
    except ValueError:
        raise DataError(f"Row {row}, {name}: {text!r} is no number. Type one such as 42 or 3.5.") from None
    if not isfinite(value) or abs(value) > LARGEST:
        raise DataError(f"Row {row}, {name}: {text!r} is too large for a lesson; stay below {LARGEST:,.0f}.")
    return value


def sampled(frame: pd.DataFrame, columns: Sequence[str], count: int, seed: int) -> Records:
    """A few complete records of a file, in its order.

    Parameters
    ----------
    frame : DataFrame
    columns : sequence of str
        Numeric columns.
    count : int
        How many at most.
    seed : int

    Raises
    ------
    DataError
        No record is complete and finite in these columns.
    """
    values = frame[list(columns)].to_numpy(np.float64, na_value=np.nan)
    whole = np.flatnonzero(np.isfinite(values).all(axis=1))
    if not len(whole):
        raise DataError(f"No record has numbers in all of {', '.join(columns)}; choose other attributes.")
    drawn = whole[chosen(seed, len(whole), min(count, len(whole)))]
    return Records(np.ascontiguousarray(values[drawn]), tuple(columns))
