"""Rounds of the refinement: take a region out of the file, regroup it, put it back where that is accepted.

A region grows from one record by a random walk along the lists of nearest neighbours, group by group. Then
one of three things happens to it: a few random exchanges, a group is dissolved, or a new one is founded. The
local search of `refine_region` follows, and the result is kept if it loses less, or more by no more than a
random share of the heat: a fraction of the region's mean loss a group, so that dense and sparse parts of the
file are heated alike.

Two threads may each work on one side of the file: a region never takes a group of the other side, so they
touch different records, groups and names, and the outcome does not depend on who is faster.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from microagg.kernels.compiled import FloatArray, IntArray, compiled, inner
from microagg.kernels.random_numbers import State, below, uniform
from microagg.methods.refine_region import (
    Region,
    dissolve,
    found,
    house,
    loss,
    measure,
    settle,
    shake,
    tally,
)

WALKS = 8
"""Steps of the walk for each group that a region may hold, before it stays smaller."""

RARE = 0.05
"""Share of the rounds that dissolve a group, and of those that found one."""


class Groups(NamedTuple):
    """The partition, as the kernels change it."""

    label: IntArray
    """(n,) the group of each record."""
    members: IntArray
    """(most, 2k − 1) the records of each group."""
    size: IntArray
    """(most,) members; 0 for a name not in use."""
    side: IntArray
    """(most,) the side of the file to which the group, or the free name, belongs."""


class Side(NamedTuple):
    """What one thread works on: a side of the file, and room and random numbers of its own."""

    records: IntArray
    """(m,) the records of this side."""
    free: IntArray
    """(names + 1,) how many names of this side no group bears, followed by these names."""
    region: Region
    random: State


@compiled
def sum_of_squares(points: FloatArray, groups: Groups) -> float:
    """Sum of squared distances from the records to the centroids of their groups, O(nd)."""
    total, centroid = 0.0, np.empty(points.shape[1])
    for group in range(len(groups.size)):
        size = groups.size[group]
        centroid[:] = 0.0
        for m in range(size):
            centroid += points[groups.members[group, m]]
        centroid /= size
        for m in range(size):
            point = points[groups.members[group, m]]
            for j in range(len(centroid)):
                difference = point[j] - centroid[j]
                total += difference * difference
    return total


@compiled
def places(points: FloatArray, groups: Groups, axis: FloatArray) -> FloatArray:
    """Where along a direction the centroid of each group lies; 0 for a name not in use."""
    place = np.zeros(len(groups.size))
    for group in range(len(groups.size)):
        size = groups.size[group]
        for m in range(size):
            point = points[groups.members[group, m]]
            for j in range(len(axis)):
                place[group] += point[j] * axis[j] / size
    return place


@inner
def _join(groups: Groups, region: Region, count: int, held: int, group: int) -> int:
    """Add a group of the file to the region; return the new number of records."""
    region.name[held] = group
    size: int = groups.size[group]
    for m in range(size):
        region.records[count + m] = groups.members[group, m]
        region.home[count + m] = held
    return count + size


@inner
def _gather(
    groups: Groups, neighbours: IntArray, region: Region, start: int, reach: int, random: State
) -> tuple[int, int]:
    """Grow a region around a record; return its numbers of records and groups."""
    first = groups.label[start]
    count, held = _join(groups, region, 0, 0, first), 1
    for _ in range(WALKS * reach):
        if held == reach:
            break
        record = region.records[below(random, count)]
        group = groups.label[neighbours[record, below(random, neighbours.shape[1])]]
        known = groups.side[group] != groups.side[first]
        for g in range(held):
            known = known or region.name[g] == group
        if not known:
            count, held = _join(groups, region, count, held, group), held + 1
    return count, held


@inner
def _put_back(groups: Groups, region: Region, count: int, before: int, after: int, free: IntArray) -> None:
    """Write the region's groups into the file; names come from and go to the free ones of this side.

    ``free[0]`` counts the free names, which follow it.
    """
    for g in range(before, after):
        region.name[g] = free[free[0]]
        free[0] -= 1
    for g in range(after, before):
        free[0] += 1
        free[free[0]] = region.name[g]
    for g in range(max(before, after)):
        groups.size[region.name[g]] = 0
    for i in range(count):
        group = region.name[region.group[i]]
        groups.label[region.records[i]] = group
        groups.members[group, groups.size[group]] = region.records[i]
        groups.size[group] += 1


@inner
def _regroup(region: Region, count: int, held: int, k: int, exchanges: int, random: State) -> int:
    """Disturb the region; return its new number of groups."""
    after, chance = held, uniform(random)
    if chance < RARE and count <= (held - 1) * (2 * k - 1):
        after = dissolve(region, count, held, random)
    elif RARE <= chance < 2 * RARE and count >= (held + 1) * k:
        after = found(region, count, held, k, random)
    else:
        shake(region, count, exchanges, random)
    tally(region, count, after)
    house(region, count, after, k)
    return after


@compiled
def visit(
    points: FloatArray,
    neighbours: IntArray,
    groups: Groups,
    side: Side,
    k: int,
    rounds: int,
    exchanges: int,
    heat: float,
) -> None:
    """Do some rounds on one side of the file.

    Parameters
    ----------
    points : (n, d) float64
    neighbours : (n, few) int64
        Nearest records of each record.
    groups : Groups, changed in place
    side : Side, changed in place
    k : int
    rounds : int
    exchanges : int
        Random exchanges in a round; 0: regions are not disturbed, only settled.
    heat : float
        As a share of a region's mean loss a group.
    """
    records, free, region, random = side
    reach = len(region.records) // (2 * k - 1)
    for _ in range(rounds):
        start, wanted = records[below(random, len(records))], min(3 + below(random, 4), reach)
        count, held = _gather(groups, neighbours, region, start, wanted, random)
        if held < 2:
            continue
        for i in range(count):
            region.group[i] = region.home[i]
            for j in range(points.shape[1]):
                region.coordinates[j, i] = points[region.records[i], j]
        tolerance = 1e-13 * count * measure(region, count)
        tally(region, count, held)
        before, after = loss(region, held), held
        if exchanges > 0:
            after = _regroup(region, count, held, k, exchanges, random)
        settle(region, count, after, k, tolerance)
        change = loss(region, after) - before
        if change < max(-tolerance, heat * uniform(random) * before / held - tolerance):
            _put_back(groups, region, count, held, after, free)
