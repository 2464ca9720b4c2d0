"""Whether two columns hold the same, cell by cell, whatever way each writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from microagg.io.lossless_floats import says
from microagg.model.dates import same_moments

if TYPE_CHECKING:
    from numpy.typing import NDArray


def alike(before: pd.Series[Any], after: pd.Series[Any], *, tolerance: float = 0.0) -> NDArray[np.bool_]:
    """Where two columns hold the same value, by position; missing equals missing.

    Parameters
    ----------
    before, after : Series, (n,)
    tolerance : float
        Relative difference that floating numbers may have; 0 for the same digits.

    Returns
    -------
    (n,) bool

    Examples
    --------
    >>> alike(pd.Series([1.5, None, 2.0]), pd.Series(["1.50", None, "x"])).tolist()
    [True, True, False]
    """
    gone = before.isna().to_numpy(), after.isna().to_numpy()
    same = gone[0] & gone[1]
    there = ~gone[0] & ~gone[1]
    one, other = before[there], after[there]
    moments = same_moments(one, other)
    if moments is not None:
        same[there] = moments
        return same
    numeric = [pd.api.types.is_numeric_dtype(column) for column in (one, other)]
    if all(numeric):
        same[there] = _equal_numbers(one, other, tolerance)
    else:
        equal = one.astype(str).to_numpy() == other.astype(str).to_numpy()
        if any(numeric):
            texts, numbers = (other, one) if numeric[0] else (one, other)
            equal |= [says(str(t), n) for t, n in zip(texts.tolist(), numbers.tolist(), strict=True)]
        same[there] = equal
    return same


def _equal_numbers(one: pd.Series[Any], other: pd.Series[Any], tolerance: float) -> NDArray[np.bool_]:
    """Where numbers are equal: integers and floating numbers as Python compares them, to the last digit."""
    if tolerance and all(pd.api.types.is_float_dtype(column) for column in (one, other)):
        close = np.isclose(one.to_numpy(np.float64), other.to_numpy(np.float64), tolerance, 0)
        return np.asarray(close, dtype=bool)
    if pd.api.types.is_float_dtype(one) != pd.api.types.is_float_dtype(other):
        return np.array([a == b for a, b in zip(one.tolist(), other.tolist(), strict=True)], dtype=bool)
    return np.asarray(one.to_numpy() == other.to_numpy(), dtype=bool)
