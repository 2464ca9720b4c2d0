"""Categories as numbers: ranks where they have an order, and numbers that only tell them apart where not.

A category's code is never averaged. Ranks count the categories that occur in the file, from 0; nominal
categories are numbered by first appearance, so that of two equally frequent ones the earlier wins. Missing is
nan in either. O(n) an attribute, O(n log n) where ranks have to be found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from microagg.errors import DataError
from microagg.kernels.scaling import deviations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microagg.kernels.compiled import FloatArray
    from microagg.model.plan_fields import Codes


def nominal_codes(column: pd.Series[Any]) -> FloatArray:
    """Number the categories by first appearance.

    Parameters
    ----------
    column : Series, (n,)

    Returns
    -------
    (n,) float64, nan where missing

    Examples
    --------
    >>> nominal_codes(pd.Series(["b", "a", None, "b"])).tolist()
    [0.0, 1.0, nan, 0.0]
    """
    codes = pd.factorize(column)[0].astype(np.float64)
    codes[codes < 0] = np.nan
    return codes


def ordinal_codes(column: pd.Series[Any], order: Codes = ()) -> FloatArray:
    """Rank of each record's category among those that occur, from 0.

    Parameters
    ----------
    column : Series, (n,)
        Numbers, or any values where ``order`` is given.
    order : tuple
        Categories from lowest to highest; empty: numbers in their own order.

    Returns
    -------
    (n,) float64, nan where missing

    Raises
    ------
    DataError
        No order for values that have none of their own, or a value that the order does not name.

    Examples
    --------
    >>> ordinal_codes(pd.Series(["high", "low", "low"]), ("low", "middle", "high")).tolist()
    [1.0, 0.0, 0.0]
    """
    if order:
        place = {category: float(rank) for rank, category in enumerate(order)}
        values = np.array([place.get(value, np.nan) for value in column.tolist()])
        stray = np.isnan(values) & column.notna().to_numpy()
        if stray.any():
            raise DataError(
                f"Column {column.name!r} has {int(stray.sum())} values that its order does not name, the "
                f"first in record {int(stray.argmax()) + 1}; name every category from lowest to highest."
            )
    elif pd.api.types.is_numeric_dtype(column):
        values = column.to_numpy(np.float64, na_value=np.nan)
    else:
        raise DataError(
            f"Column {column.name!r} is ordinal, but its values have no order of their own; name its "
            "categories from lowest to highest, or call it nominal."
        )
    present = ~np.isnan(values)
    ranks = np.full(len(values), np.nan)
    ranks[present] = np.unique(values[present], return_inverse=True)[1]
    return ranks


def recoded(column: pd.Series[Any], codes: FloatArray, released: FloatArray) -> Any:
    """Categories as a column of the same type, each taken from a record that has it.

    Parameters
    ----------
    column : Series, (n,)
        The original.
    codes : (n,) float64
        Its codes, nan where missing.
    released : (n,) float64
        Codes to be released, of those that occur; nan where missing.

    Returns
    -------
    array of the column's type, (n,)

    Examples
    --------
    >>> towns = pd.Series(["b", "a", None, "b"])
    >>> list(recoded(towns, nominal_codes(towns), np.array([0.0, 0.0, np.nan, 0.0])))
    ['b', 'b', nan, 'b']
    """
    present = np.flatnonzero(~np.isnan(codes))
    known, first = np.unique(codes[present], return_index=True)
    source = np.arange(len(codes))
    source[present] = present[first][np.searchsorted(known, released[present])]
    return column.array.take(source)


def only_used_categories(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame without categories that no record has: a file that lists them tells what was replaced.

    Examples
    --------
    >>> towns = pd.Categorical(["Reus"], categories=["Reus", "Salou"])
    >>> only_used_categories(pd.DataFrame({"town": towns}))["town"].cat.categories.tolist()
    ['Reus']
    """
    used = frame.copy(deep=False)
    for name, column in frame.items():
        if isinstance(column.dtype, pd.CategoricalDtype):
            used[name] = column.cat.remove_unused_categories()
    return used


def distinguished(columns: Sequence[pd.Series[Any]]) -> FloatArray:
    """Columns as numbers that are equal exactly where the values are; missing equals missing.

    Parameters
    ----------
    columns : sequence of Series, (n,)

    Returns
    -------
    (n, q) float64
        Numbers as they are and categories by their codes; all missing values are the same nan, bit by bit.

    Examples
    --------
    >>> distinguished([pd.Series([2.5, None, 2.5]), pd.Series(["x", "x", "y"])]).tolist()
    [[2.5, 0.0], [nan, 0.0], [2.5, 1.0]]
    """
    values = np.column_stack([_telling(column) for column in columns])
    values[np.isnan(values)] = np.nan
    return values


def _telling(column: pd.Series[Any]) -> FloatArray:
    """One column as numbers that are equal exactly where its values are."""
    if pd.api.types.is_numeric_dtype(column):
        if not pd.api.types.is_float_dtype(column) and _beyond_floats(column):
            return nominal_codes(column)
        return column.to_numpy(np.float64, na_value=np.nan)
    if column.dtype == object and pd.api.types.infer_dtype(column, skipna=True).startswith("mixed"):
        return nominal_codes(column.map(str, na_action="ignore"))  # 1 and True are equal, and read otherwise
    return nominal_codes(column)


def _beyond_floats(column: pd.Series[Any]) -> bool:
    """Whether whole numbers are too long for float64 to tell apart."""
    present = column.dropna()
    return bool(len(present)) and max(-int(present.min()), int(present.max())) > 2**53


def category_distortion(before: FloatArray, after: FloatArray, *, ordered: bool) -> float:
    """How far released categories are from the true ones; missing values do not count.

    Nominal: the probability of error P(x ≠ x′), the distortion of the Hamming distance (k-Anonymous
    Microaggregation with Preservation of Statistical Dependence, §III.B). Ordinal: the share of the ranks'
    variance that is lost, as for numbers.

    Parameters
    ----------
    before, after : (n,) float64 codes, nan where missing
    ordered : bool

    Returns
    -------
    float, 0 where nothing changed; nan where everything is missing

    Examples
    --------
    >>> category_distortion(np.array([0.0, 1, 1, 2]), np.array([0.0, 1, 1, 1]), ordered=False)
    0.25
    """
    present = ~np.isnan(before)
    if not present.any():
        return float("nan")
    before, after = before[present], after[present]
    if not ordered:
        return float((before != after).mean())
    spread = float(deviations(before[:, np.newaxis])[0])
    return float(np.square((before - after) / spread).mean()) if spread > 0 else 0.0
