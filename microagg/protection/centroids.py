"""What replaces a record: its group's mean or median for numbers, median category or mode for categories.

Means are taken as the group's first value plus the mean deviation from it. A common offset then costs no
digits, a group that agrees on a value releases exactly that value, and every member of a group gets the same
bits: a release that differs in the last digit between two members would no longer be k-anonymous. Weighted
means keep weighted totals (Σ w·x over the file). Medians resist a group's outlier better; an even group
releases the midpoint of its two middle values.

The median category is a category that occurs: of two middle ones the lower. The mode is the most frequent
category, of equally frequent ones the one with the lowest code. Both count records and never weights.

Missing is nan; a group misses an attribute as a whole or not at all, and what it misses stays missing.
O(n) per attribute for means and O(n log n) for the others.
"""

from __future__ import annotations

import numpy as np

from microagg.errors import PlanError
from microagg.kernels.compiled import FloatArray, IntArray, compiled

AGGREGATES = ("mean", "median", "median category", "mode")


def centroids(
    values: FloatArray, labels: IntArray, aggregate: str = "mean", weights: FloatArray | None = None
) -> FloatArray:
    """Replace every cell by what stands for its group.

    Parameters
    ----------
    values : (n, p) float64, original units, nan where missing
        Codes, where categories are asked for.
    labels : (n,) int64
        Group of each record, in any numbering.
    aggregate : {"mean", "median", "median category", "mode"}
    weights : (n,) float64, positive, optional
        Of each record in a mean; nothing else takes them into account.

    Returns
    -------
    (n, p) float64, original units

    Raises
    ------
    PlanError
        If the aggregate is none of the four.

    Examples
    --------
    >>> values = np.array([[1.0], [10.0], [2.0], [20.0], [6.0]])
    >>> centroids(values, np.array([0, 1, 0, 1, 0])).ravel().tolist()
    [3.0, 15.0, 3.0, 15.0, 3.0]
    >>> centroids(values, np.array([0, 1, 0, 1, 0]), "median").ravel().tolist()
    [2.0, 15.0, 2.0, 15.0, 2.0]
    >>> centroids(values, np.array([0, 1, 0, 1, 0]), weights=np.array([1.0, 3, 1, 1, 2])).ravel().tolist()
    [3.75, 12.5, 3.75, 12.5, 3.75]
    """
    _, first, groups, sizes = np.unique(labels, return_index=True, return_inverse=True, return_counts=True)
    match aggregate:
        case "mean":
            centres = _means(values, groups, first, sizes, weights)
        case "median":
            lower, upper = _middle(values, groups, sizes)
            centres = lower + (upper - lower) / 2
        case "median category":
            centres = _middle(values, groups, sizes)[0]
        case "mode":
            centres = _modes(values, groups, len(sizes))
        case _:
            raise PlanError(f"There is no aggregate {aggregate!r}; choose one of {', '.join(AGGREGATES)}.")
    return np.ascontiguousarray(centres[groups])


def _means(
    values: FloatArray, groups: IntArray, first: IntArray, sizes: IntArray, weights: FloatArray | None
) -> FloatArray:
    """Mean of each group, (g, p)."""
    if weights is None:
        weights, divisor = np.ones(len(values)), sizes.astype(np.float64)
    else:
        divisor = np.bincount(groups, weights).astype(np.float64)
    return values[first] + _deviations(values, groups, first, weights) / divisor[:, np.newaxis]


@compiled
def _deviations(values: FloatArray, groups: IntArray, first: IntArray, weights: FloatArray) -> FloatArray:
    """Sum of the weighted deviations from each group's first value, (g, p), record by record."""
    sums = np.zeros((first.size, values.shape[1]))
    for i in range(values.shape[0]):
        group = groups[i]
        for j in range(values.shape[1]):
            sums[group, j] += (values[i, j] - values[first[group], j]) * weights[i]
    return sums


def _middle(values: FloatArray, groups: IntArray, sizes: IntArray) -> tuple[FloatArray, FloatArray]:
    """The two middle values of each group, (g, p) each; twice the same where its size is odd."""
    starts = np.cumsum(sizes) - sizes
    low, high = starts + (sizes - 1) // 2, starts + sizes // 2
    ordered = np.column_stack([column[np.lexsort((column, groups))] for column in values.T])
    return ordered[low], ordered[high]


def _modes(values: FloatArray, groups: IntArray, count: int) -> FloatArray:
    """Most frequent value of each group, (g, p)."""
    modes = np.empty((count, values.shape[1]))
    for column, mode in zip(values.T, modes.T, strict=True):
        order = np.lexsort((column, groups))
        group, value = groups[order], column[order]
        same = (group[1:] == group[:-1]) & ((value[1:] == value[:-1]) | np.isnan(value[1:]))
        starts = np.flatnonzero(np.append(True, ~same))
        lengths = np.diff(np.append(starts, len(order)))
        best = np.lexsort((value[starts], -lengths, group[starts]))
        mode[:] = value[starts[best]][np.searchsorted(group[starts], np.arange(count))]
    return modes
