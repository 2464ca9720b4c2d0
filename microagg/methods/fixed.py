"""Univariate fixed-size microaggregation, UFS: sort the records by one number and cut every k.

Comparative Study §2.1 (after Defays & Nanopoulos 1993). The number is one attribute (PV), the sum of z-scores
(SZ) or the first principal component (FPC). The last group takes the remainder, so that ascending and
descending order differ where k does not divide n. Equal values keep the order of the file, in either
direction. O(n log n).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from microagg.errors import PlanError
from microagg.methods.projections import first_component, sum_of_zscores

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray, IntArray

Sort = Literal["first component", "zscores", "attribute"]


def sorting_axis(points: FloatArray, sort: Sort, attribute: FloatArray | None = None) -> FloatArray:
    """The number by which records are sorted.

    Parameters
    ----------
    points : (n, d) float64, standardised
    sort : {"first component", "zscores", "attribute"}
    attribute : (n,) float64, the chosen attribute; needed with ``sort="attribute"``

    Returns
    -------
    (n,) float64
    """
    if sort == "first component":
        return first_component(points)
    if sort == "zscores":
        return sum_of_zscores(points)
    if attribute is None:
        raise PlanError("Sorting by one attribute needs that attribute.")
    return attribute


def cut_every(order: IntArray, k: int) -> IntArray:
    """Groups of k consecutive records; the last takes the remainder.

    Parameters
    ----------
    order : (n,) int64
        Record indices in sorted order.
    k : int

    Returns
    -------
    (n,) int64 labels in the order of the records

    Examples
    --------
    >>> cut_every(np.array([4, 3, 2, 1, 0]), 2).tolist()
    [1, 1, 1, 0, 0]
    """
    labels = np.empty(len(order), dtype=np.int64)
    labels[order] = np.minimum(np.arange(len(order)) // k, max(len(order) // k - 1, 0))
    return labels


def fixed(
    points: FloatArray,
    k: int,
    *,
    sort: Sort = "first component",
    attribute: FloatArray | None = None,
    order: Literal["ascending", "descending"] = "ascending",
) -> IntArray:
    """Univariate fixed-size partition.

    Parameters
    ----------
    points : (n, d) float64, standardised
    k : int
    sort : {"first component", "zscores", "attribute"}
    attribute : (n,) float64, the chosen attribute
    order : {"ascending", "descending"}

    Returns
    -------
    (n,) int64 labels, every group ≥ k
    """
    axis = sorting_axis(points, sort, attribute)
    return cut_every(np.argsort(axis if order == "ascending" else -axis, kind="stable"), k)
