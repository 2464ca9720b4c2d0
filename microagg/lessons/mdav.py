"""MDAV, step by step: the centroid of what is left, r farthest from it, s farthest from r, and their groups.

A plain twin of `microagg.methods.mdav` that stops to show what it does: exactly rounded centroids, squared
distances added attribute by attribute, ties to the lowest record index, so that the groups are the solver's
record by record. O(n²/k) distances, which is nothing for sixty records.
"""

from __future__ import annotations

from math import fsum, sqrt
from typing import TYPE_CHECKING

import numpy as np

from microagg.lessons import plane
from microagg.lessons.lesson import (
    DEVIATIONS,
    Lesson,
    Quantity,
    Records,
    Step,
    groups_of,
    listed,
    squared,
)
from microagg.lessons.question import Question, choose, yes_or_no
from microagg.lessons.scene import RIGHT, Dots, Line, Mark, Panel, circle, label, segments
from microagg.measures.loss import distortion
from microagg.methods import shared_options
from microagg.methods.mdav import mdav
from microagg.protection.centroids import centroids

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray, IntArray


def trace(records: Records, k: int, *, tail: str = "generic") -> tuple[Step, ...]:
    """Walk through MDAV.

    Parameters
    ----------
    records : Records
    k : int
    tail : {"generic", "join nearest"}

    Returns
    -------
    tuple of Step
    """
    run = _Run(records, k)
    run.show(
        "The records",
        f"{records.counted}. Both attributes are standardised, so that they weigh the same: 1 on an axis is "
        "one standard deviation. No record has a group yet.",
        quantities=plane.standardising(records),
    )
    while len(run.left) >= 2 * k:
        run.round(pair=len(run.left) >= (3 * k if tail == "generic" else 2 * k))
    run.rest()
    run.release()
    return tuple(run.steps)


class _Run:
    """The groups so far, and the steps that were shown."""

    def __init__(self, records: Records, k: int) -> None:
        self.records, self.k, self.points = records, k, records.points
        self.labels = np.full(len(records), -1)
        self.steps: list[Step] = []

    @property
    def left(self) -> IntArray:
        """Records without a group, ascending."""
        return np.flatnonzero(self.labels < 0)

    def round(self, *, pair: bool) -> None:
        """Find the ends and make one group, or two."""
        left = self.left
        centre = _centroid(self.points[left])
        star: tuple[Mark, ...] = (Dots(centre[np.newaxis], "released"),)
        self.show(
            "The centroid of what is left",
            f"MDAV averages the {len(left)} records that have no group. From this centroid it looks for the "
            "edge.",
            (*star, label(centre, "centroid", "released")),
            centre,
        )
        r = int(left[np.argmax(_squared(self.points[left], centre))])
        self.show(
            "r, the farthest record",
            f"Record {r + 1} lies farthest from the centroid. The edge is grouped first, because an outlying "
            "record would spoil any group that is made later.",
            (*star, *self._ray(centre, r, "r")),
            centre,
            [r],
        )
        if pair:
            s = int(left[np.argmax(_squared(self.points[left], self.points[r]))])
            self.show(
                "s, farthest from r",
                f"Record {s + 1} lies farthest from r. There, at the opposite edge, a second group is made.",
                (*self._ray(self.points[r], s, "s"), label(self.points[r], "r", "now", "middle left")),
                self.points[r],
                [s],
            )
        self._group(r, "r")
        if pair:
            self._group(s, "s")

    def _group(self, query: int, name: str) -> None:
        left, centre = self.left, self.points[query]
        away = _squared(self.points[left], centre)
        members = left[np.argsort(away, kind="stable")[: self.k]]
        reach = sqrt(float(away[np.isin(left, members)].max()))
        self.labels[members] = self.labels.max() + 1
        self.show(
            f"A group around {name}",
            f"{name} and the {_nearest(self.k - 1)} without a group make a group of k = {self.k}: "
            f"{listed(members)}.",
            (
                Line(circle(centre, reach), "now", dashed=True),
                Line(segments(np.broadcast_to(centre, (self.k, 2)), self.points[members]), "now"),
                label(centre, name, "now", "middle left"),
            ),
            centre,
            members,
            (
                Quantity(
                    "radius", reach, f"{DEVIATIONS}: distance from {name} to the farthest record of its group"
                ),
            ),
        )

    def rest(self) -> None:
        """Group the last ones: k or more together, fewer each with the nearest centroid."""
        left = self.left
        if len(left) >= self.k or not (self.labels >= 0).any():
            self.labels[left] = self.labels.max() + 1
            self.show(
                "The rest",
                f"{len(left)} records are left: at least k and fewer than 2k. They become a group as they "
                "are, whether they lie close together or not.",
                chosen=left,
            )
            return
        held = plane.centres(self.points, self.labels)
        for record in left:
            self.labels[record] = np.argmin(_squared(held, self.points[record]))
            own = held[self.labels[record]]
            self.show(
                "Left over",
                f"Record {record + 1} is left over. It joins the group with the nearest centroid, which now "
                f"has {int((self.labels == self.labels[record]).sum())} records.",
                (Line(np.stack([own, self.points[record]]), "now"),),
                self.points[record],
                [record],
            )

    def release(self) -> None:
        """Show the centroids that are released."""
        lost = distortion(self.points, self.labels)
        sse = float(np.square(self.points - centroids(self.points, self.labels)).sum())
        self.show(
            "What is released",
            "Every record is replaced by the centroid of its group (blue). The records of a group are now "
            "equal. The distances at the right are the lengths of the grey lines; SSE adds up their "
            "squares.",
            plane.stars(self.points, self.labels),
            centroids(self.points, self.labels),
            quantities=(
                Quantity("SSE/SST", lost, "share of the variance that is lost, 0 … 1; low is good for use"),
                Quantity(
                    "SSE",
                    sse,
                    f"{squared(DEVIATIONS)}: squared distances to the centroids, added",
                ),
            ),
        )

    def show(
        self,
        title: str,
        sentence: str,
        marks: tuple[Mark, ...] = (),
        query: FloatArray | None = None,
        chosen: IntArray | list[int] | tuple[()] = (),
        quantities: tuple[Quantity, ...] = (),
    ) -> None:
        """Add a step: the plane, and beside it the distances from ``query``, one point or one a record."""
        chosen = np.array(chosen, dtype=np.int64)
        drawn = (*plane.cloud(self.points, self.labels, self.records.about), *marks)
        if len(chosen):
            drawn = (*drawn, plane.now(self.points, chosen))
        panels = (plane.panel(self.records, drawn, "The records"), self._distances(query, chosen))
        counts = (
            Quantity(
                "groups", groups_of(self.labels), f"made so far; each has at least k = {self.k} records"
            ),
            Quantity("left", len(self.left), "records that have no group yet"),
        )
        columns = plane.columns(self.records)
        if query is not None:
            ends = query if query.ndim == 1 else query.T
            columns[f"distance, {DEVIATIONS}"] = np.sqrt(_squared(self.points, ends))
        self.steps.append(Step(title, sentence, panels, self.labels.copy(), (*quantities, *counts), columns))

    def _ray(self, start: FloatArray, end: int, name: str) -> tuple[Mark, ...]:
        there = self.points[end]
        return Line(np.stack([start, there]), "now", wide=True), label(there, name, "now", "middle left")

    def _distances(self, query: FloatArray | None, chosen: IntArray) -> Panel:
        """Sorted distances of who is free or was just chosen from a point, or of everybody from their own."""
        marks: tuple[Mark, ...] = ()
        if query is not None:
            seen = np.union1d(self.left, chosen) if query.ndim == 1 else np.arange(len(self.points))
            ends = query if query.ndim == 1 else query[seen].T
            distances = np.sqrt(_squared(self.points[seen], ends))
            order = np.argsort(distances, kind="stable")
            at = np.stack([np.arange(1.0, len(seen) + 1), distances[order]], axis=1)
            names = tuple(str(i + 1) for i in seen[order]) if len(self.points) <= plane.NAMED else ()
            about = tuple(self.records.about[i] for i in seen[order])
            marks = (Dots(at, "record", None, names, about),)
            marks += (Dots(at[np.isin(seen[order], chosen)], "now"),)
        widest = float(np.sqrt(np.square(np.ptp(self.points, axis=0)).sum())) or 1.0
        return Panel(
            "Distances, sorted",
            "place, nearest first",
            f"distance, {DEVIATIONS}",
            (0.0, len(self.points) + 1.0),
            (-0.03 * widest, 1.08 * widest),
            marks,
            RIGHT,
        )


def _centroid(points: FloatArray) -> FloatArray:
    return np.array([fsum(column) / len(points) for column in points.T])


def _nearest(count: int) -> str:
    return "nearest record" if count == 1 else f"{count} nearest records"


def _squared(points: FloatArray, query: FloatArray) -> FloatArray:
    total = np.zeros(len(points))
    for column, value in zip(points.T, query, strict=True):
        total += (column - value) ** 2
    return total


def questions(records: Records, k: int, *, tail: str = "generic") -> tuple[Question, Question, Question]:
    """Ask about sizes, about the first group, and about another k."""
    labels = mdav(records.points, k, tail=tail)  # type: ignore[arg-type]
    return _sizes(labels, k), _farthest(records, k, labels), _another(records, k, tail)


def _sizes(labels: IntArray, k: int) -> Question:
    sizes, n = np.bincount(labels), len(labels)
    more = -(-n // k)
    return choose(
        f"How many groups come out of {n} records with k = {k}?",
        (f"{len(sizes)}", f"Their sizes are {listed(sizes - 1)}: k each, but for the last records."),
        (f"{more}", f"{more} groups of k = {k} would need {more * k} records."),
        (f"{len(sizes) + 1}", f"There are {len(sizes)}. No group may have fewer than k = {k} records."),
        (f"{k}", "k is the least size of a group, not the number of groups."),
    )  # fmt: skip


def _farthest(records: Records, k: int, labels: IntArray) -> Question:
    away = _squared(records.points, _centroid(records.points))
    worst = int(np.argmax(away))
    own = np.flatnonzero(labels == labels[worst])
    outer = np.sort(np.argsort(-away, kind="stable")[:k])
    inner = np.sort(np.append(np.argsort(away, kind="stable")[: k - 1], worst))
    joined = " A record that was left over joined them." if len(own) > k else ""
    return choose(
        f"Record {worst + 1} lies farthest from the average of all. Which records are in its group?",
        (listed(own), f"Record {worst + 1} is the first r, and r takes its nearest records.{joined}"),
        (listed(outer), "Those are farthest from the average too, but they need not be close to each other."),
        (listed(inner), "Apart from it, those are nearest to the average. r takes those nearest to itself."),
        ("It has no group", f"Every record has a group of at least k = {k}."),
    )  # fmt: skip


def _another(records: Records, k: int, tail: str) -> Question:
    other = k + 1 if k + 1 <= len(records) // 2 or k == 2 else k - 1
    low, high = sorted((k, other))
    losses = [
        100 * distortion(records.points, mdav(records.points, size, tail=tail))  # type: ignore[arg-type]
        for size in (low, high)
    ]
    why = f"SSE/SST is {losses[0]:.2f} % with k = {low} and {losses[1]:.2f} % with k = {high}."
    grows = losses[1] > losses[0] * (1 + 1e-12)
    why += (
        " Larger groups mostly lose more."
        if grows
        else " MDAV is a heuristic. Only the best possible loss never falls when k grows."
    )
    return yes_or_no(f"Does MDAV lose more with k = {high} than with k = {low}?", grows, why)


LESSON = Lesson(
    name="mdav",
    title="MDAV",
    story=(
        "With several attributes the best groups cannot be found in reasonable time. MDAV is a fast "
        "heuristic: it groups the outermost records first and works inwards."
    ),
    reference="Domingo-Ferrer & Torra 2005; Statistical Dependence §V.A; One Dimension "
    "Microaggregation §2.2, Algorithm 2",
    reading=(
        "Left: the records; a group has its colour and shape. Right: how far each record that is looked at "
        "lies from the centroid, r or s."
    ),
    trace=trace,
    questions=questions,
    options=(shared_options.TAIL,),
)
