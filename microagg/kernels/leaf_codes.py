"""A leaf's records in one byte an attribute, which is what a search reads most.

A large tree does not fit the processor's cache, and reading it is most of the time; this is a quarter of
float32. Each attribute of a leaf is cut into 255 steps between its least and its largest value, so that a
code is off by half a step of the leaf's own extent, however far the attribute ranges elsewhere: a record is
at base + step · code, with a base and a step for each leaf and attribute. How far a record of the leaf lies
from its code at most is kept as the leaf's ``blur``.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from microagg.kernels.compiled import FloatArray, compiled, inner
from microagg.kernels.simd import ZERO, Lanes, Small, fill, load

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
    codes : (d + 1, 32) uint8, written
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
    grid[0, d + 1] = np.sqrt(far.max()) * (1 + 1e-6)


@inner
def code_distances(codes: Codes, grid: Small, leaf: int, point: Small) -> Lanes:
    """Squared distances of a leaf's codes from the point."""
    squared = fill(ZERO)
    for j in range(point.size):
        gap = load(codes[leaf, j]) * grid[leaf, 1, j] + (grid[leaf, 0, j] - point[j])
        squared += gap * gap
    return squared
