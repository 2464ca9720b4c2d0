"""MDAV on mixed attributes: continuous, ordinal and nominal ones together.

MDAV-generic (Domingo-Ferrer & Torra 2005, "Ordinal, continuous and heterogeneous k-anonymity through
microaggregation") needs two things of its records: a distance and a centre. Here each attribute has its own,
and each distance lies in [0, 1], so that no kind of attribute outweighs another:

=========== ========================================== ========================================
continuous  difference over the file's range           mean
ordinal     difference of ranks over the largest rank  median category, of two middle the lower
nominal     0 if equal, else 1                         mode, of equally frequent the lowest code
=========== ========================================== ========================================

Records are compared by the sum of the squares over the attributes; the groups are built as `mdav` builds
them, with the generic ending. Of equal distances the lowest record index comes first. Means of what remains
are taken from sums that do not drift (`exact_sum`), medians and modes from counts. O(n² d / k).

With continuous attributes alone this is MDAV on ranges instead of standard deviations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.compiled import FloatArray, IntArray, compiled
from microagg.methods import exact_sum
from microagg.methods.mdav import group_the_rest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

CONTINUOUS, ORDINAL, NOMINAL = 0, 1, 2
KINDS = {"continuous": CONTINUOUS, "ordinal": ORDINAL, "nominal": NOMINAL}


def mixed(
    points: FloatArray,
    k: int,
    *,
    scales: Sequence[str],
    progress: Callable[[float], None] | None = None,
) -> IntArray:
    """Maximum distance to average vector, on attributes of any scale.

    Parameters
    ----------
    points : (n, d) float64
        Continuous attributes and ranks mapped to [0, 1]; nominal ones as any codes.
    k : int
        Least group size.
    scales : sequence of {"continuous", "ordinal", "nominal"}
        Of each column of ``points``.
    progress : callable, optional
        Called with the share of records that have a group; it may raise to stop.

    Returns
    -------
    (n,) int64
        The group of each record.

    Examples
    --------
    >>> towns = np.array([[0.0], [1.0], [0.0], [1.0], [0.0], [1.0], [0.0]])
    >>> mixed(towns, 2, scales=["nominal"]).tolist()
    [1, 0, 1, 0, 2, 2, 2]
    """
    kinds = np.array([KINDS[scale] for scale in scales], dtype=np.int64)
    columns = points.T.copy()
    centre = _Centre(points, kinds)
    records = np.arange(len(points))
    labels = np.full(len(points), -1, dtype=np.int64)
    group = 0

    def take(query: FloatArray) -> None:
        nonlocal columns, records, group
        near = _nearest(_distances(columns, query, kinds), k)
        centre.remove(records[near])
        labels[records[near]] = group
        kept = np.ones(len(records), dtype=np.bool_)
        kept[near] = False
        columns, records, group = columns[:, kept], records[kept], group + 1

    while len(records) >= 2 * k:
        pair = len(records) >= 3 * k
        r = columns[:, _distances(columns, centre.of(len(records)), kinds).argmax()].copy()
        s = columns[:, _distances(columns, r, kinds).argmax()].copy()
        take(r)
        if pair:
            take(s)
        if progress is not None:
            progress(1 - len(records) / len(points))
    return group_the_rest(points, k, labels)


class _Centre:
    """Centre of the records that remain, attribute by attribute, kept up to date as records leave."""

    def __init__(self, points: FloatArray, kinds: IntArray) -> None:
        self.points = points
        self.kinds = kinds
        self.total = exact_sum.sum_of(points)
        self.values: dict[int, FloatArray] = {}
        self.codes: dict[int, IntArray] = {}
        self.counts: dict[int, IntArray] = {}
        for j in np.flatnonzero(kinds != CONTINUOUS).tolist():
            self.values[j], self.codes[j] = np.unique(points[:, j], return_inverse=True)
            self.counts[j] = np.bincount(self.codes[j])

    def remove(self, records: IntArray) -> None:
        for record in records:
            exact_sum.add(self.total, self.points[record], -1.0)
        for j, codes in self.codes.items():
            np.subtract.at(self.counts[j], codes[records], 1)

    def of(self, left: int) -> FloatArray:
        centre = np.empty(len(self.kinds))
        exact_sum.mean(self.total, left, centre)
        for j, counts in self.counts.items():
            if self.kinds[j] == NOMINAL:
                code = counts.argmax()
            else:
                code = np.searchsorted(np.cumsum(counts), (left + 1) // 2)
            centre[j] = self.values[j][code]
        return centre


def _nearest(distances: FloatArray, k: int) -> IntArray:
    """Places of the k smallest distances; of equal ones the first."""
    limit = np.partition(distances, k - 1)[k - 1]
    near = np.flatnonzero(distances < limit)
    return np.concatenate([near, np.flatnonzero(distances == limit)[: k - len(near)]])


@compiled
def _distances(columns: FloatArray, query: FloatArray, kinds: IntArray) -> FloatArray:
    """Squared distance of each record to one point, added attribute by attribute, (m,)."""
    squared = np.zeros(columns.shape[1])
    for j in range(query.size):
        column, value = columns[j], query[j]
        if kinds[j] == NOMINAL:
            for i in range(squared.size):
                squared[i] += 1.0 if column[i] != value else 0.0
        else:
            for i in range(squared.size):
                squared[i] += (column[i] - value) * (column[i] - value)
    return squared
