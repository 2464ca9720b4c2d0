"""Cut a given order of the records optimally: every group a run of k…2k−1 consecutive records.

A partition of the order into runs is a path over cut positions 0…n; the edge i→j is the run i…j−1 and costs
its sum of squares, so the best partition is a shortest path (Hansen & Mukherjee 2003, "A polynomial algorithm
for optimal univariate microaggregation", §3). Edges shorter than k are not allowed and longer than 2k−1 not
needed, since cutting a run never raises its cost. Dynamic programming from the left: O(nk). Two costs: the
sum of squares of the sorted values themselves, for which the result is the optimum over all partitions
(Modeling Projections, §2); and that of all attributes of the records in that order, for which it is the
optimum over partitions into runs of that order (One Dimension Microaggregation, Algorithm 1).

A run is measured from one of its own members: Q − S²/l, with S and Q the sums of the deviations from that
member and of their squares. Since Q is at most l + 1 times the result, no common offset and no far-away
values can cost more than a few digits, which differences of prefix sums over the file would lose at once.

For one axis and large k the search is narrowed. The cost of a sorted axis is totally monotone: as j moves
right, so does the best start of the run that ends at j. Ends are taken in blocks of k: all starts of a block
lie before it, so its first member splits every run and two short prefix sums from there give any cost in
O(1); the best start of the middle end bounds those of the ends on either side. O(n log k), the same costs,
memory O(n).

Ties: of equally good partitions of a prefix, the one whose last group is shortest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.kernels.compiled import FloatArray, IntArray, compiled

if TYPE_CHECKING:
    from collections.abc import Callable

STEPS = 20_000_000
"""Inner steps between two reports of progress, some hundredths of a second."""

NARROWED = 12
"""The k from which the narrowed search is the faster one."""


def optimal_cuts(axis: FloatArray, k: int, *, progress: Callable[[float], None] | None = None) -> IntArray:
    """Cut sorted values so that the sum of squares within groups is least.

    Parameters
    ----------
    axis : (n,) float64, ascending or descending
    k : int
        Least group size; n < 2k gives one group.
    progress : callable, optional
        Called with the share done.

    Returns
    -------
    (g,) int64
        Where each group starts in the order; the first is 0.

    Examples
    --------
    >>> optimal_cuts(np.array([1.0, 2.0, 10.0, 11.0, 12.0, 30.0, 31.0]), 2).tolist()
    [0, 2, 5]
    """
    n = len(axis)
    cost, start = _shortest_paths(n)
    row = min(2 * k, n + 1)
    _follow(axis, k, cost, start, k, row)
    while row <= n:
        if k < NARROWED:
            end = min(row + STEPS // (2 * k), n + 1)
            _follow(axis, k, cost, start, row, end)
        else:
            end = min(row + k * max(1, STEPS // (10 * k)), n + 1)
            _follow_narrowed(axis, k, cost, start, row, end)
        row = end
        if progress is not None:
            progress((row - 1) / n)
    return _starts(start)


def optimal_cuts_attributes(
    points: FloatArray, k: int, *, progress: Callable[[float], None] | None = None
) -> IntArray:
    """Cut records in a given order so that the sum of squares of their attributes within groups is least.

    Parameters
    ----------
    points : (n, d) float64, the records in their order
    k : int
        Least group size; n < 2k gives one group.
    progress : callable, optional
        Called with the share done.

    Returns
    -------
    (g,) int64
        Where each group starts in the order; the first is 0.

    Examples
    --------
    >>> points = np.array([[0.0, 5.0], [0.0, 5.0], [0.0, 9.0], [1.0, 9.0], [1.0, 9.0]])
    >>> optimal_cuts_attributes(points, 2).tolist()
    [0, 2]
    """
    n, d = points.shape
    cost, start = _shortest_paths(n)
    row = k
    while row <= n:
        end = min(row + max(1, STEPS // (2 * k * d)), n + 1)
        _follow_attributes(points, k, cost, start, row, end)
        row = end
        if progress is not None:
            progress((row - 1) / n)
    return _starts(start)


def partition_order(
    order: IntArray, values: FloatArray, k: int, *, progress: Callable[[float], None] | None = None
) -> IntArray:
    """Cut an order of the records optimally and label the records.

    Parameters
    ----------
    order : (n,) int64
        The records' indices in the order to be cut.
    values : (n,) or (n, d) float64
        In record order; the cost is their sum of squares. ``order`` must sort one axis; attributes may lie
        in any order.
    k : int
        Least group size; n < 2k gives one group.
    progress : callable, optional
        Called with the share done.

    Returns
    -------
    (n,) int64
        The group of each record, numbered along the order.

    Examples
    --------
    >>> axis = np.array([10.0, 1.0, 30.0, 2.0, 11.0, 31.0, 12.0])
    >>> partition_order(np.argsort(axis), axis, 2).tolist()
    [1, 0, 2, 0, 1, 2, 1]
    """
    ordered = np.ascontiguousarray(values[order])
    cuts = optimal_cuts if ordered.ndim == 1 else optimal_cuts_attributes
    starts = cuts(ordered, k, progress=progress)
    labels = np.empty(len(order), dtype=np.int64)
    labels[order] = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(order)))
    return labels


def _shortest_paths(n: int) -> tuple[FloatArray, IntArray]:
    """Cost of the best partition of every prefix and start of its last group; known for the empty one."""
    cost = np.full(n + 1, np.inf)
    cost[0] = 0.0
    return cost, np.zeros(n + 1, dtype=np.int64)


@compiled
def _follow(axis: FloatArray, k: int, cost: FloatArray, start: IntArray, begin: int, end: int) -> None:
    """Find the best last group of the prefixes of begin…end−1 values, trying the shortest first."""
    for j in range(begin, end):
        member = axis[j - 1]
        total = 0.0
        squares = 0.0
        for length in range(1, k):
            gap = axis[j - length] - member
            total += gap
            squares += gap * gap
        best = np.inf
        best_start = 0
        for length in range(k, min(2 * k - 1, j) + 1):
            gap = axis[j - length] - member
            total += gap
            squares += gap * gap
            candidate = cost[j - length] + max(squares - total * total / length, 0.0)
            if candidate < best:
                best = candidate
                best_start = j - length
        cost[j] = best
        start[j] = best_start


@compiled
def _follow_narrowed(
    axis: FloatArray, k: int, cost: FloatArray, start: IntArray, begin: int, end: int
) -> None:
    """Do the same for prefixes of 2k values and more, k of them at a time, each bounded by its neighbours."""
    total = np.empty(3 * k)
    squares = np.empty(3 * k)
    for first in range(begin, end, k):
        base = first - 2 * k
        member = axis[first - 1]
        total[2 * k] = 0.0
        squares[2 * k] = 0.0
        rows = min(k, end - first)
        for i in range(2 * k, 2 * k + rows - 1):
            gap = axis[base + i] - member
            total[i + 1] = total[i] + gap
            squares[i + 1] = squares[i] + gap * gap
        for i in range(2 * k - 1, 0, -1):
            gap = axis[base + i] - member
            total[i] = total[i + 1] - gap
            squares[i] = squares[i + 1] - gap * gap
        step = 1
        while 2 * step <= rows:
            step *= 2
        while step > 0:
            for row in range(step - 1, rows, 2 * step):
                j = first + row
                low = max(j - 2 * k + 1, k)
                high = j - k
                if row >= step:
                    low = max(low, start[j - step])
                if row + step < rows:
                    high = min(high, start[j + step])
                best = np.inf
                best_start = high
                for i in range(high, low - 1, -1):
                    run = total[j - base] - total[i - base]
                    spread = squares[j - base] - squares[i - base] - run * run / (j - i)
                    candidate = cost[i] + max(spread, 0.0)
                    if candidate < best:
                        best = candidate
                        best_start = i
                cost[j] = best
                start[j] = best_start
            step //= 2


@compiled
def _follow_attributes(
    points: FloatArray, k: int, cost: FloatArray, start: IntArray, begin: int, end: int
) -> None:
    """Do as for one axis, with the sums of squares of all attributes added."""
    d = points.shape[1]
    total = np.empty(d)
    for j in range(begin, end):
        member = points[j - 1]
        total[:] = 0.0
        squares = 0.0
        best = np.inf
        best_start = 0
        for length in range(1, min(2 * k - 1, j) + 1):
            record = points[j - length]
            for c in range(d):
                gap = record[c] - member[c]
                total[c] += gap
                squares += gap * gap
            if length < k:
                continue
            between = 0.0
            for c in range(d):
                between += total[c] * total[c]
            candidate = cost[j - length] + max(squares - between / length, 0.0)
            if candidate < best:
                best = candidate
                best_start = j - length
        cost[j] = best
        start[j] = best_start


def _starts(start: IntArray) -> IntArray:
    """Walk the shortest path back from the end."""
    starts = _walk(start)
    return np.ascontiguousarray(starts[::-1])


@compiled
def _walk(start: IntArray) -> IntArray:
    """Starts of the groups on the path to the last position, last group first."""
    starts = np.empty(len(start), dtype=np.int64)
    j = len(start) - 1
    g = 0
    while j > 0:
        j = start[j]
        starts[g] = j
        g += 1
    return starts[:g].copy()
