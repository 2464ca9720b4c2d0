"""Genetic univariate microaggregation: k-partitions of a sorted file bred as binary strings.

The records are sorted by one number. A partition of that order is a string with a 1 where a group ends. A
population of strings starts from the fixed-size partitions (cut every k from either end) and shaken copies
of them. In each generation two tournaments choose parents, the child takes one parent's cuts up to some
record and the other's after it, some of its cuts move, vanish or appear, and it is repaired until every
group has k … 2k − 1 records. The best string always survives, so that the result never loses more than the
fixed-size partition it starts from. Its loss is the sum of squares within groups, of the attributes or of the
sorted values.

Comparative Study §2.2 names the method and leaves its parameters to a report; the operators and defaults here
are ours. The optimal partition of the same order is found exactly, and faster, by the projection methods:
this is here to compare with. O(generations · population · n·d). The seed decides every draw. Records with
equal values keep the order of the file, and of two equally good strings the older stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.kernels.compiled import compiled
from microagg.kernels.random_numbers import arrivals, below, generator, uniform
from microagg.methods.fixed import cut_every, sorting_axis

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from microagg.kernels.compiled import FloatArray, IntArray
    from microagg.kernels.random_numbers import State
    from microagg.methods.fixed import Sort
    from microagg.methods.projections import Cost

    Strings = NDArray[np.uint8]

TOURNAMENT = 3
UNCHANGED = 0.01831563888873418
"""Share of children none of whose cuts is changed, e⁻⁴: four are on average, a Poisson number."""


def genetic(
    points: FloatArray,
    k: int,
    *,
    sort: Sort = "first component",
    attribute: FloatArray | None = None,
    cost: Cost = "attributes",
    generations: int = 300,
    population: int = 40,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
) -> IntArray:
    """Partition by a genetic search over the cuts of a sorted file.

    Parameters
    ----------
    points : (n, d) float64, standardised
    k : int
    sort : {"first component", "zscores", "attribute"}
        The number that records are sorted by.
    attribute : (n,) float64
        The chosen attribute; needed with ``sort="attribute"``.
    cost : {"attributes", "projected"}
        Whether the sum of squares is that of the attributes or of the sorted number.
    generations, population : int
        At least 0 and 4.
    seed : int
    progress : callable, optional
        Called with the share done, 0…1.

    Returns
    -------
    (n,) int64
        Labels; every group has k … 2k − 1 records.

    Examples
    --------
    >>> genetic(np.array([[0.0], [1.0], [8.0], [9.0], [0.5]]), 2).tolist()
    [0, 0, 1, 1, 0]
    """
    axis = sorting_axis(points, sort, attribute)
    order = np.argsort(axis, kind="stable")
    ordered = np.ascontiguousarray(points[order] if cost == "attributes" else axis[order, np.newaxis])
    random = generator(seed)
    strings = _first_generation(len(points), k, population, random)
    losses = np.empty(population)
    _weigh_all(ordered, strings, losses)
    for generation in range(generations):
        strings, losses = _next_generation(ordered, strings, losses, k, random)
        if progress is not None:
            progress((generation + 1) / generations)
    best = strings[losses.argmin()]
    labels = np.empty(len(points), dtype=np.int64)
    labels[order] = np.cumsum(best) - best
    return labels


def _first_generation(n: int, k: int, population: int, random: State) -> Strings:
    """Cut every k from the start, from the end, and copies of both with some cuts changed."""
    strings = np.empty((population, n), dtype=np.uint8)
    for row, labels in enumerate((cut_every(np.arange(n), k), cut_every(np.arange(n)[::-1], k))):
        strings[row::2] = np.append(np.diff(labels) != 0, True)
    for string in strings[2:]:
        _change(string, random)
        _repair(string, k)
    return strings


def _next_generation(
    ordered: FloatArray, strings: Strings, losses: FloatArray, k: int, random: State
) -> tuple[Strings, FloatArray]:
    """The best string and the children of the rest."""
    children = np.empty_like(strings)
    children[0] = strings[losses.argmin()]
    _breed(strings, losses, children, k, random)
    return children, _weigh_all(ordered, children, np.empty_like(losses))


@compiled
def _weigh_all(ordered: FloatArray, strings: Strings, losses: FloatArray) -> FloatArray:
    """Sum of squares within the groups of each string, measured from each group's first record."""
    width = ordered.shape[1]
    sums, squares = np.zeros(width), np.zeros(width)
    for row in range(len(strings)):
        total, start = 0.0, 0
        for end in range(len(ordered)):
            first, record = ordered[start], ordered[end]
            for column in range(width):
                deviation = record[column] - first[column]
                sums[column] += deviation
                squares[column] += deviation * deviation
            if strings[row, end]:
                for column in range(width):
                    total += squares[column] - sums[column] * sums[column] / (end + 1 - start)
                    sums[column] = squares[column] = 0.0
                start = end + 1
        losses[row] = total
    return losses


@compiled
def _breed(strings: Strings, losses: FloatArray, children: Strings, k: int, random: State) -> None:
    """Fill all children but the first."""
    n = strings.shape[1]
    for row in range(1, len(children)):
        one, other = _winner(losses, random), _winner(losses, random)
        joint = below(random, n)
        children[row, :joint] = strings[one, :joint]
        children[row, joint:] = strings[other, joint:]
        _change(children[row], random)
        _repair(children[row], k)


@compiled
def _winner(losses: FloatArray, random: State) -> int:
    """The best of a few strings drawn at random."""
    best = below(random, len(losses))
    for _ in range(TOURNAMENT - 1):
        rival = below(random, len(losses))
        if losses[rival] < losses[best]:
            best = rival
    return int(best)


@compiled
def _change(string: Strings, random: State) -> None:
    """At some random records flip the bit, or swap it with the next one."""
    n = len(string)
    for _ in range(arrivals(random, UNCHANGED)):
        i = below(random, n - 1)
        if uniform(random) < 0.5:
            string[i] = 1 - string[i]
        else:
            string[i], string[i + 1] = string[i + 1], string[i]


@compiled
def _repair(string: Strings, k: int) -> None:
    """Drop cuts that leave fewer than k records, add cuts where 2k or more are left together."""
    n, start = len(string), 0
    for end in range(n - 1):
        size = end + 1 - start
        may = size >= k and n - end - 1 >= k
        string[end] = may and (string[end] == 1 or size == 2 * k - 1)
        if string[end]:
            start = end + 1
    if n - start >= 2 * k:
        string[start + (n - start) // 2 - 1] = 1
    string[n - 1] = 1
