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

Each group below k remembers its best partner. A join changes little: only the joined group is new to the
others, and a group that lost its partner keeps the old cost as a lower bound, to be looked at again only when
no other pair is cheaper. This relies on no property of Ward's cost, which matters here: forbidding joins
between full groups breaks the order that nearest-neighbour chains need. O(n²) distances in practice, O(n·d)
memory. Where we depart from the paper: records that all coincide are cut every k at once, since no way of
splitting them loses anything and the recursion would take off only k at a time.

Ties: a group counts by its lowest record index; the pair with the lower first, then second, index wins.
Records with the same axis value keep the order of the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from microagg.compiled import compiled
from microagg.methods.fixed import cut_every, sorting_axis
from microagg.methods.maximum_distance import WORK_BETWEEN_REPORTS, MostDistant

if TYPE_CHECKING:
    from collections.abc import Callable

    from microagg.compiled import FloatArray, IntArray
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
    live = np.unique(group)
    bound, partner = np.full(n, -1.0), np.full(n, -1)
    steps = 2 * (len(live) - 2)
    done = 0
    while not (sizes[live] >= k).all():
        left, taken = _advance(centres, sizes, group, live, bound, partner, k, WORK_BETWEEN_REPORTS)
        live = live[:left]
        done += taken
        report(done / steps)
    while (group != group[group]).any():
        group = group[group]
    return group


@compiled
def _advance(
    centres: FloatArray,
    sizes: FloatArray,
    group: IntArray,
    live: IntArray,
    bound: FloatArray,
    partner: IntArray,
    k: int,
    budget: int,
) -> tuple[int, int]:
    """Join groups until none is below k or the budget of distances is spent.

    A live group is its lowest record. ``partner`` is −1 where ``bound`` is only a lower bound. Returns how
    many groups are live, kept ascending at the head of ``live``, and how many groups were joined or looked at
    for the first time.
    """
    count, taken = len(live), 0
    while budget > 0:
        # A lower bound comes before a known pair of the same cost, so that a tie is never decided unseen.
        least, low, high = np.inf, -1, -1
        for t in range(count):
            i = live[t]
            if sizes[i] < k:
                a, b = min(i, partner[i]), max(i, partner[i])
                if bound[i] < least or (bound[i] == least and (a, b) < (low, high)):
                    least, low, high = bound[i], a, b
        budget -= count
        if high < 0:
            break
        if low < 0:
            taken += bound[high] < 0
            bound[high], partner[high] = _best_partner(centres, sizes, live, count, high)
            continue
        for column in range(centres.shape[1]):
            step = centres[high, column] - centres[low, column]
            centres[low, column] += step * (sizes[high] / (sizes[low] + sizes[high]))
        sizes[low] += sizes[high]
        group[high] = low
        taken += 1
        count = _announce(centres, sizes, live, count, bound, partner, k, low, high)
    return count, taken


@compiled
def _ward(centres: FloatArray, sizes: FloatArray, i: int, j: int) -> float:
    """What joining two groups adds to the within-group sum of squares."""
    total = 0.0
    for column in range(centres.shape[1]):
        difference = centres[i, column] - centres[j, column]
        total += difference * difference
    return float(total * (sizes[i] * sizes[j] / (sizes[i] + sizes[j])))


@compiled
def _best_partner(
    centres: FloatArray, sizes: FloatArray, live: IntArray, count: int, i: int
) -> tuple[float, int]:
    """Cheapest partner of a group below k."""
    least, best = np.inf, -1
    for t in range(count):
        j = live[t]
        if j != i:
            cost = _ward(centres, sizes, i, j)
            if cost < least:
                least, best = cost, j
    return least, best


@compiled
def _announce(
    centres: FloatArray,
    sizes: FloatArray,
    live: IntArray,
    count: int,
    bound: FloatArray,
    partner: IntArray,
    k: int,
    joined: int,
    gone: int,
) -> int:
    """Tell every group below k of the joined one, and drop the one that is gone; how many are left."""
    least, best, kept = np.inf, -1, 0
    below = sizes[joined] < k
    for t in range(count):
        j = live[t]
        if j == gone:
            continue
        live[kept] = j
        kept += 1
        if j == joined or (sizes[j] >= k and not below):
            continue
        cost = _ward(centres, sizes, joined, j)
        if cost < least:
            least, best = cost, j
        if cost < bound[j] or (cost == bound[j] and joined <= partner[j]):
            bound[j], partner[j] = cost, joined
        elif partner[j] == joined or partner[j] == gone:
            partner[j] = -1
    bound[joined], partner[joined] = least, best
    return kept
