"""Whole numbers stay whole, on request: an age of 41.6 years looks made up, and some formats cannot hold it.

Rounding comes after averaging, so that all members of a group still agree; groups whose centroids round alike
become one class, which can only raise k′. It moves totals, by up to half a unit a record; what it costs is in
the figures of the release, which are always measured on what is released, and in `microagg.handover.totals`.

"half even" sends 2.5 to 2 and 3.5 to 4, without drift on the whole; "half up" sends every half up, also −2.5
to −2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray
    from microagg.model.plan_fields import Rounding


def whole_numbers(column: pd.Series[Any]) -> bool:
    """Whether all values that are there are whole numbers, whatever the column's type.

    Examples
    --------
    >>> whole_numbers(pd.Series([3.0, None, -1.0])), whole_numbers(pd.Series([3.5]))
    (True, False)
    """
    if pd.api.types.is_integer_dtype(column):
        return True
    values = column.to_numpy(np.float64, na_value=np.nan)
    present = values[~np.isnan(values)]
    return bool(len(present)) and bool((present == np.floor(present)).all())


def rounded(values: FloatArray, how: Rounding) -> FloatArray:
    """Round to whole numbers; nan stays.

    Examples
    --------
    >>> rounded(np.array([2.5, 3.5, -2.5]), "half even").tolist()
    [2.0, 4.0, -2.0]
    >>> rounded(np.array([2.5, 3.5, -2.5]), "half up").tolist()
    [3.0, 4.0, -2.0]
    """
    if how == "none":
        return values
    if how == "half even":
        return np.round(values)
    low = np.floor(values)
    return np.where(values - low >= 0.5, low + 1, low)


def as_released(values: FloatArray, column: pd.Series[Any], how: Rounding) -> Any:
    """Protected numbers as a column: of the original's type where they are rounded to whole numbers.

    Parameters
    ----------
    values : (n,) float64, nan where missing
    column : Series, (n,)
        The original.
    how : {"none", "half even", "half up"}

    Returns
    -------
    array that a DataFrame takes as a column
        float64, or pandas' ``Float64`` for a column that marks missing values itself; whole numbers keep
        their type where they are rounded.
    """
    nullable = pd.api.types.is_extension_array_dtype(column.dtype)
    whole = how != "none" and whole_numbers(column)
    kept = rounded(values, how) if whole else values
    typed = whole and pd.api.types.is_integer_dtype(column)
    if typed:
        kept = np.minimum(kept, _largest(column))
    if nullable:
        marked = pd.array(kept, dtype="Float64")
        return marked.astype(column.dtype) if typed else marked
    return kept.astype(column.to_numpy().dtype) if typed else kept


def _largest(column: pd.Series[Any]) -> float:
    """The largest float that the column's whole numbers hold; of 64 bits it is none of the last ones."""
    most = np.iinfo(column.dtype.name.lower()).max
    return float(most) if int(float(most)) <= most else float(np.nextafter(float(most), 0))
