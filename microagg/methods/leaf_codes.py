"""A leaf's records in one byte an attribute, which is what a search reads most.

A large tree does not fit the processor's cache, and reading it is most of the time; this is a quarter of
float32. Each attribute of a leaf is cut into 255 steps between its least and its largest value, so that a
code is off by half a step of the leaf's own extent, however far the attribute ranges elsewhere: a record is
at base + step · code, with a base and a step for each leaf and attribute. How far a record of the leaf lies
from its code at most is kept as the leaf's ``blur``. The last row of the codes says which records are gone.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from microagg.compiled import FloatArray, approximate, compiled
from microagg.methods.lanes import INFINITE, ZERO, Small

Codes: TypeAlias = NDArray[np.uint8]

STEPS = 255


@compiled
def encode(values: FloatArray, m: int, codes: Codes, grid: Small) -> None:
    """Write a leaf's codes.

    Parameters
    ----------
    values : (d + 1, 32) float64
        Attributes and squared norm of its records, of which the first m count.
    m : int
    codes : (d + 2, 32) uint8, written
    grid : (2, d + 2) float32, written
        Base and step of attributes and norm; in the last column the blur.
    """
    d = len(values) - 1
    far = np.zeros(m)
    for j in range(d + 1):
        column = values[j, :m]
        base = np.float32(column.min())
        step = np.float32((column.max() - base) / STEPS)
        grid[0, j], grid[1, j] = base, step
        for i in range(m):
            code = min(max(np.rint((column[i] - base) / step), 0.0), STEPS) if step > 0 else 0.0
            codes[j, i] = np.uint8(code)
            if j < d:
                far[i] += (column[i] - (np.float64(base) + np.float64(step) * code)) ** 2
    codes[d + 1, :m] = 0
    codes[d + 1, m:] = 1
    grid[0, d + 1] = np.sqrt(far.max()) * (1 + 1e-6)


@compiled
def code_range(row: Codes, gone: Codes) -> tuple[int, int]:
    """Least and largest code (32,) of the records of a leaf that are not gone (32,)."""
    least, largest = STEPS + 1, -1
    for i in range(row.size):
        away = (STEPS + 1) * int(gone[i])
        least = min(least, int(row[i]) + away)
        largest = max(largest, int(row[i]) - away)
    return least, largest


@approximate
def code_keys(
    codes: Codes, grid: Small, leaf: int, point: Small, sign: np.float32, edge: np.float32, keys: Small
) -> int:
    """Write the keys sign · distance² of a leaf's codes from the point, ∞ for records that are gone.

    Returns how many keys are within the edge.
    """
    keys[:] = ZERO
    for j in range(point.size):
        row = codes[leaf, j]
        start = grid[leaf, 0, j] - point[j]
        step = grid[leaf, 1, j]
        for i in range(keys.size):
            gap = start + step * np.float32(row[i])
            keys[i] += gap * gap
    gone = codes[leaf, point.size + 1]
    count = 0
    for i in range(keys.size):
        keys[i] = INFINITE if gone[i] else sign * keys[i]
        count += keys[i] <= edge
    return count
