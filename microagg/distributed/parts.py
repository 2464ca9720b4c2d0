"""Parts that fit a worker: a file divided in two, and again, at quantiles along principal directions.

Records that are far apart along the direction in which a part spreads most would hardly share a group, so a
cut across it costs little (the prepartitioning of large-scale microaggregation: Solé, Muntés-Mulero & Nin
2012; such a tree is Boley's PDDP). A part that is to become L parts is cut at the share ⌊L/2⌋/L
of its records; records whose projection equals the cut are drawn to a side by a hash of their number, in the
share that is due, so that heavy ties fill no part. Directions and cuts come from a sample; which part a
record goes to depends on the record, its number in the file and the tree alone, bit by bit, wherever it is
worked out.

A part of fewer records than it must have disappears and its sibling takes its place in the tree. O(depth · d)
a record.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from microagg.kernels.compiled import FloatArray, IntArray, compiled
from microagg.kernels.random_numbers import uniforms

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, eq=False)
class Split:
    """A cut of a part in two.

    Parameters
    ----------
    direction : (d,) float64
        Unit vector; records are projected on it.
    cut : float
        Records with a smaller projection go to ``low``, with a larger one to ``high``.
    share : float in [0, 1]
        Of the records at the cut itself, that go to ``low``.
    place : int
        Number of the cut in the tree, by which each cut draws anew.
    low, high : Split or None
        None: a part that is not divided further.
    """

    direction: FloatArray
    cut: float
    share: float
    place: int
    low: Tree
    high: Tree


Tree: TypeAlias = "Split | None"


def grow(sample: FloatArray, ids: IntArray, leaves: int, place: int = 1) -> Tree:
    """Divide a sample.

    Parameters
    ----------
    sample : (m, d) float64, standardised
    ids : (m,) int64
        Numbers of the records in the file.
    leaves : int
        How many parts there are to be.
    place : int
        Number of the first cut; those below it get 2 and 2 + 1 times that.

    Returns
    -------
    Split, or None where one part is all there is
    """
    if leaves < 2 or len(sample) < 2 * leaves:
        return None
    direction = _principal_direction(sample)
    along = project(sample, direction)
    few = leaves // 2
    cut = float(np.sort(along)[len(along) * few // leaves])
    below, at = int((along < cut).sum()), along == cut
    share = (len(along) * few / leaves - below) / int(at.sum())
    low = (along < cut) | (at & (uniforms(ids, place) < share))
    return Split(
        direction,
        cut,
        share,
        place,
        grow(sample[low], ids[low], few, 2 * place),
        grow(sample[~low], ids[~low], leaves - few, 2 * place + 1),
    )


def size(tree: Tree) -> int:
    """Count the parts."""
    return 1 if tree is None else size(tree.low) + size(tree.high)


def part_of(tree: Tree, points: FloatArray, ids: IntArray) -> IntArray:
    """Find the part of each record.

    Parameters
    ----------
    tree : Split or None
    points : (n, d) float64, standardised as the sample was
    ids : (n,) int64

    Returns
    -------
    (n,) int64, from 0, in the order of the tree

    Examples
    --------
    >>> line = np.arange(8.0)[:, np.newaxis]
    >>> part_of(grow(line, np.arange(8), 4), line, np.arange(8)).tolist()
    [0, 0, 1, 1, 2, 2, 3, 3]
    """
    if tree is None:
        return np.zeros(len(points), dtype=np.int64)
    along = project(points, tree.direction)
    low = (along < tree.cut) | ((along == tree.cut) & (uniforms(ids, tree.place) < tree.share))
    found = np.empty(len(points), dtype=np.int64)
    found[low] = part_of(tree.low, points[low], ids[low])
    found[~low] = size(tree.low) + part_of(tree.high, points[~low], ids[~low])
    return found


def pruned(tree: Tree, counts: Sequence[int], least: int) -> Tree:
    """Let siblings take the place of parts that are too small.

    Parameters
    ----------
    tree : Split or None
    counts : sequence of int
        Records in each part.
    least : int
        What each part must have, unless it is the only one.

    Returns
    -------
    Split or None
        The same object where no part is too small.
    """
    if tree is None or min(counts) >= least:
        return tree
    here = size(tree.low)
    left, right = counts[:here], counts[here:]
    if sum(left) < least:
        return pruned(tree.high, right, least)
    if sum(right) < least:
        return pruned(tree.low, left, least)
    low, high = pruned(tree.low, left, least), pruned(tree.high, right, least)
    return replace(tree, low=low, high=high)


@compiled
def project(points: FloatArray, direction: FloatArray) -> FloatArray:
    """Projections (n,) of ``points`` (n, d), added up attribute by attribute: the same bits anywhere."""
    along = np.zeros(len(points))
    for i in range(len(points)):
        for j in range(direction.size):
            along[i] += points[i, j] * direction[j]
    return along


def _principal_direction(sample: FloatArray) -> FloatArray:
    """Unit vector along which a sample spreads most, turned so that its largest weight is positive."""
    vectors = np.linalg.eigh(_scatter(sample))[1]
    direction = np.ascontiguousarray(vectors[:, -1])
    return direction if direction[np.abs(direction).argmax()] > 0 else -direction


@compiled
def _scatter(sample: FloatArray) -> FloatArray:
    """Sums of products of deviations from the mean (d, d), added up record by record."""
    n, d = sample.shape
    mean = np.zeros(d)
    for i in range(n):
        for j in range(d):
            mean[j] += sample[i, j] / n
    scatter = np.zeros((d, d))
    for i in range(n):
        for a in range(d):
            for b in range(a + 1):
                scatter[a, b] += (sample[i, a] - mean[a]) * (sample[i, b] - mean[b])
    for a in range(d):
        for b in range(a):
            scatter[b, a] = scatter[a, b]
    return scatter
