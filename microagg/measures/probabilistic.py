"""Probabilistic record linkage: how far agreement alone leads an intruder, without any distance.

Fellegi and Sunter (1969) with Jaro's (1989) estimation. Of every pair (released record, original) only is
noted which known attributes agree: standardised values within a tolerance. An attribute agrees with
probability m in pairs of the same person and u in others, independently given that; m, u and the share of
true pairs are estimated from the pattern counts by expectation–maximisation. A pair weighs Σ log(m/u) over
the attributes that agree plus Σ log((1 − m)/(1 − u)) over the others; each released record is linked to its
heaviest pair. Weights equal to nine decimals tie, and a tie of t that holds the right record counts 1/t. PLD
is the share linked, averaged over the sets of attributes known.

Patterns are counted, never stored by pair: O(distinct released · n · p) once for all sets, then a look at
each record's different patterns for each set, which are refused where they would fill the memory. Of a large
file a sample of the records can be looked up, each beside all candidates: the model is then estimated from
their pairs. Estimation starts from m = 0.9, u = 0.1 (Jaro; Winkler) and a share of true pairs of 1/n, and
stops when no probability moves by more than 1e-5. Fewer than three attributes do not determine the model;
where it starts then decides, and agreement still outweighs disagreement.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from microagg.errors import PlanError
from microagg.kernels.compiled import FloatArray, IntArray, compiled
from microagg.kernels.threads import in_threads
from microagg.measures.anonymity import classes
from microagg.measures.arrays import known_sets, looked_up, positions
from microagg.measures.linkage import Linkage, standard_error
from microagg.measures.matching import scaled_sides, shared_credit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microagg.measures.arrays import Sets
    from microagg.measures.matching import Direction

TOLERANCE = 0.1
MOST_ATTRIBUTES = 62
CERTAIN = 1e-10  # probabilities stay this far from 0 and 1, so that every weight is finite
DECIMALS = 9
MOST_BYTES = 4e9
BYTES = 40  # of a pattern that a record meets: itself, its place, how often, and twice while they are joined
PROBED = 32
TABLED = 14  # attributes up to which patterns are counted in a table of all there can be


@dataclass(frozen=True, slots=True)
class AgreementModel:
    """What agreement on each attribute says about a pair, estimated from all pairs.

    Attributes
    ----------
    m, u : (d,) float64
        Probability of agreement in pairs of the same person, and in other pairs.
    prevalence : float
        Share of pairs of the same person.
    iterations : int
    converged : bool
        Whether no probability moved by more than the tolerance in the last step.
    """

    m: FloatArray
    u: FloatArray
    prevalence: float
    iterations: int
    converged: bool

    def weights(self, agreement: FloatArray) -> FloatArray:
        """Weight of each pattern: the log of how much likelier it is in pairs of the same person.

        Parameters
        ----------
        agreement : (c, d) float64
            1 where the attribute agrees, else 0.

        Returns
        -------
        (c,) float64, natural log; rounded to nine decimals
        """
        total = np.zeros(len(agreement))
        for column, (m, u) in enumerate(zip(self.m, self.u, strict=True)):
            total += np.where(agreement[:, column] > 0, np.log(m / u), np.log((1 - m) / (1 - u)))
        return np.round(total, DECIMALS)


def fit_agreement(
    agreement: FloatArray,
    counts: IntArray,
    *,
    prevalence: float,
    m: float = 0.9,
    u: float = 0.1,
    tolerance: float = 1e-5,
    most: int = 2_000,
) -> AgreementModel:
    """Estimate m, u and the prevalence from pattern counts by expectation–maximisation.

    Parameters
    ----------
    agreement : (c, d) float64
        Patterns: 1 where the attribute agrees, else 0.
    counts : (c,) int64
        Number of pairs with each pattern.
    prevalence, m, u : float in (0, 1)
        Where to start.
    tolerance : float
        Stop when no probability moves by more.
    most : int
        Stop after so many steps.

    Returns
    -------
    AgreementModel

    Examples
    --------
    >>> patterns = np.array([[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]])
    >>> model = fit_agreement(patterns, np.array([10, 90]), prevalence=0.01)
    >>> round(model.prevalence, 6), model.m.round(6).tolist(), model.u.round(6).tolist()
    (0.1, [1.0, 1.0, 1.0], [0.0, 0.0, 0.0])
    """
    probabilities = np.empty((2, agreement.shape[1]))
    probabilities[0], probabilities[1] = u, m
    share, steps, moved = _maximise(
        agreement, counts.astype(np.float64), probabilities, prevalence, tolerance, most
    )
    return AgreementModel(probabilities[1], probabilities[0], share, steps, bool(moved <= tolerance))


@compiled
def _maximise(
    agreement: FloatArray,
    counts: FloatArray,
    probabilities: FloatArray,
    share: float,
    tolerance: float,
    most: int,
) -> tuple[float, int, float]:
    """Improve ``probabilities`` (row 0: u, row 1: m) in place; give share, steps and the last move."""
    d = agreement.shape[1]
    steps, moved = 0, np.inf
    while steps < most and moved > tolerance:
        mass, agreeing = np.zeros(2), np.zeros((2, d))
        prior = np.log(share) - np.log(1 - share)
        for pattern in range(len(counts)):
            odds = prior
            for column in range(d):
                u, m = probabilities[0, column], probabilities[1, column]
                odds += np.log(m / u) if agreement[pattern, column] > 0 else np.log((1 - m) / (1 - u))
            true = counts[pattern] / (1 + np.exp(-odds))
            false = counts[pattern] / (1 + np.exp(odds))
            mass[0] += false
            mass[1] += true
            for column in range(d):
                if agreement[pattern, column] > 0:
                    agreeing[0, column] += false
                    agreeing[1, column] += true
        new_share = min(max(mass[1] / (mass[0] + mass[1]), CERTAIN), 1 - CERTAIN)
        moved, share = abs(new_share - share), new_share
        for side in range(2):
            for column in range(d):
                new = agreeing[side, column] / mass[side] if mass[side] > 0 else probabilities[side, column]
                new = min(max(new, CERTAIN), 1 - CERTAIN)
                moved = max(moved, abs(new - probabilities[side, column]))
                probabilities[side, column] = new
        steps += 1
    return share, steps, moved


@dataclass(frozen=True, slots=True, eq=False)
class Met:
    """Patterns that desk rows meet among some candidates; bit j is set where attribute j agrees.

    Attributes
    ----------
    starts : (q + 1,) int64
        Row i meets the patterns from ``starts[i]`` up to ``starts[i + 1]``, ascending.
    masks, records : (s,) int64
        The patterns, and how many candidates have each.
    """

    starts: IntArray
    masks: IntArray
    records: IntArray

    def __add__(self, other: Met) -> Met:
        """What the same rows meet among the candidates of both."""
        q = len(self.starts) - 1
        rows = np.concatenate([np.repeat(np.arange(q), np.diff(one.starts)) for one in (self, other)])
        masks, records = np.append(self.masks, other.masks), np.append(self.records, other.records)
        order = np.lexsort((masks, rows))
        rows, masks = rows[order], masks[order]
        first = np.flatnonzero(np.append(True, (np.diff(rows) != 0) | (np.diff(masks) != 0))[: len(rows)])
        summed = np.add.reduceat(records[order], first) if len(first) else records
        return Met(np.searchsorted(rows[first], np.arange(q + 1)), masks[first], summed)


def met_by(desk: FloatArray, candidates: FloatArray, tolerance: float = TOLERANCE) -> Met:
    """Count the patterns of agreement of each desk row with all candidates.

    Parameters
    ----------
    desk : (q, d) float64, standardised; q ≥ 1
    candidates : (n, d) float64, standardised
    tolerance : float, standard deviations

    Examples
    --------
    >>> met = met_by(np.array([[0.0, 1.0]]), np.array([[0.0, 1.0], [0.0, 2.0], [0.0, 3.0]]))
    >>> met.masks.tolist(), met.records.tolist()
    ([1, 3], [2, 1])
    """
    columns = np.ascontiguousarray(candidates.T)

    def count(part: slice) -> list[tuple[IntArray, IntArray]]:
        masks = np.empty(len(candidates), dtype=np.int64)
        return [_met(point, columns, tolerance, masks) for point in desk[part]]

    pieces = [piece for part in in_threads(count, len(desk)) for piece in part]
    masks, records = (np.concatenate(side) for side in zip(*pieces, strict=True))
    return Met(np.cumsum([0, *(len(seen) for seen, _ in pieces)]), masks, records)


def own_patterns(desk: FloatArray, own: FloatArray, tolerance: float = TOLERANCE) -> IntArray:
    """Pattern of each record with its own counterpart, (m,) int64; both (m, d), standardised."""
    return (np.abs(own - desk) <= tolerance) @ (np.int64(1) << np.arange(desk.shape[1]))


@dataclass(frozen=True, slots=True)
class Patterns:
    """Agreement patterns of all pairs, counted.

    ``masks`` (c,) are the patterns there are and ``counts`` (c,) their pairs. Desk row i meets the patterns
    ``met[starts[i]:starts[i + 1]]``, ``records`` of them each; ``own`` (m,) are the records' true patterns.
    A true pair is expected once among so many ``candidates``.
    """

    candidates: int
    masks: IntArray
    counts: IntArray
    starts: IntArray
    met: IntArray
    records: IntArray
    own: IntArray
    desk_of: IntArray

    @classmethod
    def of(cls, met: Met, own: IntArray, desk_of: IntArray, candidates: int) -> Patterns:
        """Count pairs.

        Parameters
        ----------
        met : Met
            Of the desk rows, among all candidates.
        own : (m,) int64
            Pattern of each record looked up with its counterpart.
        desk_of : (m,) int64
            Its desk row.
        candidates : int
        """
        known, place = np.unique(met.masks, return_inverse=True)
        pairs = met.records * np.repeat(np.bincount(desk_of), np.diff(met.starts))
        counts = np.bincount(place, weights=pairs).astype(np.int64)
        return cls(
            candidates, known, counts, met.starts, place, met.records, np.searchsorted(known, own), desk_of
        )

    def agreement(self, columns: Sequence[int]) -> tuple[FloatArray, IntArray]:
        """Patterns over some of the attributes as 0 and 1, (c', d), and which of them each mask becomes."""
        kept = sum(1 << column for column in columns)
        seen, place = np.unique(self.masks & kept, return_inverse=True)
        return ((seen[:, None] >> np.array(columns)) & 1).astype(np.float64), place

    def fit(self, columns: Sequence[int]) -> tuple[AgreementModel, FloatArray]:
        """The model for some of the attributes, and the weight it gives each mask."""
        agreement, place = self.agreement(columns)
        counts = np.bincount(place, weights=self.counts).astype(np.int64)
        model = fit_agreement(agreement, counts, prevalence=1 / max(2, self.candidates))
        return model, model.weights(agreement)[place]

    def credit(self, weights: FloatArray) -> FloatArray:
        """Of each record 1/t where the own pattern is among the t heaviest pairs of its desk row, else 0."""
        weight, begins = weights[self.met], self.starts[:-1]
        heaviest = np.maximum.reduceat(weight, begins)
        at_top = weight == np.repeat(heaviest, np.diff(self.starts))
        tied = np.add.reduceat(np.where(at_top, self.records, 0), begins)[self.desk_of]
        return shared_credit(weights[self.own], heaviest[self.desk_of], tied)


@compiled
def _agree(point: FloatArray, columns: FloatArray, tolerance: float, masks: IntArray) -> None:
    """Pattern of one record with each candidate; ``columns`` (d, n)."""
    masks[:] = 0
    for column in range(len(point)):
        values, bit = columns[column], np.int64(1) << column
        for j in range(len(masks)):
            masks[j] |= bit if abs(values[j] - point[column]) <= tolerance else 0


def _count_patterns(
    desk: FloatArray, candidates: FloatArray, tolerance: float, rows: IntArray | None = None
) -> Patterns:
    looked_up = desk if rows is None else desk[rows]
    counterparts = candidates if rows is None else candidates[rows]
    first, desk_of = classes(looked_up)
    met = met_by(looked_up[first], candidates, tolerance)
    return Patterns.of(met, own_patterns(looked_up, counterparts, tolerance), desk_of, len(candidates))


def pattern_bytes(desk: FloatArray, candidates: FloatArray, tolerance: float) -> float:
    """Memory that counting the patterns of some records takes, from a few of them.

    Parameters
    ----------
    desk : (m, d) float64, standardised
    candidates : (n, d) float64, standardised
    tolerance : float, standard deviations

    Returns
    -------
    float, bytes
    """
    columns, masks = np.ascontiguousarray(candidates.T), np.empty(len(candidates), dtype=np.int64)
    some = desk[:: 1 + len(desk) // PROBED]
    each = np.mean([len(_met(point, columns, tolerance, masks)[0]) for point in some])
    return float(BYTES * each * len(classes(desk)[0]))


def _met(
    point: FloatArray, columns: FloatArray, tolerance: float, masks: IntArray
) -> tuple[IntArray, IntArray]:
    """The different patterns of one record, ascending, and how many candidates have each."""
    _agree(point, columns, tolerance, masks)
    if len(point) > TABLED:
        return np.unique(masks, return_counts=True)
    times = np.bincount(masks)
    seen = np.flatnonzero(times)
    return seen, times[seen]


def agreement_model(
    original: FloatArray,
    protected: FloatArray,
    columns: Sequence[int],
    *,
    tolerance: float = TOLERANCE,
    direction: Direction = "protected to original",
) -> AgreementModel:
    """What an intruder who knows some attributes estimates from the two files.

    Parameters
    ----------
    original, protected : (n, p) float64, original units
    columns : sequence of int
        Positions of the known attributes, at most 62.
    tolerance : float, standard deviations
    direction : {"protected to original", "original to protected"}

    Returns
    -------
    AgreementModel
        Attributes in ascending order of position.

    Examples
    --------
    >>> values = np.repeat(np.arange(20.0), 2)[:, None]
    >>> agreement_model(values, values, [0]).m.shape
    (1,)
    """
    desk, candidates = scaled_sides(original, protected, direction)
    known = sorted(set(positions(columns, desk.shape[1])))
    return _count_patterns(desk[:, known], candidates[:, known], tolerance).fit(range(len(known)))[0]


def probabilistic_linkage(
    original: FloatArray,
    protected: FloatArray,
    sets: Sets,
    *,
    tolerance: float = TOLERANCE,
    direction: Direction = "protected to original",
    population: int | None = None,
    rows: IntArray | None = None,
) -> Linkage:
    """Probabilistic linkage disclosure, PLD, under each set of known attributes.

    Parameters
    ----------
    original, protected : (n, p) float64, original units
        Row i of one is the counterpart of row i of the other.
    sets : tuple of tuples of int
        Positions of the attributes known, one tuple a set; at most 62 different ones in all.
    tolerance : float, standard deviations
        Values that differ by at most this much agree.
    direction : {"protected to original", "original to protected"}
        Whether each released record is looked up among the originals or the reverse.
    population : int, optional
        Number of sets these are a sample of: gives the standard error of the rate.
    rows : (m,) int64, optional
        The records to look up, drawn at random without replacement (`sample_of`); all by default.

    Returns
    -------
    Linkage
        ``notes["em"]`` tells how many estimations had not settled after 2,000 steps.

    Raises
    ------
    PlanError
        There is no such direction, or the tolerance is negative.

    Examples
    --------
    >>> original = np.array([[1.0, 9.0], [2.0, 5.0], [3.0, 1.0], [4.0, 0.0]])
    >>> probabilistic_linkage(original, original, ((0, 1),)).rate
    1.0
    """
    if not tolerance >= 0:
        raise PlanError(f"The tolerance of agreement must be 0 or more standard deviations, not {tolerance}.")
    desk, candidates = scaled_sides(original, protected, direction)
    sets, rows = known_sets(sets, desk.shape[1]), looked_up(rows, len(desk))
    known = sorted(set().union(*sets))
    if not sets or len(known) > MOST_ATTRIBUTES:
        reason = f"Not defined: it needs sets of known attributes, and at most {MOST_ATTRIBUTES} attributes."
        return Linkage(np.full(len(sets), np.nan), notes={"sets": reason})
    desk, candidates = desk[:, known], candidates[:, known]
    needed = pattern_bytes(desk if rows is None else desk[rows], candidates, tolerance)
    if needed > MOST_BYTES:
        reason = f"Not computed: patterns of agreement would take about {needed / 1e9:.0f} GB of memory."
        return Linkage(np.full(len(sets), np.nan), notes={"memory": reason})
    patterns = _count_patterns(desk, candidates, tolerance, rows)
    place = {column: position for position, column in enumerate(known)}
    by_set, unsettled = np.empty(len(sets)), 0
    by_record = np.zeros(len(patterns.own))
    for index, columns in enumerate(sets):
        model, weights = patterns.fit(sorted({place[column] for column in columns}))
        credit = patterns.credit(weights)
        by_set[index] = credit.mean()
        by_record += credit / len(sets)
        unsettled += not model.converged
    notes = {"em": f"{unsettled} of {len(sets)} estimations had not settled."} if unsettled else {}
    drawn = None if rows is None else len(desk)
    error = standard_error(by_set, population, by_record, drawn)
    return Linkage(by_set, error, notes, None if rows is None else len(rows))
