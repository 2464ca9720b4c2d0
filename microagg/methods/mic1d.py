"""Mic1D-k: microaggregate the values of the whole file as if they were one attribute.

All n·p values go, record by record, into one vector and forget which attribute they come from. The vector is
sorted and cut into parts of k values (the last may be shorter); each part is mapped to [0, 1], a constant
part to 0.5. That done, the normalised values are sorted, cut and normalised once more, so that values of
attributes of very different size mix. Each value is replaced by the mean of its part; the second, then the
first normalisation is undone, and the value goes back to its cell.

J. Nin, "One Dimension Microaggregation", section 3. O(N log N) for N = n·p values.

Ties: equal values keep the order of their cells, record by record; the paper does not say, and with parts
cut through ties the order of vectorisation moves k′ by some per cent. Here **k counts values, not records**:
no two records need end up equal, so k-anonymity is not guaranteed and must be measured on the release (k′).
Nothing is standardised before, as in the paper, and no partition of records exists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from microagg.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Callable

    from microagg.kernels.compiled import FloatArray, IntArray


class _Parts(NamedTuple):
    """A vector cut into runs of its sorted order: part of each value, and each part's low end and width."""

    part: IntArray
    low: FloatArray
    width: FloatArray

    def normalise(self, vector: FloatArray) -> FloatArray:
        """Map each part to [0, 1], a constant part to 0.5."""
        constant = self.width == 0
        scaled = (vector - self.low[self.part]) / np.where(constant, 1.0, self.width)[self.part]
        return np.where(constant[self.part], 0.5, scaled)

    def restore(self, vector: FloatArray) -> FloatArray:
        """Undo `normalise`."""
        return self.low[self.part] + self.width[self.part] * vector

    def means(self, vector: FloatArray) -> FloatArray:
        """Replace each value by the mean of its part."""
        return (np.bincount(self.part, vector) / np.bincount(self.part))[self.part]


def _cut(vector: FloatArray, k: int) -> _Parts:
    """Sort the vector and cut it every k values."""
    order = np.argsort(vector, kind="stable")
    part = np.empty(len(vector), dtype=np.int64)
    part[order] = np.arange(len(vector)) // k
    low = vector[order[::k]]
    high = vector[order[np.append(np.arange(k, len(vector), k), len(vector)) - 1]]
    return _Parts(part, low, high - low)


def mic1d(values: FloatArray, k: int, *, progress: Callable[[float], None] | None = None) -> FloatArray:
    """Protect a file by Mic1D-k.

    Parameters
    ----------
    values : (n, p) float64, original units, finite
    k : int
        Values, not records, per part; 2 ≤ k ≤ n·p.
    progress : callable, optional
        Called with the share done, 0…1, between the steps.

    Returns
    -------
    (n, p) float64, original units

    Raises
    ------
    PlanError
        If k is outside 2 … n·p.

    Examples
    --------
    >>> mic1d(np.array([[1.0, 10.0], [2.0, 30.0], [3.0, 20.0], [5.0, 50.0]]), 4).tolist()
    [[1.5, 15.0], [1.5, 40.0], [4.0, 15.0], [4.0, 40.0]]
    """
    if not 2 <= k <= values.size:
        raise PlanError(
            f"Mic1D counts values: k must lie between 2 and {values.size} (records × attributes), not {k}."
        )
    vector = values.ravel()
    report = progress or (lambda _: None)
    first = _cut(vector, k)
    report(0.35)
    normalised = first.normalise(vector)
    report(0.5)
    second = _cut(normalised, k)
    report(0.85)
    mixed = second.means(second.normalise(normalised))
    report(0.95)
    return first.restore(second.restore(mixed)).reshape(values.shape)
