"""Who is linked under one set of known attributes after another, in files of any size, exactly.

A record is linked if nobody is nearer than its own counterpart; mostly somebody is, and one such candidate
settles it. Up to three attributes known, the candidates are walked along one of them, outwards from the
record's own value, on whichever side the gap is smaller: the walk ends at the first candidate that is nearer,
or where the gap alone is wider than the distance to the counterpart. The attribute is the one in which the 64
candidates around the record lie farthest apart. All attributes are sorted once, and serve every set. With
more attributes known the gap in one of them tells little: each set has its search tree (`nearest`). So have
records whose walk is not at its end after 4,096 steps, unless they are few, and are walked to the end.

Squared distances are summed in column order, and by monotone rounding none is less than its part along one
attribute: both ways are exact, ties included. Some records may be looked up instead of all of them; they are
looked for among all candidates nevertheless, so that the share linked is estimated without bias. Memory
O(n·p): the candidates' columns once more as they are, once sorted, and their order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.kernels.compiled import FloatArray, IntArray, compiled
from microagg.measures.anonymity import classes
from microagg.measures.matching import match_records, shared_credit
from microagg.measures.nearest import tied_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from microagg.measures.matching import Match

WALKED = 3
STEPS = 4096
AROUND = 32
FEW = 256


class LookUp:
    """Two files whose rows are counterparts, ready to be linked under any set of attributes.

    Parameters
    ----------
    desk, candidates : (n, p) float64, standardised
        Who is looked up, and among whom.
    rows : (m,) int64, optional
        The records to look up; all by default.
    walked : iterable of int, optional
        The attributes that occur in sets of at most three; all by default.

    Examples
    --------
    >>> line = np.array([[0.0], [1.0], [5.0]])
    >>> LookUp(line + 0.6, line).credit([0]).tolist()
    [0.0, 1.0, 1.0]
    """

    def __init__(
        self,
        desk: FloatArray,
        candidates: FloatArray,
        rows: IntArray | None = None,
        walked: Iterable[int] | None = None,
    ) -> None:
        n, p = candidates.shape
        self.rows = np.arange(n) if rows is None else rows
        self._sides = desk, candidates
        first, self._desk_of = classes(desk[self.rows])
        self._desk = desk[self.rows[first]]
        self._columns = np.ascontiguousarray(candidates.T)
        self._order = np.empty((p, n), dtype=np.int32)
        self._axes = np.empty((p, n))
        self._places = np.zeros((p, len(first)), dtype=np.int64)
        self._lines = np.empty((p, len(first)), dtype=np.int64)
        for column in range(p) if walked is None else sorted(set(walked)):
            self._order[column] = np.argsort(self._columns[column])
            self._axes[column] = self._columns[column, self._order[column]]
            self._places[column] = np.searchsorted(self._axes[column], self._desk[:, column])
            self._lines[column] = np.argsort(self._desk[:, column])

    def credit(self, columns: Sequence[int]) -> FloatArray:
        """Credit of each record looked up: 1/t if its own counterpart is among the t nearest, else 0.

        Parameters
        ----------
        columns : sequence of int
            Positions of the known attributes.

        Returns
        -------
        (m,) float64 in [0, 1]; lower is better
        """
        known = np.unique(np.asarray(columns, dtype=np.int64))
        if len(known) > WALKED:
            return own_credits(self._match(known, self.rows))
        own, reached = np.zeros(len(self.rows)), np.full(len(self._desk), np.inf)
        _own(self._desk, self._desk_of, self._columns, self.rows, known, own, reached)
        tied = np.full(len(self._desk), -1)
        for steps in (STEPS, len(self._axes[0])):
            self._walk_on(known, reached, steps, tied)
            if np.count_nonzero(tied < 0) > FEW:
                break
        ties = tied[self._desk_of]
        credit = shared_credit(own, reached[self._desk_of], ties)
        unsettled = ties < 0
        if unsettled.any():
            credit[unsettled] = own_credits(self._match(known, self.rows[unsettled]))
        return credit

    def _walk_on(self, known: IntArray, reached: FloatArray, steps: int, tied: IntArray) -> None:
        """Settle the desk rows that are open, of ``tied``, as far as so many steps settle them."""
        files = self._desk, reached, self._columns, self._axes, self._order, self._places, self._lines
        _walk(*files, known, steps, tied)

    def _match(self, known: IntArray, rows: IntArray) -> Match:
        desk, candidates = self._sides
        return match_records(desk[:, known], candidates[:, known], rows)


def own_credits(match: Match) -> FloatArray:
    """Credit of each record of a match, by a search tree over its attributes.

    Parameters
    ----------
    match : Match
        Both files, scaled, over the known attributes.

    Returns
    -------
    (m,) float64 in [0, 1]; lower is better
    """
    own = match.own_distances()
    reached = match.reached(own)
    tied = tied_at(match.desk, reached, match.candidates, match.weights)[match.desk_of]
    return shared_credit(own, reached[match.desk_of], tied)


@compiled
def _own(
    desk: FloatArray,
    desk_of: IntArray,
    columns: FloatArray,
    rows: IntArray,
    known: IntArray,
    own: FloatArray,
    reached: FloatArray,
) -> None:
    """Squared distance of each record to its counterpart, and the least of them for each desk row."""
    for i in range(len(rows)):
        row = desk_of[i]
        total = 0.0
        for column in known:
            gap = columns[column, rows[i]] - desk[row, column]
            total += gap * gap
        own[i] = total
        reached[row] = min(reached[row], total)


@compiled
def _sparsest(axes: FloatArray, places: IntArray, known: IntArray) -> IntArray:
    """For each desk row the attribute in which the candidates around it lie farthest apart."""
    n = axes.shape[1]
    leads = np.empty(places.shape[1], dtype=np.int64)
    for i in range(len(leads)):
        widest = -1.0
        for column in known:
            place = places[column, i]
            width = axes[column, min(place + AROUND, n - 1)] - axes[column, max(place - AROUND, 0)]
            if width > widest:
                leads[i], widest = column, width
    return leads


@compiled
def _walk(
    desk: FloatArray,
    reached: FloatArray,
    columns: FloatArray,
    axes: FloatArray,
    order: np.ndarray[tuple[int, int], np.dtype[np.int32]],
    places: IntArray,
    lines: IntArray,
    known: IntArray,
    steps: int,
    tied: IntArray,
) -> None:
    """Count the candidates at the distance reached, 0 where one is nearer; −1 stays where it takes longer."""
    n = columns.shape[1]
    leads = _sparsest(axes, places, known)
    for lead in known:
        axis, nth = axes[lead], order[lead]
        for i in lines[lead]:  # along the axis, so that one record's candidates are at hand for the next
            if leads[i] != lead or tied[i] >= 0:
                continue
            value, limit = desk[i, lead], reached[i]
            above = places[lead, i]
            below = above - 1
            up = axis[above] - value if above < n else np.inf
            down = value - axis[below] if below >= 0 else np.inf
            ties, left = 0, steps
            while min(up, down) < np.inf and min(up, down) * min(up, down) <= limit:
                if left == 0:
                    ties = -1
                    break
                left -= 1
                if up <= down:
                    candidate = nth[above]
                    above += 1
                    up = axis[above] - value if above < n else np.inf
                else:
                    candidate = nth[below]
                    below -= 1
                    down = value - axis[below] if below >= 0 else np.inf
                total = 0.0
                for column in known:
                    gap = columns[column, candidate] - desk[i, column]
                    total += gap * gap
                if total <= limit:
                    ties += 1
                    if total < limit:
                        ties = 0
                        break
            tied[i] = ties
