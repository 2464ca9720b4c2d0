"""Refinement: from any partition to a better one under the same k.

Published heuristics build groups once and never look back. Here the partition is treated as what it is, a
clustering with a least group size whose loss is the sum of squares, and improved by iterated local search
(Lourenço, Martin & Stützle 2003, "Iterated local search") over small regions:

1. Groups of 2k or more are cut in two or more by MDAV, which never costs anything.
2. *Settling*: around random records three to six neighbouring groups are taken out, and their records moved
   and exchanged between them as long as that lowers the loss (`refine_region`).
3. *Rounds*: such a region is disturbed (most often by max(4, k) random exchanges, one time in twenty by
   dissolving a group, one in twenty by founding one), settled again, and kept if it loses less than before
   or only slightly more. How much more falls linearly from 0.45/√k of the region's mean loss a group to
   nothing, as in simulated annealing.
4. The best partition that was seen is the answer, so it never loses more than the one it started from.

Why regions: with all distances between some dozens of records at hand, a move is weighed in a few additions
whatever the number of attributes, and the cost of a round does not depend on n. Why dissolving and founding:
the number of groups matters most where a few outliers carry most of the loss, and moves and exchanges hardly
change it.

Distances are the squared Euclidean ones of the points as given, so λ, blocks and strata come for free.

**Budget.** ``rounds`` counts rounds per group of the start; the result depends on points, k, labels, rounds
and seed, and on nothing else: not on the clock, the machine's speed or the order in which its two threads
run (they work on the two sides of a cut through the file, and the cut moves on every step). A run that is
left after some steps can be repeated to the same bytes by as many steps under the same rounds; fewer rounds
would cool down faster and end elsewhere. A plan therefore stores rounds, seed, and where it was left
(`microagg.protection.refinement`). ``seconds`` caps the time and makes the run cool down in that time, which
gets most out of it but cannot be repeated exactly.

**Complexity.** O(k² d) for the distances of a region and O(k²) for a pass over its exchanges, hence
O(rounds · n · k d) in all; memory O(n) besides the points, for five neighbours a record, and O(k²) for a
region.

**Ties.** A move must gain more than the rounding of the sums, so equal arrangements stay as they are; of
equal gains the lowest group, or the first record of the region, is taken.
"""

from __future__ import annotations

import math
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from microagg.errors import PlanError
from microagg.kernels.random_numbers import generator, uniform
from microagg.methods.mdav import mdav
from microagg.methods.refine_moves import Groups, Side, places, sum_of_squares, visit
from microagg.methods.refine_region import empty_region

if TYPE_CHECKING:
    from collections.abc import Callable

    from microagg.kernels.compiled import FloatArray, IntArray

ROUNDS = 300
"""Disturbances per group unless asked otherwise: a second or two for a thousand records."""

LARGEST_K = 250
"""A region keeps the distances between all its records: 18 MB at this k."""

REACH = 6
"""Groups in a region, at most."""

MOST_RECORDS = 1500
"""In a region; larger k has fewer groups in it."""

NEIGHBOURS = 5
"""Of each record, along which regions grow."""

LISTED = 4000
"""Records whose neighbours are found in one step."""

SETTLING = 3
"""Regions per group that are settled before the rounds begin: each group is then seen about a dozen times."""

HEAT = 0.45
"""Over √k: the share of a region's mean loss a group that a round may lose at most, at the beginning."""

FIRST = 0.1
"""Share of the progress that stands for MDAV, before its partition is refined."""

FEW = 16
"""Groups below which a file is not cut in two."""

WORK = 3_000_000
"""Pairs of records in the regions of one step, some hundredths of a second."""

STEPS = 100
"""At least, in a run: the heat falls, and the best is noted, from step to step."""


class Refinement:
    """A run of the refinement, one step at a time; what it has found so far can always be had.

    Parameters
    ----------
    points : (n, d) float64, standardised, possibly extended (X, βY)
    k : int
        Least group size, at most 250.
    labels : (n,) int64
        The partition to start from, in any numbering, every group ≥ k.
    rounds : int
        Disturbances per group; 0: only the local search.
    seconds : float
        Time after which the run is done in any case.
    seed : int

    Attributes
    ----------
    labels : (n,) int64
        The best partition so far.
    sse : float
        Its sum of squares, in the squared units of the points.
    groups : int
        How many there were at the start.
    visits : int
        Regions that were settled so far, disturbed or not.

    Raises
    ------
    PlanError
        A group of the start has fewer than k records, or k is above 250.

    Examples
    --------
    >>> points = np.array([[0.0], [9.0], [1.0], [8.0]])
    >>> run = Refinement(points, 2, np.array([0, 0, 1, 1]))
    >>> run.sse
    65.0
    >>> while run.step() < 1:
    ...     pass
    >>> run.labels.tolist(), run.sse
    ([0, 1, 0, 1], 1.0)
    """

    def __init__(
        self,
        points: FloatArray,
        k: int,
        labels: IntArray,
        *,
        rounds: int = ROUNDS,
        seconds: float = math.inf,
        seed: int = 0,
    ) -> None:
        if k > LARGEST_K:
            raise PlanError(
                f"Refinement works up to k = {LARGEST_K}, and k is {k}; leave it out for larger groups."
            )
        from scipy.spatial import cKDTree  # here, because the dashboard's start should not wait for it

        self._points, self._k = np.ascontiguousarray(points), k
        self._groups = _grouped(_without_large_groups(self._points, labels, k), k)
        self._tree, self._listed = cKDTree(self._points), 0
        self._neighbours = np.empty((len(points), min(NEIGHBOURS, len(points) - 1)), dtype=np.int64)
        self._reach = min(REACH, MOST_RECORDS // (2 * k))
        self._draws = [generator(seed, stream) for stream in range(3)]
        self._exchanges = max(4, k)
        self._batch = max(1, WORK // (self._reach * k) ** 2)
        self.groups = int(np.count_nonzero(self._groups.size))
        self._settling, self._total = SETTLING * self.groups, (SETTLING + rounds) * self.groups
        self.visits = 0
        self._began, self._seconds = time.monotonic(), seconds
        self.labels: IntArray = self._groups.label.copy()
        self.sse = float(sum_of_squares(self._points, self._groups))

    @property
    def work(self) -> int:
        """What a whole run does: listing the neighbours of each record, then visits, which take as long."""
        return len(self._points) + self._total

    @property
    def done(self) -> int:
        """How much of the work is done; every step adds to it, by the same amount in every run."""
        return min(self._listed, len(self._points)) + min(self.visits, self._total)

    @property
    def rounds(self) -> float:
        """Rounds a group has had so far."""
        return max(0, self.visits - self._settling) / self.groups

    @property
    def share(self) -> float:
        """Share of the run that is done, 0…1, in work or in time, whichever is farther."""
        elapsed = (time.monotonic() - self._began) / self._seconds if self._seconds > 0 else 1.0
        return min(1.0, max(elapsed, self.done / self.work))

    def step(self) -> float:
        """Work for some hundredths of a second.

        Returns
        -------
        float
            The share that is done; at 1 the run is over, and a further step changes nothing for the worse.
        """
        if self._listed < len(self._points):
            self._list_neighbours()
            return self.share
        hot = self.visits >= self._settling
        exchanges, heat = (self._exchanges, HEAT / math.sqrt(self._k) * (1 - self.share)) if hot else (0, 0.0)
        left = (self._total if hot else self._settling) - self.visits
        axis = np.array([2 * uniform(self._draws[2]) - 1 for _ in range(self._points.shape[1])])
        sides = [self._side(number) for number in range(self._divide(axis))]
        rounds = max(1, min(self._batch, self._total // STEPS, -(-left // len(sides))))

        def work(side: Side) -> None:
            visit(self._points, self._neighbours, self._groups, side, self._k, rounds, exchanges, heat)

        if len(sides) == 1:
            work(sides[0])
        else:
            with ThreadPoolExecutor(len(sides)) as pool:
                list(pool.map(work, sides))
        self.visits += rounds * len(sides)
        sse = float(sum_of_squares(self._points, self._groups))
        if sse < self.sse:
            self.labels, self.sse = self._groups.label.copy(), sse
        return self.share

    def _list_neighbours(self) -> None:
        """Find the neighbours of some thousand more records.

        They only steer where regions grow, so a search that may return neighbours up to twice as far as the
        nearest serves as well; it takes a quarter of the time, and what it returns is hardly ever any
        farther.
        """
        some = slice(self._listed, self._listed + LISTED)
        few = self._neighbours.shape[1]
        found = self._tree.query(self._points[some], few + 1, eps=1.0, workers=2)[1]
        self._neighbours[some] = found[:, 1:]
        self._listed += LISTED

    def _divide(self, axis: FloatArray) -> int:
        """Cut the file across a direction, half of the groups to either side; return the number of sides.

        Free names are dealt out so that each side has one for every group that it might come to form.
        """
        groups = self._groups
        groups.side[:] = 0
        used = np.flatnonzero(groups.size)
        if len(used) < FEW:
            return 1
        order = np.argsort(places(self._points, groups, axis)[used], kind="stable")
        upper = used[order[len(used) // 2 :]]
        spare = int(groups.size[upper].sum()) // self._k - len(upper)
        groups.side[upper] = 1
        groups.side[np.flatnonzero(groups.size == 0)[:spare]] = 1
        return 2

    def _side(self, number: int) -> Side:
        """What belongs to a side of the cut."""
        groups = self._groups
        names = np.flatnonzero((groups.size == 0) & (groups.side == number))
        free = np.zeros(len(groups.size) + 1, dtype=np.int64)
        free[0], free[1 : len(names) + 1] = len(names), names
        records = np.flatnonzero(groups.side[groups.label] == number)
        room = empty_region(self._points.shape[1], self._k, self._reach)
        return Side(records, free, room, self._draws[number])


def refine(
    points: FloatArray,
    k: int,
    labels: IntArray,
    *,
    rounds: int = ROUNDS,
    seconds: float = math.inf,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
) -> IntArray:
    """Improve a partition.

    Parameters
    ----------
    points : (n, d) float64, standardised, possibly extended (X, βY)
    k : int
        Least group size, at most 250.
    labels : (n,) int64
        The partition to start from, in any numbering, every group ≥ k.
    rounds : int
        Disturbances per group; the loss falls with the logarithm of it. 0: only the local search.
    seconds : float
        Cap on the time; a run that it shortens cannot be repeated exactly.
    seed : int
    progress : callable, optional
        Called with the share done, at least ten times a second; it may raise to stop. To stop and keep the
        best so far, or to watch the loss fall, step through a `Refinement`.

    Returns
    -------
    (n,) int64 labels, every group ≥ k, with a sum of squares not above that of the start

    Raises
    ------
    PlanError
        A group of the start has fewer than k records, or k is above 250.

    Examples
    --------
    >>> points = np.array([[0.0], [9.0], [1.0], [8.0]])
    >>> refine(points, 2, np.array([0, 0, 1, 1])).tolist()
    [0, 1, 0, 1]
    """
    run = Refinement(points, k, labels, rounds=rounds, seconds=seconds, seed=seed)
    share = run.share
    while share < 1:
        share = run.step()
        if progress is not None:
            progress(share)
    return run.labels


def refined(
    points: FloatArray,
    k: int,
    *,
    rounds: int = ROUNDS,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
) -> IntArray:
    """Refine the partition of MDAV.

    Parameters
    ----------
    points : (n, d) float64, standardised, possibly extended (X, βY)
    k : int
        Least group size, at most 250.
    rounds : int
        Disturbances per group.
    seed : int
    progress : callable, optional
        Called with the share that is done, at least ten times a second; it may raise to stop.

    Returns
    -------
    (n,) int64 labels, every group ≥ k

    Raises
    ------
    PlanError
        k is above 250.

    Examples
    --------
    >>> refined(np.array([[0.0], [9.0], [1.0], [8.0]]), 2).tolist()
    [0, 1, 0, 1]
    """
    if progress is None:
        return refine(points, k, mdav(points, k), rounds=rounds, seed=seed)
    start = mdav(points, k, progress=lambda share: progress(share * FIRST))
    return refine(
        points,
        k,
        start,
        rounds=rounds,
        seed=seed,
        progress=lambda share: progress(FIRST + share * (1 - FIRST)),
    )


def _without_large_groups(points: FloatArray, labels: IntArray, k: int) -> IntArray:
    """Cut every group of 2k or more records; the loss falls or stays, whatever the cut."""
    _, label, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    if sizes.min() < k:
        raise PlanError(f"The partition to refine has a group of {sizes.min()} records, fewer than k = {k}.")
    for group in np.flatnonzero(sizes >= 2 * k):
        members = np.flatnonzero(label == group)
        parts = mdav(np.ascontiguousarray(points[members]), k)
        label[members] = np.where(parts == parts[0], group, label.max() + 1 + parts)
    return np.unique(label, return_inverse=True)[1].astype(np.int64)


def _grouped(label: IntArray, k: int) -> Groups:
    """Member lists, with names to spare for as many groups as there could be."""
    most = len(label) // k
    size = np.bincount(label, minlength=most).astype(np.int64)
    members = np.zeros((most, 2 * k - 1), dtype=np.int64)
    order = np.argsort(label, kind="stable")
    members[label[order], np.arange(len(label)) - np.repeat(np.cumsum(size) - size, size)] = order
    return Groups(label, members, size, np.zeros(most, dtype=np.int64))
