"""Who is at risk: how often each record is linked, over all the sets of attributes an intruder may know.

The rate of a file hides that a few people carry most of it. For each record the credits of distance linkage
(1/t where the own counterpart is among the t nearest, else 0) are averaged over the sets of known attributes,
and the first set that gives it away most surely is kept. One search tree a set: O(sets · n·log n) or so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from microagg.measures.linkage import own_credits
from microagg.measures.matching import match_records, scaled_sides

if TYPE_CHECKING:
    from microagg.compiled import FloatArray, IntArray
    from microagg.measures.knowledge import Sets
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
    surest : (n,) int64
        Index of the first set with the record's highest credit; −1 where no set links it.
    """

    mean: FloatArray
    linked: IntArray
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
    n = len(original)
    total, highest = np.zeros(n), np.zeros(n)
    linked, surest = np.zeros(n, dtype=np.int64), np.full(n, -1, dtype=np.int64)
    for index, columns in enumerate(sets):
        known = sorted(set(columns))
        credit = own_credits(match_records(desk[:, known], candidates[:, known]))
        total += credit
        linked += credit > 0
        surest[credit > highest] = index
        np.maximum(highest, credit, out=highest)
    return RecordRisk(total / len(sets), linked, surest)
