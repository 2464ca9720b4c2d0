"""Mic1D-k, step by step: all values in one vector, sorted, cut, normalised, twice; then means, and back.

A plain twin of `microagg.methods.mic1d`, part by part as the paper tells it (One Dimension Microaggregation,
§3). Ties keep the order of the cells, as in the solver. O(N log N) for N = n · p values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.lessons.lesson import Lesson, Quantity, Records, Step, number
from microagg.lessons.question import Question, choose, yes_or_no
from microagg.lessons.scene import THIRDS, Area, Dots, Line, Mark, Panel, segments, span
from microagg.measures.anonymity import real_anonymity
from microagg.methods.mic1d import mic1d

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray, IntArray


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
        f"{records.counted}. All {n} × {p} = {n * p} values go into one vector, record by record, whatever "
        "their attribute and its unit.",
        vector,
        file,
        quantities=(Quantity("N", n * p, "values; k counts these, not records"),),
    )
    run.show("Sort", "The vector is sorted, so that values of similar size are neighbours.", vector, by_value)
    run.show(
        "Cut into parts",
        f"Every k = {k} values make a part. {_hold(before, len(first))} values of both attributes.",
        vector,
        by_value,
        parts=first,
        quantities=(count,),
    )
    run.show(
        "Normalise each part",
        "Each part is scaled to [0, 1] by itself: (value − least)/(largest − least). Now a value says where "
        "it lies in its part, and no longer how large it is. A part of equal values gets 0.5.",
        vector,
        by_value,
        scaled=once,
        parts=first,
        quantities=(count,),
    )
    run.show(
        "Sort again, cut again",
        f"The normalised values are sorted and cut once more. {_hold(mixed, len(second))} values of both "
        f"attributes now, and {before} of {len(first)} did before.",
        vector,
        by_share,
        scaled=once,
        parts=second,
        quantities=(
            Quantity(
                "mixed", mixed, f"of {len(second)} parts hold values of both attributes; {before} did before"
            ),
        ),
    )
    run.show(
        "Normalise again",
        "Each new part is scaled to [0, 1] in the same way.",
        vector,
        by_share,
        scaled=twice,
        parts=second,
    )
    run.show(
        "Means",
        "Every value becomes the mean of its part (blue). Only this step loses anything: all others can be "
        "undone.",
        vector,
        by_share,
        scaled=means,
        parts=second,
        flat=True,
        quantities=(
            Quantity(
                "means", len(np.unique(means)), f"different values are left, of {len(np.unique(twice))}"
            ),
        ),
    )
    run.show(
        "Undo the second normalisation",
        "Each part goes back to the range that it had before it was normalised the second time.",
        vector,
        by_share,
        scaled=inner,
        parts=second,
        flat=True,
    )
    run.show(
        "Undo the first normalisation",
        "Each value goes back to the range of the part that it was in first. It has the size of its "
        "attribute again (left).",
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
        "Each value returns to its record and attribute. Nothing makes two records equal: Mic1D promises no "
        "k-anonymity, so k′ has to be measured.",
        outer,
        file,
        scaled=inner,
        flat=True,
        released=protected,
        quantities=(
            Quantity(
                "k′", anonymity.k_prime, "records that are equal, on average; 1: no record is like another"
            ),
            Quantity("smallest", anonymity.smallest_class, "records in the smallest class of equal ones"),
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
        records = self.records
        short = (name if len(name) <= 9 else f"{name[:8]}…" for name in records.names)
        which = ", ".join(f"{sign} {name}" for sign, name in zip("●■", short, strict=False))
        units = " or ".join(dict.fromkeys(records.unit(i) for i in range(len(records.names))))
        again = parts is not None and parts is not self.first
        kept, bands = (np.concatenate(self.first), self.first) if again else (order, parts)
        left = self._vector(vector, kept, bands, which, f"value, {units}", span(values), THIRDS[0])
        middle = self._vector(
            scaled, order, parts, "Normalised values", "share of the part's range", (-0.08, 1.08), THIRDS[1],
            flat=flat,
        )  # fmt: skip
        panels = left, middle, self._plane(released)
        result = released if released is not None else vector if scaled is None else scaled
        columns = self._columns(vector, order, scaled, parts)
        self.steps.append(Step(title, sentence, panels, result.copy(), quantities, columns))

    def _columns(
        self, vector: FloatArray, order: IntArray, scaled: FloatArray | None, parts: list[IntArray] | None
    ) -> dict[str, FloatArray | IntArray]:
        """The vector as it stands, back in cells, an attribute at a time."""
        records = self.records
        columns: dict[str, FloatArray | IntArray] = {}

        def put(title: str, cells: FloatArray | IntArray) -> None:
            for name, column in zip(records.names, cells.reshape(records.values.shape).T, strict=True):
                columns[f"{name}, {title}"] = column

        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(1, len(order) + 1)
        put("place in the vector", place)
        if parts is not None:
            part = np.empty(len(order), dtype=np.int64)
            for which, cells in enumerate(parts, 1):
                part[cells] = which
            put("part", part)
        if scaled is not None:
            put("share of its part's range", scaled)
        if not np.array_equal(vector, records.values.ravel()):
            put("put back", vector)
        return columns

    def _vector(
        self,
        vector: FloatArray | None,
        order: IntArray,
        parts: list[IntArray] | None,
        title: str,
        y: str,
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
        return Panel(title, "place in the vector", y, (-0.5, count + 0.5), up, tuple(marks), place)

    def _plane(self, released: FloatArray | None) -> Panel:
        values = self.records.values
        marks: list[Mark] = [Dots(values, "record", about=self.records.about)]
        if released is not None:
            marks += [Line(segments(values, released), "faint"), Dots(released, "released")]
        one, other = self.records.titled(0), self.records.titled(1)
        reach = span(values[:, 0]), span(values[:, 1])
        return Panel("The file", one, other, *reach, tuple(marks), THIRDS[2])


def questions(records: Records, k: int) -> tuple[Question, Question, Question]:
    """Ask about anonymity, about means, and about the largest k."""
    released = mic1d(records.values, k)
    return _anonymity(released, k), _means(records, released), _one_part(records, k)


def _anonymity(released: FloatArray, k: int) -> Question:
    found, n = real_anonymity(released, None, k), len(released)
    alone = int((found.sizes == 1).sum())
    return yes_or_no(
        f"k is {k}. Is every record equal to at least {k - 1} others now?",
        found.smallest_class >= k,
        f"k′ is {found.k_prime:.2f}, and {alone} of {n} records {'is' if alone == 1 else 'are'} like no "
        "other. k counts values here, not records.",
    )


def _means(records: Records, released: FloatArray) -> Question:
    moved = np.abs(released.mean(axis=0) - records.values.mean(axis=0))
    worst = int((moved / np.maximum(np.abs(records.values).max(axis=0), 1e-300)).argmax())
    kept = bool(np.allclose(released.mean(axis=0), records.values.mean(axis=0), rtol=1e-9, atol=1e-12))
    why = (
        "Here they are kept, but in general they are not."
        if kept
        else f"That of {records.names[worst]} moves by {number(float(moved[worst]))} ({records.unit(worst)})."
    )
    return yes_or_no(
        "Do the attributes keep their means, as they do where centroids are released?",
        kept,
        f"{why} A part can hold values of several attributes, and each goes back to a range of its own.",
    )


def _one_part(records: Records, k: int) -> Question:
    n, p = records.values.shape
    alike = real_anonymity(mic1d(records.values, n * p), None, k).k_prime
    why = f"All {n * p} values are one part and become one mean, in every cell. So all {n} records are equal."
    return choose(
        f"Which k′ comes out with the largest k, {n} × {p} = {n * p}?",
        (f"{alike:.0f}", f"{why} Nothing of use is left."),
        ("1", f"{why} k′ = 1 means that no record is like another."),
        (f"{n * p}", f"k′ counts records, and there are {n}."),
    )  # fmt: skip


def _hold(mixed: int, parts: int) -> str:
    """How many parts mix attributes, as the beginning of a sentence."""
    return f"{mixed} of {parts} parts {'holds' if mixed == 1 else 'hold'}"


LESSON = Lesson(
    name="mic1d",
    title="Mic1D",
    story=(
        "Protected in blocks, a file is k-anonymous in each block, but not in two of them together. Mic1D "
        "has no blocks: it puts all values into one vector and mixes the attributes there."
    ),
    reference="One Dimension Microaggregation §3, figure 3",
    reading=(
        "Left and middle: the vector, each attribute with its colour and shape; grey bands are every other "
        "part. Right: the records before (grey) and after (blue)."
    ),
    trace=trace,
    questions=questions,
    counts_values=True,
)
