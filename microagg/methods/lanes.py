"""Short loops over the 32 lanes of a leaf or of a block of boxes, which compile to vector instructions.

They are plain on purpose. Each loop runs over rows sliced beforehand (an index like ``a[j, s + t]`` is not
vectorised), up to the size of an array (a loop of constant length is unrolled instead); distances are
accumulated row by row in the order of the attributes; and arrays, not a tuple of them, are handed over, which
would cost more than the loop. An absent box runs from +∞ to −∞ and loses every comparison.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from microagg.compiled import IntArray, approximate, compiled

Small: TypeAlias = NDArray[np.float32]

LANES = 32
"""Records in a leaf, children of a block."""

ZERO, INFINITE = np.float32(0.0), np.float32(np.inf)

MU = (np.float32(0.75), np.float32(0.125))
"""How much the two bounds of `farthest_bounds` rest on the boxes; measured on independent and on long-tailed
attributes, of which each μ suits one."""


@approximate
def extremes(lows: Small, highs: Small) -> tuple[np.float32, np.float32]:
    """Least of the lows and largest of the highs."""
    least, largest = INFINITE, -INFINITE
    for i in range(LANES):
        if lows[i] < least:
            least = lows[i]
        if highs[i] > largest:
            largest = highs[i]
    return least, largest


@approximate
def nearest_bounds(low: Small, high: Small, block: int, point: Small, bound: Small) -> None:
    """Squared distances from the point to the children's boxes."""
    bound[:] = ZERO
    for j in range(point.size):
        lows = low[block, j]
        highs = high[block, j]
        value = point[j]
        for i in range(bound.size):
            gap = max(lows[i] - value, value - highs[i], ZERO)
            bound[i] += gap * gap


@approximate
def farthest_bounds(
    low: Small, high: Small, block: int, mirrored: Small, terms: Small, other: Small, bound: Small
) -> None:
    """Bound the children's −|x−q|² from below: the larger of the bounds for the two `MU`.

    ``mirrored`` (2, d) are the two points −q/μ, ``terms`` (2, 2) for each μ the factor of the largest squared
    norm and what is the same for all children; ``other`` (32,) is written over.
    """
    bound[:] = ZERO
    other[:] = ZERO
    for j in range(mirrored.shape[1]):
        lows = low[block, j]
        highs = high[block, j]
        value = mirrored[0, j]
        farther = mirrored[1, j]
        for i in range(bound.size):
            gap = max(lows[i] - value, value - highs[i], ZERO)
            bound[i] += gap * gap
            gap = max(lows[i] - farther, farther - highs[i], ZERO)
            other[i] += gap * gap
    norms = high[block, mirrored.shape[1]]
    for i in range(bound.size):
        first = MU[0] * bound[i] - terms[0, 0] * norms[i] - terms[0, 1]
        second = MU[1] * other[i] - terms[1, 0] * norms[i] - terms[1, 1]
        bound[i] = max(first, second)


@compiled
def push(bound: Small, limit: np.float32, child: int, stack: IntArray, waiting: Small, depth: int) -> int:
    """Put the children within the limit on the stack, the best on top; return its new depth."""
    begin = depth
    for i in range(LANES):
        stack[depth] = child + i
        waiting[depth] = bound[i]
        depth += bound[i] <= limit
    best = begin
    for i in range(begin + 1, depth):
        if waiting[i] < waiting[best]:
            best = i
    top = max(depth - 1, begin)
    stack[best], stack[top] = stack[top], stack[best]
    waiting[best], waiting[top] = waiting[top], waiting[best]
    return depth
