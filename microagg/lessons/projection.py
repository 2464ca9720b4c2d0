"""Projection + optimal partition, three projections side by side: PCP, z-scores, Sugeno.

The axes are those of `microagg.methods.projections` and `aggregation`, the groups those of its solvers; what
is drawn besides is geometry: a linear axis, or the level curves of the Sugeno integral, which for two
attributes are corners, and two fields for the value Q(1/2).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from microagg.kernels.scaling import min_max
from microagg.lessons import plane
from microagg.lessons.lesson import DEVIATIONS, Lesson, Quantity, Records, Step, listed, number
from microagg.lessons.question import Question, choose, yes_or_no
from microagg.lessons.scene import THIRDS, Area, Dots, Line, Mark, segments
from microagg.measures.loss import distortion
from microagg.methods import shared_options
from microagg.methods.aggregation import quantifier as quantifier_named
from microagg.methods.aggregation import sugeno
from microagg.methods.projections import combine, component_weights, partition_axis

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray, IntArray

NUMBERS = (
    f"first component, {DEVIATIONS}",
    f"sum of z-scores, {DEVIATIONS}",
    "Sugeno integral, 0 … 1",
)
TITLES = ("First component (PCP)", "Sum of z-scores", "Sugeno integral")


def axes(records: Records, quantifier: str = "identity", exponent: float = 2.0) -> FloatArray:
    """The number by which each projection sorts.

    Returns
    -------
    (3, n) float64
    """
    points = records.points
    linear = [combine(points, weights) for weights in _weights(points)]
    return np.stack([*linear, sugeno(min_max(records.values), quantifier_named(quantifier, exponent))])


def _weights(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    return component_weights(points), np.ones(points.shape[1])


def trace(
    records: Records,
    k: int,
    *,
    cost: str = "attributes",
    quantifier: str = "identity",
    exponent: float = 2.0,
) -> tuple[Step, ...]:
    """Walk through the three projections at once.

    Parameters
    ----------
    records : Records
    k : int
    cost : {"attributes", "projected"}
    quantifier, exponent
        Of the Sugeno integral.

    Returns
    -------
    tuple of Step
        ``result``: (3, n) labels.
    """
    points = records.points
    by = axes(records, quantifier, exponent)
    labels = np.stack([partition_axis(points, axis, k, cost) for axis in by])  # type: ignore[arg-type]
    none = np.full_like(labels, -1)
    weights = _weights(points)
    order = [np.argsort(axis, kind="stable") for axis in by]
    ways = [*(_axis(points, w) for w in weights), _corners(points, by[2], quantifier, exponent)]
    falls = [*(_shadows(points, w) for w in weights), ()]
    ordered = [_order(points, o) for o in order]
    lost = [distortion(points, chosen) for chosen in labels]
    shares = tuple(
        Quantity(
            f"SSE/SST, {name}",
            share,
            f"share of the variance lost, 0 … 1, with {len(np.unique(chosen))} groups; low is good",
        )
        for name, share, chosen in zip(("PCP", "z-scores", "Sugeno"), lost, labels, strict=True)
    )
    best = int(np.argmin(lost))
    half = _half(quantifier, exponent)
    fields = f", and Q(1/2) = {half:.2f} everywhere in the grey fields" if _fields(by[2], half) else ""
    along = float(np.square(by[0]).sum() / max(float(np.square(points).sum()), 1e-300))
    what = (
        "sum of squares of both attributes"
        if cost == "attributes"
        else "sum of squares of the number by which they are sorted"
    )
    numbers = dict(zip(NUMBERS, by, strict=True))
    empty: list[tuple[Mark, ...]] = [()] * 3
    return (
        _step(
            "The cloud",
            f"{records.counted}. Points of a plane have no order, and the optimal partition needs one. Here "
            "are three ways to make an order. Both attributes are standardised: 1 on an axis is one "
            "standard deviation.",
            records, none, empty, plane.standardising(records),
        ),
        _step(
            "The axis",
            "PCP takes the direction in which the cloud is longest. The sum of z-scores always takes the "
            "rising diagonal. The Sugeno integral has no axis: it is the same along each amber "
            f"line{fields}.",
            records, none, ways,
            (
                Quantity("PCP weights", ", ".join(f"{w:.3f}" for w in weights[0]).replace("-", "−"),
                         f"first component = {_sum(weights[0], records.names)}, standardised"),
                Quantity("z-scores", "1, 1", f"sum = {_sum(weights[1], records.names)}, standardised"),
                Quantity("variance kept", along, "share of the variance along PCP's axis, 0 … 1"),
                Quantity("Q(1/2)", half,
                         "SI = max(min(Q(1/2), larger), min(1, smaller)) of the two values scaled 0 … 1"),
            ),
        ),
        _step(
            "One number a record",
            "Each record falls on the axis at a right angle; where it lands gives its place in the order. "
            f"With Sugeno the number belongs to the line{' or the fields' if fields else ''} where the "
            "record lies. Records with equal numbers can be far apart.",
            records, none, [(*way, *fall) for way, fall in zip(ways, falls, strict=True)], (), numbers,
        ),
        _step(
            "The order",
            "The line visits the records from the lowest number to the highest. Where it jumps across the "
            "cloud, neighbours in the order are far apart in the plane.",
            records, none, ordered,
            tuple(
                Quantity(f"length, {name}", _length(points[o]),
                         f"of the line, {DEVIATIONS}; short: neighbours in the order are near each other")
                for name, o in zip(("PCP", "z-scores", "Sugeno"), order, strict=True)
            ),
            numbers,
        ),
        _step(
            "The cut",
            f"Each order is cut into runs of {k} … {2 * k - 1} records, so that the {what} within the runs "
            "is least. The lesson on one attribute shows how.",
            records, labels, ordered, shares, numbers,
        ),
        _step(
            "The centroids",
            f"Each record is replaced by the centroid of its group (blue). {TITLES[best]} loses least here: "
            f"{100 * lost[best]:.1f} % of the variance.",
            records, labels, [plane.stars(points, chosen) for chosen in labels], shares, numbers,
        ),
    )  # fmt: skip


def _step(
    title: str,
    sentence: str,
    records: Records,
    labels: IntArray,
    marks: list[tuple[Mark, ...]],
    quantities: tuple[Quantity, ...] = (),
    numbers: dict[str, FloatArray] | None = None,
) -> Step:
    first, *others = (
        plane.panel(records, (*under, *plane.cloud(records.points, own, records.about)), name, place)
        for name, place, own, under in zip(TITLES, THIRDS, labels, marks, strict=True)
    )
    panels = (first, *(replace(other, y="") for other in others))
    return Step(title, sentence, panels, labels, quantities, {**plane.columns(records), **(numbers or {})})


def _sum(weights: FloatArray, names: tuple[str, ...]) -> str:
    """A linear projection as a formula."""
    terms = (f"{weight:.3g} · {name}" for weight, name in zip(weights, names, strict=True))
    return " + ".join(terms).replace("+ -", "− ").replace("-", "−")


def _axis(points: FloatArray, weights: FloatArray) -> tuple[Mark, ...]:
    direction = weights / np.sqrt(weights @ weights)
    along = points @ direction
    ends = np.array([along.min() - 0.4, along.max() + 0.4])[:, np.newaxis] * direction
    return (Line(ends, "now", wide=True),)


def _shadows(points: FloatArray, weights: FloatArray) -> tuple[Mark, ...]:
    direction = weights / np.sqrt(weights @ weights)
    feet = (points @ direction)[:, np.newaxis] * direction
    return Line(segments(points, feet), "faint"), Dots(feet, "landed")


def _corners(points: FloatArray, axis: FloatArray, quantifier: str, exponent: float) -> tuple[Mark, ...]:
    """Level curves: below Q(1/2) the larger value decides, above it the smaller; Q(1/2) itself is a field."""
    low, width = points.min(axis=0), np.ptp(points, axis=0)
    half = _half(quantifier, exponent)
    if _fields(axis, half):
        starts, ends = np.array([[0.0, half], [half, 0.0]]), np.array([[half, 1.0], [1.0, half]])
        fields: tuple[Mark, ...] = (Area(low + width * starts, low + width * ends, "faint"),)
    else:
        fields = ()
    paths = [np.full((1, 2), np.nan)]
    for level in np.unique(axis):
        if fields and level == half:
            continue
        end = 0.0 if level <= half else 1.0
        corner = np.array([[end, level], [level, level], [level, end], [np.nan, np.nan]])
        paths.append(low + width * corner)
    return (*fields, Line(np.concatenate(paths), "now"))


def _half(quantifier: str, exponent: float) -> float:
    return float(quantifier_named(quantifier, exponent)(np.array([0.5]))[0])


def _fields(axis: FloatArray, half: float) -> bool:
    """Whether a record has Q(1/2) itself: wherever one value is at least that and the other at most."""
    return 0 < half < 1 and bool((axis == half).any())


def _order(points: FloatArray, order: IntArray) -> tuple[Mark, ...]:
    return (Line(points[order], "record"),)


def _length(path: FloatArray) -> float:
    return float(np.sqrt(np.square(np.diff(path, axis=0)).sum(axis=1)).sum())


def questions(
    records: Records,
    k: int,
    *,
    cost: str = "attributes",
    quantifier: str = "identity",
    exponent: float = 2.0,
) -> tuple[Question, Question, Question]:
    """Ask about the axis, about neighbours, and about the two costs."""
    by = axes(records, quantifier, exponent)
    return _alike(records, by), _far(records.points, by[0]), _costs(records.points, by[0], k, cost)


def _alike(records: Records, by: FloatArray) -> Question:
    points = records.points
    r = float(np.mean(points[:, 0] * points[:, 1]))
    one, other = (np.argsort(axis, kind="stable") for axis in by[:2])
    weights = ", ".join(f"{weight:.3f}" for weight in component_weights(points)).replace("-", "−")
    if r > 1e-12:
        why = (
            "With two standardised attributes and a positive correlation the first component is the rising "
            "diagonal, and so is the sum of z-scores."
        )
        why += "" if np.array_equal(one, other) else " Only records with equal numbers change places."
    elif r < -1e-12:
        why = (
            "With a negative correlation the cloud is longest along the falling diagonal: PCP weighs "
            f"{weights}. The sum of z-scores takes the rising diagonal, across the cloud."
        )
    else:
        why = f"Without a correlation no direction is longer than another; PCP weighs {weights}."
    return yes_or_no(
        f"The correlation of the two attributes is {f'{r:.2f}'.replace('-', '−')}. Do PCP and the sum of "
        "z-scores sort the records alike?",
        np.array_equal(one, other),
        why,
    )


def _far(points: FloatArray, axis: FloatArray) -> Question:
    order = np.argsort(axis, kind="stable")
    gaps = np.sqrt(np.square(np.diff(points[order], axis=0)).sum(axis=1))
    far, near = int(gaps.argmax()), int(gaps.argmin())

    def pair(at: int) -> str:
        return f"Records {listed(np.sort(order[[at, at + 1]]))}"

    ends = np.sort(order[[0, -1]])
    why = (
        f"They are {number(float(gaps[far]))} standard deviations apart, and next to each other in the order."
    )
    return choose(
        "Which neighbours in PCP's order lie farthest from each other in the plane?",
        (pair(far), why),
        (pair(near), f"Those are the nearest: {number(float(gaps[near]))} standard deviations apart."),
        (f"Records {listed(ends)}", "Those are the first and the last of the order, not neighbours."),
    )  # fmt: skip


def _costs(points: FloatArray, axis: FloatArray, k: int, cost: str) -> Question:
    by_attributes, by_projected = (
        100 * distortion(points, partition_axis(points, axis, k, name))
        for name in ("attributes", "projected")
    )
    why = (
        f"SSE/SST is {by_attributes:.2f} % cut by the attributes and {by_projected:.2f} % cut by the "
        f"projected values (cut by {cost} now)."
    )
    same = abs(by_attributes - by_projected) <= 1e-9 * max(by_projected, 1e-300)
    never = f"{why} By the attributes it is never more: that cost is what SSE/SST measures."
    texts = "Cut by the attributes", "Neither: both lose the same"
    right, other = texts[::-1] if same else texts
    return choose(
        "Which cut of PCP's order loses less: the one by the attributes or the one by the projected values?",
        (right, why), (other, why), ("Cut by the projected values", never),
    )  # fmt: skip


LESSON = Lesson(
    name="projection",
    title="Projection",
    story=(
        "Several attributes are summarised in one number, the records are sorted by it, and the order is "
        "cut optimally. Records with similar numbers can lie far apart, and so it matters which number is "
        "taken."
    ),
    reference="Modeling Projections §2.1–2.3 and §3.2; One Dimension Microaggregation §2.2, Algorithm 1",
    reading=(
        "Three projections of the same records. Amber: the axis, or lines of equal value; grey path: the "
        "order; a group has its colour and shape."
    ),
    trace=trace,
    questions=questions,
    options=(shared_options.COST, shared_options.QUANTIFIER, shared_options.EXPONENT),
    example=("age", "distance"),
)
