"""A sum of squares that no partition with groups of at least k can fall below.

What a heuristic loses says little without knowing what must be lost. Two bounds, of which the larger holds.

**Neighbours.** The loss of a group of m records is Σᵢ Σⱼ dᵢⱼ² / 2m over its ordered pairs. Share each pair
out between its two records in any proportion: weights wᵢⱼ ≥ 0 with wᵢⱼ + wⱼᵢ = 1 make the loss Σᵢ Σⱼ wᵢⱼ
dᵢⱼ² / m. Record i has m − 1 companions, so its part is at least sᵢ(m − 1) / m, where sᵢ(t) is the sum of the
t smallest numbers among wᵢⱼ dᵢⱼ², j ≠ i. That quotient is the mean of the m smallest numbers once a zero
(record i itself) is added to them, and the mean of the smallest numbers grows with their count; as m ≥ k,
the part is at least sᵢ(k − 1) / k. Hence

    SSE ≥ Σᵢ sᵢ(k − 1) / k   for every choice of weights.

Equal weights give half the squared distances to the k − 1 nearest neighbours, over k. An outlier, whose
neighbours have nearer neighbours of their own, should get more than half of its pairs: with rᵢ the squared
distance to the (k − 1)-th neighbour the weights rᵢᵃ / (rᵢᵃ + rⱼᵃ) are tried for some a near 1, and the
largest sum is taken. O(n² d) time, O(n k) memory; above 10,000 records only equal weights, whose numbers a
k-d tree finds.

**Axes.** Rotating the data leaves SSE as it is, and SSE is a sum over axes; on each axis no partition loses
less than the optimal univariate one (Hansen & Mukherjee 2003). The sum of these optima along the principal
axes is a bound. It is the exact answer for data on a line and weak in many dimensions, where each axis would
like a partition of its own.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from microagg.kernels.compiled import FloatArray, compiled
from microagg.methods.optimal import optimal_cuts

POWERS = (1.0, 1.1)
"""The exponents a that are tried besides 0."""

MOST_RECORDS = 10_000
"""Up to here all pairs are looked at, a second or two of work."""

ROUNDING = 1e-12
"""What is returned is lower by this times √(bound · SST), more than the sums are ever rounded upwards."""


def lower_bound(points: FloatArray, k: int) -> float:
    """Least sum of squares that a partition with groups of at least k might have.

    Parameters
    ----------
    points : (n, d) float64, standardised, finite
        Extended points (X, βY) bound the sum of squares in the extended space.
    k : int
        2 ≤ k ≤ n.

    Returns
    -------
    float
        In the squared units of the points; divided by SST it bounds L.

    Examples
    --------
    >>> points = np.array([[0.0], [1.0], [10.0], [11.0]])
    >>> round(lower_bound(points, 2), 6)
    1.0
    """
    centred = np.ascontiguousarray(points - points.mean(axis=0))
    largest = max(_along_axes(centred, k), _among_neighbours(centred, k))
    return max(0.0, largest - ROUNDING * math.sqrt(largest * float((centred**2).sum())))


def _along_axes(points: FloatArray, k: int) -> float:
    """Sum of the optimal univariate losses along the principal axes."""
    _, axes = np.linalg.eigh(points.T @ points)
    total = 0.0
    for axis in (points @ axes).T:
        ordered = np.sort(axis)
        starts = optimal_cuts(ordered, k)
        sizes = np.diff(starts, append=len(ordered))
        means = np.add.reduceat(ordered, starts) / sizes
        total += float(((ordered - np.repeat(means, sizes)) ** 2).sum())
    return total


def _among_neighbours(points: FloatArray, k: int) -> float:
    """The largest sum over the records' parts, for all weights that are tried."""
    from scipy.spatial import cKDTree  # here, because the dashboard's start should not wait for it

    near = (
        cKDTree(points).query(points, k, workers=2)[0] ** 2
    )  # the record itself is the first, or ties with it
    equal = float(near.sum()) / (2 * k)
    if len(points) > MOST_RECORDS or not near.any():
        return equal
    radius = near[:, -1] / near.max()
    strengths = np.maximum([radius**power for power in POWERS], np.finfo(np.float64).tiny)
    columns, middle = np.ascontiguousarray(points.T), len(points) // 2
    with ThreadPoolExecutor(2) as pool:
        halves = pool.map(
            lambda span: _weighted(columns, strengths, k, *span), [(0, middle), (middle, len(points))]
        )
    return max(equal, float(np.sum(list(halves), axis=0).max()))


@compiled
def _weighted(columns: FloatArray, strengths: FloatArray, k: int, first: int, last: int) -> FloatArray:
    """Sum of the parts of some records; record i holds strengthᵢ / (strengthᵢ + strengthⱼ) of a pair with j.

    One attribute after the other, so that a pass over the records has nothing to wait for.
    """
    d, n = columns.shape
    totals = np.zeros(len(strengths))
    apart, least = np.empty(n), np.empty(k - 1)  # the latter ascending
    for i in range(first, last):
        apart[:] = 0.0
        for c in range(d):
            column, here = columns[c], columns[c, i]
            for j in range(n):
                apart[j] += (column[j] - here) * (column[j] - here)
        apart[i] = np.inf
        for a in range(len(strengths)):
            strength, own = strengths[a], strengths[a, i]
            least[:] = np.inf
            for j in range(n):
                together = own + strength[j]
                if apart[j] * own < least[-1] * together:  # a division for the few that matter
                    part, place = apart[j] * own / together, k - 2
                    while place > 0 and least[place - 1] > part:
                        least[place] = least[place - 1]
                        place -= 1
                    least[place] = part
            totals[a] += least.sum() / k
    return totals
