"""k-Ward, join by join: the cheapest pair, the pairs that must not join, and the recursion.

A plain twin of `microagg.methods.kward`: a search over all pairs at every join, with the solver's own
arithmetic and its ties (a group counts by its lowest record; the lower first, then second, wins), so that it
makes the same groups. O(n³) in all, which is nothing for sixty records.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from microagg.lessons import plane
from microagg.lessons.lesson import DEVIATIONS, Lesson, Quantity, Records, Step, listed, number, squared
from microagg.lessons.question import Question, choose, yes_or_no
from microagg.lessons.scene import RIGHT, Area, Line, Mark, Panel, Word
from microagg.measures.loss import distortion
from microagg.methods.fixed import cut_every, sorting_axis
from microagg.methods.kward import kward
from microagg.methods.method import Option
from microagg.protection.centroids import centroids

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microagg.kernels.compiled import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Group:
    """Records that were joined, ascending, and their centroid."""

    members: tuple[int, ...]
    centre: FloatArray


class Pair(NamedTuple):
    """What joining two groups adds to the sum of squares, and their places among the groups."""

    cost: float
    one: int
    other: int


COST = squared(DEVIATIONS)
JOIN = "Join the cheapest pair"


def ward(one: Group, other: Group) -> float:
    """What joining two groups adds to the within-group sum of squares.

    Examples
    --------
    >>> ward(Group((0,), np.array([0.0])), Group((1, 2), np.array([3.0])))
    6.0
    """
    apart = 0.0
    for a, b in zip(one.centre.tolist(), other.centre.tolist(), strict=True):
        apart += (a - b) ** 2
    m, n = len(one.members), len(other.members)
    return float(apart * (m * n / (m + n)))


def pairs(groups: Sequence[Group], k: int) -> tuple[Pair, Pair | None]:
    """The cheapest pair that may join, and the cheapest that may not because both have k."""
    every = [
        Pair(ward(groups[i], groups[j]), i, j) for j in range(len(groups)) for i in range(j)
    ]  # fmt: skip
    full = [len(group.members) >= k for group in groups]
    allowed = [pair for pair in every if not (full[pair.one] and full[pair.other])]
    forbidden = [pair for pair in every if full[pair.one] and full[pair.other]]
    return min(allowed), min(forbidden, default=None)


def trace(records: Records, k: int, *, first: str = "first component") -> tuple[Step, ...]:
    """Walk through multivariate k-Ward.

    Parameters
    ----------
    records : Records
    k : int
    first : {"first component", "zscores"}
        The order whose first and last k records are the first two groups.

    Returns
    -------
    tuple of Step
    """
    run = _Run(records, k, first)
    run.show(
        "The records",
        f"{records.counted}. Both attributes are standardised: 1 on an axis is one standard deviation. "
        "Ward's method joins the two groups whose union costs least, again and again. k-Ward changes it, so "
        f"that every group ends with k … 2k − 1 = {k} … {2 * k - 1} records.",
        quantities=plane.standardising(records),
    )
    waiting = [np.arange(len(records))]
    while waiting:
        waiting += reversed(run.split(waiting.pop()))
    run.release()
    return tuple(run.steps)


class _Run:
    """Groups that are finished, groups in the making, and the steps that were shown."""

    def __init__(self, records: Records, k: int, first: str) -> None:
        self.records, self.k, self.points = records, k, records.points
        self.axis = sorting_axis(self.points, first)  # type: ignore[arg-type]
        self.labels = np.full(len(records), -1)
        self.groups: list[Group] = []
        self.fresh = 0
        self.steps: list[Step] = []

    def split(self, among: IntArray) -> list[IntArray]:
        """Algorithm 1 on some records; what is to be split again."""
        k, points = self.k, self.points
        if len(among) < 2 * k:
            return []
        if (points[among] == points[among[0]]).all():
            for part in range(1, len(among) // k):
                self._mark(among[cut_every(np.arange(len(among)), k) == part], None)
            self.show("All alike", f"The records {listed(among)} coincide: they are cut every k, at no cost.")
            return []
        order = among[np.argsort(self.axis[among], kind="stable")]
        ends = [tuple(sorted(part.tolist())) for part in (order[:k], order[-k:])]
        self.groups = [
            Group(end, points[part].mean(axis=0))
            for end, part in zip(ends, (order[:k], order[-k:]), strict=True)
        ]
        self.groups += [Group((i,), points[i]) for i in order[k:-k].tolist()]
        self._sort()
        again = f"The group of {len(among)} records has 2k or more and is split on its own. "
        again = again if len(among) < len(points) else ""
        held = self.labels[among[0]]
        self.labels[among] = -1
        self._mark(order[:k], held if held >= 0 else None)
        self._mark(order[-k:], None)
        self.show(
            "First k, last k",
            again
            + f"The {k} lowest in the order ({listed(ends[0])}) and the {k} highest ({listed(ends[1])}) are "
            "two full groups from the start. Every other record is a group of one.",
            touched=(*ends[0], *ends[1]),
        )
        while any(len(group.members) < k for group in self.groups):
            self._join()
        made = [np.array(group.members) for group in self.groups]
        self.groups = []
        again_later = [group for group in made if len(group) >= 2 * k]
        if again_later:
            sizes = " and ".join(str(len(group)) for group in again_later)
            self.show(
                "Recursion",
                f"Every group has k records, but {'those' if len(again_later) > 1 else 'one'} of {sizes} "
                "records can be split: the procedure starts again within it.",
                touched=tuple(int(i) for group in again_later for i in group),
            )
        return again_later

    def _sort(self) -> None:
        self.groups = [Group(tuple(sorted(group.members)), group.centre) for group in self.groups]
        self.groups.sort(key=lambda group: group.members[0])

    def _join(self) -> None:
        best, barred = pairs(self.groups, self.k)
        one, other = self.groups[best.one], self.groups[best.other]
        both = (*one.members, *other.members)
        line: tuple[Mark, ...] = (Line(np.stack([one.centre, other.centre]), "now", wide=True),)
        words = (
            f"To join {_called(one.members)} with {_called(other.members)} costs least: {number(best.cost)}."
        )
        more: tuple[Quantity, ...] = ()
        if barred is not None and barred.cost < best.cost:
            full = [self.groups[i].members for i in (barred.one, barred.other)]
            words += (
                f" To join {_called(full[0])} with {_called(full[1])} would cost {number(barred.cost)}, "
                "which is less, but both have k records already. k-Ward forbids this join, or one group "
                "could swallow all."
            )
            held = [self.groups[i].centre for i in (barred.one, barred.other)]
            line += (Line(np.stack(held), "risk", dashed=True),)
            more = (
                Quantity(
                    "forbidden", barred.cost, f"{COST}: what the cheapest pair of two full groups would add"
                ),
            )
        share = len(other.members) / len(both)
        self.groups[best.one] = Group(both, one.centre + (other.centre - one.centre) * share)
        del self.groups[best.other]
        self._sort()
        known = [int(group) for group in self.labels[[one.members[0], other.members[0]]] if group >= 0]
        self._mark(np.array(both), min(known, default=None))
        below = sum(len(group.members) < self.k for group in self.groups)
        self.show(
            JOIN,
            words,
            line,
            touched=both,
            quantities=(
                Quantity(
                    "adds", best.cost, f"{COST}: |A||B|/(|A|+|B|) times the squared distance of the centroids"
                ),
                *more,
                Quantity("below k", below, "groups that must still join; at 0 the joining ends"),
            ),
        )

    def release(self) -> None:
        """Show the centroids that are released."""
        labels = self.labels.copy()
        self.show(
            "What is released",
            f"Every group has {self.k} … {2 * self.k - 1} records. Each record is replaced by the centroid "
            "of its group (blue).",
            plane.stars(self.points, labels),
            quantities=(
                Quantity(
                    "SSE/SST",
                    distortion(self.points, np.unique(labels, return_inverse=True)[1]),
                    "share of the variance that is lost, 0 … 1; low is good for use",
                ),
                Quantity(
                    "SSE",
                    float(np.square(self.points - centroids(self.points, labels)).sum()),
                    f"{COST}: squared distances to the centroids, added",
                ),
            ),
        )

    def _mark(self, members: IntArray, label: int | None) -> None:
        """Call these records a group, which keeps its label, and so its colour, while it grows."""
        self.labels[members] = self.fresh if label is None else label
        self.fresh += label is None

    def show(
        self,
        title: str,
        sentence: str,
        marks: tuple[Mark, ...] = (),
        touched: tuple[int, ...] = (),
        quantities: tuple[Quantity, ...] = (),
    ) -> None:
        """Add a step: the plane, and beside it the sizes of the groups."""
        labels = self.labels.copy()
        drawn = (*plane.cloud(self.points, labels, self.records.about), *marks)
        if touched:
            drawn = (*drawn, plane.now(self.points, list(touched)))
        panels = plane.panel(self.records, drawn, "The records"), self._sizes(labels, touched)
        self.steps.append(Step(title, sentence, panels, labels, quantities, self._columns()))

    def _columns(self) -> dict[str, FloatArray]:
        return {**plane.columns(self.records), "order that gives the ends": self.axis}

    def _sizes(self, labels: IntArray, touched: tuple[int, ...]) -> Panel:
        """One bar a group, against k and 2k."""
        n, k = len(labels), self.k
        every = [np.flatnonzero(labels == group) for group in np.unique(labels[labels >= 0])]
        every += [np.array([i]) for i in np.flatnonzero(labels < 0)]
        every.sort(key=lambda members: (-len(members), int(members[0])))
        low = np.stack([np.arange(len(every)) + 0.15, np.zeros(len(every))], axis=1)
        high = np.stack([np.arange(len(every)) + 0.85, [float(len(members)) for members in every]], axis=1)
        hit = np.array([bool(set(members.tolist()) & set(touched)) for members in every])
        marks: list[Mark] = [Area(low[~hit], high[~hit], "record"), Area(low[hit], high[hit], "now")]
        for limit, name in ((k, "k"), (2 * k, "2k")):
            marks.append(Line(np.array([[0.0, limit], [float(n), limit]]), "released", dashed=True))
            marks.append(Word(float(n), float(limit), name, "released", "top left"))
        return Panel(
            "Sizes of the groups",
            "groups, largest first",
            "records",
            (-0.5, n + 0.5),
            (0.0, float(max(3 * k, n - k) + 1)),
            tuple(marks),
            RIGHT,
        )


def _called(members: Sequence[int]) -> str:
    return ("record " if len(members) == 1 else "records ") + listed(members)


def questions(
    records: Records, k: int, *, first: str = "first component"
) -> tuple[Question, Question, Question]:
    """Ask about sizes, about the forbidden joins, and about the other order."""
    steps = trace(records, k, first=first)
    sizes = np.sort(np.bincount(np.unique(steps[-1].result, return_inverse=True)[1]))[::-1]
    longest = ", ".join(map(str, sizes.tolist()))
    return (
        yes_or_no(
            f"Could one of the groups have {2 * k} records?",
            False,
            f"A group of 2k = {2 * k} or more is split again. The sizes are {longest}.",
        ),
        _forbidden(steps),
        _order(records, k, first),
    )


def _forbidden(steps: tuple[Step, ...]) -> Question:
    joins = [step for step in steps if step.title == JOIN]
    barred = sum(any(q.name == "forbidden" for q in step.quantities) for step in joins)
    why = (
        "Without the rule the groups at the two ends could be joined, until all records are one group that "
        "no recursion can split."
    )
    return choose(
        "At how many joins was a cheaper pair forbidden, because both groups had k records already?",
        (f"{barred}", why if barred else f"Here the cheapest pair could always join. {why}"),
        ("0", f"It was forbidden {_times(barred)}, of {len(joins)} joins."),
        (f"{len(joins)}", f"That is the number of all joins; a cheaper pair was forbidden {_times(barred)}."),
        (f"{barred + 1}", f"It was forbidden {_times(barred)}, of {len(joins)} joins."),
    )  # fmt: skip


def _order(records: Records, k: int, first: str) -> Question:
    other = "zscores" if first == "first component" else "first component"
    losses = [
        100 * distortion(records.points, kward(records.points, k, first=order))  # type: ignore[arg-type]
        for order in (first, other)
    ]
    differ = abs(losses[0] - losses[1]) > 1e-9 * max(losses)
    why = f"SSE/SST is {losses[0]:.2f} % by {first} and {losses[1]:.2f} % by {other}."
    why += " The ends of the order decide which groups are full from the start." if differ else ""
    return yes_or_no(f"Is the loss another one if the ends are those of the order by {other}?", differ, why)


def _times(count: int) -> str:
    return "never" if count == 0 else "once" if count == 1 else f"{count} times"


LESSON = Lesson(
    name="kward",
    title="k-Ward",
    story=(
        "Ward's clustering always joins the two groups that cost least to join. k-Ward never joins two "
        "groups that both have k records, and splits groups that have become too large."
    ),
    reference="Comparative Study §2.2, Algorithm 1, and §3.2",
    reading=(
        "Left: the groups; amber is joined now, dashed orange would cost less but is forbidden. Right: the "
        "sizes of the groups, with k and 2k."
    ),
    trace=trace,
    questions=questions,
    options=(
        Option(
            "first",
            "First and last by",
            "The order whose first and last k records are the first two groups.",
            "first component",
            choices=("first component", "zscores"),
        ),
    ),
)
