"""Projection + optimal partition, three projections side by side: PCP, z-scores, Sugeno.

The axes are those of `microagg.methods.projections` and `aggregation`, the groups those of its solvers; what
is drawn besides is geometry: a linear axis, or the level curves of the Sugeno integral, which for two
attributes are corners.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from microagg.lessons import plane
from microagg.lessons.lesson import Lesson, Quantity, Question, Records, Step
from microagg.lessons.scene import THIRDS, Dots, Line, Mark, segments
from microagg.measures.loss import distortion
from microagg.methods import choices
from microagg.methods.aggregation import quantifier as quantifier_named
from microagg.methods.aggregation import sugeno
from microagg.methods.projections import combine, component_weights, partition_axis
from microagg.scaling import min_max

if TYPE_CHECKING:
    from microagg.compiled import FloatArray, IntArray

TITLES = ("First component (PCP)", "Sum of z-scores", "Sugeno integral")


def axes(records: Records, quantifier: str = "identity", exponent: float = 2.0) -> FloatArray:
    """The number by which each projection sorts.

    Returns
    -------
    (3, n) float64
    """
    points = records.points
    linear = [combine(points, weights) for weights in _weights(points)]
    return np.stack([*linear, sugeno(min_max(points), quantifier_named(quantifier, exponent))])


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
        Quantity(f"SSE/SST, {name}", share, f"{len(np.unique(chosen))} groups; low is good for use")
        for name, share, chosen in zip(("PCP", "z-scores", "Sugeno"), lost, labels, strict=True)
    )
    best = int(np.argmin(lost))
    half = float(quantifier_named(quantifier, exponent)(np.array([0.5]))[0])
    along = float(np.square(by[0]).sum() / max(float(np.square(points).sum()), 1e-300))
    what = "sum of squares of the attributes" if cost == "attributes" else "sum of squares along the axis"
    empty: list[tuple[Mark, ...]] = [()] * 3
    return (
        _step(
            "The cloud",
            "Points of a plane have no order, and the optimal partition needs one. Here are three ways to "
            "make one.",
            records, none, empty,
        ),
        _step(
            "The axis",
            "PCP takes the direction in which the cloud is longest, z-scores the diagonal, whatever the "
            "data. Sugeno has no line: on each corner its value is the same.",
            records, none, ways,
            (
                Quantity("PCP weights", ", ".join(f"{w:.3f}" for w in weights[0]), "of the two attributes"),
                Quantity("variance kept", along, "share of it along PCP's axis; the rest is not seen"),
                Quantity("Q(1/2)", half, "up to here the larger attribute decides, above it the smaller"),
            ),
        ),
        _step(
            "One number a record",
            "Each record falls on the axis at a right angle, and where it lands is its number; under "
            "Sugeno it is the corner it stands on. What lies along the fall is forgotten.",
            records, none, [(*way, *fall) for way, fall in zip(ways, falls, strict=True)],
        ),
        _step(
            "The order",
            "The line visits the records from the lowest number to the highest. Where it jumps across the "
            "cloud, neighbours in the order are no neighbours in the plane.",
            records, none, ordered,
            tuple(
                Quantity(f"length, {name}", _length(points[o]), "of the line; short: near stays near")
                for name, o in zip(("PCP", "z-scores", "Sugeno"), order, strict=True)
            ),
        ),
        _step(
            "The cut",
            f"The order is cut into runs of {k} … {2 * k - 1} records so that the {what} within them is "
            "least: as the lesson on one attribute shows.",
            records, labels, ordered, shares,
        ),
        _step(
            "The centroids",
            "Each group is released as its centroid, in all attributes. "
            f"{TITLES[best]} loses least here, {100 * lost[best]:.1f} % of the variance.",
            records, labels, [plane.stars(points, chosen) for chosen in labels], shares,
        ),
    )  # fmt: skip


def _step(
    title: str,
    sentence: str,
    records: Records,
    labels: IntArray,
    marks: list[tuple[Mark, ...]],
    quantities: tuple[Quantity, ...] = (),
) -> Step:
    first, *others = (
        plane.panel(records, (*under, *plane.cloud(records.points, own, records.about)), name, place)
        for name, place, own, under in zip(TITLES, THIRDS, labels, marks, strict=True)
    )
    panels = (first, *(replace(other, y="") for other in others))
    return Step(title, sentence, panels, labels, quantities)


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
    """Level curves: where Q(1/2) is not yet reached the larger value decides, above it the smaller."""
    low, width = points.min(axis=0), np.ptp(points, axis=0)
    half = float(quantifier_named(quantifier, exponent)(np.array([0.5]))[0])
    paths = []
    for level in np.unique(axis):
        end = 0.0 if level <= half else 1.0
        corner = np.array([[end, level], [level, level], [level, end], [np.nan, np.nan]])
        paths.append(low + width * corner)
    return (Line(np.concatenate(paths), "now"),)


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
    points = records.points
    by = axes(records, quantifier, exponent)
    weights = component_weights(points)
    r = float(np.mean(points[:, 0] * points[:, 1]))
    order = np.argsort(by[0], kind="stable")
    gaps = np.sqrt(np.square(np.diff(points[order], axis=0)).sum(axis=1))
    far = int(gaps.argmax())
    one, other = int(order[far]) + 1, int(order[far + 1]) + 1
    losses = {
        name: 100 * distortion(points, partition_axis(points, by[0], k, name))
        for name in ("attributes", "projected")
    }
    return (
        Question(
            f"The correlation of the two attributes is {r:.2f}. Do PCP and z-scores sort alike?",
            (
                "Yes: with two standardised attributes and a positive correlation the first component is the "
                "diagonal, which is the direction of the z-scores."
                if r > 0
                else f"No: PCP weighs them {weights[0]:.3f} and {weights[1]:.3f}, the z-scores both with 1. "
                "With a negative correlation the sum of z-scores runs across the cloud."
                if r < 0
                else "That is undecided: without a correlation no direction is longer than another."
            ),
        ),
        Question(
            "Which neighbours in PCP's order lie farthest from each other in the plane?",
            f"Records {one} and {other}, {gaps[far]:.2f} standard deviations apart: their numbers are next "
            "to each other although they are not.",
        ),
        Question(
            "What does it change to cut by the attributes' cost and not by the projected values' alone?",
            f"With PCP (cut by {cost} now), SSE/SST is {losses['attributes']:.2f} % by the attributes and "
            f"{losses['projected']:.2f} % by the projected values. The first can never be the larger: it "
            "minimises just that, over the same order.",
        ),
    )


LESSON = Lesson(
    name="projection",
    title="Projection",
    story=(
        "Several attributes are summarised in one number, records are sorted by it, and the order is cut "
        "optimally. What the number forgets, the groups cannot know."
    ),
    reference="Modeling Projections §2 and §3.2; One Dimension Microaggregation, Algorithm 1",
    reading=(
        "Three projections of the same records. Amber: the axis, or corners of equal value; the path is "
        "the order; a group has its colour and shape."
    ),
    trace=trace,
    questions=questions,
    options=(choices.COST, choices.QUANTIFIER, choices.EXPONENT),
)
