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

from microagg.kernels import exact_sum
from microagg.kernels.compiled import FloatArray, IntArray, compiled
from microagg.methods.mdav import group_the_rest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WORK = 20_000_000
"""Differences computed between two reports of progress, some hundredths of a second."""

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
    categories = [np.unique(points[:, j]) for j in np.flatnonzero(kinds != CONTINUOUS)]
    width = max((len(found) for found in categories), default=1)
    values, counts = np.zeros((len(kinds), width)), np.zeros((len(kinds), width), dtype=np.int64)
    codes = np.zeros(points.shape, dtype=np.int64)
    for j, found in zip(np.flatnonzero(kinds != CONTINUOUS), categories, strict=True):
        values[j, : len(found)] = found
        codes[:, j] = np.searchsorted(found, points[:, j])
        counts[j] = np.bincount(codes[:, j], minlength=width)
    rows, records, total = points.copy(), np.arange(len(points)), exact_sum.sum_of(points)
    labels = np.full(len(points), -1, dtype=np.int64)
    left = len(points)
    while left >= 2 * k:
        left = _build_groups(rows, records, left, k, kinds, total, codes, values, counts, labels)
        if progress is not None:
            progress(1 - left / len(points))
    return group_the_rest(points, k, labels)


@compiled
def _build_groups(
    rows: FloatArray,
    records: IntArray,
    left: int,
    k: int,
    kinds: IntArray,
    total: FloatArray,
    codes: IntArray,
    values: FloatArray,
    counts: IntArray,
    labels: IntArray,
) -> int:
    """Build groups until fewer than 2k records remain or it is time to report; return how many remain.

    The first ``left`` of ``rows`` and ``records`` are those that remain, in the order of the file.
    """
    centre = np.empty(kinds.size)
    none, near = np.empty(0, dtype=np.int64), np.empty(k, dtype=np.int64)
    group = labels.max() + 1
    work = 0
    while left >= 2 * k and work < WORK:
        work += 4 * left * kinds.size
        exact_sum.mean(total, left, centre)
        for j in range(kinds.size):
            if kinds[j] == ORDINAL:
                centre[j] = values[j, _middle(counts[j], left)]
            elif kinds[j] == NOMINAL:
                centre[j] = values[j, counts[j].argmax()]
        first = rows[_survey(rows, left, centre, kinds, none)].copy()
        second = rows[_survey(rows, left, first, kinds, near)].copy()
        pair = left >= 3 * k
        left = _take_out(rows, records, left, near, total, codes, counts, kinds, labels, group)
        group += 1
        if pair:
            _survey(rows, left, second, kinds, near)
            left = _take_out(rows, records, left, near, total, codes, counts, kinds, labels, group)
            group += 1
    return left


@compiled
def _middle(counts: IntArray, left: int) -> int:
    """Code of the middle record, of two the lower."""
    code, seen = 0, counts[0]
    while 2 * seen < left:
        code += 1
        seen += counts[code]
    return code


@compiled
def _survey(rows: FloatArray, left: int, query: FloatArray, kinds: IntArray, near: IntArray) -> int:
    """Write the places of the nearest records to ``near``, nearest first; return that of the farthest."""
    k, found, farthest, reach = near.size, 0, -1, -1.0
    distances = np.empty(k)
    for i in range(left):
        squared = 0.0
        for j in range(query.size):
            gap = rows[i, j] - query[j]
            if kinds[j] == NOMINAL:
                squared += 1.0 if gap != 0 else 0.0
            else:
                squared += gap * gap
        if squared > reach:
            farthest, reach = i, squared
        if k > 0 and (found < k or squared < distances[k - 1]):
            found = min(found + 1, k)
            slot = found - 1
            while slot > 0 and distances[slot - 1] > squared:
                distances[slot] = distances[slot - 1]
                near[slot] = near[slot - 1]
                slot -= 1
            distances[slot] = squared
            near[slot] = i
    return farthest


@compiled
def _take_out(
    rows: FloatArray,
    records: IntArray,
    left: int,
    near: IntArray,
    total: FloatArray,
    codes: IntArray,
    counts: IntArray,
    kinds: IntArray,
    labels: IntArray,
    group: int,
) -> int:
    """Make the records at the places ``near`` a group and close the gaps; return how many remain."""
    for place in near:
        record = records[place]
        labels[record] = group
        exact_sum.add(total, rows[place], -1.0)
        for j in range(kinds.size):
            if kinds[j] != CONTINUOUS:
                counts[j, codes[record, j]] -= 1
        records[place] = -1
    kept = 0
    for i in range(left):
        if records[i] >= 0:
            if kept < i:
                records[kept] = records[i]
                rows[kept] = rows[i]
            kept += 1
    return kept
