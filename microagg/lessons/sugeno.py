"""The Sugeno integral of one record, drawn as in Modeling Projections, figure 1.

The record's scaled values in falling order are one staircase, the quantifier's values of 1/N, 2/N, … the
other, rising; the integral is the largest of the lower ones, where they meet. All numbers come from
`microagg.methods.aggregation.sugeno_construction` and `sugeno`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.kernels.scaling import min_max, ranks
from microagg.lessons.lesson import Lesson, Quantity, Records, Step
from microagg.lessons.question import Question, choose
from microagg.lessons.scene import Dots, Line, Mark, Panel, Word, segments
from microagg.methods import shared_options
from microagg.methods.aggregation import SugenoConstruction, quantifier, sugeno, sugeno_construction
from microagg.methods.method import Option

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray
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
        how = "(value − least)/(largest − least) of its attribute"
        how = how if self.scaling == "min-max" else "its rank among the records, as a share"
        self._show(
            "Scale to [0, 1]",
            f"{self.records.counted}. Record {self.record + 1} has {raw}. Each value becomes {how}. Then "
            "attributes can be compared with each other, and with shares.",
            quantities=tuple(
                Quantity(name, float(value), self._reckoned(a))
                for a, (name, value) in enumerate(zip(names, self.unit[self.record], strict=True))
            ),
        )
        ordered = ", ".join(
            f"{value:.2f} ({names[a]})" for value, a in zip(made.values, made.attributes, strict=True)
        )
        self._show(
            "Sort its values, largest first",
            f"{ordered}. The step at i/{len(names)} is as high as i of the {len(names)} attributes reach.",
            stairs=True,
            quantities=tuple(
                Quantity(f"a({i + 1})", float(value), names[a])
                for i, (value, a) in enumerate(zip(made.values, made.attributes, strict=True))
            ),
        )
        self._show(
            "Draw the quantifier",
            f"Q ({self.name}) says how much a share of the attributes counts: 0 for none of them, 1 for all. "
            "Q rises while the values fall.",
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
            f"{i + 1} of {count} attributes count Q = {q:.2f}, and they reach {a:.2f}: {verdict}. The "
            f"largest of the minima so far is {self.lower[best]:.2f}, at {best + 1}/{count}.",
            stairs=True,
            curve=True,
            upto=i + 1,
            quantities=(
                Quantity(
                    f"Q({i + 1}/{count})", float(q), f"what {i + 1} of {count} attributes count; rising"
                ),
                Quantity(
                    f"a({i + 1})", float(a), f"{self.records.names[made.attributes[i]]}, scaled; falling"
                ),
                Quantity("minimum", float(self.lower[i]), "the lower of the two"),
                Quantity("largest so far", float(self.lower[best]), "of the minima"),
            ),
        )

    def end(self) -> None:
        """Say where they meet, and put all records in order."""
        made, count = self.made, len(self.made.values)
        self._show(
            "They meet: the Sugeno integral",
            f"The largest of the minima is the Sugeno integral of record {self.record + 1}: "
            f"{made.integral:.3f}. It always is one of the record's scaled values or one of the values of Q, "
            "never a mixture of them.",
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
            "The same for every record: an order",
            f"Of the {len(self.all)} records, {place} have a smaller integral than record {self.record + 1}. "
            "Sorted by the integral, the records are then cut into groups as in the lesson on one "
            "attribute.",
            stairs=True,
            curve=True,
            upto=count,
            met=True,
            everybody=True,
            quantities=(
                Quantity("SI", made.integral, f"of record {self.record + 1}"),
                Quantity(
                    "different",
                    len(np.unique(self.all)),
                    f"integrals among {len(self.all)} records; equal ones tie",
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
        columns = {
            f"{name}, scaled 0 … 1": column
            for name, column in zip(self.records.names, self.unit.T, strict=True)
        }
        if met:
            columns["Sugeno integral"] = self.all
        self.steps.append(Step(title, sentence, panels, result, quantities, columns))

    def _reckoned(self, attribute: int) -> str:
        """How a value of the record is scaled."""
        column = self.records.values[:, attribute]
        low, high, value = float(column.min()), float(column.max()), float(column[self.record])
        if self.scaling != "min-max":
            return f"rank of {value:g} among {len(column)} records"
        if low == high:
            return "all values are equal"
        return f"({value:g} − {low:g})/({high:g} − {low:g})".replace("-", "−")

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
            "value, scaled 0 … 1",
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
            "scaled value, or Q(i / N); 0 … 1",
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
    other = "as many as possible" if quantifier != "as many as possible" else "at least half"
    changed = _Run(records, record, other, exponent, scaling).made.integral
    return _decides(run), _changed(run, other, changed), _first(run)


def _decides(run: _Run) -> Question:
    made, count = run.made, len(run.made.values)
    value, q = float(made.values[made.at]), float(made.capacities[made.at])
    texts = "The value: it is the lower of the two", "Q: it is the lower of the two", "Both: they are equal"
    truth = 2 if value == q else 0 if value < q else 1
    name = run.records.names[made.attributes[made.at]]
    why = (
        f"At {made.at + 1}/{count}, where the largest minimum is, {name} is {value:.3f} and Q is {q:.3f}, so "
        f"the integral is {made.integral:.3f}."
    )
    rest = ((text, why) for place, text in enumerate(texts) if place != truth)
    return choose(
        f"What decides the integral of record {run.record + 1}: one of its values or the quantifier Q?",
        (texts[truth], why), *rest,
    )  # fmt: skip


def _changed(run: _Run, other: str, changed: float) -> Question:
    before, why = run.made.integral, _REASONS[other]
    texts = "It grows", "It falls", "It stays the same"
    truth = 0 if changed > before else 1 if changed < before else 2
    said = f"It is {changed:.3f} instead of {before:.3f}. {why}"
    rest = ((text, said) for place, text in enumerate(texts) if place != truth)
    return choose(f"What happens to the integral with the quantifier “{other}”?", (texts[truth], said), *rest)


_REASONS = {
    "as many as possible": "For “as many as possible”, half of the attributes or fewer count 0.",
    "at least half": "For “at least half”, half of the attributes already count 1.",
}


def _first(run: _Run) -> Question:
    means = run.unit.mean(axis=1)
    first, last, low = int(run.all.argmin()), int(run.all.argmax()), int(means.argmin())
    ties = len(run.all) - len(np.unique(run.all))
    why = f"Its integral, {run.all[first]:.3f}, is the smallest; of equal ones the first in the file."
    reasons = (
        (low, "It has the smallest mean of the scaled values, but the order is that of the integrals."),
        (last, "It has the largest integral." if run.all[last] > run.all[first] else "All are equal."),
        ((first + 1) % len(run.all), "It follows in the file, not in the order."),
    )
    wrong = (
        (f"Record {i + 1}", f"{what} Its integral is {run.all[i]:.3f}. Record {first + 1}: {why}")
        for i, what in reasons
    )
    return choose(
        f"Which record comes first in the order? ({ties} of {len(run.all)} integrals repeat another one.)",
        (f"Record {first + 1}", why), *wrong,
    )  # fmt: skip


LESSON = Lesson(
    name="sugeno",
    title="Sugeno integral",
    story=(
        "To sort records one needs one number for each. A projection adds up a record's values. The Sugeno "
        "integral asks instead: how high does the record reach, and in how many of its attributes?"
    ),
    reference="Modeling Projections §3.1, figure 1",
    reading=(
        "Left: the record (amber) among the others. Right, as in the paper's figure 1: values fall (amber), "
        "Q rises (grey), blue is the lower of the two."
    ),
    trace=trace,
    questions=questions,
    options=(
        Option("record", "Record", "Whose integral is drawn.", 1, low=1, high=60),
        shared_options.QUANTIFIER,
        shared_options.EXPONENT,
        shared_options.SCALING,
    ),
    attributes=(2, 8),
    example=("age", "income", "savings", "rent", "visits"),
)
