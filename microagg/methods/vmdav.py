"""V-MDAV: MDAV whose groups may grow past k where the next record is clearly theirs.

While at least k records remain: the record farthest from the centroid of the whole file and its nearest form
a group of k. Then, as long as the group has fewer than 2k−1 records, look at the remaining record nearest to
any of its members: it joins if that distance is less than γ times the distance to its own nearest remaining
record; otherwise the group is done. Records left over join the group with the nearest centroid (Solanas &
Martínez-Ballesté 2006, "V-MDAV: a multivariate microaggregation with variable group size", §3). The centroid
is the file's and stays. γ = 0 gives groups of k; 0.2 suits scattered data, values above 1 clustered data.

The last remaining record has no other to be nearest to: it joins the group being built. Distances and ties
are those of `mdav`; the tree of `mdav_tree` finds the farthest and the nearest records without a full pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.kernels import exact_sum
from microagg.kernels.compiled import FloatArray, IntArray, compiled
from microagg.kernels.search_tree import VISITS, Tree
from microagg.methods.mdav import group_the_rest
from microagg.methods.mdav_tree import farthest_from_centre, replant, search, take_out

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
    labels = np.full(len(points), -1, dtype=np.int64)
    total = exact_sum.sum_of(points)
    centre = np.empty(points.shape[1])
    exact_sum.mean(total, len(points), centre)

    def build(tree: Tree, left: int, until: int) -> int:
        one, two = (tree._replace(near=np.empty(m, np.int64), keys=np.empty(m)) for m in (1, 2))
        return _build_groups(tree, one, two, left, until, points, centre, gamma, labels, total)

    if len(points) >= 2 * k:
        replant(points, k, labels, total, k, build, progress)
    return group_the_rest(points, k, labels)


@compiled
def _build_groups(
    tree: Tree,
    one: Tree,
    two: Tree,
    left: int,
    until: int,
    points: FloatArray,
    centre: FloatArray,
    gamma: float,
    labels: IntArray,
    total: FloatArray,
) -> int:
    """Build groups until fewer than ``until`` remain or it is time to report; return how many remain.

    The three trees are one, of which a search finds the k nearest, the nearest, or the two nearest.
    """
    k = tree.near.size
    members = np.empty(2 * k, dtype=np.int64)
    nearest = np.empty(2 * k, dtype=np.int64)  # the place of each member's nearest remaining record
    distance = np.empty(2 * k)
    group = labels.max() + 1
    visits = 0
    while left >= until and visits < VISITS:
        visits += farthest_from_centre(tree, centre)
        visits += search(tree, tree.rows[tree.near[0]].copy(), 1.0)
        members[:k] = tree.ids[tree.near]
        nearest[:k] = -1
        size = k
        take_out(tree, group, labels, total)
        left -= k
        while size < 2 * k - 1 and left > 0:
            closest = -1
            for member in range(size):
                if nearest[member] < 0:
                    visits += search(one, points[members[member]], 1.0)
                    nearest[member] = one.near[0]
                    distance[member] = one.keys[0]
                if (
                    closest < 0
                    or distance[member] < distance[closest]
                    or (
                        distance[member] == distance[closest]
                        and tree.ids[nearest[member]] < tree.ids[nearest[closest]]
                    )
                ):
                    closest = member
            # The candidate has the lowest index among its duplicates: nearest to itself, then the other.
            candidate = nearest[closest]
            visits += search(two, tree.rows[candidate], 1.0)
            if not distance[closest] < gamma * gamma * two.keys[1]:
                break
            one.near[0] = candidate
            take_out(one, group, labels, total)
            left -= 1
            nearest[:size][nearest[:size] == candidate] = -1
            members[size] = tree.ids[candidate]
            nearest[size] = -1
            size += 1
        group += 1
    return left
