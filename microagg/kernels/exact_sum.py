"""Sums of records that stay exact while records are taken away, so that a centroid never drifts.

MDAV needs the centroid of what is left after every group. Averaging afresh costs a pass over the file; a
plain running sum drifts, and the drift decides ties. A sum kept in three parts (each addition's rounding
error is recovered by Knuth's TwoSum and carried into the next part) holds about 159 bits: what comes out is
the sum rounded once, whatever was added and taken away before.
"""

from __future__ import annotations

import numpy as np

from microagg.kernels.compiled import FloatArray, compiled

PARTS = 3


@compiled
def add(total: FloatArray, record: FloatArray, sign: float) -> None:
    """Add a record (sign 1.0) to the sums, or take it away (−1.0).

    Parameters
    ----------
    total : (3, d) float64, changed in place
    record : (d,) float64
    sign : float
    """
    for j in range(record.size):
        carry = sign * record[j]
        for part in range(PARTS):
            old = total[part, j]
            new = old + carry
            shadow = new - old
            carry = (old - (new - shadow)) + (carry - shadow)
            total[part, j] = new


@compiled
def mean(total: FloatArray, count: int, out: FloatArray) -> None:
    """Write the mean of the records in the sums to ``out`` (d,)."""
    for j in range(out.size):
        out[j] = (total[0, j] + (total[1, j] + total[2, j])) / count


@compiled
def sum_of(points: FloatArray) -> FloatArray:
    """Sums (3, d) of the rows of ``points`` (n, d)."""
    total = np.zeros((PARTS, points.shape[1]))
    for i in range(points.shape[0]):
        add(total, points[i], 1.0)
    return total
