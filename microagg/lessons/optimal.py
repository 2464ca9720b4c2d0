"""The optimal partition of one attribute as a shortest path (Hansen & Mukherjee 2003).

The positions 0…n between the sorted values are nodes, each run of k…2k−1 values an edge from its start to
its end that costs the run's sum of squares; a partition is a path from 0 to n. The best path to every node
is the solver's (`microagg.methods.optimal.optimal_cuts_attributes` on that many values), so the trace shows
what it does, ties included. Costs are told in the attribute's own unit, so that they can be computed again
from the values drawn; standardising divides them all by the same number, which moves no cut. O(n² k) in all.
"""

from __future__ import annotations

from itertools import pairwise
from math import isclose
from typing import TYPE_CHECKING

import numpy as np

from microagg.lessons.lesson import Lesson, Quantity, Records, Step, number, squared
from microagg.lessons.plane import NAMED
from microagg.lessons.question import Question, choose, yes_or_no
from microagg.lessons.scene import Area, Dots, Line, Mark, Panel, Word, arcs, segments, span
from microagg.methods.fixed import cut_every
from microagg.methods.method import Option
from microagg.methods.one_attribute import one_attribute
from microagg.methods.optimal import optimal_cuts_attributes

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray, IntArray

ABOVE, BELOW = (0.0, 1.0, 0.47, 1.0), (0.0, 1.0, 0.0, 0.45)


def run_cost(axis: FloatArray, start: int, end: int) -> float:
    """Sum of squares of the values start…end−1 about their mean.

    Examples
    --------
    >>> run_cost(np.array([1.0, 2.0, 3.0, 50.0]), 0, 3)
    2.0
    """
    run = axis[start:end] - axis[start]
    return float(np.square(run - run.mean()).sum())


def edges(n: int, k: int) -> IntArray:
    """Edges (start, end) of k…2k−1 values that lie on some path from 0 to n; (m, 2), by their end.

    Examples
    --------
    >>> edges(5, 2).tolist()
    [[0, 2], [0, 3], [2, 5], [3, 5]]
    """
    found = [
        (i, j)
        for j in range(k, n + 1)
        for i in range(max(0, j - 2 * k + 1), j - k + 1)
        if (i == 0 or i >= k) and (j == n or n - j >= k)
    ]
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def trace(records: Records, k: int, *, attribute: int = 0) -> tuple[Step, ...]:
    """Walk through the shortest path.

    Parameters
    ----------
    records : Records
    k : int
    attribute : int
        Column that is partitioned.

    Returns
    -------
    tuple of Step
    """
    run = _Run(records, k, attribute)
    run.begin()
    for j in sorted(set(run.edges[:, 1].tolist())):
        run.reach(j)
    run.end()
    return tuple(run.steps)


class _Run:
    """The sorted values, the edges, and the best path to each node."""

    def __init__(self, records: Records, k: int, attribute: int) -> None:
        self.records, self.k, self.attribute = records, k, attribute
        self.order = np.argsort(records.points[:, attribute], kind="stable")
        self.axis = np.ascontiguousarray(records.points[self.order, attribute])
        self.values = records.values[self.order, attribute]
        self.cost_unit = squared(records.unit(attribute))
        self.edges = edges(len(records), k)
        self.best: dict[int, IntArray] = {0: np.zeros(0, dtype=np.int64)}
        self.steps: list[Step] = []

    def cost(self, node: int) -> float:
        """Cost of the best path to a node."""
        cuts = [*self.best[node].tolist(), node]
        return sum(run_cost(self.values, start, end) for start, end in pairwise(cuts))

    def begin(self) -> None:
        """Show the order and the edges."""
        n, k = len(self.axis), self.k
        name = self.records.names[self.attribute]
        self._show(
            "Sort",
            f"The {n} values of {name} in order. There is always a best partition whose groups are runs of "
            "neighbours. So the question is only where to cut.",
        )
        self._show(
            "All runs that may be groups",
            "An arc from i to j stands for the group of the values i + 1 to j. A group needs at least k = "
            f"{k} values. It never needs more than 2k − 1 = {2 * k - 1}, because a larger one can be cut in "
            "two without a loss. Arcs that leave 1 to k − 1 values at an end are left out.",
            (Line(arcs(self.edges.astype(np.float64)), "record"),),
            (
                Quantity("arcs", len(self.edges), "runs that may be a group"),
                Quantity(
                    "cost of an arc",
                    "SSE",
                    f"squared differences of its values from their mean, added; in {self.cost_unit}",
                ),
            ),
        )

    def reach(self, j: int) -> None:
        """Compare the edges that end in a node, and keep the best path to it."""
        starts = self.edges[self.edges[:, 1] == j, 0]
        self.best[j] = optimal_cuts_attributes(self.axis[:j, np.newaxis], self.k)
        chosen = int(self.best[j][-1])
        ways = np.stack([starts, np.full_like(starts, j)], axis=1).astype(np.float64)
        marks: list[Mark] = [
            Line(arcs(ways), "now", dashed=True),
            Line(arcs(np.array([[chosen, j]], dtype=np.float64)), "now", wide=True),
        ]
        least = self.cost(j)
        totals = []
        for i in starts.tolist():
            edge = run_cost(self.values, i, j)
            marks.append(Word((i + j) / 2, float(j - i), number(edge), "now"))
            totals.append(
                Quantity(
                    f"from {i}",
                    f"{number(self.cost(i))} + {number(edge)} = {number(self.cost(i) + edge)}",
                    f"{self.cost_unit}: the best way to {i}, then one group of {j - i}"
                    + self._placed(self.cost(i) + edge, least, first=i == chosen, alone=len(starts) == 1),
                )
            )
        if len(starts) > 1:
            words = (
                f"{len(starts)} arcs end at {j}. Each adds its cost (amber) to the cost of the best way to "
                f"its start. The least total wins: the last group starts after {chosen}."
            )
        else:
            words = f"One arc ends at {j}, from {chosen}. So the best way to {j} ends with it."
        self._show(
            f"The best way to {j}",
            words,
            tuple(marks),
            tuple(totals),
            upto=j,
        )

    @staticmethod
    def _placed(total: float, least: float, *, first: bool, alone: bool) -> str:
        """Whether a total is the least, in words."""
        if alone:
            return ""
        return ": the least" if first else ": as little" if isclose(total, least) else ""

    def end(self) -> None:
        """Walk back and release the means."""
        n, loss = len(self.axis), self.cost(len(self.axis))
        cuts = self.best[n]
        starts = ", ".join(str(cut) for cut in reversed(cuts.tolist()))
        total = (
            Quantity("SSE", loss, f"{self.cost_unit}; no groups of at least k = {self.k} have less"),
            Quantity(
                "SSE/SST",
                loss / max(run_cost(self.values, 0, n), 1e-300),
                "share of the variance that is lost, 0 … 1",
            ),
            Quantity("groups", len(cuts), f"each of {self.k} … {2 * self.k - 1} values"),
        )
        self._show(
            "Walk back",
            f"Start at {n} and go back to where the last group started, then to where the one before "
            f"started: {starts}. These arcs (blue) are the shortest path. No other partition loses less.",
            quantities=total,
            upto=n,
            path=True,
        )
        self._show(
            "What is released",
            f"Each value of {self.records.names[self.attribute]} is replaced by the mean of its group "
            "(blue).",
            quantities=total,
            upto=n,
            path=True,
            means=True,
        )

    def _show(
        self,
        title: str,
        sentence: str,
        marks: tuple[Mark, ...] = (),
        quantities: tuple[Quantity, ...] = (),
        *,
        upto: int = 0,
        path: bool = False,
        means: bool = False,
    ) -> None:
        n = len(self.axis)
        labels = np.full(n, -1)
        cuts = self.best.get(upto, self.best[0])
        if len(cuts):
            ends = np.append(cuts[1:], upto)
            labels[self.order[:upto]] = np.repeat(np.arange(len(cuts)), ends - cuts)
        panels = (
            self._graph(marks, upto, path=path),
            self._values(labels[self.order], cuts, upto, means=means),
        )
        place = np.empty(n, dtype=np.int64)
        place[self.order] = np.arange(1, n + 1)
        columns: dict[str, IntArray | FloatArray] = {"place in the order": place}
        if means:
            released = np.empty(n)
            for group in np.unique(labels):
                released[labels == group] = self.records.values[labels == group, self.attribute].mean()
            columns[f"{self.records.titled(self.attribute)}, released"] = released
        self.steps.append(Step(title, sentence, panels, labels, quantities, columns))

    def _graph(self, marks: tuple[Mark, ...], upto: int, *, path: bool) -> Panel:
        """Nodes with what reaching them costs, and the arcs."""
        n = len(self.axis)
        nodes = np.stack([np.arange(n + 1.0), np.zeros(n + 1)], axis=1)
        drawn: list[Mark] = []
        kept = np.array([(cuts[-1], j) for j, cuts in self.best.items() if len(cuts)], dtype=np.float64)
        if len(kept):
            drawn.append(Line(arcs(kept), "faint"))
        cuts = self.best.get(upto, self.best[0])
        if len(cuts):
            ways = np.stack([cuts, np.append(cuts[1:], upto)], axis=1).astype(np.float64)
            drawn.append(Line(arcs(ways if path else ways[:-1].reshape(-1, 2)), "released", wide=True))
        drawn += [*marks, Dots(nodes, "record")]
        every = 1 if n <= NAMED else 5
        for j in range(0, n + 1, every):
            drawn.append(Word(float(j), -0.12 * self.k, str(j), "record", "bottom center"))
        return Panel(
            f"Arcs are groups; the number on an arc is its cost, {self.cost_unit}",
            "",
            "values in the group",
            (-0.7, n + 0.7),
            (-0.5 * self.k - 0.1, 2.2 * self.k + 0.2),
            tuple(drawn),
            ABOVE,
            ticks=((-1.0, ""),),
        )

    def _values(self, labels: IntArray, cuts: IntArray, upto: int, *, means: bool) -> Panel:
        """The sorted values, each between the cut positions on its two sides."""
        values, n = self.values, len(self.values)
        at = np.stack([np.arange(n) + 0.5, values], axis=1)
        about = tuple(self.records.about[i] for i in self.order)
        reach = span(values, 0.12)
        marks: list[Mark] = []
        if len(cuts):
            low = np.stack([cuts.astype(np.float64), np.full(len(cuts), reach[0])], axis=1)
            high = np.stack([np.append(cuts[1:], upto), np.full(len(cuts), reach[1])], axis=1)
            gap = np.array([0.06, 0.0])
            marks.append(Area(low + gap, high - gap, "faint"))
            centres = np.array([values[labels == g].mean() for g in range(len(cuts))])
            if means:
                ends = np.append(cuts[1:], upto)
                left, right = (np.stack([side, centres], axis=1) for side in (cuts + 0.1, ends - 0.1))
                marks.append(Line(segments(left, right), "released", wide=True))
        for meaning, held in (("record", labels < 0), ("group", labels >= 0)):
            here = np.flatnonzero(held)
            groups = labels[here] if meaning == "group" else None
            marks.append(Dots(at[here], meaning, groups, about=tuple(about[i] for i in here)))  # type: ignore[arg-type]
        return Panel(
            "The values, sorted",
            "place in the order",
            self.records.titled(self.attribute),
            (-0.7, n + 0.7),
            reach,
            tuple(marks),
            BELOW,
        )


def questions(records: Records, k: int, *, attribute: int = 0) -> tuple[Question, Question, Question]:
    """Ask about the number of arcs, the gain over a fixed cut, and the widest gap."""
    axis = np.ascontiguousarray(records.points[:, attribute])
    order = np.argsort(axis, kind="stable")
    values, n = records.values[:, attribute], len(axis)
    labels = one_attribute(axis[:, np.newaxis], k, block=axis[:, np.newaxis])
    best, fixed = (
        sum(run_cost(np.sort(values[chosen == g]), 0, int((chosen == g).sum())) for g in np.unique(chosen))
        for chosen in (labels, cut_every(order, k))
    )
    return (
        _arcs(n, k),
        _gain(records, k, attribute, best, fixed),
        _gap(records, k, attribute, order, labels),
    )


def _arcs(n: int, k: int) -> Question:
    few, many = len(edges(n, k)), _unlimited(n, k)
    return choose(
        f"How many arcs are there, that is groups of k … 2k − 1 = {k} … {2 * k - 1} neighbours?",
        (f"{few}", f"Without the limit of 2k − 1 there would be {many}, growing like n²."),
        (f"{many}", f"That counts groups of more than {2 * k - 1} values too. They are never needed."),
        (f"{n * k}", "That is n · k. Arcs that leave 1 to k − 1 values at an end do not count."),
    )  # fmt: skip


def _gain(records: Records, k: int, attribute: int, best: float, fixed: float) -> Question:
    unit = squared(records.unit(attribute))
    less = best < fixed * (1 - 1e-9)
    why = f"SSE is {number(best)} with the best cuts and {number(fixed)} with a cut every k, in {unit}"
    why += f": {100 * (1 - best / fixed):.1f} % less." if less else ": the same."
    never = (
        f"{why} It cannot be more: cutting every k is one of the partitions among which the best is chosen."
    )
    texts = "It loses less", "It loses the same"
    right, other = texts if less else texts[::-1]
    return choose(
        f"Does the best partition lose less than simply cutting every k = {k} values?",
        (right, why), (other, why), ("It loses more", never),
    )  # fmt: skip


def _gap(records: Records, k: int, attribute: int, order: IntArray, labels: IntArray) -> Question:
    ordered = records.values[order, attribute]
    widest = int(np.argmax(np.diff(ordered)))
    low, high = ordered[widest], ordered[widest + 1]
    cut = bool(labels[order[widest]] != labels[order[widest + 1]])
    below, above = widest + 1, len(order) - widest - 1
    why = f"The gap is {'cut' if cut else 'not cut'}. {below} values lie below it and {above} above."
    if min(below, above) < k:
        why += f" Each side of a cut needs at least k = {k}."
    elif not cut:
        why += " A cut there is allowed, but no partition with it loses less."
    return yes_or_no(
        f"The widest gap of {records.names[attribute]} lies between {low:g} and {high:g}. Is it cut?",
        cut,
        why,
    )


def _unlimited(n: int, k: int) -> int:
    return sum(
        1 for j in range(k, n + 1) for i in range(j - k + 1) if (i == 0 or i >= k) and (j == n or n - j >= k)
    )


LESSON = Lesson(
    name="optimal",
    title="Optimal, one attribute",
    story=(
        "With one attribute the best groups can be found exactly and fast. They are runs of the sorted "
        "values, and the best runs are the shortest path through a graph."
    ),
    reference="Hansen & Mukherjee 2003; One Dimension Microaggregation §2.2",
    reading=(
        "Above: an arc is a group, as high as it has values; amber is compared now, blue is the best way. "
        "Below: the sorted values, in their unit."
    ),
    trace=trace,
    questions=questions,
    options=(Option("attribute", "Attribute", "Which one is partitioned.", "", column=True),),
)
