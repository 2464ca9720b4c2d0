"""Records as points of a plane, and what most lessons draw on it: groups, centroids, spokes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.lessons.lesson import Quantity, number
from microagg.lessons.scene import LEFT, Dots, Line, Panel, segments, span
from microagg.protection.centroids import centroids

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray, IntArray
    from microagg.lessons.lesson import Records
    from microagg.lessons.scene import Mark, Place

NAMED = 30
"""Records above which their numbers are no longer written beside them."""


def cloud(points: FloatArray, labels: IntArray, about: tuple[str, ...]) -> tuple[Mark, ...]:
    """The records: grey while they have no group, then in their group's colour and shape.

    Parameters
    ----------
    points : (n, 2) float64
    labels : (n,) int64
        −1 for no group yet.
    about : tuple of str
        Each record in words.
    """
    marks: list[Mark] = []
    for meaning, chosen in (("record", labels < 0), ("group", labels >= 0)):
        at = np.flatnonzero(chosen)
        if len(at):
            names = tuple(str(i + 1) for i in at) if len(points) <= NAMED else ()
            told = tuple(about[i] for i in at)
            groups = labels[at] if meaning == "group" else None
            marks.append(Dots(points[at], meaning, groups, names, told))  # type: ignore[arg-type]
    return tuple(marks)


def centres(points: FloatArray, labels: IntArray) -> FloatArray:
    """Centroid of each group, (g, 2), in the order of the labels; records without a group count for none."""
    held = labels >= 0
    _, first = np.unique(labels[held], return_index=True)
    return centroids(points[held], labels[held])[first] if held.any() else np.empty((0, 2))


def stars(points: FloatArray, labels: IntArray) -> tuple[Mark, ...]:
    """Each group's centroid, and a faint line from it to its records."""
    held = labels >= 0
    if not held.any():
        return ()
    own = centroids(points[held], labels[held])
    return (
        Line(segments(own, points[held]), "faint"),
        Dots(
            centres(points, labels),
            "released",
            about=tuple(
                f"centroid of {count} records"
                for count in np.unique(labels[held], return_counts=True)[1].tolist()
            ),
        ),
    )


def columns(records: Records) -> dict[str, FloatArray]:
    """The standardised values of each attribute, as a step's columns."""
    return {records.standardised(i): column for i, column in enumerate(records.points.T)}


def standardising(records: Records) -> tuple[Quantity, ...]:
    """What standardising subtracts and divides by, an attribute at a time."""
    return tuple(
        Quantity(
            f"{name}: mean ± sd",
            f"{number(float(column.mean()))} ± {number(float(column.std()))}",
            f"{records.unit(i)}; standardised = (value − mean)/sd",
        )
        for i, (name, column) in enumerate(zip(records.names, records.values.T, strict=True))
    )


def now(points: FloatArray, chosen: IntArray | list[int]) -> Dots:
    """Ring the records that a step looks at."""
    return Dots(points[chosen], "now")


def panel(
    records: Records, marks: tuple[Mark, ...], title: str = "", place: Place = LEFT, *, equal: bool = True
) -> Panel:
    """The plane of the first two standardised attributes."""
    one, other = records.standardised(0), records.standardised(1)
    reach = span(records.points[:, 0]), span(records.points[:, 1])
    return Panel(title, one, other, *reach, marks, place, equal)
