"""Many sets of attributes at once: link distinct records under every set with one addition per set.

The sets are the marked nodes of a prefix tree (attributes ascending). For one distinct record on the
intruder's desk the squared distances to a block of candidates are kept for each depth of the tree; stepping
from a set to the same set with one more attribute adds one vector of squared differences. Nothing is ever
subtracted, so every distance is the plain sum in column order, to the last bit, and ties are exact. (A walk
that adds and subtracts drifts, and gets ties wrong.)

A record can only be linked if nothing is nearer than its own counterpart: a set is given up for a desk record
as soon as a block of candidates holds something nearer, and a branch of the tree once all its sets are.

Distances are non-negative, and non-negative doubles are ordered like their bit patterns: minima are taken on
the integers, which vectorise without re-associating any sum. O(desk · candidates · nodes) time,
O(candidates · p + nodes) memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from microagg.kernels.compiled import FloatArray, IntArray, compiled

if TYPE_CHECKING:
    from microagg.measures.arrays import Sets

BLOCK = 256  # candidates at a time: the partial distances of every depth stay in the first-level cache


@dataclass(frozen=True, slots=True)
class PrefixTree:
    """Sets of attributes as paths from a root; nodes in the order of a depth-first walk.

    Attributes
    ----------
    column, depth : (nodes,) int64
        Attribute added at the node, and how many attributes its path has.
    parent : (nodes,) int64
        Node of the path without its last attribute, −1 at the first.
    after : (nodes,) int64
        The first node that is not below this one.
    marked : (nodes,) bool
        Whether the path is one of the sets.
    sets_below : (nodes,) int64
        How many marked nodes there are from the node down, itself included.
    node_of_set : (m,) int64
        The node of each set, in the order given.
    """

    column: IntArray
    depth: IntArray
    parent: IntArray
    after: IntArray
    marked: np.ndarray[tuple[int], np.dtype[np.bool_]]
    sets_below: IntArray
    node_of_set: IntArray


@lru_cache(maxsize=8)
def prefix_tree(sets: Sets) -> PrefixTree:
    """Arrange sets of attributes so that each is reached from a smaller one.

    Parameters
    ----------
    sets : tuple of tuples of int
        Non-empty; order, repeated attributes and repeated sets do not matter.

    Returns
    -------
    PrefixTree

    Examples
    --------
    >>> tree = prefix_tree(((0, 2), (2,), (0,)))
    >>> tree.column.tolist(), tree.depth.tolist(), tree.node_of_set.tolist()
    ([0, 2, 2], [1, 2, 1], [1, 2, 0])
    """
    paths = [tuple(sorted(set(known))) for known in sets]
    nodes: dict[tuple[int, ...], int] = {}
    for path in sorted(set(paths)):
        for length in range(1, len(path) + 1):
            nodes.setdefault(path[:length], len(nodes))
    depth = np.array([len(path) for path in nodes], dtype=np.int64)
    after = np.full(len(nodes), len(nodes), dtype=np.int64)
    open_at: list[int] = []  # nodes still waiting for the end of their branch
    for node, level in enumerate(depth.tolist()):
        while open_at and depth[open_at[-1]] >= level:
            after[open_at.pop()] = node
        open_at.append(node)
    marked = np.zeros(len(nodes), dtype=np.bool_)
    node_of_set = np.array([nodes[path] for path in paths], dtype=np.int64)
    marked[node_of_set] = True
    marks = np.concatenate([[0], np.cumsum(marked)])
    return PrefixTree(
        column=np.array([path[-1] for path in nodes], dtype=np.int64),
        depth=depth,
        parent=np.array([nodes.get(path[:-1], -1) for path in nodes], dtype=np.int64),
        after=after,
        marked=marked,
        sets_below=marks[after] - marks[:-1],
        node_of_set=node_of_set,
    )


@compiled
def _own_nearest(
    point: FloatArray,
    own: IntArray,
    candidates: FloatArray,
    column: IntArray,
    depth: IntArray,
    nearest: FloatArray,
    winners: IntArray,
) -> None:
    """For each node: the least distance of the desk record to a counterpart, and how many have it."""
    partial = np.zeros(len(candidates) + 1)
    nearest[:] = np.inf
    for counterpart in own:
        for node in range(len(column)):
            gap = candidates[column[node], counterpart] - point[column[node]]
            distance = partial[depth[node] - 1] + gap * gap
            partial[depth[node]] = distance
            if distance < nearest[node]:
                nearest[node] = distance
                winners[node] = 1
            elif distance == nearest[node]:
                winners[node] += 1


@compiled
def _least(bits: IntArray) -> np.int64:
    low = np.int64(0x7FF0000000000000)  # infinity
    for j in range(len(bits)):
        low = min(low, bits[j])
    return low


@compiled
def _tied(bits: IntArray, at: np.int64, weights: IntArray) -> np.int64:
    tied = np.int64(0)
    for j in range(len(bits)):
        tied += weights[j] if bits[j] == at else 0
    return tied


@compiled
def _walk(
    step: FloatArray,
    partial: FloatArray,
    weights: IntArray,
    column: IntArray,
    depth: IntArray,
    parent: IntArray,
    after: IntArray,
    own_bits: IntArray,
    pending: IntArray,
    ties: IntArray,
) -> None:
    """Walk one block of candidates: add to ``ties``, or set it to −1 and give the set up where beaten."""
    size = len(weights)
    partial_bits = partial.view(np.int64)
    node = 0
    while node < len(column):
        if pending[node] == 0:
            node = after[node]
            continue
        before, now, squares = partial[depth[node] - 1], partial[depth[node]], step[column[node]]
        for j in range(size):
            now[j] = before[j] + squares[j]
        if ties[node] >= 0:
            bits = partial_bits[depth[node], :size]
            low = _least(bits)
            if low < own_bits[node]:
                ties[node] = -1
                up = node
                while up >= 0:
                    pending[up] -= 1
                    up = parent[up]
            elif low == own_bits[node]:
                ties[node] += _tied(bits, low, weights)
        node += 1


@compiled
def credit_by_node(
    desk: FloatArray,
    members: IntArray,
    own: IntArray,
    candidates: FloatArray,
    weights: IntArray,
    column: IntArray,
    depth: IntArray,
    parent: IntArray,
    after: IntArray,
    marked: np.ndarray[tuple[int], np.dtype[np.bool_]],
    sets_below: IntArray,
) -> FloatArray:
    """Sum over desk records of the credit 1/t (own counterpart among the t nearest) or 0, for each node.

    Parameters
    ----------
    desk : (q, p) float64, standardised
        Distinct records that are being linked.
    members : (q + 1,) int64
        Records ``members[i]`` up to ``members[i + 1]`` are the ones equal to desk record i.
    own : (n,) int64
        Candidate row of each such record's own counterpart.
    candidates : (p, t) float64, standardised, one attribute a row
        Distinct records among which the nearest is looked for.
    weights : (t,) int64
        How many records equal each candidate.
    column, depth, parent, after, marked, sets_below : arrays
        The prefix tree's.

    Returns
    -------
    (nodes,) float64; 0 where a node is not marked
    """
    p, t = candidates.shape
    nodes = len(column)
    width = min(t, BLOCK)
    step = np.empty((p, width))
    partial = np.zeros((p + 1, width))
    own_nearest = np.empty(nodes)
    winners = np.empty(nodes, dtype=np.int64)
    ties = np.empty(nodes, dtype=np.int64)
    pending = np.empty(nodes, dtype=np.int64)  # sets at or below each node that are not given up
    credit = np.zeros(nodes)
    for i in range(len(desk)):
        mine = own[members[i] : members[i + 1]]
        _own_nearest(desk[i], mine, candidates, column, depth, own_nearest, winners)
        own_bits = own_nearest.view(np.int64)
        for node in range(nodes):
            pending[node] = sets_below[node]
            ties[node] = 0 if marked[node] else -1
        for start in range(0, t, width):
            size = min(width, t - start)
            for attribute in range(p):
                line, squares = candidates[attribute, start : start + size], step[attribute]
                value = desk[i, attribute]
                for j in range(size):
                    squares[j] = (line[j] - value) * (line[j] - value)
            block = weights[start : start + size]
            _walk(step, partial, block, column, depth, parent, after, own_bits, pending, ties)
        for node in range(nodes):
            if ties[node] > 0:
                credit[node] += winners[node] / ties[node]
    return credit
