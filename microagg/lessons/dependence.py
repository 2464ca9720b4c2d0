"""λ, step by step: the same records with Y stretched by β, and how the groups turn.

The first attribute is the quasi-identifier X, the second the confidential Y. Groups are MDAV's on
`microagg.preparation.extended_vectors.extended`; what MDAV sees is drawn as (√(1−λ) X, √λ Y), which is (X,
βY) up to a common factor that moves no group, so that the picture fits the same axes for every λ.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from microagg.lessons import plane
from microagg.lessons.lesson import DEVIATIONS, Lesson, Quantity, Records, Step
from microagg.lessons.question import Question, choose
from microagg.lessons.scene import Dots, Line, Mark, Panel, label
from microagg.measures.dependence import Dependence
from microagg.measures.loss import distortion
from microagg.methods.mdav import mdav
from microagg.preparation.extended_vectors import extended, stretch

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray, IntArray

LAMBDAS = tuple(step / 10 for step in range(11))
UPPER, LOWER = (0.58, 1.0, 0.5, 1.0), (0.58, 1.0, 0.0, 0.45)
LEFT = (0.0, 0.49, 0.0, 1.0)


def groups(records: Records, k: int, lam: float) -> IntArray:
    """Groups of MDAV on the extended vectors.

    Parameters
    ----------
    records : Records
        X and Y.
    k : int
    lam : float in [0, 1]

    Returns
    -------
    (n,) int64
    """
    points = records.points
    return mdav(extended(points[:, :1], points[:, 1:], lam), k)


def measured(records: Records, labels: IntArray, lam: float) -> Dependence:
    """D_X and D_Y of the groups."""
    points = records.points
    return Dependence(distortion(points[:, :1], labels), distortion(points[:, 1:], labels), lam)


def trace(records: Records, k: int) -> tuple[Step, ...]:
    """Walk from λ = 0 to λ = 1.

    Parameters
    ----------
    records : Records
    k : int

    Returns
    -------
    tuple of Step
        The first shows the records; the others λ = 0, 0.1, …, 1.
    """
    found = [groups(records, k, lam) for lam in LAMBDAS]
    curve = [measured(records, labels, lam) for labels, lam in zip(found, LAMBDAS, strict=True)]
    nobody = np.full(len(records), -1)
    x, y = records.names
    steps = [
        Step(
            "The records",
            f"{records.counted}. {x} is the quasi-identifier X, which is replaced. {y} is confidential, Y, "
            "and is released as it is. How well the released X still predicts Y depends on which records "
            "share a group.",
            _panels(records, nobody, None, curve, 0),
            nobody,
            plane.standardising(records),
            plane.columns(records),
        )
    ]
    for place, (lam, labels) in enumerate(zip(LAMBDAS, found, strict=True)):
        same = place > 0 and _same(labels, found[place - 1])
        steps.append(
            Step(
                f"λ = {lam:g}",
                _sentence(lam, x, y, same=same),
                _panels(records, labels, lam, curve, place + 1),
                labels,
                _quantities(lam, curve[place]),
                _columns(records, lam),
            )
        )
    return tuple(steps)


def _sentence(lam: float, x: str, y: str, *, same: bool) -> str:
    if lam == 0:
        return f"Only {x} counts. Records with similar {x} share a group, however different their {y}."
    groups = "The groups are those of the step before" if same else "The groups are other ones than before"
    if lam == 1:
        return (
            f"Only {y} counts. Records with similar {y} share a group, however different their {x}. {groups}."
        )
    weighs = "less than" if lam < 0.5 else "as much as" if lam == 0.5 else "more than"
    return (
        f"Y is multiplied by β = {stretch(lam, 1, 1):.2f}, and MDAV takes the distances in (X, βY). A "
        f"difference of one standard deviation in {y} counts {weighs} one in {x}. {groups}."
    )


def _columns(records: Records, lam: float) -> dict[str, FloatArray]:
    x, y = _weighed(records, lam).T
    return {**plane.columns(records), f"√(1−λ) · X, {DEVIATIONS}": x, f"√λ · Y, {DEVIATIONS}": y}


def _weighed(records: Records, lam: float) -> FloatArray:
    """(X, βY) times √(1−λ), which is finite for λ = 1 too."""
    return np.asarray(records.points * [sqrt(1 - lam), sqrt(lam)])


def _quantities(lam: float, measured: Dependence) -> tuple[Quantity, ...]:
    beta = "Y alone" if lam == 1 else "X alone" if lam == 0 else f"{stretch(lam, 1, 1):.3f}"
    return (
        Quantity("λ", lam, "how much the link to Y weighs, 0 … 1"),
        Quantity("β", beta, "√(λ/(1−λ) · m_X/m_Y), the factor on Y; here m_X = m_Y = 1"),
        Quantity("D_X", measured.d_x, "SSE/SST of X, 0 … 1: share of its variance that is lost; low is good"),
        Quantity(
            "D_Y", measured.d_y, "SSE/SST of Y, 0 … 1: share that the groups do not explain; low is good"
        ),
        Quantity("D", measured.d, "(1−λ) D_X + λ D_Y, 0 … 1: what should become small"),
    )


def _panels(
    records: Records, labels: IntArray, lam: float | None, curve: list[Dependence], upto: int
) -> tuple[Panel, Panel, Panel]:
    points, about = records.points, records.about
    stars = plane.stars(points, labels)
    shown = plane.panel(
        records, (*stars, *plane.cloud(points, labels, about)), "The records as they are", LEFT, equal=False
    )
    weighed: tuple[Mark, ...] = ()
    if lam is not None:
        weighed = plane.cloud(_weighed(records, lam), labels, about)
        weighed = tuple(mark._replace(names=()) if isinstance(mark, Dots) else mark for mark in weighed)
    reach = float(np.abs(points).max()) * 1.1 or 1.0
    extended_plane = Panel(
        "As MDAV compares them: (X, βY) · √(1−λ)", "√(1−λ) · X, sd", "√λ · Y, sd",
        (-reach, reach), (-reach, reach), weighed, UPPER, equal=True,
    )  # fmt: skip
    return shown, extended_plane, _curve(curve, upto)


def _curve(curve: list[Dependence], upto: int) -> Panel:
    every = np.array([(point.d_x, point.d_y) for point in curve])
    marks: list[Mark] = []
    if upto:
        told = tuple(f"λ = {point.lam:g}: D_X {point.d_x:.3f}, D_Y {point.d_y:.3f}" for point in curve[:upto])
        marks = [
            Line(every[:upto], "record"),
            Dots(every[:upto], "record", about=told),
            Dots(every[upto - 1 : upto], "now"),
            label(every[upto - 1], f"λ = {curve[upto - 1].lam:g}", "now", "middle right"),
        ]
    wide, tall = (max(1.25 * float(every[:, axis].max()), 0.05) for axis in (0, 1))
    return Panel(
        "Loss of X and loss of the link to Y",
        "D_X, 0 … 1  (← better)",
        "D_Y, 0 … 1  (↓ better)",
        (0.0, wide),
        (0.0, tall),
        tuple(marks),
        LOWER,
    )


def _same(one: IntArray, other: IntArray) -> bool:
    pairs = set(zip(one.tolist(), other.tolist(), strict=True))
    return len(pairs) == len(set(one.tolist())) == len(set(other.tolist()))


def questions(records: Records, k: int) -> tuple[Question, Question, Question]:
    """Ask about β, about the best λ, and about what a little λ buys."""
    curve = [measured(records, groups(records, k, lam), lam) for lam in LAMBDAS]
    return _beta(), _least(curve), _first_step(records, curve)


def _beta() -> Question:
    why = "β = √(λ/(1−λ)) = {:g} at λ = 0.5, where both weigh the same, and {:g} at λ = 0.9."
    why = why.format(stretch(0.5, 1, 1), stretch(0.9, 1, 1))
    return choose(
        "What is β at λ = 0.5 and at λ = 0.9, with one attribute on each side?",
        (f"{stretch(0.5, 1, 1):g} and {stretch(0.9, 1, 1):g}", why),
        ("0.5 and 0.9", f"That is λ itself. {why}"),
        ("1 and 9", f"That is λ/(1−λ), without the root. {why}"),
    )


def _least(curve: list[Dependence]) -> Question:
    total = [point.d_x + point.d_y for point in curve]
    best = int(np.argmin(total))
    found = f"D_X + D_Y is {total[best]:.3f} at λ = {LAMBDAS[best]:g}"
    wrong = [
        (f"{LAMBDAS[at]:g}", f"There the sum is {total[at]:.3f}. {found}.")
        for at in (0, 5, 10)
        if total[at] > total[best] + 1e-12
    ]
    return choose(
        "Which of the λ shown makes the sum D_X + D_Y least? (Of equal sums, the first.)",
        (f"{LAMBDAS[best]:g}", f"{found}: {curve[best].d_x:.3f} + {curve[best].d_y:.3f}. Both weigh alike."),
        *wrong,
        *(() if wrong else (("None: it is never least", f"{found}, and never less."),)),
    )  # fmt: skip


def _first_step(records: Records, curve: list[Dependence]) -> Question:
    cost, gain = curve[1].d_x - curve[0].d_x, curve[1].d_y - curve[0].d_y
    r = float(np.mean(records.points[:, 0] * records.points[:, 1]))
    why = (
        f"D_X changes by {cost:+.4f} and D_Y by {gain:+.4f}. The correlation of X and Y is {r:.2f}: the "
        "weaker it is, the less of Y the groups by X alone explain."
    ).replace("-", "−")
    truth = _changes(cost, gain)
    wrong = ((text, why) for text in (_changes(1, -1), _changes(0, 0), _changes(-1, 1)) if text != truth)
    return choose("What does the first step, from λ = 0 to λ = 0.1, do to both losses?", (truth, why), *wrong)


def _changes(cost: float, gain: float) -> str:
    said = ["falls" if by < -1e-12 else "grows" if by > 1e-12 else "stays" for by in (cost, gain)]
    return f"D_X {said[0]}, D_Y {said[1]}"


LESSON = Lesson(
    name="dependence",
    title="λ, the link to Y",
    story=(
        "Groups made by the quasi-identifiers alone can destroy their link to the confidential attribute. λ "
        "says how much the confidential attribute counts when groups are made."
    ),
    reference="Statistical Dependence §III.B, §IV.A and §V.A",
    reading=(
        "Left: the records and their groups. Right, above: the same records with X and Y weighed as MDAV "
        "compares them; below: both losses, from λ = 0 on."
    ),
    trace=trace,
    questions=questions,
)
