"""MFS-MD: groups of k around the two records that are farthest apart, again and again.

Find the two most distant records that are still free. Grow a group from the first: k − 1 times, add the free
record closest to the group's *current* centroid; then a group from the second. Repeat while 2k records are
free. If k … 2k − 1 are left they form a group; if fewer, each joins the group whose centroid is closest.

Comparative Study §3.1, Algorithm 2 with the maximum-distance criterion. The text can also be read as "the
k − 1 records nearest to the extreme record"; the reading here is the one that gives its printed losses.

The most distant pair is found without all n² distances each round. Every record keeps the distance to its
farthest partner; once the partner is gone that distance is still an upper bound, because removing records
only shortens it, and two records are never farther apart than the sum of their distances from a common
centre. Only records whose bound reaches the best pair are measured again. A few n² distances in practice,
O(n·d) memory.

Ties: the pair with the lowest record indices, the lower of the two first; the lowest free record; the group
formed first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.kernels.compiled import compiled
from microagg.methods.mdav import group_the_rest

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from microagg.kernels.compiled import FloatArray, IntArray

    BoolArray = NDArray[np.bool_]

WORK_BETWEEN_REPORTS = 1_000_000
"""Distances measured between two calls of progress, some hundredths of a second."""
RECENTRE = 0.9
"""Share of the records left at which the common centre moves: outliers gone, the old one bounds badly."""
SLACK = 1 + 1e-9
"""Rounding may not make a bound smaller than what it bounds."""


@compiled
def squared_distance(points: FloatArray, i: int, other: FloatArray) -> float:
    """Squared distance of record i from a point, summed in column order."""
    total = 0.0
    for column in range(points.shape[1]):
        difference = points[i, column] - other[column]
        total += difference * difference
    return total


class MostDistant:
    """The most distant pair of the free records, kept up to date while records leave.

    Parameters
    ----------
    points : (n, d) float64
    """

    def __init__(self, points: FloatArray) -> None:
        n = len(points)
        self.points = points
        self.radius = np.empty(n)
        self.bound = np.full(n, np.inf)
        self.partner = np.full(n, -1)
        self.free = np.ones(n, dtype=np.bool_)
        self.live: IntArray
        """Free records by falling distance from their common centre."""
        self._centred: int
        self._centre(np.arange(n))

    def find(self, report: Callable[[], None]) -> tuple[int, int]:
        """Lower and higher index of the two most distant free records; reports while it searches."""
        while True:
            low, high = _most_distant(
                self.points, self.radius, self.live, self.bound, self.partner, self.free, WORK_BETWEEN_REPORTS
            )
            report()
            if low >= 0:
                return low, high

    def grow(self, seed: int, k: int) -> IntArray:
        """Take the seed and the k − 1 records that join it."""
        members = np.empty(k, dtype=np.int64)
        _grow(self.points, seed, self.free, members)
        return members

    def forget_taken(self) -> None:
        """Drop the records that are no longer free."""
        self.live = self.live[self.free[self.live]]
        if 0 < len(self.live) < RECENTRE * self._centred:
            self._centre(np.sort(self.live))

    def _centre(self, records: IntArray) -> None:
        """Measure the records from their mean and keep them by falling distance from it."""
        deviations = self.points[records] - self.points[records].mean(axis=0)
        self.radius[records] = np.sqrt((deviations**2).sum(axis=1))
        self.live = records[np.argsort(-self.radius[records], kind="stable")]
        self._centred = len(records)


@compiled
def _most_distant(
    points: FloatArray,
    radius: FloatArray,
    live: IntArray,
    bound: FloatArray,
    partner: IntArray,
    free: BoolArray,
    budget: int,
) -> tuple[int, int]:
    """Most distant pair, or (-1, -1) when the budget ran out: call again, what was measured is kept."""
    best, low, high = -1.0, -1, -1
    for i in live:
        if partner[i] >= 0 and not free[partner[i]]:
            partner[i] = -1
        if partner[i] >= 0 and _is_better(bound[i], i, partner[i], best, low, high):
            best, low, high = bound[i], min(i, partner[i]), max(i, partner[i])
    for i in live:
        if (radius[i] + radius[live[0]]) ** 2 * SLACK < best:
            break
        # At equal distance only a pair that starts lower would win, and its lower record finds it.
        if partner[i] >= 0 or bound[i] < best or (bound[i] == best and i > low):
            continue
        if budget < 0:
            return -1, -1
        budget -= _measure(points, radius, live, bound, partner, i, best)
        if partner[i] >= 0 and _is_better(bound[i], i, partner[i], best, low, high):
            best, low, high = bound[i], min(i, partner[i]), max(i, partner[i])
    return low, high


@compiled
def _is_better(distance: float, i: int, j: int, best: float, low: int, high: int) -> bool:
    """Whether the pair i, j is farther apart than the best, or as far with lower indices."""
    return distance > best or (distance == best and (min(i, j), max(i, j)) < (low, high))


@compiled
def _measure(
    points: FloatArray,
    radius: FloatArray,
    live: IntArray,
    bound: FloatArray,
    partner: IntArray,
    i: int,
    best: float,
) -> int:
    """Bound record i's distances anew, exactly if they reach the best; returns how many it measured."""
    farthest, who, rest, measured = -1.0, -1, -1.0, 0
    for j in live:
        reach = (radius[i] + radius[j]) ** 2 * SLACK
        if reach < best:
            rest = reach
            break
        if j != i:
            distance = squared_distance(points, j, points[i])
            measured += 1
            if distance > farthest or (distance == farthest and j < who):
                farthest, who = distance, j
    bound[i] = max(farthest, rest)
    partner[i] = who if farthest > rest else -1
    return measured


@compiled
def _grow(points: FloatArray, seed: int, free: BoolArray, members: IntArray) -> None:
    """Fill members: the seed, then the free record closest to the centroid, time and again."""
    members[0] = seed
    free[seed] = False
    centre = points[seed].copy()
    for size in range(1, len(members)):
        least, nearest = np.inf, -1
        for j in range(len(free)):
            if free[j]:
                distance = squared_distance(points, j, centre)
                if distance < least:
                    least, nearest = distance, j
        members[size] = nearest
        free[nearest] = False
        for column in range(len(centre)):
            centre[column] += (points[nearest, column] - centre[column]) / (size + 1)


def maximum_distance(
    points: FloatArray, k: int, *, progress: Callable[[float], None] | None = None
) -> IntArray:
    """Partition by MFS-MD.

    Parameters
    ----------
    points : (n, d) float64, standardised
    k : int
    progress : callable, optional
        Called with the share done, 0…1.

    Returns
    -------
    (n,) int64
        Labels; every group ≥ k.

    Examples
    --------
    >>> maximum_distance(np.array([[0.0], [9.0], [1.0], [8.0], [7.0]]), 2).tolist()
    [0, 1, 0, 1, 1]
    """
    n = len(points)
    labels = np.full(n, -1)
    distant = MostDistant(points)
    free, groups = n, 0

    def report() -> None:
        if progress is not None:
            progress(1 - free / n)

    while free >= 2 * k:
        low, high = distant.find(report)
        # Neither group may take the other's extreme record.
        distant.free[high] = False
        for seed in (low, high):
            labels[distant.grow(seed, k)] = groups
            groups += 1
        distant.forget_taken()
        free -= 2 * k
    return group_the_rest(points, k, labels)
