"""Plain NumPy twins of the MDAV solvers: the definitions word for word, for comparison record by record.

Distances are accumulated column by column (``.sum(1)`` adds pairwise from eight columns on, which decides
exact ties otherwise), centroids are exactly rounded (`math.fsum`), ties go to the lowest record index.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray, IntArray


def squared(points: FloatArray, query: FloatArray) -> FloatArray:
    """Squared distances of all rows to a point."""
    total = np.zeros(len(points))
    for column, value in zip(points.T, query, strict=True):
        total += (column - value) ** 2
    return total


def centroid(points: FloatArray) -> FloatArray:
    """Mean of the rows, the sum rounded once."""
    return np.array([math.fsum(column) / len(points) for column in points.T])


def mdav(points: FloatArray, k: int, tail: str = "generic") -> IntArray:
    """MDAV by its definition; ``left`` holds record indices in ascending order."""
    groups = []
    left = np.arange(len(points))

    def nearest(query: FloatArray) -> IntArray:
        return left[np.argsort(squared(points[left], query), kind="stable")[:k]]

    while len(left) >= 2 * k:
        r = points[left[np.argmax(squared(points[left], centroid(points[left])))]]
        s = points[left[np.argmax(squared(points[left], r))]]
        pair = len(left) >= (3 * k if tail == "generic" else 2 * k)
        for query in (r, s) if pair else (r,):
            groups.append(nearest(query))
            left = np.setdiff1d(left, groups[-1], assume_unique=True)
    return _close(points, k, groups, left)


def vmdav(points: FloatArray, k: int, gamma: float) -> IntArray:
    """V-MDAV by its definition."""
    groups = []
    left = np.arange(len(points))
    centre = centroid(points)
    while len(left) >= k and len(points) >= 2 * k:
        r = points[left[np.argmax(squared(points[left], centre))]]
        group = left[np.argsort(squared(points[left], r), kind="stable")[:k]]
        left = np.setdiff1d(left, group, assume_unique=True)
        while len(group) < 2 * k - 1 and len(left):
            reach = np.min([squared(points[left], points[member]) for member in group], axis=0)
            e = int(np.argmin(reach))
            others = np.delete(left, e)
            own = squared(points[others], points[left[e]]).min(initial=np.inf)
            if gamma == 0 or not reach[e] < gamma * gamma * own:
                break
            group = np.append(group, left[e])
            left = others
        groups.append(group)
    return _close(points, k, groups, left)


def _close(points: FloatArray, k: int, groups: list[IntArray], left: IntArray) -> IntArray:
    """Make k or more left over a group, let fewer join the nearest centroids."""
    if len(left) >= k:
        groups.append(left)
        left = left[:0]
    labels = np.full(len(points), -1)
    for number, group in enumerate(groups):
        labels[group] = number
    centres = np.array([centroid(points[group]) for group in groups])
    for record in left:
        labels[record] = np.argmin(squared(centres, points[record]))
    return labels


def optimal_cuts(axis: FloatArray, k: int) -> IntArray:
    """Optimal starts of runs of k…2k−1 sorted values, every run's sum of squares afresh."""
    n = len(axis)
    cost = np.full(n + 1, np.inf)
    cost[0] = 0.0
    start = np.zeros(n + 1, dtype=np.int64)
    for j in range(k, n + 1):
        for i in range(j - k, max(j - 2 * k, -1), -1):
            run = axis[i:j]
            candidate = cost[i] + np.sum((run - run.mean()) ** 2)
            if candidate < cost[j]:
                cost[j], start[j] = candidate, i
    starts = [int(start[n])]
    while starts[-1] > 0:
        starts.append(int(start[starts[-1]]))
    return np.array(starts[::-1])
