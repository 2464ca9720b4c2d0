"""One set of attributes, many records: the nearest candidates of each record, ties counted, in little memory.

A balanced k-d tree over the candidates: split at the middle record along the widest side, down to leaves of
16; each node keeps its bounding box. A search starts from a distance that is known to be reached (to the
record's own counterpart), goes to the nearer child first, and leaves out boxes farther than the best so far.

Exact, ties included: squared distances are summed in column order, and so are the distances to boxes, so
that by monotone rounding a box is never farther than a record inside it. O(t·log t) to build, O(t·p) memory;
a search costs little in few dimensions and at worst one look at every candidate.
"""

from __future__ import annotations

import numpy as np

from microagg.compiled import FloatArray, IntArray, compiled
from microagg.measures.threads import in_threads
from microagg.selection import select

LEAF = 16


@compiled
def _build(candidates: FloatArray, order: IntArray, bounds: IntArray, box: FloatArray) -> None:
    """Fill a heap-shaped tree: a node's children are 2·node + 1 and + 2, ``bounds`` runs of ``order``."""
    t, p = candidates.shape
    columns = np.ascontiguousarray(candidates.T)
    bounds[0, 0], bounds[0, 1] = 0, t
    for node in range(len(bounds)):
        start, stop = bounds[node]
        widest, width = 0, -1.0
        for column in range(p):
            low, high = np.inf, -np.inf
            for i in range(start, stop):
                value = columns[column, order[i]]
                low, high = min(low, value), max(high, value)
            box[node, 0, column], box[node, 1, column] = low, high
            if high - low > width:
                widest, width = column, high - low
        if 2 * node + 2 < len(bounds):
            middle = (start + stop) // 2
            select(columns[widest][order[start:stop]], order[start:stop], middle - start)
            bounds[2 * node + 1, 0], bounds[2 * node + 1, 1] = start, middle
            bounds[2 * node + 2, 0], bounds[2 * node + 2, 1] = middle, stop


@compiled
def _box_distance(point: FloatArray, box: FloatArray) -> float:
    total = 0.0
    for column in range(len(point)):
        gap = max(box[0, column] - point[column], point[column] - box[1, column], 0.0)
        total += gap * gap
    return total


@compiled
def _search(
    desk: FloatArray,
    reached: FloatArray,
    records: FloatArray,
    weights: IntArray,
    bounds: IntArray,
    box: FloatArray,
    stop_when_beaten: bool,
    nearest: FloatArray,
    tied: IntArray,
) -> None:
    """Nearest squared distance and how many records are at it, per desk record; ``records`` in tree order.

    With ``stop_when_beaten`` a search ends at the first record nearer than ``reached``, with no records tied.
    """
    p = desk.shape[1]
    first_leaf = len(bounds) // 2
    waiting = np.empty(64, dtype=np.int64)
    distances = np.empty(64)
    for i in range(len(desk)):
        best, ties = reached[i], 0
        waiting[0], distances[0], depth = 0, 0.0, 1
        while depth:
            depth -= 1
            node = waiting[depth]
            if distances[depth] > best:
                continue
            if node < first_leaf:
                left = _box_distance(desk[i], box[2 * node + 1])
                right = _box_distance(desk[i], box[2 * node + 2])
                near, far = (2 * node + 1, 2 * node + 2) if left <= right else (2 * node + 2, 2 * node + 1)
                waiting[depth], distances[depth] = far, max(left, right)
                waiting[depth + 1], distances[depth + 1] = near, min(left, right)
                depth += 2
                continue
            for record in range(bounds[node, 0], bounds[node, 1]):
                total = 0.0
                for column in range(p):
                    gap = records[record, column] - desk[i, column]
                    total += gap * gap
                    if total > best:
                        break
                if total < best:
                    best, ties = total, weights[record]
                elif total == best:
                    ties += weights[record]
            if stop_when_beaten and best < reached[i]:
                ties, depth = 0, 0
        nearest[i], tied[i] = best, ties


def _run(
    desk: FloatArray, reached: FloatArray, candidates: FloatArray, weights: IntArray, stop_when_beaten: bool
) -> tuple[FloatArray, IntArray]:
    t, p = candidates.shape
    leaves = 1
    while leaves * LEAF < t:
        leaves *= 2
    order = np.arange(t)
    bounds = np.empty((2 * leaves - 1, 2), dtype=np.int64)
    box = np.empty((2 * leaves - 1, 2, p))
    _build(candidates, order, bounds, box)
    records, counts = candidates[order], weights[order]
    nearest, tied = np.empty(len(desk)), np.empty(len(desk), dtype=np.int64)

    def search(part: slice) -> None:
        _search(
            desk[part],
            reached[part],
            records,
            counts,
            bounds,
            box,
            stop_when_beaten,
            nearest[part],
            tied[part],
        )

    in_threads(search, len(desk))
    return nearest, tied


def nearest_with_ties(
    desk: FloatArray, reached: FloatArray, candidates: FloatArray, weights: IntArray
) -> tuple[FloatArray, IntArray]:
    """Find, for each desk record, the least squared distance to a candidate and the number of records at it.

    Parameters
    ----------
    desk : (q, p) float64, standardised
    reached : (q,) float64
        A squared distance that some candidate is known to have, for example the own counterpart's; infinity
        where none is known.
    candidates : (t, p) float64, standardised
        Distinct records.
    weights : (t,) int64
        How many records equal each candidate.

    Returns
    -------
    nearest : (q,) float64, squared, summed in column order
    tied : (q,) int64, records at exactly that distance

    Examples
    --------
    >>> line = np.array([[0.0], [2.0], [9.0]])
    >>> nearest, tied = nearest_with_ties(np.array([[1.0]]), np.array([np.inf]), line, np.array([1, 3, 1]))
    >>> nearest.tolist(), tied.tolist()
    ([1.0], [4])
    """
    return _run(desk, reached, candidates, weights, False)


def tied_at(desk: FloatArray, reached: FloatArray, candidates: FloatArray, weights: IntArray) -> IntArray:
    """Count, for each desk record, the records at the distance reached; 0 where some record is nearer.

    Much faster than finding the nearest: a search ends with the first record that is nearer.

    Parameters
    ----------
    desk, reached, candidates, weights : arrays
        As for `nearest_with_ties`.

    Returns
    -------
    (q,) int64

    Examples
    --------
    >>> line = np.array([[0.0], [2.0], [9.0]])
    >>> tied_at(np.array([[1.0], [8.0]]), np.array([1.0, 36.0]), line, np.array([1, 3, 1])).tolist()
    [4, 0]
    """
    return _run(desk, reached, candidates, weights, True)[1]
