"""Sums that come out the same in whatever order, and however divided, the records are added.

A float is a whole number of units of 2⁻¹⁰⁷⁴, the smallest float. A sum is kept as that whole number, which
Python holds at any length: sums of chunks add up without rounding, and what is made of the total is rounded
once. In a chunk, mantissas are added up by exponent, in two halves that cannot overflow below 2³¹ records.
O(n) per attribute, about as fast as a plain sum.
"""

from __future__ import annotations

import numpy as np

from microagg.kernels.compiled import FloatArray, IntArray, compiled

UNIT = 1 << 1074
_EXPONENTS = 2047


@compiled
def _by_exponent(bits: IntArray) -> tuple[IntArray, IntArray]:
    """Signed mantissas added up by exponent, (p, 2047) each: their upper and their lower 32 bits."""
    n, p = bits.shape
    high, low = np.zeros((p, _EXPONENTS), dtype=np.int64), np.zeros((p, _EXPONENTS), dtype=np.int64)
    for i in range(n):
        for j in range(p):
            exponent = (bits[i, j] >> 52) & 2047
            mantissa = bits[i, j] & 0xFFFFFFFFFFFFF
            if exponent == 2047:  # missing; infinite values are refused before anything is added
                continue
            if exponent > 0:
                mantissa |= 1 << 52
                exponent -= 1
            if bits[i, j] < 0:
                high[j, exponent] -= mantissa >> 32
                low[j, exponent] -= mantissa & 0xFFFFFFFF
            else:
                high[j, exponent] += mantissa >> 32
                low[j, exponent] += mantissa & 0xFFFFFFFF
    return high, low


def exact_sums(values: FloatArray) -> list[int]:
    """Sum each attribute without rounding.

    Parameters
    ----------
    values : (n, p) float64, nan where missing (and left out)

    Returns
    -------
    list of p int
        In units of 2⁻¹⁰⁷⁴; `rounded` makes floats of them.

    Examples
    --------
    >>> rounded(exact_sums(np.array([[1e16], [1.0], [-1e16], [np.nan]]))[0])
    1.0
    """
    bits = np.ascontiguousarray(values, dtype=np.float64).view(np.int64)
    high, low = _by_exponent(bits)
    totals = []
    for upper, lower in zip(high, low, strict=True):
        used = np.flatnonzero(upper | lower)
        totals.append(sum(((int(upper[e]) << 32) + int(lower[e])) << int(e) for e in used))
    return totals


def rounded(total: int, divisor: int = 1) -> float:
    """Return a sum in units of 2⁻¹⁰⁷⁴, divided by a whole number, as the nearest float."""
    return total / (UNIT * divisor)


def added(parts: list[list[int]]) -> list[int]:
    """Add sums of several chunks up, attribute by attribute.

    Examples
    --------
    >>> added([[1, 2], [3, 4]])
    [4, 6]
    """
    return [sum(column) for column in zip(*parts, strict=True)]
