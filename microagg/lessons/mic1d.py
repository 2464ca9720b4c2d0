"""Mic1D-k, step by step: all values in one vector, sorted, cut, normalised, twice; then means, and back.

A plain twin of `microagg.methods.mic1d`, part by part as the paper tells it (One Dimension Microaggregation,
§3). Ties keep the order of the cells, as in the solver. O(N log N) for N = n · p values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.lessons.lesson import Lesson, Quantity, Question, Records, Step
from microagg.lessons.scene import THIRDS, Area, Dots, Line, Mark, Panel, segments, span
from microagg.measures.anonymity import real_anonymity
from microagg.methods.mic1d import mic1d

if TYPE_CHECKING:
    from microagg.compiled import FloatArray, IntArray


def cut(vector: FloatArray, k: int) -> list[IntArray]:
    """Places of the values of each part: sorted, every k of them.

    Examples
    --------
    >>> [part.tolist() for part in cut(np.array([3.0, 1.0, 2.0]), 2)]
    [[1, 2], [0]]
    """
    order = np.argsort(vector, kind="stable")
    return [order[i : i + k] for i in range(0, len(vector), k)]


def normalised(vector: FloatArray, parts: list[IntArray]) -> FloatArray:
    """Each part mapped to [0, 1]; a constant one to 0.5."""
    scaled = np.full_like(vector, 0.5)
    for part in parts:
        low, width = vector[part].min(), np.ptp(vector[part])
        if width > 0:
            scaled[part] = (vector[part] - low) / width
    return scaled


def restored(scaled: FloatArray, vector: FloatArray, parts: list[IntArray]) -> FloatArray:
    """Undo `normalised`: back to the range that each part had in ``vector``."""
    back = np.empty_like(scaled)
    for part in parts:
        back[part] = vector[part].min() + np.ptp(vector[part]) * scaled[part]
    return back


def trace(records: Records, k: int) -> tuple[Step, ...]:
    """Walk through Mic1D-k.

    Parameters
    ----------
    records : Records
    k : int
        Values, not records, a part.

    Returns
    -------
    tuple of Step
        ``result``: the vector as it stands; (n, p) protected values in the last step.
    """
    run = _Run(records, cut(records.values.ravel(), k))
    n, p = records.values.shape
    vector = records.values.ravel()
    first = run.first
    once = normalised(vector, first)
    second = cut(once, k)
    twice = normalised(once, second)
    means = np.empty_like(twice)
    for part in second:
        means[part] = twice[part].mean()
    inner = restored(means, once, second)
    outer = restored(inner, vector, first)
    file, by_value, by_share = np.arange(n * p), np.concatenate(first), np.concatenate(second)
    count = Quantity("parts", len(first), f"of {k} values; the last may be shorter")
    mixed = sum(len(set((part % p).tolist())) > 1 for part in second)
    before = sum(len(set((part % p).tolist())) > 1 for part in first)
    run.show(
        "One vector",
        f"All {n} × {p} = {n * p} values go into one vector, record by record, and forget which attribute "
        "they come from.",
        vector,
        file,
        quantities=(Quantity("N", n * p, "values; k counts these, not records"),),
    )
    run.show("Sort", "The vector is sorted, so that similar values are neighbours.", vector, by_value)
    run.show(
        "Cut into parts",
        f"Every k = {k} values are a part. Attributes of different size still lie apart: {before} of "
        f"{len(first)} parts hold values of both.",
        vector,
        by_value,
        parts=first,
        quantities=(count,),
    )
    run.show(
        "Normalise each part",
        "Each part is stretched to [0, 1] on its own: now a value says only where it lies within its part, "
        "and sizes no longer tell attributes apart.",
        vector,
        by_value,
        scaled=once,
        parts=first,
        quantities=(count,),
    )
    run.show(
        "Sort again, cut again",
        f"The normalised values are sorted and cut once more. Now the attributes mingle: {mixed} of "
        f"{len(second)} parts hold values of both.",
        vector,
        by_share,
        scaled=once,
        parts=second,
        quantities=(Quantity("mixed", mixed, f"parts with values of several attributes; {before} before"),),
    )
    run.show(
        "Normalise again",
        "Each new part is stretched to [0, 1] in its turn.",
        vector,
        by_share,
        scaled=twice,
        parts=second,
    )
    run.show(
        "Means",
        "Every value becomes the mean of its part. This is the only step that loses anything.",
        vector,
        by_share,
        scaled=means,
        parts=second,
        flat=True,
        quantities=(Quantity("means", len(second), "distinct values that are left, or fewer"),),
    )
    run.show(
        "Undo the second normalisation",
        "The means go back to the range that their part had among the normalised values.",
        vector,
        by_share,
        scaled=inner,
        parts=second,
        flat=True,
    )
    run.show(
        "Undo the first normalisation",
        "And from there back to the range of the part that each value came from: values of one size again.",
        outer,
        by_value,
        scaled=inner,
        parts=first,
        flat=True,
    )
    protected = outer.reshape(n, p)
    anonymity = real_anonymity(protected, None, k)
    run.show(
        "Back into the cells",
        "Each value returns to its record and attribute. Nothing makes two records equal: k-anonymity is not "
        "promised, so k′ must be looked at.",
        outer,
        file,
        scaled=inner,
        flat=True,
        released=protected,
        quantities=(
            Quantity(
                "k′", anonymity.k_prime, "records that look alike, on average; 1 is no protection by it"
            ),
            Quantity("smallest", anonymity.smallest_class, "size of the smallest class of equal records"),
        ),
    )
    return tuple(run.steps)


class _Run:
    """Three panels: the values, the normalised values, and the records in the plane."""

    def __init__(self, records: Records, first: list[IntArray]) -> None:
        self.records, self.first = records, first
        self.column = np.tile(np.arange(len(records.names)), len(records))
        self.steps: list[Step] = []

    def show(
        self,
        title: str,
        sentence: str,
        vector: FloatArray,
        order: IntArray,
        *,
        scaled: FloatArray | None = None,
        parts: list[IntArray] | None = None,
        flat: bool = False,
        released: FloatArray | None = None,
        quantities: tuple[Quantity, ...] = (),
    ) -> None:
        """Add a step; values stand in the vector's ``order``."""
        values = self.records.values.ravel()
        which = ", ".join(f"{sign} {name}" for sign, name in zip("●■", self.records.names, strict=False))
        again = parts is not None and parts is not self.first
        kept, bands = (np.concatenate(self.first), self.first) if again else (order, parts)
        left = self._vector(vector, kept, bands, f"Values: {which}", span(values), THIRDS[0])
        middle = self._vector(scaled, order, parts, "Normalised values", (-0.08, 1.08), THIRDS[1], flat=flat)
        panels = left, middle, self._plane(released)
        result = released if released is not None else vector if scaled is None else scaled
        self.steps.append(Step(title, sentence, panels, result.copy(), quantities))

    def _vector(
        self,
        vector: FloatArray | None,
        order: IntArray,
        parts: list[IntArray] | None,
        title: str,
        up: tuple[float, float],
        place: tuple[float, float, float, float],
        *,
        flat: bool = False,
    ) -> Panel:
        marks: list[Mark] = []
        count = len(order)
        if parts is not None and vector is not None:
            edges = np.cumsum([0, *map(len, parts)]).astype(np.float64)
            low = np.stack([edges[:-1], np.full(len(parts), up[0])], axis=1)[::2]
            high = np.stack([edges[1:], np.full(len(parts), up[1])], axis=1)[::2]
            marks.append(Area(low, high, "faint"))
        if vector is not None:
            at = np.stack([np.arange(count) + 0.5, vector[order]], axis=1)
            about = tuple(
                f"{self.records.names[self.column[i]]} of record {i // len(self.records.names) + 1}"
                for i in order.tolist()
            )
            marks.append(Dots(at, "group", self.column[order], about=about))
            if flat and parts is not None:
                edges = np.cumsum([0, *map(len, parts)])
                heights = np.array([vector[part].mean() for part in parts])
                ends = (np.stack([edge, heights], axis=1) for edge in (edges[:-1] + 0.1, edges[1:] - 0.1))
                marks.append(Line(segments(*ends), "released", wide=True))
        return Panel(title, "place in the vector", "", (-0.5, count + 0.5), up, tuple(marks), place)

    def _plane(self, released: FloatArray | None) -> Panel:
        values = self.records.values
        marks: list[Mark] = [Dots(values, "record", about=self.records.about)]
        if released is not None:
            marks += [Line(segments(values, released), "faint"), Dots(released, "released")]
        one, other = self.records.names[:2]
        reach = span(values[:, 0]), span(values[:, 1])
        return Panel("The file", one, other, *reach, tuple(marks), THIRDS[2])


def questions(records: Records, k: int) -> tuple[Question, Question, Question]:
    """Ask about anonymity, about means, and about the largest k."""
    protected = mic1d(records.values, k)
    n, p = protected.shape
    anonymity = real_anonymity(protected, None, k)
    moved = np.abs(protected.mean(axis=0) - records.values.mean(axis=0))
    worst = int(moved.argmax())
    alone = int((anonymity.sizes == 1).sum())
    large = real_anonymity(mic1d(records.values, n * p), None, k)
    return (
        Question(
            f"k is {k}. Does every record look like {k - 1} others now?",
            f"{'Yes' if anonymity.smallest_class >= k else 'No'}: k′ is {anonymity.k_prime:.2f}, and "
            f"{alone} of {n} records are like no other. k counts values here, not records.",
        ),
        Question(
            "Are the attributes' means kept, as they are by centroids?",
            f"Not in general: the mean of {records.names[worst]} moves by {moved[worst]:.3g}. A part mixes "
            "values of several attributes, and undoing the normalisation weighs them differently.",
        ),
        Question(
            f"What happens with the largest k, {n * p}, where all values are one part?",
            f"One mean is left, so every cell gets the same value: k′ would be {large.k_prime:.0f}, and "
            "nothing of use would be left.",
        ),
    )


LESSON = Lesson(
    name="mic1d",
    title="Mic1D",
    story=(
        "Blocks of attributes lose k-anonymity as soon as an intruder knows two of them. Mic1D has no "
        "blocks: it throws all values into one vector and mixes attributes until they cannot be told "
        "apart."
    ),
    reference="One Dimension Microaggregation §3, figure 3",
    reading=(
        "Left and middle: the vector, each attribute with its colour and shape; bands are parts. Right: "
        "the records before (grey) and after (blue)."
    ),
    trace=trace,
    questions=questions,
    counts_values=True,
)
