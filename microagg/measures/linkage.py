"""Distance-based record linkage: how many released records lead an intruder back to the person.

The intruder holds some attributes of everybody, with names, and a released file without. For each released
record they take the nearest of their own records (Pagliuca and Seri 1999; Rebollo-Monedero et al., section
V-C): it is linked if that is the person it came from. Both files are standardised first, each by its own
mean and deviation. When t records are equally near, one of them is taken blindly: a tie that holds the right
one counts 1/t. The disclosure DLD is the share of records linked, averaged over the sets of attributes the
intruder may know.

Squared distances are summed in column order and compared exactly. Only distinct records are compared, with
the number of records each stands for: a microaggregated file has few. Up to 5,000 distinct candidates all
sets are walked together (`subsets`), O(distinct released · distinct original · sets); above, each set has a
search tree (`nearest`), memory O(n·p).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from microagg.measures.matching import match_records, scaled_sides
from microagg.measures.nearest import nearest_with_ties, tied_at
from microagg.measures.subsets import credit_by_node, prefix_tree
from microagg.measures.threads import in_threads

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from microagg.compiled import FloatArray, IntArray
    from microagg.measures.knowledge import Sets
    from microagg.measures.matching import Direction, Match

TREE_FROM = 5_000


@dataclass(frozen=True, slots=True)
class Linkage:
    """Share of records linked to the right person, in [0, 1]; lower is better (less disclosed).

    Attributes
    ----------
    by_set : (m,) float64
        The share under each set of known attributes, in the order given.
    standard_error : float
        Of the rate, where the sets are a sample; else nan.
    notes : mapping of str to str
        What could not be computed, and why.
    """

    by_set: FloatArray
    standard_error: float = float("nan")
    notes: Mapping[str, str] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        """Mean over the sets, in [0, 1]; lower is better."""
        return float(self.by_set.mean()) if len(self.by_set) else float("nan")


@dataclass(frozen=True, slots=True)
class RecordLinks:
    """What the intruder finds for each record they try to link, under one set of known attributes.

    Distances are Euclidean on standardised attributes (unit: standard deviations).

    Attributes
    ----------
    nearest, own : (n,) float64
        Distance to the nearest candidate and to the right one; the farther the right one, the better.
    candidates : (n,) int64
        How many candidates are equally nearest, at least 1; more is better.
    credit : (n,) float64
        Chance of picking the right one: 1/candidates if it is among them, else 0; lower is better.
    """

    nearest: FloatArray
    own: FloatArray
    candidates: IntArray
    credit: FloatArray


def _credit_by_set(match: Match, sets: Sets) -> FloatArray:
    """Sum of the credits over all records, for each set: all sets in one walk."""
    tree = prefix_tree(sets)
    by_desk, starts = match.runs()
    own = match.own[by_desk]
    columns = np.ascontiguousarray(match.candidates.T)

    def work(part: slice) -> FloatArray:
        members = starts[part.start : part.stop + 1]
        shape = tree.column, tree.depth, tree.parent, tree.after, tree.marked, tree.sets_below
        return credit_by_node(match.desk[part], members, own, columns, match.weights, *shape)

    credit: FloatArray = np.sum(in_threads(work, len(match.desk)), axis=0)
    return credit[tree.node_of_set]


def own_credits(match: Match) -> FloatArray:
    """Credit of each record under one set: 1/t if its own counterpart is among the t nearest, else 0.

    Parameters
    ----------
    match : Match
        Both files, scaled, over the known attributes.

    Returns
    -------
    (n,) float64 in [0, 1]; lower is better
    """
    own = match.own_distances()
    reached = _reached(match, own)
    tied = tied_at(match.desk, reached, match.candidates, match.weights)[match.desk_of]
    return np.where((own == reached[match.desk_of]) & (tied > 0), 1.0 / np.maximum(tied, 1), 0.0)


def _reached(match: Match, own: FloatArray) -> FloatArray:
    """Least distance of each desk row to the counterpart of one of its records."""
    reached = np.full(len(match.desk), np.inf)
    np.minimum.at(reached, match.desk_of, own)
    return reached


def distance_linkage(
    original: FloatArray,
    protected: FloatArray,
    sets: Sets,
    *,
    direction: Direction = "protected to original",
    population: int | None = None,
) -> Linkage:
    """Distance-based linkage disclosure, DLD, under each set of known attributes.

    Parameters
    ----------
    original, protected : (n, p) float64, original units
        Row i of one is the counterpart of row i of the other.
    sets : tuple of tuples of int
        Positions of the attributes known, one tuple a set.
    direction : {"protected to original", "original to protected"}
        Whether each released record is looked up among the originals (paper 2) or the reverse.
    population : int, optional
        Number of sets these are a sample of: gives the standard error of the rate.

    Returns
    -------
    Linkage

    Raises
    ------
    PlanError
        There is no such direction.

    Examples
    --------
    >>> original = np.array([[1.0], [2.0], [3.0], [4.0]])
    >>> distance_linkage(original, np.array([[1.5], [1.5], [3.5], [3.5]]), ((0,),)).by_set.tolist()
    [0.5]
    """
    desk, candidates = scaled_sides(original, protected, direction)
    if not sets:
        return Linkage(np.empty(0), notes={"sets": "Not defined: there is no set of known attributes."})
    known = sorted(set().union(*sets))
    place = {column: position for position, column in enumerate(known)}
    match = match_records(desk[:, known], candidates[:, known])
    if len(match.weights) <= TREE_FROM:
        credit = _credit_by_set(match, tuple(tuple(place[column] for column in columns) for columns in sets))
    else:
        ordered = (sorted(set(columns)) for columns in sets)
        credit = np.array([own_credits(match_records(desk[:, c], candidates[:, c])).sum() for c in ordered])
    by_set = credit / len(original)
    return Linkage(by_set, float("nan") if population is None else sampling_error(by_set, population))


def sampling_error(by_set: FloatArray, population: int) -> float:
    """Standard error of the mean over sets drawn without replacement; nan for a single set.

    Parameters
    ----------
    by_set : (m,) float64
        A measure under each set drawn, any unit.
    population : int
        Number of sets they were drawn from.

    Returns
    -------
    float, unit of ``by_set``, from 0 upwards; lower is more certain

    Examples
    --------
    >>> sampling_error(np.array([0.1, 0.3]), population=2)
    0.0
    """
    drawn = len(by_set)
    if drawn < 2:
        return float("nan")
    return float(np.std(by_set, ddof=1)) * sqrt(max(0.0, 1 - drawn / population) / drawn)


def linked_records(
    original: FloatArray,
    protected: FloatArray,
    columns: Sequence[int],
    *,
    direction: Direction = "protected to original",
) -> RecordLinks:
    """Look at each record an intruder tries to link with one set of known attributes.

    Parameters
    ----------
    original, protected : (n, p) float64, original units
    columns : sequence of int
        Positions of the known attributes.
    direction : {"protected to original", "original to protected"}

    Returns
    -------
    RecordLinks
        One entry a released record (an original record in the reverse direction).

    Raises
    ------
    PlanError
        There is no such direction.

    Examples
    --------
    >>> original = np.array([[1.0], [2.0], [3.0], [4.0]])
    >>> links = linked_records(original, np.array([[2.0], [2.0], [3.0], [3.0]]), [0])
    >>> links.candidates.tolist(), links.credit.tolist()
    ([1, 1, 1, 1], [1.0, 0.0, 0.0, 1.0])
    """
    desk, candidates = scaled_sides(original, protected, direction)
    known = sorted(set(columns))
    match = match_records(desk[:, known], candidates[:, known])
    own = match.own_distances()
    distances, counts = nearest_with_ties(match.desk, _reached(match, own), match.candidates, match.weights)
    nearest, tied = distances[match.desk_of], counts[match.desk_of]
    return RecordLinks(np.sqrt(nearest), np.sqrt(own), tied, np.where(own == nearest, 1.0 / tied, 0.0))


def nearest_candidates(
    original: FloatArray,
    protected: FloatArray,
    columns: Sequence[int],
    record: int,
    *,
    direction: Direction = "protected to original",
) -> tuple[IntArray, FloatArray]:
    """List everybody one record may be, the nearest first.

    Parameters
    ----------
    original, protected : (n, p) float64, original units
    columns : sequence of int
        Positions of the known attributes.
    record : int
        The released record (original record in the reverse direction) to follow.
    direction : {"protected to original", "original to protected"}

    Returns
    -------
    candidates : (n,) int64
        Records by distance, then by index.
    distances : (n,) float64, standard deviations

    Raises
    ------
    PlanError
        There is no such direction.

    Examples
    --------
    >>> original = np.array([[1.0], [2.0], [3.0], [4.0]])
    >>> nearest_candidates(original, np.array([[1.5], [1.5], [3.5], [3.5]]), [0], 3)[0].tolist()
    [3, 2, 1, 0]
    """
    desk, candidates = scaled_sides(original, protected, direction)
    squared = np.zeros(len(candidates))
    for column in sorted(set(columns)):
        gap = candidates[:, column] - desk[record, column]
        squared += gap * gap
    order = np.lexsort((np.arange(len(squared)), squared))
    return order, np.sqrt(squared[order])
