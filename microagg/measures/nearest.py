"""One set of attributes, many records: the nearest candidates of each record, ties counted, in little memory.

The candidates stand in the leaf order of a balanced k-d tree (`leaf_order`), 16 to a leaf, and each node of
the binary tree over the leaves keeps its bounding box. A search starts from a distance that is known to be
reached (to the record's own counterpart), goes to the nearer child first, and leaves out boxes farther than
the best so far.

Exact, ties included: squared distances are summed in column order, and so are the distances to boxes, so
that by monotone rounding a box is never farther than a record inside it. O(t·log t) to build, O(t·p) memory;
a search costs little in few dimensions and at worst one look at every candidate.
"""

from __future__ import annotations

import numpy as np

from microagg.kernels.compiled import FloatArray, IntArray, compiled
from microagg.kernels.leaf_order import leaf_order
from microagg.kernels.threads import in_threads

LEAF = 16


@compiled
def _boxes(records: FloatArray, box: FloatArray) -> None:
    """Write the boxes of a heap-shaped tree: a node's children are 2·node + 1 and + 2, leaves come last."""
    first_leaf = len(box) // 2
    for node in range(len(box) - 1, -1, -1):
        for column in range(records.shape[1]):
            low, high = np.inf, -np.inf
            if node < first_leaf:
                for child in (2 * node + 1, 2 * node + 2):
                    low, high = min(low, box[child, 0, column]), max(high, box[child, 1, column])
            else:
                start = (node - first_leaf) * LEAF
                for i in range(start, min(start + LEAF, len(records))):
                    low, high = min(low, records[i, column]), max(high, records[i, column])
            box[node, 0, column], box[node, 1, column] = low, high


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
    box: FloatArray,
    stop_when_beaten: bool,
    nearest: FloatArray,
    tied: IntArray,
) -> None:
    """Nearest squared distance and how many records are at it, per desk record; ``records`` in tree order.

    With ``stop_when_beaten`` a search ends at the first record nearer than ``reached``, with no records tied.
    """
    p = desk.shape[1]
    first_leaf = len(box) // 2
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
            start = (node - first_leaf) * LEAF
            for record in range(start, min(start + LEAF, len(records))):
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
    leaf_order(np.ascontiguousarray(candidates), order, LEAF, lambda: None)
    records, counts = candidates[order], weights[order]
    box = np.empty((2 * leaves - 1, 2, p))
    _boxes(records, box)
    nearest, tied = np.empty(len(desk)), np.empty(len(desk), dtype=np.int64)

    def search(part: slice) -> None:
        _search(
            desk[part],
            reached[part],
            records,
            counts,
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


def nearest_of_both(
    one: tuple[FloatArray, IntArray], other: tuple[FloatArray, IntArray]
) -> tuple[FloatArray, IntArray]:
    """What `nearest_with_ties` finds among the candidates of two chunks together.

    Examples
    --------
    >>> here, there = (np.array([1.0, 4.0]), np.array([2, 1])), (np.array([1.0, 3.0]), np.array([1, 1]))
    >>> [side.tolist() for side in nearest_of_both(here, there)]
    [[1.0, 3.0], [3, 1]]
    """
    nearest = np.minimum(one[0], other[0])
    ties = [np.where(distances == nearest, tied, 0) for distances, tied in (one, other)]
    return nearest, ties[0] + ties[1]


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
