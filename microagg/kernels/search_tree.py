"""The tree in which `mdav_tree` searches: records in leaf order, their codes, and boxes around them.

32 records make a leaf (`leaf_order`), which holds them as codes of one byte (`leaf_codes`). 32 leaves, then
32 blocks, make a block of the next level. A block holds its children's bounding boxes as one row of 32 lows
and one of 32 highs an attribute, and all of them are bounded at once (`boxes`). All of this is moved to the
origin, the centroid when the tree was built, and scaled by a power of two to norms of at most 1; boxes are
float32. The squared distance from the origin is carried along as one more attribute, called norm.

A record taken out loses its bit in the leaf's mask, and the boxes that it touched shrink: those with the
least or largest code that is left in the leaf are measured again.

Memory: 1.3 times the data for ten attributes, beside the data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from microagg.kernels import exact_sum
from microagg.kernels.boxes import HIGH, LOW
from microagg.kernels.compiled import FloatArray, IntArray, compiled, inner
from microagg.kernels.leaf_codes import Codes, encode
from microagg.kernels.leaf_order import leaf_order
from microagg.kernels.simd import INFINITE, LANES, Small, fill, largest, least, load, lowest, where, within

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
    codes: Codes  # (leaves, d + 1, 32)
    there: IntArray  # (leaves,) masks of the records that are not taken out
    grid: Small  # (leaves, 2, d + 2)
    box: Small  # (blocks, d + 1, 2, 32) boxes of the children, from low to high
    first: IntArray  # (levels + 1,) first block of each level, then their number
    key: FloatArray  # (leaves, filled up with −∞ to whole blocks)
    peak: FloatArray  # (blocks of leaves,)
    origin: FloatArray  # (d,)
    centre: FloatArray  # (d,) where the centroid was last
    state: FloatArray  # (6,)
    query: FloatArray  # (d,)
    point: Small  # (d,) the query, moved and scaled
    corner: IntArray  # (d,) what `boxes.farthest_bounds` needs to know of it
    slope: Small  # (d,)
    mirrored: Small  # (d,)
    terms: Small  # (2, 2)
    bound: Small  # (32,) of a block's children
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
        codes=np.zeros((leaves, d + 1, LANES), np.uint8),
        there=np.zeros(leaves, np.int64),
        grid=np.zeros((leaves, 2, d + 2), np.float32),
        box=np.full((first[-1], d + 1, 2, LANES), [[np.inf], [-np.inf]], np.float32),
        first=np.array(first),
        key=np.where(np.arange(first[1] * LANES) < leaves, np.inf, -np.inf),
        peak=np.full(first[1], np.inf),
        origin=np.empty(d),
        centre=np.empty(d),
        state=np.zeros(6),
        query=np.empty(d),
        point=np.empty(d, np.float32),
        corner=np.empty(d, np.int64),
        slope=np.empty(d, np.float32),
        mirrored=np.empty(d, np.float32),
        terms=np.empty((2, 2), np.float32),
        bound=np.empty(LANES, np.float32),
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
        tree.there[leaf] = (1 << records) - 1
        for j in range(d + 1):
            column = scaled[j, :records]
            low, high = np.float32(column.min()), np.float32(column.max())
            child = leaf
            for level in range(tree.first.size - 1):
                block, lane = tree.first[level] + child // LANES, child % LANES
                tree.box[block, j, LOW, lane] = min(tree.box[block, j, LOW, lane], low)
                tree.box[block, j, HIGH, lane] = max(tree.box[block, j, HIGH, lane], high)
                child //= LANES


@inner
def remove(tree: Tree, places: IntArray) -> None:
    """Take records out, and let the boxes that they touched shrink."""
    for place in places:
        tree.there[place // LANES] &= ~(1 << place % LANES)
    for place in places:
        leaf = place // LANES
        block, child = leaf // LANES, leaf % LANES
        for j in range(tree.origin.size + 1):
            y = np.float32(_scaled(tree.rows[place], tree.origin, tree.state[SCALE], j))
            if y == tree.box[block, j, LOW, child] or y == tree.box[block, j, HIGH, child]:
                _shrink(tree, leaf, j)


@inner
def _shrink(tree: Tree, leaf: int, j: int) -> None:
    """Shrink a leaf's box in one attribute, and the boxes around it as far as it touched them."""
    there, codes = tree.there[leaf], load(tree.codes[leaf, j])
    low, high = INFINITE, -INFINITE
    outermost = within(codes, least(where(there, codes, INFINITE)))
    outermost |= within(fill(largest(where(there, codes, -INFINITE))), codes)
    outermost &= there
    while outermost != 0:
        place = leaf * LANES + lowest(outermost)
        outermost &= outermost - 1
        y = np.float32(_scaled(tree.rows[place], tree.origin, tree.state[SCALE], j))
        low, high = min(low, y), max(high, y)
    child = leaf
    for level in range(tree.first.size - 1):
        block, lane = tree.first[level] + child // LANES, child % LANES
        if low == tree.box[block, j, LOW, lane] and high == tree.box[block, j, HIGH, lane]:
            return
        tree.box[block, j, LOW, lane], tree.box[block, j, HIGH, lane] = low, high
        low, high = least(load(tree.box[block, j, LOW])), largest(load(tree.box[block, j, HIGH]))
        child //= LANES


@inner
def _scaled(record: FloatArray, origin: FloatArray, scale: float, j: int) -> float:
    """Return a record's attribute, moved and scaled; for the last j its squared norm, rounded up."""
    if j < origin.size:
        return float((record[j] - origin[j]) * scale)
    norm = 0.0
    for i in range(origin.size):
        norm += ((record[i] - origin[i]) * scale) ** 2
    return norm * (1 + 1e-6)
