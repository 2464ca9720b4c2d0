"""MDAV, step by step: the centroid of what is left, r farthest from it, s farthest from r, and their groups.

A plain twin of `microagg.methods.mdav` that stops to show what it does: exactly rounded centroids, squared
distances added attribute by attribute, ties to the lowest record index, so that the groups are the solver's
record by record. O(n²/k) distances, which is nothing for sixty records.
"""

from __future__ import annotations

from math import fsum, sqrt
from typing import TYPE_CHECKING

import numpy as np

from microagg.centroids import centroids
from microagg.lessons import plane
from microagg.lessons.lesson import Lesson, Quantity, Question, Records, Step, groups_of, listed
from microagg.lessons.scene import RIGHT, Dots, Line, Mark, Panel, circle, label, segments
from microagg.measures.loss import distortion
from microagg.methods import choices
from microagg.methods.mdav import mdav

if TYPE_CHECKING:
    from microagg.compiled import FloatArray, IntArray


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
        f"{len(records)} people, standardised so that both attributes weigh the same; nobody has a group "
        "yet.",
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
        centre = np.array([fsum(column) / len(left) for column in self.points[left].T])
        star: tuple[Mark, ...] = (Dots(centre[np.newaxis], "released"),)
        self.show(
            "The centroid of what is left",
            f"The average of the {len(left)} records without a group: the middle, from which the edge is "
            "looked for.",
            (*star, label(centre, "centroid", "released")),
            centre,
        )
        r = int(left[np.argmax(_squared(self.points[left], centre))])
        self.show(
            "r, the farthest record",
            f"Record {r + 1} lies farthest from the centroid. The edge goes first, because whoever stands "
            "alone there would spoil any group that is made later.",
            (*star, *self._ray(centre, r, "r")),
            centre,
            [r],
        )
        if pair:
            s = int(left[np.argmax(_squared(self.points[left], self.points[r]))])
            self.show(
                "s, farthest from r",
                f"Record {s + 1} lies farthest from r: the opposite edge, where the second group is made.",
                (*self._ray(self.points[r], s, "s"), label(self.points[r], "r", "now", "middle left")),
                self.points[r],
                [s],
            )
        self._group(r, "r")
        if pair:
            self._group(s, "s")

    def _group(self, query: int, name: str) -> None:
        left, centre = self.left, self.points[query]
        squared = _squared(self.points[left], centre)
        members = left[np.argsort(squared, kind="stable")[: self.k]]
        reach = sqrt(float(squared[np.isin(left, members)].max()))
        self.labels[members] = self.labels.max() + 1
        self.show(
            f"A group around {name}",
            f"{name} takes the {self.k - 1} nearest records that are free: {listed(members)} are a group of "
            f"k = {self.k}.",
            (
                Line(circle(centre, reach), "now", dashed=True),
                Line(segments(np.broadcast_to(centre, (self.k, 2)), self.points[members]), "now"),
                label(centre, name, "now", "middle left"),
            ),
            centre,
            members,
            (Quantity("radius", reach, "distance from the seed to its last member: small is a tight group"),),
        )

    def rest(self) -> None:
        """Group the last ones: k or more together, fewer each with the nearest centroid."""
        left = self.left
        if len(left) >= self.k or not (self.labels >= 0).any():
            self.labels[left] = self.labels.max() + 1
            self.show(
                "The rest",
                f"{len(left)} records are left, at least k and fewer than 2k: they are a group as they are, "
                "near each other or not. This is where MDAV pays for its haste.",
                chosen=left,
            )
            return
        held = plane.centres(self.points, self.labels)
        for record in left:
            self.labels[record] = np.argmin(_squared(held, self.points[record]))
            own = held[self.labels[record]]
            self.show(
                "Left over",
                f"Record {record + 1} is left over and joins the group with the nearest centroid, which may "
                "now have more than k.",
                (Line(np.stack([own, self.points[record]]), "now"),),
                self.points[record],
                [record],
            )

    def release(self) -> None:
        """Show the centroids that are released."""
        lost = distortion(self.points, self.labels)
        self.show(
            "What is released",
            "Every record is replaced by the centroid of its group: the members of a group cannot be told "
            "apart any more. The lines, as long as the distances at the right, are what is lost.",
            plane.stars(self.points, self.labels),
            centroids(self.points, self.labels),
            quantities=(
                Quantity("SSE/SST", lost, "share of the variance that is lost, 0 … 1; high is bad for use"),
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
        self.steps.append(Step(title, sentence, panels, self.labels.copy(), (*quantities, *counts)))

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
            "nearest first",
            "distance, standard deviations",
            (0.0, len(self.points) + 1.0),
            (-0.03 * widest, 1.08 * widest),
            marks,
            RIGHT,
        )


def _squared(points: FloatArray, query: FloatArray) -> FloatArray:
    total = np.zeros(len(points))
    for column, value in zip(points.T, query, strict=True):
        total += (column - value) ** 2
    return total


def questions(records: Records, k: int, *, tail: str = "generic") -> tuple[Question, Question, Question]:
    """Ask about sizes, about the loss, and about a larger k."""
    labels = mdav(records.points, k, tail=tail)  # type: ignore[arg-type]
    sizes = np.bincount(labels)
    larger = min(k + 1, len(records) // 2)
    losses = [100 * distortion(records.points, mdav(records.points, size)) for size in (k, larger)]
    worst = int(np.argmax(_squared(records.points, records.points.mean(axis=0))))
    own = np.flatnonzero(labels == labels[worst])
    return (
        Question(
            f"How many groups come out of {len(records)} records with k = {k}, and how large are they?",
            f"{len(sizes)} groups of {', '.join(map(str, sizes.tolist()))} records: k each, and the last "
            "ones take what is left over.",
        ),
        Question(
            "Who is in the group of the record farthest from the average, and why is that group made first?",
            f"Record {worst + 1} is farthest out; its group is {listed(own)}. Made last, it would have to "
            "take whoever remains, from anywhere.",
        ),
        Question(
            f"Does the loss grow if k goes from {k} to {larger}?",
            f"SSE/SST is {losses[0]:.2f} % with k = {k} and {losses[1]:.2f} % with k = {larger}. "
            + (
                "Larger groups usually lose more."
                if losses[1] >= losses[0]
                else "It falls here: MDAV is a heuristic, and only the best possible loss must grow with k."
            ),
        ),
    )


LESSON = Lesson(
    name="mdav",
    title="MDAV",
    story=(
        "Finding the best groups of several attributes is too hard to be exact. MDAV works from the edges "
        "inwards: it gives company to whoever is loneliest first."
    ),
    reference="Domingo-Ferrer & Torra 2005; Statistical Dependence §III.B; One Dimension "
    "Microaggregation, Algorithm 2",
    reading=(
        "Left: the records; a group has its colour and shape. Right: how far everybody free is from the "
        "point looked at."
    ),
    trace=trace,
    questions=questions,
    options=(choices.TAIL,),
)
