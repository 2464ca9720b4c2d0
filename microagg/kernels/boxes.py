"""Bounds on the distance from a query to the records in 32 boxes at once.

The boxes of a block are rows of 32 lows and of 32 highs for each attribute, and for the squared distance from
the origin as one more. An absent box runs from +∞ to −∞ and loses every comparison.

For the nearest the bound is the distance to the box. For the farthest there are two, and the tighter one
counts. Both rest on the largest norm in the box: |x−q|² = |x|² + |q|² − 2x·q with x·q smallest in a corner,
which suits long tails and reads half of the box; and for every μ > 0 the identity |x−q|² = (1+μ)|x|² +
(1+1/μ)|q|² − μ|x+q/μ|² with the distance from −q/μ to the box, which suits records around a ball.
"""

from __future__ import annotations

import numpy as np

from microagg.kernels.compiled import IntArray, inner
from microagg.kernels.simd import ZERO, Lanes, Small, fill, larger, load, within

LOW, HIGH = 0, 1

MU = np.float32(0.75)
"""Measured on independent attributes; the first bound is the limit of the second for a small μ."""

TINY = np.finfo(np.float32).tiny


@inner
def nearest_bounds(box: Small, block: int, point: Small) -> Lanes:
    """Squared distances from the point (d,) to the boxes of a block."""
    squared = fill(ZERO)
    for j in range(point.size):
        gap = larger(load(box[block, j, LOW]) - point[j], point[j] - load(box[block, j, HIGH]))
        gap = larger(gap, ZERO)
        squared += gap * gap
    return squared


@inner
def aim_far(point: Small, norm: float, corner: IntArray, slope: Small, mirrored: Small, terms: Small) -> None:
    """Prepare `farthest_bounds` for a query.

    Parameters
    ----------
    point : (d,) float32
    norm : float
        Its squared norm.
    corner, slope : (d,) int64, float32, written
        Of each attribute the side where x·q is smallest, and what a step there adds to the bound.
    mirrored : (d,) float32, written
        −q/μ.
    terms : (2, 2) float32, written
        Of each bound the factor of the largest squared norm, and what is the same for all boxes.
    """
    # More than the rounding of all terms, which are at most √d (|x|² + |q|²) for the products.
    inflated = 1 + (point.size + 12) * np.sqrt(point.size) * 1.2e-7
    for j in range(point.size):
        corner[j] = LOW if point[j] >= 0 else HIGH
        slope[j] = 2 * point[j] if point[j] != 0 else TINY  # 0 · ∞ of an absent box is no number
        mirrored[j] = -point[j] / MU
    terms[0, 0], terms[0, 1] = -inflated, -norm * inflated
    terms[1, 0], terms[1, 1] = -(1 + MU) * inflated, -(1 + 1 / MU) * norm * inflated


@inner
def farthest_bounds(
    box: Small, block: int, corner: IntArray, slope: Small, mirrored: Small, terms: Small, limit: np.float32
) -> Lanes:
    """Bound −|x−q|² of the boxes of a block from below; above the limit any bound will do."""
    norms = load(box[block, slope.size, HIGH])
    bound = norms * terms[0, 0] + terms[0, 1]
    for j in range(slope.size):
        bound += load(box[block, j, corner[j]]) * slope[j]
    if within(bound, limit) == 0:
        return bound
    return larger(bound, nearest_bounds(box, block, mirrored) * MU + norms * terms[1, 0] + terms[1, 1])
