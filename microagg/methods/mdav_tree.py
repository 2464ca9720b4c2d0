"""MDAV on large files: the same groups as the plain kernel of `mdav`, most distances never computed.

**Tree.** The remaining records stand in leaf order (`leaf_order`), 32 to a leaf; 32 leaves, then 32 blocks,
make a block of the next level. A block holds its children's bounding boxes as one row of 32 lows and one of
32 highs an attribute, so that a short vector loop bounds all of them; a leaf holds its records likewise. The
squared distance from the origin, the centroid when the tree was built, is carried along as one more
attribute, called norm. A record taken out becomes NaN, which loses every comparison, and the boxes that it
touched shrink. When half of the records are gone the tree is built anew.

**Filter and decision.** Boxes and leaves are float32, moved to the origin and scaled by a power of two to
norms of at most 1. Rounding moves a record by at most 6e-8 of its norm, and a distance computed from d
rounded differences is off by at most (d + 2)/2 · 6e-8 of itself; with R the largest norm around, both stay
under ``slack`` = (d + 8) · 1.2e-7 · R, with a factor of two to spare. A record goes on only if its distance,
given that slack, could be among the best; then its distance is computed in float64 from the original values,
in the order of the columns, and (distance, record index) decides. So the filter decides what is looked at,
never what is found.

**Search.** One search serves both ends: it keeps the k smallest of key = sign · distance², the nearest
records for sign +1, the farthest for −1. Depth first, the child with the best bound next, it drops boxes that
cannot hold a better key. For the nearest the bound is the distance from the query q to the box. For the
farthest there is, for every μ > 0, the identity |x−q|² = (1+μ)|x|² + (1+1/μ)|q|² − μ|x+q/μ|²; its terms are
bounded by the child's largest norm and by the distance from −q/μ to its box. μ matters for speed only: a
large one suits records around a ball, a small one long tails, and of two the tighter bound counts.

**Farthest from the centroid.** The centroid moves little from step to step. Each leaf has a key: the largest
distance of its records from the centroid at some earlier time, less the path that the centroid had gone by
then. Key plus path bounds the leaf ever after, so only leaves whose bound reaches the best so far are looked
at, which renews their keys; ``peak`` holds the largest key of each block of leaves.

None of this is in the paper and none of it changes a result. Memory: about twice the data, beside the data.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from microagg.compiled import FloatArray, IntArray, compiled
from microagg.methods import exact_sum, lanes
from microagg.methods.lanes import LANES, Small
from microagg.methods.leaf_order import leaf_order

if TYPE_CHECKING:
    from collections.abc import Callable

VISITS = 100_000
"""Blocks and leaves visited between two reports of progress, some hundredths of a second."""

SCALE, PATH, SIGN, SLACK, EDGE = range(5)
"""Places in `Tree.state`: the scale, the centroid's path; of this search the sign, the slack, and the largest
float32 key still of interest."""

LARGEST = float(np.finfo(np.float32).max)
"""Above any key, below the bound of a child that is not there."""


class Tree(NamedTuple):
    """The records in leaf order, their boxes and keys, and the present search; the arrays change in place.

    Lane i of block b of level l is child 32·(b − first[l]) + i of the level below: a block, for l = 0 a leaf.
    The last block is the root.
    """

    ids: IntArray  # (m,) record indices
    rows: FloatArray  # (m, d) original values
    leaves: Small  # (leaves, d + 1, 32) scaled attributes and norm
    low: Small  # (blocks, d + 1, 32) boxes of the children
    high: Small
    first: IntArray  # (levels + 1,) first block of each level, then their number
    key: FloatArray  # (leaves, filled up with −∞ to whole blocks)
    peak: FloatArray  # (blocks of leaves,)
    origin: FloatArray  # (d,)
    centre: FloatArray  # (d,) where the centroid was last
    state: FloatArray  # (5,)
    query: FloatArray  # (d,)
    point: Small  # (d,) the query, moved and scaled
    mirrored: Small  # (2, d) it on the other side of the origin, for each μ
    terms: Small  # (2, 2)
    lane: Small  # (3, 32) distances of a leaf's records; two bounds of a block's children
    stack: IntArray  # children still to be looked at
    waiting: Small  # their bounds
    near: IntArray  # (k,) places of the best so far, best first
    keys: FloatArray  # (k,)


def fewest(d: int, k: int) -> int:
    """Return the number of records below which the plain kernel is as fast (measured for d 2…40, k 5…200)."""
    return max(int(400 * d * np.sqrt(k)), 2 * k) if d <= 20 else sys.maxsize


def build_groups(
    points: FloatArray,
    k: int,
    pair_from: int,
    labels: IntArray,
    total: FloatArray,
    until: int,
    progress: Callable[[float], None] | None = None,
) -> None:
    """Build groups as `mdav.build_groups` does, until fewer than ``until`` ≥ 2k records remain."""

    def build(tree: Tree, left: int, half: int) -> int:
        return _build_groups(tree, left, half, pair_from, labels, total)

    replant(points, k, labels, total, until, build, progress)


def replant(
    points: FloatArray,
    k: int,
    labels: IntArray,
    total: FloatArray,
    until: int,
    build: Callable[[Tree, int, int], int],
    progress: Callable[[float], None] | None,
) -> None:
    """Let groups be built from a tree, anew whenever half of its records are gone.

    Parameters
    ----------
    points, labels, total, progress
        As for `mdav.build_groups`.
    k : int
        Records that a search finds.
    until : int
        Stop when fewer remain.
    build : callable
        Given the tree and how many records remain, builds groups for a while or until fewer than its third
        argument remain; returns how many do.
    """

    def report() -> None:
        if progress is not None:
            progress(1 - left / len(points))

    left = int(np.count_nonzero(labels < 0))
    while left >= until:
        tree = _plant(points, np.flatnonzero(labels < 0), k, total, report)
        half = max(left // 2, until)
        while left >= half:
            left = build(tree, left, half)
            report()
        del tree  # its memory, before the next one is built


def _plant(
    points: FloatArray, order: IntArray, k: int, total: FloatArray, report: Callable[[], None]
) -> Tree:
    """Build the tree of the records ``order``, which have the sums ``total``."""
    m, d = len(order), points.shape[1]
    leaf_order(points, order, LANES, report)
    leaves = -(-m // LANES)
    first = [0, -(-leaves // LANES)]
    while first[-1] - first[-2] > 1:
        first.append(first[-1] - (first[-2] - first[-1]) // LANES)
    tree = Tree(
        ids=order,
        rows=points[order],
        leaves=np.full((leaves, d + 1, LANES), np.nan, np.float32),
        low=np.full((first[-1], d + 1, LANES), np.inf, np.float32),
        high=np.full((first[-1], d + 1, LANES), -np.inf, np.float32),
        first=np.array(first),
        key=np.where(np.arange(first[1] * LANES) < leaves, np.inf, -np.inf),
        peak=np.full(first[1], np.inf),
        origin=np.empty(d),
        centre=np.empty(d),
        state=np.zeros(5),
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
    """Scale the records of some leaves and let their boxes grow up to the root."""
    d = tree.origin.size
    scale = tree.state[SCALE]
    for leaf in range(begin, end):
        for lane in range(min(LANES, tree.ids.size - leaf * LANES)):
            norm = 0.0
            for j in range(d):
                y = np.float32((tree.rows[leaf * LANES + lane, j] - tree.origin[j]) * scale)
                tree.leaves[leaf, j, lane] = y
                norm += np.float64(y) * np.float64(y)
            tree.leaves[leaf, d, lane] = np.float32(norm * (1 + 1e-6))
        for j in range(d + 1):
            low, high = lanes.extremes(tree.leaves[leaf, j], tree.leaves[leaf, j])
            child = leaf
            for level in range(tree.first.size - 1):
                block, lane = tree.first[level] + child // LANES, child % LANES
                tree.low[block, j, lane] = min(tree.low[block, j, lane], low)
                tree.high[block, j, lane] = max(tree.high[block, j, lane], high)
                child //= LANES


@compiled
def _aim(tree: Tree, query: FloatArray, sign: float) -> float:
    """Begin a search: forget the best, scale the query, find the slack; return the query's squared norm."""
    d = query.size
    norm = 0.0
    for j in range(d):
        tree.query[j] = query[j]
        y = (query[j] - tree.origin[j]) * tree.state[SCALE]
        tree.point[j] = y
        norm += y * y
    root = tree.high[tree.high.shape[0] - 1, d]
    reach = max(norm, np.float64(lanes.extremes(root, root)[1]))
    tree.state[SIGN] = sign
    tree.state[SLACK] = (d + 8) * 1.2e-7 * np.sqrt(reach) + 1e-20  # the last term for what underflows
    tree.state[EDGE] = LARGEST
    for slot in range(tree.keys.size):
        tree.keys[slot] = np.inf
    return norm


@compiled
def _decide(tree: Tree, leaf: int) -> None:
    """Take the records of a leaf that pass the filter among the best, the k nearest or the one farthest."""
    state, near, keys, ids = tree.state, tree.near, tree.keys, tree.ids
    sign = state[SIGN]
    last = keys.size - 1 if sign > 0 else 0
    for lane in range(LANES):
        if not np.float32(sign) * tree.lane[0, lane] <= np.float32(state[EDGE]):
            continue
        place = leaf * LANES + lane
        key = 0.0
        for j in range(tree.query.size):
            gap = tree.rows[place, j] - tree.query[j]
            key += gap * gap
        key *= sign
        if key > keys[last] or (key == keys[last] and ids[place] > ids[near[last]]):
            continue
        slot = last
        while slot > 0 and (
            keys[slot - 1] > key or (keys[slot - 1] == key and ids[near[slot - 1]] > ids[place])
        ):
            keys[slot] = keys[slot - 1]
            near[slot] = near[slot - 1]
            slot -= 1
        keys[slot] = key
        near[slot] = place
        if keys[last] < np.inf:
            distance = max(np.sqrt(sign * keys[last]) * state[SCALE] + sign * state[SLACK], 0.0)
            state[EDGE] = sign * distance * distance * (1 + sign * 1e-6)


@compiled
def search(tree: Tree, query: FloatArray, sign: float) -> int:
    """Find the places of the records with the smallest keys; return how many blocks and leaves it took."""
    norm = _aim(tree, query, sign)
    state, low, high, leaves, first = tree.state, tree.low, tree.high, tree.leaves, tree.first
    stack, waiting, squared, other, bound = tree.stack, tree.waiting, tree.lane[0], tree.lane[1], tree.lane[2]
    mirrored, terms = tree.mirrored, tree.terms
    inflated = 1 + (query.size + 12) * 1.2e-7  # more than the rounding of the terms
    for which in range(2):
        mirrored[which] = -tree.point / lanes.MU[which]
        terms[which, 0] = (1 + lanes.MU[which]) * inflated
        terms[which, 1] = (1 + 1 / lanes.MU[which]) * norm * inflated
    stack[0] = low.shape[0] - 1
    waiting[0] = -lanes.INFINITE
    depth = 1
    visits = 0
    while depth > 0:
        depth -= 1
        if waiting[depth] > np.float32(state[EDGE]):
            continue
        block, level = stack[depth], 0
        while block >= first[level + 1]:
            level += 1
        visits += 1
        if sign > 0:
            lanes.nearest_bounds(low, high, block, tree.point, bound)
        else:
            lanes.farthest_bounds(low, high, block, mirrored, terms, other, bound)
        below = first[level - 1] if level > 0 else 0
        child = below + LANES * (block - first[level])
        begin = depth
        depth = lanes.push(bound, np.float32(state[EDGE]), child, stack, waiting, depth)
        while level == 0 and depth > begin:
            depth -= 1
            if waiting[depth] <= np.float32(state[EDGE]):
                visits += 1
                edge = np.float32(state[EDGE])
                if lanes.hits(leaves, stack[depth], tree.point, np.float32(sign), edge, squared) > 0:
                    _decide(tree, stack[depth])
    return visits


@compiled
def farthest_from_centre(tree: Tree, centre: FloatArray) -> int:
    """Find the record farthest from the centroid; return how many leaves it took."""
    state, key, peak, keys = tree.state, tree.key, tree.peak, tree.keys
    _aim(tree, centre, -1.0)
    moved = 0.0
    for j in range(centre.size):
        moved += (centre[j] - tree.centre[j]) ** 2
        tree.centre[j] = centre[j]
    state[PATH] += np.sqrt(moved) * state[SCALE]
    visits = 0
    start = -1
    while keys[0] == np.inf:  # until a leaf still holds a record
        block = int(np.argmax(peak))
        start = block * LANES + int(np.argmax(key[block * LANES : (block + 1) * LANES]))
        _look(tree, start)
        peak[block] = key[block * LANES : (block + 1) * LANES].max()
        visits += 1
    for block in range(peak.size):
        if peak[block] >= state[SCALE] * np.sqrt(-keys[0]) - state[PATH]:
            for leaf in range(block * LANES, (block + 1) * LANES):
                if leaf != start and key[leaf] >= state[SCALE] * np.sqrt(-keys[0]) - state[PATH]:
                    _look(tree, leaf)
                    visits += 1
            peak[block] = key[block * LANES : (block + 1) * LANES].max()
    return visits


@compiled
def _look(tree: Tree, leaf: int) -> None:
    """Take a leaf's record farthest from the centroid if it is the best so far, and renew the leaf's key."""
    state, squared = tree.state, tree.lane[0]
    if lanes.hits(tree.leaves, leaf, tree.point, np.float32(-1.0), np.float32(state[EDGE]), squared) > 0:
        _decide(tree, leaf)
    largest = np.float64(lanes.extremes(squared, squared)[1])
    tree.key[leaf] = np.sqrt(largest) + state[SLACK] - state[PATH] if largest >= 0.0 else -np.inf


@compiled
def take_out(tree: Tree, group: int, labels: IntArray, total: FloatArray) -> None:
    """Make the records found a group and let the boxes that they touched shrink."""
    leaves, low, high = tree.leaves, tree.low, tree.high
    for place in tree.near:
        labels[tree.ids[place]] = group
        exact_sum.add(total, tree.rows[place], -1.0)
        leaf, lane = place // LANES, place % LANES
        for j in range(low.shape[1]):
            y = leaves[leaf, j, lane]
            leaves[leaf, j, lane] = np.nan
            if y <= low[leaf // LANES, j, leaf % LANES] or y >= high[leaf // LANES, j, leaf % LANES]:
                _shrink(tree, leaf, j)


@compiled
def _shrink(tree: Tree, leaf: int, j: int) -> None:
    """Shrink a leaf's box in one attribute, and the boxes around it as far as it touched them."""
    inner_low, inner_high = tree.leaves[leaf, j], tree.leaves[leaf, j]
    old_low, old_high = -lanes.INFINITE, lanes.INFINITE
    child = leaf
    for level in range(tree.first.size - 1):
        block, lane = tree.first[level] + child // LANES, child % LANES
        low, high = tree.low[block, j], tree.high[block, j]
        if low[lane] < old_low and high[lane] > old_high:
            return
        old_low, old_high = low[lane], high[lane]
        low[lane], high[lane] = lanes.extremes(inner_low, inner_high)
        if low[lane] == old_low and high[lane] == old_high:
            return
        inner_low, inner_high = low, high
        child //= LANES


@compiled
def _build_groups(
    tree: Tree, left: int, until: int, pair_from: int, labels: IntArray, total: FloatArray
) -> int:
    """Build groups until fewer than ``until`` remain or it is time to report; return how many remain."""
    d, k = tree.origin.size, tree.near.size
    centre, r, s = np.empty(d), np.empty(d), np.empty(d)
    visits = 0
    while left >= until and visits < VISITS:
        exact_sum.mean(total, left, centre)
        visits += farthest_from_centre(tree, centre)
        r[:] = tree.rows[tree.near[0]]
        pair = left >= pair_from
        if pair:
            visits += search(tree, r, -1.0)
            s[:] = tree.rows[tree.near[0]]
        for step in range(2 if pair else 1):
            visits += search(tree, s if step else r, 1.0)
            take_out(tree, (labels.size - left) // k, labels, total)
            left -= k
    return left
