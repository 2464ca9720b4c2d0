"""A region: a few neighbouring groups with all distances between their records, and what can be done to it.

The search works on one region at a time. Its records are few (some groups of k…2k−1), so every squared
distance between two of them is kept, together with the sum of squared distances from each record to each
group. A group of m records whose pairs sum to w has the loss w/m, hence the change made by a move or an
exchange costs a handful of additions, whatever the number of attributes: taking record i from its group A
lowers w_A by to_group[A, i], putting it into B raises w_B by to_group[B, i], and in an exchange with j the
distance between the two is taken back from both.

Nothing drifts for long: the sums are built anew whenever a region is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from microagg.kernels.compiled import FloatArray, IntArray, inner
from microagg.kernels.random_numbers import State, below

NONE = -1
"""The group of a record that has none."""


class Region(NamedTuple):
    """Room for the largest region; the first ``count`` records and ``groups`` groups of it are in use."""

    records: IntArray
    """(most,) which records of the file these are."""
    coordinates: FloatArray
    """(d, most) their points, one attribute after the other."""
    home: IntArray
    """(most,) the group, counted within the region, in which a record arrived."""
    group: IntArray
    """(most,) the group in which it is now, or `NONE`."""
    apart: FloatArray
    """(most, most) squared distances."""
    to_group: FloatArray
    """(groups, most) sum of squared distances from a record to the members of a group."""
    within: FloatArray
    """(groups,) sum of squared distances over the pairs of a group."""
    size: IntArray
    """(groups,) members."""
    name: IntArray
    """(groups,) what the group is called in the file."""
    inverse: FloatArray
    """(2k,) 1/m for groups of m records: a division costs more than all else in weighing an exchange."""


def empty_region(d: int, k: int, reach: int) -> Region:
    """Room for ``reach`` groups of up to 2k − 1 records, and for what they may be regrouped into."""
    most = reach * (2 * k - 1)
    groups = most // k + 1
    return Region(
        np.empty(most, np.int64),
        np.empty((d, most)),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty((most, most)),
        np.empty((groups, most)),
        np.empty(groups),
        np.empty(groups, np.int64),
        np.empty(groups, np.int64),
        1.0 / np.maximum(np.arange(2 * k), 1),
    )


@inner
def measure(region: Region, count: int) -> float:
    """Compute the distances; return the largest.

    Four attributes a pass: adding one at a time would spend the time on loading and storing the sums.
    """
    attributes = len(region.coordinates)
    for i in range(count):
        row = region.apart[i]
        row[: i + 1] = 0.0
        for first in range(0, attributes - 3, 4):
            a, b = region.coordinates[first], region.coordinates[first + 1]
            c, d = region.coordinates[first + 2], region.coordinates[first + 3]
            here_a, here_b, here_c, here_d = a[i], b[i], c[i], d[i]
            for j in range(i):
                in_a, in_b, in_c, in_d = a[j] - here_a, b[j] - here_b, c[j] - here_c, d[j] - here_d
                row[j] += (in_a * in_a + in_b * in_b) + (in_c * in_c + in_d * in_d)
        for last in range(attributes - attributes % 4, attributes):
            a, here_a = region.coordinates[last], region.coordinates[last, i]
            for j in range(i):
                in_a = a[j] - here_a
                row[j] += in_a * in_a
    farthest = 0.0
    for i in range(count):
        for j in range(i + 1, count):
            region.apart[i, j] = region.apart[j, i]
            farthest = max(farthest, region.apart[i, j])
    return farthest


@inner
def tally(region: Region, count: int, groups: int) -> None:
    """Build all sums from the records that have a group."""
    region.to_group[:groups, :count] = 0.0
    region.within[:groups] = 0.0
    region.size[:groups] = 0
    for i in range(count):
        if region.group[i] != NONE:
            _enter(region, count, i, region.group[i])


@inner
def _enter(region: Region, count: int, i: int, group: int) -> None:
    """Put a record into a group."""
    sums, distances = region.to_group[group], region.apart[i]
    region.within[group] += sums[i]
    for j in range(count):
        sums[j] += distances[j]
    region.size[group] += 1
    region.group[i] = group


@inner
def _leave(region: Region, count: int, i: int) -> None:
    """Take a record out of its group."""
    group = region.group[i]
    sums, distances = region.to_group[group], region.apart[i]
    for j in range(count):
        sums[j] -= distances[j]
    region.within[group] -= sums[i]
    region.size[group] -= 1
    region.group[i] = NONE


@inner
def loss(region: Region, groups: int) -> float:
    """Sum of squares within the groups."""
    total = 0.0
    for group in range(groups):
        total += region.within[group] / region.size[group]
    return total


@inner
def _cost_of_entering(region: Region, i: int, group: int) -> float:
    within, size = region.within[group], region.size[group]
    cost: float = (within + region.to_group[group, i]) / (size + 1) - within / size
    return cost


@inner
def _best_group(region: Region, groups: int, k: int, i: int) -> tuple[float, int]:
    """The other group, still under 2k − 1 records, that a record enters at the least cost."""
    best, where = np.inf, NONE
    for group in range(groups):
        if group != region.group[i] and region.size[group] < 2 * k - 1:
            cost = _cost_of_entering(region, i, group)
            if cost < best:
                best, where = cost, group
    return best, where


@inner
def _best_exchange(region: Region, count: int, i: int) -> tuple[float, int]:
    """The record of another group whose exchange with i changes the loss least (most negative)."""
    own = region.group[i]
    distances, to_own = region.apart[i], region.to_group[own]
    here, own_inverse = to_own[i], region.inverse[region.size[own]]
    best, partner = 0.0, NONE
    for j in range(count):
        other = region.group[j]
        if other != own:
            change = (to_own[j] - here - distances[j]) * own_inverse + (
                region.to_group[other, i] - region.to_group[other, j] - distances[j]
            ) * region.inverse[region.size[other]]
            if change < best:
                best, partner = change, j
    return best, partner


@inner
def settle(region: Region, count: int, groups: int, k: int, tolerance: float) -> None:
    """Give each record in turn its best move or exchange, until none gains more than the tolerance.

    The tolerance is above the rounding of the sums, so that two arrangements of equal loss cannot take turns
    for ever.
    """
    idle, i = 0, 0
    while idle < count:
        own = region.group[i]
        change, partner = _best_exchange(region, count, i)
        where = NONE
        if region.size[own] > k:
            within, size = region.within[own], region.size[own]
            freed = within / size - (within - region.to_group[own, i]) / (size - 1)
            cost, target = _best_group(region, groups, k, i)
            if cost - freed < change:
                change, where, partner = cost - freed, target, NONE
        idle += 1
        if change < -tolerance:
            idle = 0
            if partner != NONE:
                where = region.group[partner]
                _leave(region, count, partner)
                _enter(region, count, partner, own)
            _leave(region, count, i)
            _enter(region, count, i, where)
        i = i + 1 if i + 1 < count else 0


@inner
def shake(region: Region, count: int, exchanges: int, random: State) -> None:
    """Exchange random pairs of records (sums are not kept up: tally follows)."""
    for _ in range(exchanges):
        i, j = below(random, count), below(random, count)
        region.group[i], region.group[j] = region.group[j], region.group[i]


@inner
def dissolve(region: Region, count: int, groups: int, random: State) -> int:
    """Leave the members of a random group without one; return the number of groups left."""
    gone, last = below(random, groups), groups - 1
    for i in range(count):
        if region.group[i] == gone:
            region.group[i] = NONE
        elif region.group[i] == last:
            region.group[i] = gone
    return last


@inner
def found(region: Region, count: int, groups: int, k: int, random: State) -> int:
    """Form a new group of the k nearest to a random record that their groups can spare.

    Needs ``tally``, and k records to spare: count ≥ (groups + 1) k. Returns the number of groups.
    """
    distances = region.apart[below(random, count)]
    for _ in range(k):
        nearest = NONE
        for i in range(count):
            group = region.group[i]
            if (
                group != groups
                and region.size[group] > k
                and (nearest == NONE or distances[i] < distances[nearest])
            ):
                nearest = i
        region.size[region.group[nearest]] -= 1
        region.group[nearest] = groups
    return groups + 1


@inner
def house(region: Region, count: int, groups: int, k: int) -> None:
    """Let each record without a group, in order, enter the one where it costs least."""
    for i in range(count):
        if region.group[i] == NONE:
            _enter(region, count, i, _best_group(region, groups, k, i)[1])
