"""V-MDAV: MDAV whose groups may grow past k where the next record is clearly theirs.

While at least k records remain: the record farthest from the centroid of the whole file and its nearest form
a group of k. Then, as long as the group has fewer than 2k−1 records, look at the remaining record nearest to
any of its members: it joins if that distance is less than γ times the distance to its own nearest remaining
record; otherwise the group is done. Records left over join the group with the nearest centroid (Solanas &
Martínez-Ballesté 2006, "V-MDAV: a multivariate microaggregation with variable group size", §3). The centroid
is the file's and stays. γ = 0 gives groups of k; 0.2 suits scattered data, values above 1 clustered data.

The last remaining record has no other to be nearest to: it joins the group being built. Distances and ties
are those of `mdav`. O(n² d): a pass over the remaining records per record placed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.compiled import FloatArray, IntArray, compiled
from microagg.methods import exact_sum
from microagg.methods.mdav import WORK, group_the_rest, survey, take_out

if TYPE_CHECKING:
    from collections.abc import Callable


def vmdav(
    points: FloatArray, k: int, *, gamma: float = 0.2, progress: Callable[[float], None] | None = None
) -> IntArray:
    """Maximum distance to average vector, groups of variable size.

    Parameters
    ----------
    points : (n, d) float64, standardised, finite
    k : int
        Least group size.
    gamma : float
        Gain factor, at least 0: how readily a group takes one more record.
    progress : callable, optional
        Called with the share of records that have a group; it may raise to stop.

    Returns
    -------
    (n,) int64
        The group of each record.

    Examples
    --------
    >>> vmdav(np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [9.0], [9.1]]), 2, gamma=1.1).tolist()
    [1, 1, 1, 2, 2, 0, 0]
    """
    n = len(points)
    labels = np.full(n, -1, dtype=np.int64)
    columns = points.T.copy()
    ids = np.arange(n)
    centre = np.empty(points.shape[1])
    exact_sum.mean(exact_sum.sum_of(points), n, centre)
    left = n
    while left >= k and n >= 2 * k:
        left = _build_groups(points, columns, ids, left, centre, k, gamma, labels)
        if progress is not None:
            progress(1 - left / n)
    return group_the_rest(points, k, labels)


@compiled
def _build_groups(
    points: FloatArray,
    columns: FloatArray,
    ids: IntArray,
    left: int,
    centre: FloatArray,
    k: int,
    gamma: float,
    labels: IntArray,
) -> int:
    """Build groups until fewer than k records remain or it is time to report; return how many remain."""
    near = np.empty(k, dtype=np.int64)
    distances = np.empty(k)
    pair = np.empty(2, dtype=np.int64)
    gaps = np.empty(2)
    unused = np.zeros((exact_sum.PARTS, centre.size))
    members = np.empty(2 * k, dtype=np.int64)
    nearest = np.empty(2 * k, dtype=np.int64)
    distance = np.empty(2 * k)
    group = labels.max() + 1
    work = 0
    while left >= k and work < WORK:
        far = survey(columns, ids, left, centre, near[:0], distances[:0])
        survey(columns, ids, left, columns[:, far].copy(), near, distances)
        members[:k] = ids[near]
        nearest[:k] = -1
        size = k
        left = take_out(columns, ids, left, near, group, labels, unused)
        work += 2 * left * centre.size
        while size < 2 * k - 1 and left > 0:
            closest = -1
            for member in range(size):
                if nearest[member] < 0:
                    survey(columns, ids, left, points[members[member]], pair[:1], gaps[:1])
                    nearest[member] = ids[pair[0]]
                    distance[member] = gaps[0]
                    work += left * centre.size
                if (
                    closest < 0
                    or distance[member] < distance[closest]
                    or (distance[member] == distance[closest] and nearest[member] < nearest[closest])
                ):
                    closest = member
            candidate = nearest[closest]
            # The candidate has the lowest index among its duplicates: nearest to itself, then the other.
            gaps[1] = np.inf
            survey(columns, ids, left, points[candidate], pair[: min(2, left)], gaps[: min(2, left)])
            work += left * centre.size
            if not distance[closest] < gamma * gamma * gaps[1]:
                break
            left = take_out(columns, ids, left, pair[:1], group, labels, unused)
            for member in range(size):
                if nearest[member] == candidate:
                    nearest[member] = -1
            members[size] = candidate
            nearest[size] = -1
            size += 1
        group += 1
    return left
