"""Who is at risk: how often each record is linked, over all the sets of attributes an intruder may know.

The rate of a file hides that a few people carry most of it. For each record the credits of distance linkage
(1/t where the own counterpart is among the t nearest, else 0) are averaged over the sets of known attributes,
and the first set that gives it away most surely is kept. Each set is looked up on its own (`lookup`). Many
sets can be followed in parts, to show progress between them, and the parts joined.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from microagg.errors import PlanError
from microagg.kernels.threads import in_threads
from microagg.measures.arrays import known_sets
from microagg.measures.lookup import LookUp
from microagg.measures.matching import scaled_sides

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microagg.kernels.compiled import FloatArray, IntArray
    from microagg.measures.arrays import Sets
    from microagg.measures.matching import Direction


@dataclass(frozen=True, slots=True)
class RecordRisk:
    """How surely each record is linked, over many sets of known attributes.

    Attributes
    ----------
    mean : (n,) float64
        Mean credit over the sets, in [0, 1]; lower is better. Its mean over records is the file's DLD.
    linked : (n,) int64
        Under how many sets the record is linked at all, in [0, m]; lower is better.
    highest : (n,) float64
        Highest credit under any set, in [0, 1]: one over the number of candidates that tie; lower is better.
    surest : (n,) int64
        Index of the first set with that credit; −1 where no set links it.
    """

    mean: FloatArray
    linked: IntArray
    highest: FloatArray
    surest: IntArray


def record_risk(
    original: FloatArray,
    protected: FloatArray,
    sets: Sets,
    *,
    direction: Direction = "protected to original",
) -> RecordRisk:
    """Follow every record through every set of known attributes.

    Parameters
    ----------
    original, protected : (n, p) float64, original units
    sets : tuple of tuples of int
        Positions of the attributes known, one tuple a set; at least one.
    direction : {"protected to original", "original to protected"}

    Returns
    -------
    RecordRisk

    Raises
    ------
    PlanError
        There is no such direction.

    Examples
    --------
    >>> original = np.array([[1.0, 1.0], [2.0, 1.0], [3.0, 2.0], [4.0, 2.0]])
    >>> risk = record_risk(original, original, ((1,), (0,)))
    >>> risk.mean.tolist(), risk.linked.tolist(), risk.surest.tolist()
    ([0.75, 0.75, 0.75, 0.75], [2, 2, 2, 2], [1, 1, 1, 1])
    """
    desk, candidates = scaled_sides(original, protected, direction)
    match, n = LookUp(desk, candidates), len(desk)
    sets = known_sets(sets, desk.shape[1])
    if not sets:
        raise PlanError("Records are followed through sets of known attributes; name at least one.")

    def follow(part: slice) -> RecordRisk:
        total, highest = np.zeros(n), np.zeros(n)
        linked, surest = np.zeros(n, dtype=np.int64), np.full(n, -1, dtype=np.int64)
        for index, columns in enumerate(sets[part]):
            credit = match.credit(columns)
            total += credit
            linked += credit > 0
            surest[credit > highest] = index
            np.maximum(highest, credit, out=highest)
        return RecordRisk(total / (part.stop - part.start), linked, highest, surest)

    parts = in_threads(lambda part: (part.stop - part.start, follow(part)), len(sets))
    counts, found = zip(*parts, strict=True)
    return joined(found, counts)


def joined(parts: Sequence[RecordRisk], counts: Sequence[int]) -> RecordRisk:
    """What all sets together mean for each record, from parts of the sets.

    Parameters
    ----------
    parts : sequence of RecordRisk
        Of the same records, each under the sets that follow those of the part before.
    counts : sequence of int
        Number of sets of each part.

    Returns
    -------
    RecordRisk
    """
    first = parts[0]
    highest, surest = first.highest, first.surest
    for part, before in zip(parts[1:], np.cumsum(counts).tolist(), strict=False):
        higher = part.highest > highest
        highest = np.where(higher, part.highest, highest)
        surest = np.where(higher, part.surest + before, surest)
    return RecordRisk(
        np.average([part.mean for part in parts], axis=0, weights=counts),
        np.sum([part.linked for part in parts], axis=0),
        highest,
        surest,
    )
