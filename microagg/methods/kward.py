"""k-Ward: Ward's clustering, turned so that every group ends with k … 2k − 1 records.

1. The first k and the last k records form two groups; every other record is a group of its own.
2. Ward's rule joins the two groups whose union adds least to the within-group sum of squares,
   |A||B|/(|A|+|B|) · ‖a − b‖² for the centroids a, b; never two groups that both have k records. It stops
   when every group has k.
3. Groups of 2k records or more are split the same way.

Comparative Study, Algorithm 1 (§2.2) on one axis (UDO) and §3.2 on the records themselves (MDO). First and
last are the ends of the order by one attribute (PV), by the sum of z-scores (SZ) or along the first principal
component (FPC), always that of the whole file; or, by maximum distance (MD), the groups around the two most
distant records, grown as in MFS-MD. That reading gives the paper's printed losses.

Joins are found by nearest-neighbour chains (Murtagh 1983; Müllner 2011, "Modern hierarchical, agglomerative
clustering algorithms"): from a group to the cheapest to join it with, from that to its own, until two are
each other's; these join, however many cheaper pairs there are elsewhere. For that, a join must not bring the
joined group nearer to a third than both parts were. Ward's cost has that property, and a pair of full groups
counts as infinitely far, which no join undoes. At most three looks for a cheapest partner a group, so
O(n² d) time; O(n d) memory. Where we depart from the paper: records that all coincide are cut every k at
once, since no way of splitting them loses anything and the recursion would take off only k at a time.

Ties: a group counts by its lowest record index; the pair with the lower first, then second, index wins.
Records with the same axis value keep the order of the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from microagg.kernels.compiled import compiled
from microagg.methods.fixed import cut_every, sorting_axis
from microagg.methods.maximum_distance import WORK_BETWEEN_REPORTS, MostDistant

if TYPE_CHECKING:
    from collections.abc import Callable

    from microagg.kernels.compiled import FloatArray, IntArray
    from microagg.methods.fixed import Sort

    Report = Callable[[float], None]
    Ends = Callable[[IntArray, Report], tuple[IntArray, IntArray]]

GrownFirst = Literal["lower record", "higher record"]


def kward(
    points: FloatArray,
    k: int,
    *,
    first: Sort | Literal["maximum distance"] = "first component",
    attribute: FloatArray | None = None,
    grown_first: GrownFirst = "lower record",
    progress: Report | None = None,
) -> IntArray:
    """Partition by multivariate k-Ward (MDO).

    Parameters
    ----------
    points : (n, d) float64, standardised
    k : int
    first : {"first component", "zscores", "attribute", "maximum distance"}
        What says which k records come first and which last.
    attribute : (n,) float64
        The chosen attribute; needed with ``first="attribute"``.
    grown_first : {"lower record", "higher record"}
        With ``first="maximum distance"``: whether the lower or the higher record index of the two most
        distant records grows its group first.
    progress : callable, optional
        Called with the share done, 0…1.

    Returns
    -------
    (n,) int64
        Labels; every group has k … 2k − 1 records.

    Examples
    --------
    >>> kward(np.array([[0.0], [9.0], [1.0], [8.0], [7.0]]), 2).tolist()
    [0, 1, 0, 1, 1]
    """
    if first == "maximum distance":
        return _split(points, k, _distant_ends(points, k, grown_first), progress)
    return _split(points, k, _ends_of(sorting_axis(points, first, attribute), k), progress)


def kward_univariate(
    points: FloatArray,
    k: int,
    *,
    sort: Sort = "first component",
    attribute: FloatArray | None = None,
    progress: Report | None = None,
) -> IntArray:
    """Partition by univariate k-Ward (UDO): the records are their values on one axis.

    Parameters
    ----------
    points : (n, d) float64, standardised
    k : int
    sort : {"first component", "zscores", "attribute"}
        The axis.
    attribute : (n,) float64
        The chosen attribute; needed with ``sort="attribute"``.
    progress : callable, optional
        Called with the share done, 0…1.

    Returns
    -------
    (n,) int64
        Labels; every group has k … 2k − 1 records.

    Examples
    --------
    >>> kward_univariate(np.array([[0.0, 1], [9, 8], [1, 0], [8, 9], [7, 9]]), 2).tolist()
    [0, 1, 0, 1, 1]
    """
    axis = sorting_axis(points, sort, attribute)
    return _split(axis[:, np.newaxis], k, _ends_of(axis, k), progress)


def _ends_of(axis: FloatArray, k: int) -> Ends:
    """First and last k of any records by an axis, as positions in them."""

    def ends(records: IntArray, _report: Report) -> tuple[IntArray, IntArray]:
        order = np.argsort(axis[records], kind="stable")
        return order[:k], order[-k:]

    return ends


def _distant_ends(points: FloatArray, k: int, grown_first: GrownFirst) -> Ends:
    """Groups of k around the two most distant of any records."""

    def ends(records: IntArray, report: Report) -> tuple[IntArray, IntArray]:
        distant = MostDistant(np.ascontiguousarray(points[records]))
        low, high = distant.find(lambda: report(0.0))
        distant.free[[low, high]] = False
        one, other = (low, high) if grown_first == "lower record" else (high, low)
        return distant.grow(one, k), distant.grow(other, k)

    return ends


def _split(points: FloatArray, k: int, ends: Ends, progress: Report | None) -> IntArray:
    """Apply Algorithm 1 to the file and to every group of 2k or more that comes out."""
    n = len(points)
    labels = np.empty(n, dtype=np.int64)
    waiting, groups, reached = [np.arange(n)], 0, 0.0

    def report(share: float) -> None:
        # The file as a whole takes nearly all of the time: later splits only keep the bar where it is.
        nonlocal reached
        reached = max(reached, share)
        if progress is not None:
            progress(reached)

    while waiting:
        records = waiting.pop()
        inside = np.ascontiguousarray(points[records])
        if len(records) < 2 * k or (inside == inside[0]).all():
            cut = cut_every(np.arange(len(records)), k)
            labels[records] = groups + cut
            groups += cut[-1] + 1
        else:
            joined = _join(inside, k, ends(records, report), report)
            waiting += [records[joined == group] for group in np.unique(joined)[::-1]]
    return labels


def _join(points: FloatArray, k: int, ends: tuple[IntArray, IntArray], report: Report) -> IntArray:
    """Steps 1 and 2: the group of each record, named by the group's lowest record."""
    n = len(points)
    centres, sizes, group = points.copy(), np.ones(n), np.arange(n)
    for members in ends:
        group[members] = members.min()
        centres[members.min()] = points[members].mean(axis=0)
        sizes[members.min()] = k
    ids = np.unique(group)
    place = np.empty(n, dtype=np.int64)
    place[ids] = np.arange(len(ids))
    columns, sizes, chain = np.ascontiguousarray(centres[ids].T), sizes[ids], np.empty_like(ids)
    below = len(ids) - 2
    left = 0, below
    while left[1] > 0:
        left = _advance(columns, sizes, ids, place, group, chain, left, k, WORK_BETWEEN_REPORTS)
        report(1 - left[1] / below)
    while (group != group[group]).any():
        group = group[group]
    return group


@compiled
def _advance(
    columns: FloatArray,
    sizes: FloatArray,
    ids: IntArray,
    place: IntArray,
    group: IntArray,
    chain: IntArray,
    left: tuple[int, int],
    k: int,
    budget: int,
) -> tuple[int, int]:
    """Join groups until none is below k or the budget of distances is spent.

    A group is named by its lowest record: ``ids`` has the names of the groups that there are, ``place`` where
    a name stands in it, in ``sizes`` and in ``columns``, the centroids (d, groups). What is no group any more
    has size 0 and comes last. ``left``, given and returned: the depth of the chain, the groups below k.
    """
    depth, below = left
    count = int(np.count_nonzero(sizes))
    costs = np.empty(count)
    while below > 0 and budget > 0:
        if depth == 0:
            start = 0
            while sizes[start] >= k:
                start += 1
            chain[0], depth = ids[start], 1
        top = chain[depth - 1]
        partner = _cheapest_partner(columns, sizes, ids, costs[:count], place[top], k)
        budget -= count
        if depth == 1 or chain[depth - 2] != partner:
            depth = _put_on(chain, depth, partner)
            continue
        depth -= 2
        low, high = place[min(top, partner)], place[max(top, partner)]
        below -= (sizes[low] < k) + (sizes[high] < k)
        for row in columns:
            row[low] += (row[high] - row[low]) * (sizes[high] / (sizes[low] + sizes[high]))
        sizes[low] += sizes[high]
        below += sizes[low] < k
        group[ids[high]] = ids[low]
        count -= 1
        columns[:, high], sizes[high], ids[high] = columns[:, count], sizes[count], ids[count]
        place[ids[high]] = high
        sizes[count] = 0
    return depth, below


@compiled
def _put_on(chain: IntArray, depth: int, name: int) -> int:
    """Lengthen the chain, or cut it back to the group if it holds it; return its depth.

    It can hold it only where rounding has made a joined group nearer than its parts.
    """
    for at in range(depth):
        if chain[at] == name:
            return at + 1
    chain[depth] = name
    return depth + 1


@compiled
def _cheapest_partner(
    columns: FloatArray, sizes: FloatArray, ids: IntArray, costs: FloatArray, at: int, k: int
) -> int:
    """Name of the group with which joining adds least to the within-group sum of squares."""
    costs[:] = 0.0
    for row in columns:
        value = row[at]
        for t in range(costs.size):
            gap = row[t] - value
            costs[t] += gap * gap
    full, size = sizes[at] >= k, sizes[at]
    for t in range(costs.size):
        costs[t] *= size * sizes[t] / (size + sizes[t])
        if full and sizes[t] >= k:
            costs[t] = np.inf
    costs[at] = np.inf
    best = 0 if at != 0 else 1
    for t in range(costs.size):
        if costs[t] < costs[best] or (costs[t] == costs[best] and _before(ids[t], ids[best], ids[at])):
            best = t
    return int(ids[best])


@compiled
def _before(one: int, other: int, name: int) -> bool:
    """Whether a group's pair with one comes before its pair with the other: by lower name, then higher."""
    return (min(one, name), max(one, name)) < (min(other, name), max(other, name))
