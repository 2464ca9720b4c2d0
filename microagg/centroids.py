"""What replaces a record: the mean, or the median, of its group, attribute by attribute.

Means are taken as the group's first value plus the mean deviation from it. A common offset then costs no
digits, a group that agrees on a value releases exactly that value, and every member of a group gets the same
bits: a release that differs in the last digit between two members would no longer be k-anonymous.
Medians resist a group's outlier better; an even group releases the midpoint of
its two middle values. O(n) per attribute for means, O(n log n) for medians.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.errors import PlanError

if TYPE_CHECKING:
    from microagg.compiled import FloatArray, IntArray

AGGREGATES = ("mean", "median")


def centroids(values: FloatArray, labels: IntArray, aggregate: str = "mean") -> FloatArray:
    """Replace every cell by its group's mean or median.

    Parameters
    ----------
    values : (n, p) float64, original units, finite
    labels : (n,) int64
        Group of each record, in any numbering.
    aggregate : {"mean", "median"}

    Returns
    -------
    (n, p) float64, original units

    Raises
    ------
    PlanError
        If the aggregate is none of the two.

    Examples
    --------
    >>> values = np.array([[1.0], [10.0], [2.0], [20.0], [6.0]])
    >>> centroids(values, np.array([0, 1, 0, 1, 0])).ravel().tolist()
    [3.0, 15.0, 3.0, 15.0, 3.0]
    >>> centroids(values, np.array([0, 1, 0, 1, 0]), "median").ravel().tolist()
    [2.0, 15.0, 2.0, 15.0, 2.0]
    """
    if aggregate not in AGGREGATES:
        raise PlanError(f"There is no aggregate {aggregate!r}; choose one of {', '.join(AGGREGATES)}.")
    _, first, groups, sizes = np.unique(labels, return_index=True, return_inverse=True, return_counts=True)
    centres = _means(values, groups, first, sizes) if aggregate == "mean" else _medians(values, groups, sizes)
    return np.ascontiguousarray(centres[groups])


def _means(values: FloatArray, groups: IntArray, first: IntArray, sizes: IntArray) -> FloatArray:
    """Mean of each group, (g, p)."""
    deviations = values - values[first[groups]]
    sums = [np.bincount(groups, column, minlength=len(sizes)) for column in deviations.T]
    centres: FloatArray = values[first] + np.column_stack(sums) / sizes[:, np.newaxis]
    return centres


def _medians(values: FloatArray, groups: IntArray, sizes: IntArray) -> FloatArray:
    """Median of each group, (g, p)."""
    starts = np.cumsum(sizes) - sizes
    lower, upper = starts + (sizes - 1) // 2, starts + sizes // 2
    centres = np.empty((len(sizes), values.shape[1]))
    for column, centre in zip(values.T, centres.T, strict=True):
        ordered = column[np.lexsort((column, groups))]
        centre[:] = ordered[lower] + (ordered[upper] - ordered[lower]) / 2
    return centres
