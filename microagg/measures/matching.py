"""Who is looked up, and among whom: the two files of a linkage, scaled and reduced to distinct records.

Microaggregation releases few distinct records, and each stands for its whole group: what holds for one holds
for all of them. Records are told apart after scaling, over the attributes known, O(n·p).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from microagg.errors import PlanError
from microagg.kernels.scaling import standardise
from microagg.measures.anonymity import classes
from microagg.measures.arrays import counterparts
from microagg.model.safe_repr import discreet

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray, IntArray

Direction: TypeAlias = Literal["protected to original", "original to protected"]


@dataclass(frozen=True, slots=True)
class Match:
    """Distinct records on the intruder's desk, and the distinct candidates each may be.

    Attributes
    ----------
    desk : (q, d) float64, standardised
    desk_of : (m,) int64
        Desk row of each record looked up.
    candidates : (t, d) float64, standardised
    own : (m,) int64
        Candidate row of each such record's true counterpart.
    weights : (t,) int64
        How many records equal each candidate.
    """

    desk: FloatArray
    desk_of: IntArray
    candidates: FloatArray
    own: IntArray
    weights: IntArray

    __repr__ = discreet

    def own_distances(self) -> FloatArray:
        """Squared distance of each record to its own counterpart, summed in column order."""
        return squared_distances(self.desk, self.candidates, self.desk_of, self.own)

    def reached(self, own: FloatArray) -> FloatArray:
        """Least distance of each desk row to the counterpart of one of its records."""
        reached = np.full(len(self.desk), np.inf)
        np.minimum.at(reached, self.desk_of, own)
        return reached

    def runs(self) -> tuple[IntArray, IntArray]:
        """Records ordered by desk row, and where each row's run starts (one entry more, the end)."""
        starts = np.concatenate([[0], np.cumsum(np.bincount(self.desk_of))])
        return np.argsort(self.desk_of, kind="stable"), starts


def squared_distances(
    desk: FloatArray, candidates: FloatArray, desk_of: IntArray | slice, own: IntArray | slice
) -> FloatArray:
    """Squared distances between some rows of two files, summed in column order as all searches sum them."""
    total = np.zeros(len(desk[desk_of]))
    for column in range(desk.shape[1]):
        gap = candidates[own, column] - desk[desk_of, column]
        total += gap * gap
    return total


def shared_credit(own: FloatArray, best: FloatArray, tied: IntArray) -> FloatArray:
    """Chance of picking the right candidate blindly among those that are equally good.

    Parameters
    ----------
    own, best : (m,) float64
        Distance (or weight) of the right candidate, and of the nearest (heaviest).
    tied : (m,) int64
        Candidates that are as good as the best; 0 where somebody is known to be better than the right one.

    Returns
    -------
    (m,) float64 in [0, 1]; lower is better

    Examples
    --------
    >>> shared_credit(np.array([1.0, 2.0, 3.0]), np.array([1.0, 1.0, 3.0]), np.array([4, 1, 0])).tolist()
    [0.25, 0.0, 0.0]
    """
    return np.where((own == best) & (tied > 0), 1.0 / np.maximum(tied, 1), 0.0)


def match_records(desk: FloatArray, candidates: FloatArray, rows: IntArray | None = None) -> Match:
    """Reduce two files whose rows are counterparts to their distinct records.

    Parameters
    ----------
    desk, candidates : (n, d) float64, standardised, the known attributes
    rows : (m,) int64, optional
        The records to look up; all by default.

    Returns
    -------
    Match

    Examples
    --------
    >>> match = match_records(np.array([[1.0], [1.0], [2.0]]), np.array([[0.0], [3.0], [3.0]]))
    >>> match.desk_of.tolist(), match.own.tolist(), match.weights.tolist()
    ([0, 0, 1], [0, 1, 1], [1, 2])
    """
    looked_up = desk if rows is None else desk[rows]
    first, desk_of = classes(looked_up)
    first_candidate, own = classes(candidates)
    weights = np.bincount(own)
    own = own if rows is None else own[rows]
    return Match(looked_up[first], desk_of, candidates[first_candidate], own, weights)


def scaled_sides(
    original: FloatArray, protected: FloatArray, direction: str
) -> tuple[FloatArray, FloatArray]:
    """Who is looked up and among whom, each file standardised by its own mean and deviation.

    Parameters
    ----------
    original, protected : (n, p) float64, original units
    direction : {"protected to original", "original to protected"}

    Returns
    -------
    desk, candidates : (n, p) float64, standardised; constant attributes are zeros

    Raises
    ------
    PlanError
        There is no such direction.
    DataError
        The arrays are not two files of the same records (`measures.arrays`).

    Examples
    --------
    >>> desk, _ = scaled_sides(np.array([[1.0], [2.0]]), np.array([[5.0], [9.0]]), "protected to original")
    >>> desk.tolist()
    [[-1.0], [1.0]]
    """
    original, protected = counterparts(original, protected)
    if direction not in get_args(Direction):
        raise PlanError(f"There is no direction {direction!r} of linkage; use one of {get_args(Direction)}.")
    sides = standardise(protected), standardise(original)
    return sides if direction == "protected to original" else sides[::-1]
