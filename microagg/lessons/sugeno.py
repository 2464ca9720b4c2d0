"""The Sugeno integral of one record, drawn as in Modeling Projections, figure 1.

The record's scaled values in falling order are one staircase, the quantifier's values of 1/N, 2/N, … the
other, rising; the integral is the largest of the lower ones, where they meet. All numbers come from
`microagg.methods.aggregation.sugeno_construction` and `sugeno`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.lessons.lesson import Lesson, Quantity, Question, Records, Step
from microagg.lessons.scene import Dots, Line, Mark, Panel, Word, segments
from microagg.methods import choices
from microagg.methods.aggregation import SugenoConstruction, quantifier, sugeno, sugeno_construction
from microagg.methods.method import Option
from microagg.scaling import min_max, ranks

if TYPE_CHECKING:
    from microagg.compiled import FloatArray
    from microagg.methods.aggregation import Quantifier

LEFT, RIGHT = (0.0, 0.44, 0.0, 1.0), (0.54, 1.0, 0.0, 1.0)


def _scaled(records: Records, scaling: str) -> FloatArray:
    return min_max(records.values) if scaling == "min-max" else ranks(records.values)


def trace(
    records: Records,
    _k: int = 2,
    *,
    record: int = 0,
    quantifier: str = "identity",
    exponent: float = 2.0,
    scaling: str = "min-max",
) -> tuple[Step, ...]:
    """Walk through the integral of one record.

    Parameters
    ----------
    records : Records
        Of two to eight attributes.
    record : int
        Index of the record.
    quantifier, exponent, scaling
        As for `microagg.methods.projections.aggregated`.

    Returns
    -------
    tuple of Step
        ``result``: (n,) integrals in the last step, before that the record's minima so far.
    """
    run = _Run(records, record, quantifier, exponent, scaling)
    run.begin()
    for i in range(len(run.made.values)):
        run.compare(i)
    run.end()
    return tuple(run.steps)


class _Run:
    """The construction, and the steps that were shown."""

    def __init__(self, records: Records, record: int, name: str, exponent: float, scaling: str) -> None:
        self.records, self.record, self.name, self.scaling = records, record, name, scaling
        self.unit = _scaled(records, scaling)
        self.weigh: Quantifier = quantifier(name, exponent)
        self.made: SugenoConstruction = sugeno_construction(self.unit[record], self.weigh)
        self.lower = np.minimum(self.made.capacities, self.made.values)
        self.all = sugeno(self.unit, self.weigh)
        self.steps: list[Step] = []

    def begin(self) -> None:
        """Scale, sort, and draw the quantifier."""
        names, made = self.records.names, self.made
        raw = ", ".join(
            f"{name} {value:g}" for name, value in zip(names, self.records.values[self.record], strict=True)
        )
        how = "its place between the attribute's least and largest value"
        how = how if self.scaling == "min-max" else "its rank among the records"
        self._show(
            "Scale to [0, 1]",
            f"Record {self.record + 1} has {raw}. Each value becomes {how}, so that attributes can be "
            "compared with each other and with shares.",
        )
        ordered = ", ".join(
            f"{value:.2f} ({names[a]})" for value, a in zip(made.values, made.attributes, strict=True)
        )
        self._show(
            "Sort its values, largest first",
            f"{ordered}. The staircase says: at least i of the N attributes reach this height.",
            stairs=True,
            quantities=tuple(
                Quantity(f"a({i + 1})", float(value), names[a])
                for i, (value, a) in enumerate(zip(made.values, made.attributes, strict=True))
            ),
        )
        self._show(
            "Draw the quantifier",
            f"Q ({self.name}) says how much a share of the attributes counts: nothing for none of them, 1 "
            "for all. It rises while the values fall.",
            stairs=True,
            curve=True,
            quantities=tuple(
                Quantity(
                    f"Q({i + 1}/{len(names)})", float(q), f"what {i + 1} of {len(names)} attributes count"
                )
                for i, q in enumerate(made.capacities)
            ),
        )

    def compare(self, i: int) -> None:
        """Take the lower of the two at one place."""
        made, count = self.made, len(self.made.values)
        q, a = made.capacities[i], made.values[i]
        verdict = "the quantifier is lower" if q < a else "the value is lower" if a < q else "both are equal"
        best = int(self.lower[: i + 1].argmax())
        self._show(
            f"The lower of the two at {i + 1}/{count}",
            f"{i + 1} of {count} attributes count {q:.2f}, and reach {a:.2f}: {verdict}. The highest of "
            f"these minima so far is at {best + 1}/{count}.",
            stairs=True,
            curve=True,
            upto=i + 1,
            quantities=(
                Quantity(f"Q({i + 1}/{count})", float(q), "rising"),
                Quantity(f"a({i + 1})", float(a), f"falling: {self.records.names[made.attributes[i]]}"),
                Quantity("minimum", float(self.lower[i]), "the lower of the two"),
                Quantity("largest so far", float(self.lower[best]), "of the minima"),
            ),
        )

    def end(self) -> None:
        """Say where they meet, and put all records in order."""
        made, count = self.made, len(self.made.values)
        self._show(
            "They meet: the Sugeno integral",
            f"The largest minimum is {made.integral:.3f}: record {self.record + 1} reaches "
            f"{made.integral:.3f} in attributes that count as much. It is a height one of its values or Q "
            "has, never a mixture.",
            stairs=True,
            curve=True,
            upto=count,
            met=True,
            quantities=(
                Quantity("SI", made.integral, "the number by which the record will be sorted, 0 … 1"),
                Quantity("mean", float(self.made.values.mean()), "of its values, to compare with"),
            ),
        )
        place = int((self.all < self.all[self.record]).sum())
        self._show(
            "So with every record: an order",
            f"Sorted by their integrals, {place} of the {len(self.all)} records come before record "
            f"{self.record + 1}; that order is then cut as well as can be done.",
            stairs=True,
            curve=True,
            upto=count,
            met=True,
            everybody=True,
            quantities=(
                Quantity("SI", made.integral, f"of record {self.record + 1}"),
                Quantity(
                    "different", len(np.unique(self.all)), "integrals among all records; equal ones tie"
                ),
            ),
        )

    def _show(
        self,
        title: str,
        sentence: str,
        *,
        stairs: bool = False,
        curve: bool = False,
        upto: int = 0,
        met: bool = False,
        everybody: bool = False,
        quantities: tuple[Quantity, ...] = (),
    ) -> None:
        panels = self._profile(met=met, everybody=everybody), self._figure(stairs, curve, upto, met=met)
        result = self.all if everybody else self.lower[:upto].copy()
        self.steps.append(Step(title, sentence, panels, result, quantities))

    def _profile(self, *, met: bool, everybody: bool) -> Panel:
        """Where the record stands among the others, attribute by attribute."""
        n, p = self.unit.shape
        others = np.stack([np.tile(np.arange(1.0, p + 1), n), self.unit.ravel()], axis=1)
        own = np.stack([np.arange(1.0, p + 1), self.unit[self.record]], axis=1)
        marks: list[Mark] = [
            Dots(others, "faint", about=tuple(np.repeat(self.records.about, p))),
            Line(own, "now", wide=True),
            Dots(own, "now"),
        ]
        if everybody:
            at = np.stack([np.full(n, p + 1.0), self.all], axis=1)
            marks.append(Dots(at, "record", about=self.records.about))
        if met:
            marks.append(Dots(np.array([[p + 1.0, self.made.integral]]), "released"))
        ticks = tuple((i + 1.0, name) for i, name in enumerate((*self.records.names, "SI")))
        return Panel(
            f"Record {self.record + 1} among all records",
            "",
            "scaled value",
            (0.6, p + 1.4),
            (-0.04, 1.06),
            tuple(marks),
            LEFT,
            ticks=ticks,
        )

    def _figure(self, stairs: bool, curve: bool, upto: int, *, met: bool) -> Panel:
        """Figure 1 of the paper."""
        made, count = self.made, len(self.made.values)
        before = made.shares - 1 / count
        marks: list[Mark] = []
        if stairs:
            left, right = (np.stack([side, made.values], axis=1) for side in (before, made.shares))
            stair = np.stack([left, right], axis=1).reshape(-1, 2)
            marks += [Line(stair, "now", wide=True), Dots(right, "landed")]
            marks += [
                Word(float(x - 0.5 / count), float(y) + 0.01, self.records.names[a], "now")
                for x, y, a in zip(made.shares, made.values, made.attributes, strict=True)
            ]
        if curve:
            x = np.linspace(0.0, 1.0, 101)
            marks.append(Line(np.stack([x, self.weigh(x)], axis=1), "record", wide=True))
            marks.append(Dots(np.stack([made.shares, made.capacities], axis=1), "record"))
            marks.append(Word(0.02, float(self.weigh(np.array([0.02]))[0]), "Q", "record", "top right"))
        if upto:
            floor = np.stack([made.shares[:upto], np.zeros(upto)], axis=1)
            top = np.stack([made.shares[:upto], self.lower[:upto]], axis=1)
            marks += [Line(segments(floor, top), "released"), Dots(top, "released")]
        if met:
            height = np.full(2, made.integral)
            marks.append(
                Line(np.stack([[0.0, made.shares[made.at]], height], axis=1), "released", dashed=True)
            )
            marks.append(Word(0.0, made.integral, f"SI = {made.integral:.3f}", "released", "top right"))
        ticks = tuple((i / count, f"{i}/{count}") for i in range(count + 1))
        return Panel(
            "Values fall, the quantifier rises",
            "share of the attributes, i / N",
            "value, or Q(i / N)",
            (-0.03, 1.04),
            (-0.04, 1.06),
            tuple(marks),
            RIGHT,
            ticks=ticks,
        )


def questions(
    records: Records,
    _k: int = 2,
    *,
    record: int = 0,
    quantifier: str = "identity",
    exponent: float = 2.0,
    scaling: str = "min-max",
) -> tuple[Question, Question, Question]:
    """Ask what decides, what another quantifier does, and who comes first."""
    run = _Run(records, record, quantifier, exponent, scaling)
    made, count = run.made, len(run.made.values)
    by_value = made.values[made.at] <= made.capacities[made.at]
    decides = (
        f"the value of {records.names[made.attributes[made.at]]}, {made.values[made.at]:.3f}"
        if by_value
        else f"the quantifier, Q({made.at + 1}/{count}) = {made.capacities[made.at]:.3f}"
    )
    other = "as many as possible" if quantifier != "as many as possible" else "at least half"
    changed = _Run(records, record, other, exponent, scaling).made.integral
    last, first = int(run.all.argmax()), int(run.all.argmin())
    return (
        Question(
            f"What decides the integral of record {record + 1}: one of its values, or the quantifier?",
            f"SI = {made.integral:.3f} is {decides}: the lower of the two where they meet.",
        ),
        Question(
            f"What would the integral be with the quantifier “{other}”?",
            f"{changed:.3f} in place of {made.integral:.3f}. "
            + (
                "It asks for many attributes, so a few high values help less."
                if other == "as many as possible"
                else "Half of the attributes are enough for it, so the middle of the values decides."
            ),
        ),
        Question(
            "Which records come first and last in the order?",
            f"Record {first + 1} with {run.all[first]:.3f} and record {last + 1} with {run.all[last]:.3f} "
            f"(of equal ones the first); {len(run.all) - len(np.unique(run.all))} records tie with another.",
        ),
    )


LESSON = Lesson(
    name="sugeno",
    title="Sugeno integral",
    story=(
        "To sort records one needs a single number for each. Where a projection adds, an expert weighs: "
        "how high does the record reach, in how many of its attributes?"
    ),
    reference="Modeling Projections §3.1, figure 1",
    reading=(
        "Left: the record (amber) among the others. Right: the paper's figure 1; amber falls, grey rises, "
        "blue is the lower of the two."
    ),
    trace=trace,
    questions=questions,
    options=(
        Option("record", "Record", "Whose integral is drawn.", 1, low=1, high=60),
        choices.QUANTIFIER,
        choices.EXPONENT,
        choices.SCALING,
    ),
    attributes=(2, 8),
)
