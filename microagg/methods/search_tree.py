"""The tree in which `mdav_tree` searches: records in leaf order, their codes, and boxes around them.

32 records make a leaf (`leaf_order`), which holds them as codes of one byte (`leaf_codes`). 32 leaves, then
32 blocks, make a block of the next level. A block holds its children's bounding boxes as one row of 32 lows
and one of 32 highs an attribute, so that a short vector loop bounds all of them. All of this is moved to the
origin, the centroid when the tree was built, and scaled by a power of two to norms of at most 1; boxes are
float32. The squared distance from the origin is carried along as one more attribute, called norm.

A record taken out is marked as gone, and the boxes that it touched shrink: those with the least or largest
code that is left in the leaf are measured again.

Memory: 1.3 times the data for ten attributes, beside the data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from microagg.compiled import FloatArray, IntArray, compiled
from microagg.methods import exact_sum, lanes
from microagg.methods.lanes import LANES, Small
from microagg.methods.leaf_codes import Codes, code_range, encode
from microagg.methods.leaf_order import leaf_order

if TYPE_CHECKING:
    from collections.abc import Callable

VISITS = 100_000
"""Blocks and leaves visited between two reports of progress, some hundredths of a second."""

SCALE, PATH, SIGN, SLACK, REACH, EDGE = range(6)
"""Places in `Tree.state`: the scale, the centroid's path; of a search its sign, the slack, the scaled
distance that a record has to beat, and the largest key of a box that may hold one."""


class Tree(NamedTuple):
    """The records in leaf order, their boxes and keys, and the present search; the arrays change in place.

    Lane i of block b of level l is child 32·(b − first[l]) + i of the level below: a block, for l = 0 a leaf.
    The last block is the root.
    """

    ids: IntArray  # (m,) record indices
    rows: FloatArray  # (m, d) original values
    codes: Codes  # (leaves, d + 2, 32)
    grid: Small  # (leaves, 2, d + 2)
    low: Small  # (blocks, d + 1, 32) boxes of the children
    high: Small
    first: IntArray  # (levels + 1,) first block of each level, then their number
    key: FloatArray  # (leaves, filled up with −∞ to whole blocks)
    peak: FloatArray  # (blocks of leaves,)
    origin: FloatArray  # (d,)
    centre: FloatArray  # (d,) where the centroid was last
    state: FloatArray  # (6,)
    query: FloatArray  # (d,)
    point: Small  # (d,) the query, moved and scaled
    mirrored: Small  # (2, d) it on the other side of the origin, for each μ
    terms: Small  # (2, 2)
    lane: Small  # (3, 32) keys of a leaf's records; two bounds of a block's children
    stack: IntArray  # children still to be looked at
    waiting: Small  # their bounds
    near: IntArray  # (k,) places of the best so far, best first
    keys: FloatArray  # (k,)


def plant(points: FloatArray, order: IntArray, k: int, total: FloatArray, report: Callable[[], None]) -> Tree:
    """Build the tree of some records.

    Parameters
    ----------
    points : (n, d) float64
    order : (m,) int64, rearranged
        Which records.
    k : int
        How many of them a search finds at most.
    total : (3, d) float64
        Their sums (`exact_sum`).
    report : callable
        Called many times a second; it may raise to stop.
    """
    m, d = len(order), points.shape[1]
    leaf_order(points, order, LANES, report)
    leaves = -(-m // LANES)
    first = [0, -(-leaves // LANES)]
    while first[-1] - first[-2] > 1:
        first.append(first[-1] - (first[-2] - first[-1]) // LANES)
    tree = Tree(
        ids=order,
        rows=points[order],
        codes=np.zeros((leaves, d + 2, LANES), np.uint8),
        grid=np.zeros((leaves, 2, d + 2), np.float32),
        low=np.full((first[-1], d + 1, LANES), np.inf, np.float32),
        high=np.full((first[-1], d + 1, LANES), -np.inf, np.float32),
        first=np.array(first),
        key=np.where(np.arange(first[1] * LANES) < leaves, np.inf, -np.inf),
        peak=np.full(first[1], np.inf),
        origin=np.empty(d),
        centre=np.empty(d),
        state=np.zeros(6),
        query=np.empty(d),
        point=np.empty(d, np.float32),
        mirrored=np.empty((2, d), np.float32),
        terms=np.empty((2, 2), np.float32),
        lane=np.empty((3, LANES), np.float32),
        stack=np.empty(len(first) * LANES, np.int64),
        waiting=np.empty(len(first) * LANES, np.float32),
        near=np.empty(k, np.int64),
        keys=np.empty(k),
    )
    exact_sum.mean(total, m, tree.origin)
    tree.centre[:] = tree.origin
    radius = np.linalg.norm(np.ptp(points, axis=0))
    # Squares of tiny values vanish in float64: unscaled, all of these records pass the filter.
    tree.state[SCALE] = 2.0 ** -np.ceil(np.log2(radius)) if radius > 1e-100 else 1.0
    step = max(1, VISITS // d)
    for begin in range(0, leaves, step):
        _fill(tree, begin, min(begin + step, leaves))
        report()
    return tree


@compiled
def _fill(tree: Tree, begin: int, end: int) -> None:
    """Encode the records of some leaves and let their boxes grow up to the root."""
    d = tree.origin.size
    scaled = np.empty((d + 1, LANES))
    for leaf in range(begin, end):
        records = min(LANES, tree.ids.size - leaf * LANES)
        for lane in range(records):
            record = tree.rows[leaf * LANES + lane]
            for j in range(d + 1):
                scaled[j, lane] = _scaled(record, tree.origin, tree.state[SCALE], j)
        encode(scaled, records, tree.codes[leaf], tree.grid[leaf])
        for j in range(d + 1):
            column = scaled[j, :records]
            least, largest = np.float32(column.min()), np.float32(column.max())
            child = leaf
            for level in range(tree.first.size - 1):
                block, lane = tree.first[level] + child // LANES, child % LANES
                tree.low[block, j, lane] = min(tree.low[block, j, lane], least)
                tree.high[block, j, lane] = max(tree.high[block, j, lane], largest)
                child //= LANES


@compiled
def remove(tree: Tree, places: IntArray) -> None:
    """Take records out, and let the boxes that they touched shrink."""
    d, low, high = tree.origin.size, tree.low, tree.high
    for place in places:
        leaf, lane = place // LANES, place % LANES
        block, child = leaf // LANES, leaf % LANES
        tree.codes[leaf, d + 1, lane] = 1
        for j in range(d + 1):
            y = np.float32(_scaled(tree.rows[place], tree.origin, tree.state[SCALE], j))
            if y <= low[block, j, child] or y >= high[block, j, child]:
                _shrink(tree, leaf, j)


@compiled
def _shrink(tree: Tree, leaf: int, j: int) -> None:
    """Shrink a leaf's box in one attribute, and the boxes around it as far as it touched them."""
    least, largest = lanes.INFINITE, -lanes.INFINITE
    codes, gone = tree.codes[leaf, j], tree.codes[leaf, tree.origin.size + 1]
    low_code, high_code = code_range(codes, gone)
    for lane in range(LANES):
        if (low_code == codes[lane] or high_code == codes[lane]) and not gone[lane]:
            y = np.float32(_scaled(tree.rows[leaf * LANES + lane], tree.origin, tree.state[SCALE], j))
            least, largest = min(least, y), max(largest, y)
    child = leaf
    for level in range(tree.first.size - 1):
        block, lane = tree.first[level] + child // LANES, child % LANES
        low, high = tree.low[block, j], tree.high[block, j]
        if least == low[lane] and largest == high[lane]:
            return
        low[lane], high[lane] = least, largest
        least, largest = lanes.extremes(low, high)
        child //= LANES


@compiled
def _scaled(record: FloatArray, origin: FloatArray, scale: float, j: int) -> float:
    """Return a record's attribute, moved and scaled; for the last j its squared norm, rounded up."""
    if j < origin.size:
        return float((record[j] - origin[j]) * scale)
    norm = 0.0
    for i in range(origin.size):
        norm += ((record[i] - origin[i]) * scale) ** 2
    return norm * (1 + 1e-6)
