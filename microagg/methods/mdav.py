"""MDAV: groups are built at the two ends of what is left, again and again.

While at least 3k records remain: r is the record farthest from the centroid of the remaining records, s the
one farthest from r; the k records nearest to r (itself among them) form a group, then the k nearest to s
among the rest. With 2k…3k−1 remaining one more group is built around the farthest record; the rest is a group
(Domingo-Ferrer & Torra 2005, "Ordinal, continuous and heterogeneous k-anonymity through microaggregation",
MDAV-generic). The "join nearest" tail (Statistical Dependence, §III.B) builds both groups as long as 2k
records remain; 1…k−1 records left over join the group with the nearest centroid, one by one, where the paper
says "the last (hopefully nearest) group".

Distances are squared differences added attribute by attribute, in the order of the columns; of equal
distances the lowest record index comes first. Both kernels compute these same bits, so they return the same
partition.

This file holds the plain kernel, for few records or large groups: the remaining records are
kept together, one attribute after the other, and one pass over them finds at once the k nearest and the
farthest. O(n² d / k). `mdav_tree` prunes those passes and takes over where that pays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from microagg.kernels import exact_sum
from microagg.kernels.compiled import FloatArray, IntArray, compiled
from microagg.methods import mdav_tree

if TYPE_CHECKING:
    from collections.abc import Callable

BLOCK = 512
"""Records whose distances are computed together: they and their distances stay in the nearest cache."""

WORK = 30_000_000
"""Differences computed between two reports of progress, some hundredths of a second."""


def mdav(
    points: FloatArray,
    k: int,
    *,
    tail: Literal["generic", "join nearest"] = "generic",
    progress: Callable[[float], None] | None = None,
) -> IntArray:
    """Maximum distance to average vector.

    Parameters
    ----------
    points : (n, d) float64, standardised, finite
    k : int
        Least group size.
    tail : {"generic", "join nearest"}
        How the last records are grouped.
    progress : callable, optional
        Called with the share of records that have a group, at least ten times a second; it may raise to stop.

    Returns
    -------
    (n,) int64
        The group of each record.

    Examples
    --------
    >>> mdav(np.array([[0.0], [9.0], [1.0], [8.0], [2.0], [7.0], [0.5]]), 2).tolist()
    [1, 0, 2, 0, 2, 2, 1]
    """
    labels = np.full(len(points), -1, dtype=np.int64)
    pair_from = 3 * k if tail == "generic" else 2 * k
    total = exact_sum.sum_of(points)
    mdav_tree.build_groups(points, k, pair_from, labels, total, mdav_tree.fewest(k), progress)
    build_groups(points, k, pair_from, labels, total, progress)
    return group_the_rest(points, k, labels)


def build_groups(
    points: FloatArray,
    k: int,
    pair_from: int,
    labels: IntArray,
    total: FloatArray,
    progress: Callable[[float], None] | None = None,
) -> None:
    """Build groups by the plain kernel until fewer than 2k records remain.

    Parameters
    ----------
    points : (n, d) float64
    k : int
    pair_from : int
        Least number of remaining records for which two groups are built.
    labels : (n,) int64, changed in place
        Group of each record, −1 for none yet.
    total : (3, d) float64, changed in place
        Exact sums of the remaining records.
    progress : callable, optional
        Called with the share of records that have a group.
    """
    ids = np.flatnonzero(labels < 0)
    columns = np.ascontiguousarray(points[ids].T)
    left = len(ids)
    while left >= 2 * k:
        left = _build_groups(columns, ids, left, total, k, pair_from, labels)
        if progress is not None:
            progress(1 - left / len(points))


def group_the_rest(points: FloatArray, k: int, labels: IntArray) -> IntArray:
    """Group the records still labelled −1: k or more are a group, fewer join the nearest centroids.

    Parameters
    ----------
    points : (n, d) float64
    k : int
    labels : (n,) int64
        Group of each record, −1 for none yet.

    Returns
    -------
    (n,) int64
    """
    rest = np.flatnonzero(labels < 0)
    groups = int(labels.max(initial=-1)) + 1
    labels = labels.copy()
    if len(rest) >= k or groups == 0:
        labels[rest] = groups
    elif len(rest):
        centres = _centres(points, labels, groups)
        for record in rest:
            distance = np.zeros(groups)
            for centre, value in zip(centres.T, points[record], strict=True):
                distance += (centre - value) ** 2
            labels[record] = np.argmin(distance)
    return labels


@compiled
def _centres(points: FloatArray, labels: IntArray, groups: int) -> FloatArray:
    """Centroid of each group (groups, d), exactly rounded."""
    d = points.shape[1]
    totals = np.zeros((groups, exact_sum.PARTS, d))
    sizes = np.zeros(groups, dtype=np.int64)
    for i in range(labels.size):
        if labels[i] >= 0:
            exact_sum.add(totals[labels[i]], points[i], 1.0)
            sizes[labels[i]] += 1
    centres = np.empty((groups, d))
    for g in range(groups):
        exact_sum.mean(totals[g], sizes[g], centres[g])
    return centres


@compiled
def survey(
    columns: FloatArray, ids: IntArray, left: int, query: FloatArray, near: IntArray, distances: FloatArray
) -> int:
    """Pass once over the remaining records: find the nearest to a point, and the farthest.

    Parameters
    ----------
    columns : (d, n) float64
        Attributes of the remaining records in the first ``left`` places.
    ids : (n,) int64
        Their record indices.
    left : int
    query : (d,) float64
    near : (k,) int64, written
        Places of the k nearest, nearest first.
    distances : (k,) float64, written
        Their squared distances.

    Returns
    -------
    int
        Place of the farthest.
    """
    k = near.size
    distances[:] = np.inf
    near[:] = -1
    block = np.empty(BLOCK)
    found = 0
    limit = np.inf if k > 0 else -1.0
    farthest = -1
    reach = -1.0
    for begin in range(0, left, BLOCK):
        size = min(BLOCK, left - begin)
        squared = block[:size]
        squared[:] = 0.0
        for j in range(query.size):
            column = columns[j, begin : begin + size]
            value = query[j]
            for i in range(size):
                gap = column[i] - value
                squared[i] += gap * gap
        for i in range(size):
            distance = squared[i]
            if distance >= reach and (distance > reach or ids[begin + i] < ids[farthest]):
                reach = distance
                farthest = begin + i
            if distance <= limit:
                if found == k and distance == limit and ids[begin + i] > ids[near[k - 1]]:
                    continue
                found = min(found + 1, k)
                slot = found - 1
                while slot > 0 and (
                    distances[slot - 1] > distance
                    or (distances[slot - 1] == distance and ids[near[slot - 1]] > ids[begin + i])
                ):
                    distances[slot] = distances[slot - 1]
                    near[slot] = near[slot - 1]
                    slot -= 1
                distances[slot] = distance
                near[slot] = begin + i
                if found == k:
                    limit = distances[k - 1]
    return farthest


@compiled
def take_out(
    columns: FloatArray,
    ids: IntArray,
    left: int,
    places: IntArray,
    group: int,
    labels: IntArray,
    total: FloatArray,
) -> int:
    """Make the records at ``places`` a group, fill their places from the end; return how many remain."""
    for place in places:
        labels[ids[place]] = group
        exact_sum.add(total, columns[:, place], -1.0)
        ids[place] = -1
    remaining = left - places.size
    source = left
    for place in places:
        if place < remaining:
            source -= 1
            while ids[source] < 0:
                source -= 1
            ids[place] = ids[source]
            columns[:, place] = columns[:, source]
    return remaining


@compiled
def _build_groups(
    columns: FloatArray, ids: IntArray, left: int, total: FloatArray, k: int, pair_from: int, labels: IntArray
) -> int:
    """Build groups until fewer than 2k records remain or it is time to report; return how many remain."""
    query = np.empty(columns.shape[0])
    none = np.empty(0, dtype=np.int64)
    near = np.empty(k, dtype=np.int64)
    distances = np.empty(k)
    group = (labels.size - left) // k
    work = 0
    while left >= 2 * k and work < WORK:
        work += 3 * left * query.size
        exact_sum.mean(total, left, query)
        query[:] = columns[:, survey(columns, ids, left, query, none, distances[:0])]
        opposite = columns[:, survey(columns, ids, left, query, near, distances)].copy()
        pair = left >= pair_from
        left = take_out(columns, ids, left, near, group, labels, total)
        group += 1
        if pair:
            survey(columns, ids, left, opposite, near, distances)
            left = take_out(columns, ids, left, near, group, labels, total)
            group += 1
    return left
