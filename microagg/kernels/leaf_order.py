"""Put records into the leaf order of a balanced tree: near records near each other, in runs of equal length.

A range of records is cut at the middle of the attribute along which it varies most, each part again, until
the parts are leaves. Cuts fall on multiples of a power of two leaves, so that consecutive leaves in aligned
blocks of 2, 4, 8 … are the branches of the tree and nothing but the order has to be stored. O(n log n).

The middle is found by `microagg.kernels.selection`; the variance is taken from 64 records, since it decides
about speed only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.kernels.compiled import FloatArray, IntArray, compiled
from microagg.kernels.selection import select

if TYPE_CHECKING:
    from collections.abc import Callable

WORK = 1_000_000
"""Records moved between two reports of progress, a few hundredths of a second."""


def leaf_order(points: FloatArray, order: IntArray, size: int, report: Callable[[], None]) -> None:
    """Rearrange record indices so that every run of ``size`` of them is a leaf.

    Parameters
    ----------
    points : (n, d) float64
    order : (m,) int64, changed in place
        Indices of the records.
    size : int
        Records in a leaf; the last leaf may have fewer.
    report : callable
        Called many times a second; it may raise to stop.

    Examples
    --------
    >>> order = np.arange(4)
    >>> leaf_order(np.array([[5.0], [1.0], [6.0], [0.0]]), order, 2, lambda: None)
    >>> sorted(order[:2].tolist()), sorted(order[2:].tolist())
    ([1, 3], [0, 2])
    """
    values = np.empty(len(order))
    ranges = np.zeros(128, dtype=np.int64)
    ranges[1] = -(-len(order) // size)
    open_ranges = 1
    while open_ranges > 0:
        open_ranges = _split(points, order, size, values, ranges, open_ranges)
        report()


@compiled
def _split(
    points: FloatArray, order: IntArray, size: int, values: FloatArray, ranges: IntArray, open_ranges: int
) -> int:
    """Split ranges of leaves for a while; return how many are still to be split, as (begin, end) pairs."""
    work = 0
    while open_ranges > 0 and work < WORK:
        at = 2 * open_ranges - 2
        begin, end = ranges[at], ranges[at + 1]
        open_ranges -= 1
        if end - begin < 2:
            continue
        half = 1
        while 2 * half < end - begin:
            half *= 2
        low, high = begin * size, min(end * size, order.size)
        widest = _widest(points, order[low:high])
        for i in range(low, high):
            values[i] = points[order[i], widest]
        select(values[low:high], order[low:high], half * size)
        work += high - low
        ranges[at + 1] = begin + half
        ranges[at + 2], ranges[at + 3] = begin + half, end
        open_ranges += 2
    return open_ranges


@compiled
def _widest(points: FloatArray, order: IntArray) -> int:
    """Attribute with the largest variance in a sample of the records."""
    step = max(1, order.size // 64)
    widest = 0
    largest = -1.0
    for j in range(points.shape[1]):
        total = 0.0
        squares = 0.0
        for i in range(0, order.size, step):
            gap = points[order[i], j] - points[order[0], j]
            total += gap
            squares += gap * gap
        spread = squares - total * total / (1 + (order.size - 1) // step)
        if spread > largest:
            largest = spread
            widest = j
    return widest
