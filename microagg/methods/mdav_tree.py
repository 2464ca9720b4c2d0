"""MDAV on large files: the same groups as the plain kernel of `mdav`, most distances never computed.

**Tree.** The remaining records stand in a tree of boxes (`search_tree`), 32 to a leaf, 32 children to a
block, and leave it group by group. When half of them are gone it is built anew.

**Filter and decision.** A leaf holds its records as codes of one byte an attribute (`leaf_codes`), its boxes
are float32. A code is at most the leaf's ``blur`` away from its record. Rounding adds, with R the largest
norm around, at most (d + 9) · 6e-8 · R to the distance of a code, of which base, step, sum and query have
7 · 6e-8 · R and the d squares the rest, and less to that of a box; ``slack`` = (d + 16) · 1.2e-7 · R is
twice as much. A record goes on only if its code's distance, given blur and slack, could be among the best;
then its distance is computed in float64 from the original values, in the order of the columns, and
(distance, record index) decides. So the filter decides what is looked at, never what is found.

**Search.** One search serves both ends: it keeps the k smallest of key = sign · distance², the nearest
records for sign +1, the farthest for −1. Depth first, the child with the best bound next, it drops boxes that
cannot hold a better key (`boxes` has the bounds). In a file of a million records each leaf is far from the
last one read, so the next ones are asked for in advance.

**Farthest from the centroid.** The centroid moves little from step to step. Each leaf has a key: the largest
distance of its records from the centroid at some earlier time, less the path that the centroid had gone by
then. Key plus path bounds the leaf ever after, so only leaves whose bound reaches the best so far are looked
at, which renews their keys; ``peak`` holds the largest key of each block of leaves.

None of this is in the paper and none of it changes a result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.kernels import exact_sum
from microagg.kernels.boxes import HIGH, aim_far, farthest_bounds, nearest_bounds
from microagg.kernels.compiled import FloatArray, IntArray, compiled, inner
from microagg.kernels.leaf_codes import code_distances
from microagg.kernels.prefetch import prefetch
from microagg.kernels.search_tree import EDGE, PATH, REACH, SCALE, SIGN, SLACK, VISITS, Tree, plant, remove
from microagg.kernels.simd import INFINITE, LANES, ZERO, Small, largest, load, lowest, store, where, within

if TYPE_CHECKING:
    from collections.abc import Callable

AHEAD = 3
"""Leaves that are asked for before they are read."""

LARGEST = float(np.finfo(np.float32).max)
"""Above any key, below the bound of a child that is not there."""


def fewest(k: int) -> int:
    """Return the number of records below which the plain kernel is as fast (measured: d 2…120, k 3…200)."""
    return int(2000 * np.sqrt(k))


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
        tree = plant(points, np.flatnonzero(labels < 0), k, total, report)
        half = max(left // 2, until)
        while left >= half:
            left = build(tree, left, half)
            report()
        del tree  # its memory, before the next one is built


@inner
def _aim(tree: Tree, query: FloatArray, sign: float) -> float:
    """Begin a search: forget the best, scale the query, find the slack; return the query's squared norm."""
    d = query.size
    norm = 0.0
    for j in range(d):
        tree.query[j] = query[j]
        y = (query[j] - tree.origin[j]) * tree.state[SCALE]
        tree.point[j] = y
        norm += y * y
    reach = max(norm, np.float64(largest(load(tree.box[tree.box.shape[0] - 1, d, HIGH]))))
    tree.state[SIGN] = sign
    tree.state[SLACK] = (d + 16) * 1.2e-7 * np.sqrt(reach) + 1e-20  # the last term for what underflows
    tree.state[REACH] = np.inf if sign > 0 else 0.0
    tree.state[EDGE] = LARGEST
    for slot in range(tree.keys.size):
        tree.keys[slot] = np.inf
    return norm


@inner
def _edge(sign: float, distance: float, slack: float) -> np.float32:
    """Largest key of what may be within that distance, or beyond it, given the slack."""
    distance = max(distance + sign * slack, 0.0)
    return np.float32(min(sign * distance * distance * (1 + sign * 1e-6), LARGEST))


@inner
def _decide(tree: Tree, leaf: int, passed: int) -> float:
    """Take the records of a leaf that passed the filter among the best, the k nearest or the one farthest.

    Returns the best key found in the leaf.
    """
    state, near, keys, ids = tree.state, tree.near, tree.keys, tree.ids
    sign = state[SIGN]
    last = keys.size - 1 if sign > 0 else 0
    best = np.inf
    while passed != 0:
        place = leaf * LANES + lowest(passed)
        passed &= passed - 1
        key = 0.0
        for j in range(tree.query.size):
            gap = tree.rows[place, j] - tree.query[j]
            key += gap * gap
        key *= sign
        best = min(best, key)
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
            state[REACH] = np.sqrt(sign * keys[last]) * state[SCALE]
            state[EDGE] = _edge(sign, state[REACH], state[SLACK])
    return best


@inner
def search(tree: Tree, query: FloatArray, sign: float) -> int:
    """Find the places of the records with the smallest keys; return how many blocks and leaves it took."""
    norm = _aim(tree, query, sign)
    if sign < 0:
        aim_far(tree.point, norm, tree.corner, tree.slope, tree.mirrored, tree.terms)
    state, box, level_from, codes, grid = tree.state, tree.box, tree.first, tree.codes, tree.grid
    stack, waiting = tree.stack, tree.waiting
    stack[0] = box.shape[0] - 1
    waiting[0] = -INFINITE
    depth = 1
    visits = 0
    while depth > 0:
        depth -= 1
        if waiting[depth] > np.float32(state[EDGE]):
            continue
        block, level = stack[depth], 0
        while block >= level_from[level + 1]:
            level += 1
        visits += 1
        edge = np.float32(state[EDGE])
        if sign > 0:
            bound = nearest_bounds(box, block, tree.point)
        else:
            bound = farthest_bounds(box, block, tree.corner, tree.slope, tree.mirrored, tree.terms, edge)
        below = level_from[level - 1] if level > 0 else 0
        child = below + LANES * (block - level_from[level])
        begin = depth
        store(tree.bound, bound)
        depth = _push(tree.bound, within(bound, edge), child, stack, waiting, depth)
        ahead = depth
        while level == 0 and depth > begin:
            while ahead > max(begin, depth - AHEAD):
                ahead -= 1
                prefetch(codes, stack[ahead])
                prefetch(grid, stack[ahead])
            depth -= 1
            if waiting[depth] <= np.float32(state[EDGE]):
                visits += 1
                leaf = stack[depth]
                edge = _edge(sign, state[REACH], state[SLACK] + grid[leaf, 0, query.size + 1])
                keys = code_distances(codes, grid, leaf, tree.point) * np.float32(sign)
                passed = within(keys, edge) & tree.there[leaf]
                if passed != 0:
                    _decide(tree, leaf, passed)
    return visits


@inner
def _push(bound: Small, held: int, child: int, stack: IntArray, waiting: Small, depth: int) -> int:
    """Put the children that the mask holds on the stack, the best on top; return its new depth."""
    if held == 0:
        return depth
    best = depth
    while held != 0:
        lane = lowest(held)
        held &= held - 1
        stack[depth], waiting[depth] = child + lane, bound[lane]
        if waiting[depth] < waiting[best]:
            best = depth
        depth += 1
    stack[best], stack[depth - 1] = stack[depth - 1], stack[best]
    waiting[best], waiting[depth - 1] = waiting[depth - 1], waiting[best]
    return depth


@inner
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
        block = _top(peak, 0, peak.size)
        start = _top(key, block * LANES, (block + 1) * LANES)
        _look(tree, start)
        peak[block] = key[_top(key, block * LANES, (block + 1) * LANES)]
        visits += 1
    for block in range(peak.size):
        if peak[block] >= state[SCALE] * np.sqrt(-keys[0]) - state[PATH]:
            for leaf in range(block * LANES, (block + 1) * LANES):
                if leaf != start and key[leaf] >= state[SCALE] * np.sqrt(-keys[0]) - state[PATH]:
                    _look(tree, leaf)
                    visits += 1
            peak[block] = key[_top(key, block * LANES, (block + 1) * LANES)]
    return visits


@inner
def _top(values: FloatArray, begin: int, end: int) -> int:
    """Place of the largest value in a range."""
    top = begin
    for place in range(begin + 1, end):
        if values[place] > values[top]:
            top = place
    return top


@inner
def _look(tree: Tree, leaf: int) -> None:
    """Take a leaf's record farthest from the centroid if it is the best so far, and renew the leaf's key."""
    state, there = tree.state, tree.there[leaf]
    if there == 0:
        tree.key[leaf] = -np.inf
        return
    keys = code_distances(tree.codes, tree.grid, leaf, tree.point)
    farthest = np.float64(largest(where(there, keys, ZERO)))
    blur = state[SLACK] + np.float64(tree.grid[leaf, 0, tree.origin.size + 1])
    edge = _edge(-1.0, np.sqrt(farthest), 2 * blur)
    exact = _decide(tree, leaf, within(keys * np.float32(-1.0), edge) & there)
    tree.key[leaf] = np.sqrt(-exact) * state[SCALE] + state[SLACK] - state[PATH]


@inner
def take_out(tree: Tree, group: int, labels: IntArray, total: FloatArray) -> None:
    """Make the records found a group."""
    for place in tree.near:
        labels[tree.ids[place]] = group
        exact_sum.add(total, tree.rows[place], -1.0)
    remove(tree, tree.near)


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
