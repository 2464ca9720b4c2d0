"""λ, step by step: the same records with Y stretched by β, and how the groups turn.

The first attribute is the quasi-identifier X, the second the confidential Y. Groups are MDAV's on
`microagg.dependence.extended`; what MDAV sees is drawn as (√(1−λ) X, √λ Y), which is (X, βY) up to a common
factor that moves no group, so that the picture fits the same axes for every λ.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from microagg.dependence import Dependence, extended, stretch
from microagg.lessons import plane
from microagg.lessons.lesson import Lesson, Quantity, Question, Records, Step
from microagg.lessons.scene import Dots, Line, Mark, Panel, label
from microagg.measures.loss import distortion
from microagg.methods.mdav import mdav

if TYPE_CHECKING:
    from microagg.compiled import IntArray

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
            f"{x} is the quasi-identifier X, which is replaced; {y} is confidential, Y, and released as it "
            "is. How well X still predicts Y depends on who is grouped with whom.",
            _panels(records, nobody, None, curve, 0),
            nobody,
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
            )
        )
    return tuple(steps)


def _sentence(lam: float, x: str, y: str, *, same: bool) -> str:
    if lam == 0:
        return f"Only {x} counts: groups are upright strips, and {y} may be anything within them."
    if lam == 1:
        return f"Only {y} counts: groups are flat strips. {y} is predicted as well as can be, {x} is lost."
    turned = "The groups are those of the step before" if same else "The groups have turned"
    return (
        f"Y is stretched by β = {stretch(lam, 1, 1):.2f}, and MDAV, unchanged, takes the distances it finds: "
        f"the larger β, the more a difference in {y} keeps records apart. {turned}."
    )


def _quantities(lam: float, measured: Dependence) -> tuple[Quantity, ...]:
    beta = "Y alone" if lam == 1 else "X alone" if lam == 0 else f"{stretch(lam, 1, 1):.3f}"
    return (
        Quantity("λ", lam, "how much the link to Y weighs, 0 … 1"),
        Quantity("β", beta, "√(λ/(1−λ) · m_X/m_Y), the factor on Y"),
        Quantity("D_X", measured.d_x, "share of X's variance that is lost; low is good"),
        Quantity("D_Y", measured.d_y, "share of Y's variance that groups do not explain; low keeps the link"),
        Quantity("D", measured.d, "(1−λ) D_X + λ D_Y, what λ asks to make small"),
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
        seen = points * [sqrt(1 - lam), sqrt(lam)]
        weighed = plane.cloud(seen, labels, about)
        weighed = tuple(mark._replace(names=()) if isinstance(mark, Dots) else mark for mark in weighed)
    reach = float(np.abs(points).max()) * 1.1 or 1.0
    extended_plane = Panel(
        "As MDAV sees them, (X, βY)", "X", "βY", (-reach, reach), (-reach, reach), weighed, UPPER, equal=True
    )
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
        "What it costs and gains",
        "D_X  (← better)",
        "D_Y  (↓ better)",
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
    total = [point.d_x + point.d_y for point in curve]
    best = int(np.argmin(total))
    cost, gain = curve[1].d_x - curve[0].d_x, curve[0].d_y - curve[1].d_y
    r = float(np.mean(records.points[:, 0] * records.points[:, 1]))
    return (
        Question(
            "What is β at λ = 0.5 and at λ = 0.9, with one attribute on each side?",
            f"{stretch(0.5, 1, 1):g} and {stretch(0.9, 1, 1):g}: β = √(λ/(1−λ)). At λ = 0.5 both "
            "attributes weigh the same.",
        ),
        Question(
            "Which of the λ shown makes D_X + D_Y least?",
            f"λ = {LAMBDAS[best]:g}, with D_X = {curve[best].d_x:.3f} and D_Y = {curve[best].d_y:.3f}. "
            "(The sum weighs both the same; another user may want another λ.)",
        ),
        Question(
            "What does the first step, from λ = 0 to 0.1, cost X, and what does it gain for Y?",
            f"D_X changes by {cost:+.4f}, D_Y by {-gain:+.4f}. The correlation of X and Y is {r:.2f}: the "
            "weaker it is, the less of Y the groups by X alone explain, and the more there is to gain.",
        ),
    )


LESSON = Lesson(
    name="dependence",
    title="λ, the link to Y",
    story=(
        "Groups made by the quasi-identifiers alone forget what the data are for: predicting the "
        "confidential attribute. λ lets it have a say in who is grouped with whom."
    ),
    reference="Statistical Dependence §III and §IV.A",
    reading=(
        "Left: the records and their groups. Right: the same records stretched, as MDAV measures them, "
        "and both distortions."
    ),
    trace=trace,
    questions=questions,
)
