"""The optimal partition of one attribute as a shortest path (Hansen & Mukherjee 2003).

The positions 0…n between the sorted values are nodes, each run of k…2k−1 values an edge from its start to
its end that costs the run's sum of squares; a partition is a path from 0 to n. The best path to every node
is the solver's (`microagg.methods.optimal.optimal_cuts_attributes` on that many values), so the trace shows
what it does, ties included. O(n² k) in all.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from microagg.lessons.lesson import Lesson, Quantity, Question, Records, Step
from microagg.lessons.plane import NAMED
from microagg.lessons.scene import Area, Dots, Line, Mark, Panel, Word, arcs, segments, span
from microagg.methods.fixed import cut_every
from microagg.methods.method import Option
from microagg.methods.one_attribute import one_attribute
from microagg.methods.optimal import optimal_cuts_attributes

if TYPE_CHECKING:
    from microagg.compiled import FloatArray, IntArray

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
        self.edges = edges(len(records), k)
        self.best: dict[int, IntArray] = {0: np.zeros(0, dtype=np.int64)}
        self.steps: list[Step] = []

    def cost(self, node: int) -> float:
        """Cost of the best path to a node."""
        cuts = [*self.best[node].tolist(), node]
        return sum(run_cost(self.axis, start, end) for start, end in pairwise(cuts))

    def begin(self) -> None:
        """Show the order and the edges."""
        n, k = len(self.axis), self.k
        name = self.records.names[self.attribute]
        self._show(
            "Sort",
            f"The {n} values of {name} in order. Some best partition never mixes the order: groups are runs "
            "of neighbours, and what is looked for is where to cut.",
        )
        self._show(
            "All runs that may be groups",
            f"An arc from i to j is the group of the values i + 1 to j. It must hold k = {k} values, and "
            f"more than {2 * k - 1} are never needed, because such a group could be cut in two without a "
            "loss. Arcs that would leave fewer than k values at an end are left out.",
            (Line(arcs(self.edges.astype(np.float64)), "record"),),
            (
                Quantity("arcs", len(self.edges), "runs that may be a group"),
                Quantity("cost of an arc", "SSE", "squared distances of its values from their mean, added"),
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
        totals = []
        for i in starts.tolist():
            edge = run_cost(self.axis, i, j)
            marks.append(Word((i + j) / 2, float(j - i), f"{edge:.2f}", "now"))
            totals.append(
                Quantity(
                    f"from {i}",
                    f"{self.cost(i):.3f} + {edge:.3f} = {self.cost(i) + edge:.3f}",
                    f"best so far up to {i}, then one group of {j - i}"
                    + (": the least" if i == chosen else ""),
                )
            )
        several = f"{len(starts)} arcs end" if len(starts) > 1 else "One arc ends"
        self._show(
            f"The best way to {j}",
            f"{several} at {j}. Each adds its cost to the best way to where it starts; the least total "
            f"wins and is remembered, here with the group that starts after {chosen}.",
            tuple(marks),
            tuple(totals),
            upto=j,
        )

    def end(self) -> None:
        """Walk back and release the means."""
        n, loss = len(self.axis), self.cost(len(self.axis))
        cuts = self.best[n]
        starts = ", ".join(str(cut) for cut in reversed(cuts.tolist()))
        total = (
            Quantity("SSE", loss, "the least that any partition with groups of k can have"),
            Quantity(
                "SSE/SST", loss / max(float(np.square(self.axis).sum()), 1e-300), "share of variance lost"
            ),
            Quantity("groups", len(cuts), f"each of {self.k} … {2 * self.k - 1} values"),
        )
        self._show(
            "Walk back",
            f"From {n} back along what was remembered, by {starts}: these arcs are the shortest path, and no "
            "other partition loses less.",
            quantities=total,
            upto=n,
            path=True,
        )
        self._show(
            "What is released",
            "Each value is replaced by the mean of its group (blue).",
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
        self.steps.append(Step(title, sentence, panels, labels, quantities))

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
            "The graph: cut positions, and runs as arcs",
            "",
            "values in the run",
            (-0.7, n + 0.7),
            (-0.5 * self.k - 0.1, 2.2 * self.k + 0.2),
            tuple(drawn),
            ABOVE,
            ticks=((-1.0, ""),),
        )

    def _values(self, labels: IntArray, cuts: IntArray, upto: int, *, means: bool) -> Panel:
        """The sorted values, each between the cut positions on its two sides."""
        values = self.records.values[self.order, self.attribute]
        n = len(values)
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
            self.records.names[self.attribute],
            (-0.7, n + 0.7),
            reach,
            tuple(marks),
            BELOW,
        )


def questions(records: Records, k: int, *, attribute: int = 0) -> tuple[Question, Question, Question]:
    """Ask about the number of arcs, the gain over a fixed cut, and why not more than 2k − 1."""
    axis = np.ascontiguousarray(records.points[:, attribute])
    order = np.argsort(axis, kind="stable")
    sorted_axis, n = axis[order], len(axis)
    labels = one_attribute(axis[:, np.newaxis], k, block=axis[:, np.newaxis])
    best, fixed = (
        sum(run_cost(np.sort(axis[chosen == g]), 0, int((chosen == g).sum())) for g in np.unique(chosen))
        for chosen in (labels, cut_every(order, k))
    )
    widest = int(np.argmax(np.diff(sorted_axis)))
    cut = labels[order[widest]] != labels[order[widest + 1]]
    low, high = records.values[order[[widest, widest + 1]], attribute]
    name = records.names[attribute]
    gap = f"The widest gap of {name} is between {low:g} and {high:g}, after {widest + 1} values."
    return (
        Question(
            f"How many runs may be groups, and how many without the limit of 2k − 1 = {2 * k - 1}?",
            f"{len(edges(n, k))} with the limit; without it {_unlimited(n, k)}. The limit is what makes the "
            "work grow like n · k and not like n².",
        ),
        Question(
            f"What does the best partition gain over simply cutting every k = {k} values?",
            f"SSE {best:.3f} against {fixed:.3f}"
            + (
                f": {100 * (1 - best / fixed):.1f} % less."
                if best < 0.9995 * fixed
                else ": here they are equal."
            ),
        ),
        Question(
            "Is the widest gap between two values always cut?",
            f"{gap} It is {'cut' if cut else 'not cut'} here. "
            + (
                "It would not be if fewer than k values lay on one side of it."
                if cut
                else "Each side of a cut must hold k values, and the other gaps must be affordable too."
            ),
        ),
    )


def _unlimited(n: int, k: int) -> int:
    return sum(
        1 for j in range(k, n + 1) for i in range(j - k + 1) if (i == 0 or i >= k) and (j == n or n - j >= k)
    )


LESSON = Lesson(
    name="optimal",
    title="Optimal, one attribute",
    story=(
        "With one attribute the best groups can be found exactly and fast: they are runs of the sorted "
        "values, and choosing runs is finding the shortest path through a graph."
    ),
    reference="Hansen & Mukherjee 2003; One Dimension Microaggregation §2.2",
    reading=(
        "Above: runs of values are arcs, as high as they are long; amber is compared now, blue is the path. "
        "Below: the values."
    ),
    trace=trace,
    questions=questions,
    options=(Option("attribute", "Attribute", "Which one is partitioned.", "", column=True),),
)
