"""Distance-based record linkage: how many released records lead an intruder back to the person.

The intruder holds some attributes of everybody, with names, and a released file without. For each released
record they take the nearest of their own records (Pagliuca and Seri 1999; Rebollo-Monedero et al., section
V-C): it is linked if that is the person it came from. Both files are standardised first, each by its own
mean and deviation. When t records are equally near, one of them is taken blindly: a tie that holds the right
one counts 1/t. The disclosure DLD is the share of records linked, averaged over the sets of attributes the
intruder may know.

Squared distances are summed in column order and compared exactly. Only distinct records are compared, with
the number of records each stands for: a microaggregated file has few. Up to 5,000 distinct candidates all
sets are walked together (`subsets`), O(distinct released · distinct original · sets); above, one set comes
after another (`lookup`), memory O(n·p). Of a very large file a sample of the records can be looked up, each
among all candidates still: the share found is then an estimate without bias, given with its standard error.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from microagg.kernels.random_numbers import chosen
from microagg.kernels.threads import in_threads
from microagg.measures.arrays import known_sets, looked_up, positions
from microagg.measures.lookup import WALKED, LookUp
from microagg.measures.matching import match_records, scaled_sides, shared_credit
from microagg.measures.nearest import nearest_with_ties
from microagg.measures.subsets import credit_by_node, prefix_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from microagg.kernels.compiled import FloatArray, IntArray
    from microagg.measures.arrays import Sets
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
        Of the rate, where the sets or the records looked up are a sample; else nan.
    notes : mapping of str to str
        What could not be computed, and why.
    looked_up : int or None
        Records looked up, where they are a sample.
    """

    by_set: FloatArray
    standard_error: float = float("nan")
    notes: Mapping[str, str] = field(default_factory=dict)
    looked_up: int | None = None

    @property
    def rate(self) -> float:
        """Mean over the sets, in [0, 1]; lower is better."""
        return float(self.by_set.mean()) if len(self.by_set) else float("nan")

    @property
    def sampled(self) -> str:
        """On how many records it was found, where not on all, and how far it may be off (standard error).

        Examples
        --------
        >>> Linkage(np.array([0.1]), 0.003, looked_up=10_000).sampled
        'on a sample of 10,000 records, ± 0.3'
        """
        if self.looked_up is None:
            return ""
        return f"on a sample of {self.looked_up:,} records, ± {100 * self.standard_error:.2g}"


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


def _one_by_one(
    match: LookUp, sets: Sets, progress: Callable[[float], None] | None
) -> tuple[FloatArray, FloatArray]:
    """Mean credit for each set, and for each record looked up: one set after another."""
    done = iter(range(1, len(sets) + 1))

    def work(part: slice) -> tuple[list[float], FloatArray]:
        by_set, by_record = [], np.zeros(len(match.rows))
        for columns in sets[part]:
            credit = match.credit(columns)
            by_set.append(float(credit.mean()))
            by_record += credit
            if progress is not None:
                progress(next(done) / len(sets))
        return by_set, by_record

    parts = in_threads(work, len(sets))
    return (
        np.concatenate([by_set for by_set, _ in parts]),
        np.sum([by_record for _, by_record in parts], axis=0) / len(sets),
    )


def distance_linkage(
    original: FloatArray,
    protected: FloatArray,
    sets: Sets,
    *,
    direction: Direction = "protected to original",
    population: int | None = None,
    rows: IntArray | None = None,
    progress: Callable[[float], None] | None = None,
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
    rows : (m,) int64, optional
        The records to look up, drawn at random without replacement (`sample_of`); all by default.
    progress : callable, optional
        Called with the share of sets done, where they are done one by one; it may raise to stop.

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
    sets, rows = known_sets(sets, desk.shape[1]), looked_up(rows, len(desk))
    if not sets:
        return Linkage(np.empty(0), notes={"sets": "Not defined: there is no set of known attributes."})
    known = sorted(set().union(*sets))
    place = {column: position for position, column in enumerate(known)}
    sets = tuple(tuple(place[column] for column in columns) for columns in sets)
    desk, candidates = np.ascontiguousarray(desk[:, known]), np.ascontiguousarray(candidates[:, known])
    if rows is None and len(desk) <= TREE_FROM:
        by_set = _credit_by_set(match_records(desk, candidates), sets) / len(desk)
        return Linkage(by_set, float("nan") if population is None else sampling_error(by_set, population))
    walked = {column for columns in sets if len(set(columns)) <= WALKED for column in columns}
    by_set, by_record = _one_by_one(LookUp(desk, candidates, rows, walked), sets, progress)
    return Linkage(
        by_set,
        standard_error(by_set, population, by_record, None if rows is None else len(desk)),
        looked_up=None if rows is None else len(rows),
    )


def sample_of(records: int, size: int, seed: int = 0) -> IntArray:
    """Draw records without replacement, each as likely as any other, in their order.

    Parameters
    ----------
    records, size : int
    seed : int

    Returns
    -------
    (size,) int64

    Examples
    --------
    >>> sample_of(5, 5).tolist()
    [0, 1, 2, 3, 4]
    """
    return chosen(seed, records, size)


def standard_error(by_set: FloatArray, sets: int | None, by_record: FloatArray, records: int | None) -> float:
    """Standard error of a rate whose sets, whose records, or both are samples; nan where neither is.

    The two variances are added. What sets and records have in common is then counted twice, so that the
    error is, if anything, stated too large.

    Parameters
    ----------
    by_set : (s,) float64
    sets : int or None
        Number of sets they were drawn from; None: they are all there is.
    by_record : (m,) float64
    records : int or None
        Number of records they were drawn from; None: they are all there is.

    Returns
    -------
    float
    """
    parts = [
        sampling_error(values, population)
        for values, population in ((by_set, sets), (by_record, records))
        if population is not None
    ]
    return float(np.hypot.reduce(parts)) if parts else float("nan")


def sampling_error(values: FloatArray, population: int) -> float:
    """Standard error of the mean over sets, or records, drawn without replacement; nan for a single one.

    Parameters
    ----------
    values : (m,) float64
        A measure under each set drawn, or of each record, any unit.
    population : int
        Number that they were drawn from.

    Returns
    -------
    float, unit of ``values``, from 0 upwards; lower is more certain

    Examples
    --------
    >>> sampling_error(np.array([0.1, 0.3]), population=2)
    0.0
    """
    drawn = len(values)
    if drawn < 2:
        return float("nan")
    return float(np.std(values, ddof=1)) * sqrt(max(0.0, 1 - drawn / population) / drawn)


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
    known = sorted(set(positions(columns, desk.shape[1])))
    match = match_records(desk[:, known], candidates[:, known])
    own = match.own_distances()
    distances, counts = nearest_with_ties(match.desk, match.reached(own), match.candidates, match.weights)
    nearest, tied = distances[match.desk_of], counts[match.desk_of]
    return RecordLinks(np.sqrt(nearest), np.sqrt(own), tied, shared_credit(own, nearest, tied))


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
    (record,) = positions([record], len(desk), "record")
    squared = np.zeros(len(candidates))
    for column in sorted(set(positions(columns, desk.shape[1]))):
        gap = candidates[:, column] - desk[record, column]
        squared += gap * gap
    order = np.lexsort((np.arange(len(squared)), squared))
    return order, np.sqrt(squared[order])
