"""The intruder's side: linking records, closing intervals, and what blocks do to anonymity.

The file is protected twice: all attributes as one block, then each attribute as a block of its own
(`microagg.lessons.intruder`). The lesson ends with the count of potential cells of Statistical Dependence
§V.C, ⌊n/k⌋ to the power ⌊m/b⌋.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from microagg.lessons import plane
from microagg.lessons.intruder import KNOWN, Release, potential_cells, protected, reach
from microagg.lessons.lesson import Lesson, Quantity, Question, Records, Step, listed
from microagg.lessons.scene import Dots, Line, Mark, Panel, Word, label, segments, span
from microagg.measures.anonymity import RealAnonymity, classes
from microagg.measures.intervals import WIDTHS, interval_disclosure
from microagg.measures.linkage import nearest_candidates
from microagg.measures.matching import scaled_sides
from microagg.methods import METHODS
from microagg.methods.method import Option

if TYPE_CHECKING:
    from microagg.compiled import FloatArray

LEFT = (0.0, 0.5, 0.0, 1.0)
UPPER, LOWER = (0.6, 1.0, 0.51, 1.0), (0.6, 1.0, 0.0, 0.46)
MOST_BLOCKS = 6
CENSUS = (1080, 10)


def trace(records: Records, k: int, *, method: str = "mdav", record: int = 0) -> tuple[Step, ...]:
    """Walk through the attacks.

    Parameters
    ----------
    records : Records
    k : int
    method : {"mdav", "pcp", "kward"}
        How the file is protected.
    record : int
        Whom the intruder looks for first.

    Returns
    -------
    tuple of Step
        ``result``: (n,) classes of records that are released alike; −1 before anything is.
    """
    run = _Run(records, k, method, record)
    run.protect()
    run.link()
    run.intervals()
    run.blocks()
    return tuple(run.steps)


class _Run:
    """Both releases, and the steps that were shown."""

    def __init__(self, records: Records, k: int, method: str, record: int) -> None:
        self.records, self.k, self.method, self.record = records, k, method, record
        self.whole = protected(records, k, method, blocks=False)
        self.apart = protected(records, k, method, blocks=True)
        self.steps: list[Step] = []

    def protect(self) -> None:
        """Show the file before and after."""
        n, alike = len(self.records), self.whole.anonymity
        self._show(
            "The file",
            f"{n} people, standardised. Both attributes can be known to somebody outside: they are "
            "quasi-identifiers.",
            self._people(),
            release=None,
        )
        self._show(
            f"Protect with {METHODS[self.method].title}",
            f"In groups of at least k = {self.k}, everybody is replaced by their group's centroid (blue): "
            f"{len(alike.sizes)} different records are released.",
            (*plane.stars(self.records.points, self.whole.labels[0]), *self._people()),
            quantities=_anonymity(alike),
        )

    def link(self) -> None:
        """Link one released record, then all of them."""
        desk, people = scaled_sides(self.whole.original, self.whole.protected, "protected to original")
        self._show(
            "The intruder's chair",
            "The intruder has the names with the true values (grey) and the release (blue). To allow for the "
            "lost spread, both are standardised, each by itself: the centroids move outwards.",
            (*self._people(people), Dots(desk, "released")),
        )
        order, distances = nearest_candidates(self.whole.original, self.whole.protected, KNOWN, self.record)
        near, i = int(order[0]), self.record
        links = self.whole.links
        tied = int(links.candidates[i])
        verdict = (
            f"That is right, with a chance of 1 in {tied}." if links.credit[i] > 0 and tied > 1
            else "That is the right one: found again." if links.credit[i] > 0
            else f"That is wrong: it is record {i + 1}, at {links.own[i]:.2f}."
        )  # fmt: skip
        self._show(
            "Link one record",
            f"The release of record {i + 1} lies nearest to record {near + 1}, at {distances[0]:.2f}. "
            f"{verdict}",
            (
                *self._people(people),
                Dots(desk, "released"),
                Line(segments(desk[[i]], people[[i]]), "faint", dashed=True),
                Line(
                    segments(desk[[i]], people[[near]]), "risk" if links.credit[i] > 0 else "now", wide=True
                ),
                Dots(np.stack([people[i], desk[i]]), "now"),
            ),
            quantities=(
                Quantity("nearest", float(distances[0]), f"distance to record {near + 1}"),
                Quantity("own", float(links.own[i]), f"distance to record {i + 1}, which it is"),
            ),
        )
        self._link_all(
            self.whole, "Link everybody",
            "Of each group at most one can lie nearest to the centroid that all of them share, so the share "
            "found again is at most groups/n, and that at most 1/k.",
            f"groups / n = {len(self.whole.anonymity.sizes)}/{len(self.records)}",
        )  # fmt: skip

    def _link_all(self, release: Release, title: str, why: str, bound: str) -> None:
        desk, people = scaled_sides(release.original, release.protected, "protected to original")
        hit = np.flatnonzero(release.links.credit > 0)
        found = f"Records {listed(hit)} are found again. " if len(hit) > 1 else ""
        found = found or (f"Record {listed(hit)} is found again. " if len(hit) else "Nobody is found again. ")
        self._show(
            title,
            found + why,
            (
                Line(segments(desk, people), "faint"),
                *self._people(people),
                Dots(desk, "released"),
                Line(segments(desk[hit], people[hit]), "risk", wide=True),
                Dots(people[hit], "risk"),
            ),
            release=release,
            blocks=2 if release is self.apart else 1,
            quantities=(
                Quantity("DLD", release.dld, "share of the records found again, 0 … 1; high is dangerous"),
                Quantity("bound", bound, "the most that DLD can be where groups are of whole records"),
            ),
        )

    def intervals(self) -> None:
        """Show who lies close to the released value, attribute by attribute."""
        shares = interval_disclosure(self.whole.original, self.whole.protected).by_attribute
        for column, name in enumerate(self.records.names):
            ranks, positions = reach(self.whole.original[:, column], self.whole.protected[:, column])
            inside = np.abs(ranks - positions) <= 0.1 * len(ranks)
            self._show(
                f"Intervals around {name}",
                f"No link is needed to learn something: {inside.sum()} of {len(ranks)} true values of "
                f"{name} lie within a tenth of all ranks of the value released for them (orange, between "
                "the lines).",
                (*plane.stars(self.records.points, self.whole.labels[0]), *self._people()),
                column=column,
                quantities=(
                    Quantity("within 10 %", float(inside.mean()), "share inside the widest interval"),
                    Quantity(
                        "ID", float(shares[column]), f"averaged over widths 1 % … {WIDTHS} %; low is safe"
                    ),
                ),
            )

    def blocks(self) -> None:
        """Protect attribute by attribute, and count what that leaves of anonymity."""
        n, apart = len(self.records), self.apart
        points, one, other = self.records.points, *self.apart.labels
        sizes = len(np.unique(one)), len(np.unique(other))
        strips = self._strips()
        self._show(
            "Two blocks",
            f"Now each attribute is protected by itself: {sizes[0]} groups of {self.records.names[0]}, "
            f"{sizes[1]} of {self.records.names[1]}. Little is lost, since groups need be near in one "
            f"attribute only, but together they cut the plane into {sizes[0] * sizes[1]} cells.",
            (*strips, *self._people()),
            release=apart,
            blocks=2,
            quantities=_anonymity(apart.anonymity),
        )
        first, labels = classes(apart.protected)
        alone = np.flatnonzero(np.bincount(labels)[labels] == 1)
        held = self._standardised(apart.protected)
        self._show(
            "How k′ collapses",
            f"Everybody is released at the crossing of two centroids. {len(first)} cells are occupied, by "
            f"{n / len(first):.2f} records on average: k′ was {self.whole.anonymity.k_prime:.2f} with one "
            f"block. {len(alone)} are alone in theirs (orange).",
            (
                *strips,
                Line(segments(points, held), "faint"),
                *self._people(),
                Dots(held[first], "released"),
                Dots(points[alone], "risk"),
            ),
            release=apart,
            blocks=2,
            quantities=_anonymity(apart.anonymity),
        )
        self._link_all(
            apart, "Link again",
            f"With one block it was {100 * self.whole.dld:.0f} % of the records, now it is "
            f"{100 * apart.dld:.0f} %: the bound no longer holds.",
            f"1/k = {1 / self.k:.2f}, with one block",
        )  # fmt: skip
        cells = potential_cells(n, self.k, 2)
        self._show(
            "The count of potential cells",
            f"⌊n/k⌋ groups a block make ⌊n/k⌋ to the power ⌊m/b⌋ cells: {n // self.k}² = {cells} here. In "
            "the paper's Census file, 6 attributes in blocks of 2 make 108³ = 1,259,712 cells for 1,080 "
            "records: nearly everybody is alone.",
            (*strips, *self._people(), Dots(held[first], "released")),
            release=apart,
            blocks=MOST_BLOCKS,
            quantities=(
                Quantity("cells here", cells, f"⌊{n}/{self.k}⌋², for {n} records"),
                Quantity("Census", potential_cells(*CENSUS, 3), "⌊1080/10⌋³, for 1,080 records"),
                *_anonymity(apart.anonymity),
            ),
        )

    def _people(self, at: FloatArray | None = None) -> tuple[Mark, ...]:
        points = self.records.points if at is None else at
        return plane.cloud(points, np.full(len(points), -1), self.records.about)

    def _standardised(self, values: FloatArray) -> FloatArray:
        """Released values on the scale of the standardised originals."""
        original = self.records.values
        spread = original.std(axis=0)
        return np.asarray((values - original.mean(axis=0)) / np.where(spread == 0, 1.0, spread))

    def _strips(self) -> tuple[Mark, ...]:
        """Centroids of each attribute's groups, as lines across the plane."""
        held, (across, up) = self._standardised(self.apart.protected), self._spans
        x, y = (np.unique(held[:, column]) for column in (0, 1))
        upright = segments(*(np.stack([x, np.full_like(x, end)], axis=1) for end in up))
        flat = segments(*(np.stack([np.full_like(y, end), y], axis=1) for end in across))
        return (Line(upright, "released", dashed=True), Line(flat, "released", dashed=True))

    @cached_property
    def _spans(self) -> tuple[tuple[float, float], tuple[float, float]]:
        sides = [self.records.points]
        for release in (self.whole, self.apart):
            sides += scaled_sides(release.original, release.protected, "protected to original")
        every = np.concatenate(sides)
        return span(every[:, 0]), span(every[:, 1])

    def _show(
        self,
        title: str,
        sentence: str,
        marks: tuple[Mark, ...],
        quantities: tuple[Quantity, ...] = (),
        *,
        release: Release | str | None = "whole",
        column: int = 0,
        blocks: int = 0,
    ) -> None:
        held: Release | None = self.whole if release == "whole" else release  # type: ignore[assignment]
        result = np.full(len(self.records), -1) if held is None else classes(held.protected)[1]
        one, other = (f"{name}, standardised" for name in self.records.names)
        shown = Panel("The records", one, other, *self._spans, marks, LEFT)
        panels = shown, self._ranks(held, column), self._cells(blocks or (1 if held is self.whole else 0))
        self.steps.append(Step(title, sentence, panels, result, quantities))

    def _ranks(self, release: Release | None, column: int) -> Panel:
        """True rank against the rank of the released value; between the lines a value is disclosed."""
        n = len(self.records)
        marks: list[Mark] = []
        if release is not None:
            ranks, positions = reach(release.original[:, column], release.protected[:, column])
            ends = np.array([0.0, n + 1.0])
            marks += [
                Line(np.stack([ends, ends + way * 0.1 * n], axis=1), "risk", dashed=True) for way in (-1, 1)
            ]
            inside = np.abs(ranks - positions) <= 0.1 * n
            at = np.stack([positions, ranks], axis=1)
            for meaning, chosen in (("record", ~inside), ("risk", inside)):
                told = tuple(self.records.about[i] for i in np.flatnonzero(chosen))
                marks.append(Dots(at[chosen], meaning, about=told))  # type: ignore[arg-type]
        return Panel(
            f"Intervals: ranks of {self.records.names[column]}", "rank of the released value", "true rank",
            (0.0, n + 1.0), (0.0, n + 1.0), tuple(marks), UPPER,
        )  # fmt: skip

    def _cells(self, blocks: int) -> Panel:
        """Potential cells against the number of blocks, as powers of ten, and the number of records."""
        n, marks = len(self.records), list[Mark]()
        if blocks:
            b = np.arange(1.0, blocks + 1)
            here = np.stack([b, b * np.log10(n // self.k)], axis=1)
            level = np.log10(n)
            marks += [
                Line(np.array([[0.5, level], [MOST_BLOCKS + 0.5, level]]), "record", dashed=True),
                Word(MOST_BLOCKS + 0.5, float(level), f"{n} records", "record", "top left"),
                Line(here, "released"),
                Dots(here, "released"),
            ]
        if blocks == MOST_BLOCKS:
            census = np.array([[3.0, np.log10(potential_cells(*CENSUS, 3))]])
            marks += [
                Dots(census, "risk"),
                label(census[0] + [0.0, 0.4], "Census, 108³", "risk", "top center"),
            ]
        return Panel(
            "Potential cells, powers of ten", "blocks", "log₁₀ of the cells",
            (0.5, MOST_BLOCKS + 0.5), (0.0, 9.0), tuple(marks), LOWER,
        )  # fmt: skip


def _anonymity(found: RealAnonymity) -> tuple[Quantity, ...]:
    return (
        Quantity("k′", found.k_prime, "records released alike, on average; asked for was k"),
        Quantity("smallest", found.smallest_class, "size of the smallest class of equal records"),
        Quantity("below k", found.records_below_k, "records in a class smaller than k"),
    )


def questions(
    records: Records, k: int, *, method: str = "mdav", record: int = 0
) -> tuple[Question, Question, Question]:
    """Ask about the bound, about one record, and about cells."""
    whole, apart = (protected(records, k, method, blocks=blocks) for blocks in (False, True))
    n, groups = len(records), len(whole.anonymity.sizes)
    third = potential_cells(n, k, 3)
    return (
        Question(
            f"At most how many of the {n} records can be found again with one block, and how many are?",
            f"At most one a group, so {groups} ({100 * groups / n:.0f} %); found are "
            f"{whole.links.credit.sum():.3g} ({100 * whole.dld:.0f} %). A centroid may lie nearest to a "
            "record of another group.",
        ),
        Question(
            f"Is record {record + 1} safer with one block or with two?",
            f"With one block it is released like {_alike(whole, record)} records in all and found with a "
            f"chance of {whole.links.credit[record]:.2f}; with two like {_alike(apart, record)} and with "
            f"{apart.links.credit[record]:.2f}.",
        ),
        Question(
            "How many cells would a third attribute, as a block of its own, make possible?",
            f"⌊{n}/{k}⌋³ = {third:,}, for {n} records: {third / n:.1f} cells a record.",
        ),
    )


def _alike(release: Release, record: int) -> int:
    return int((release.protected == release.protected[record]).all(axis=1).sum())


LESSON = Lesson(
    name="attack",
    title="Attack",
    story=(
        "A release is as safe as what an intruder cannot do with it. Two attacks on the file just "
        "protected, and what becomes of both when attributes are protected in blocks."
    ),
    reference="Statistical Dependence §V.C; Modeling Projections §2.4; One Dimension Microaggregation §4.3",
    reading=(
        "Left: grey is true, blue is released, orange is found. Right, above: values between the lines "
        "are disclosed; below: cells against blocks."
    ),
    trace=trace,
    questions=questions,
    options=(
        Option(
            "method", "Protected by", "How the file is grouped.", "mdav", choices=("mdav", "pcp", "kward")
        ),
        Option("record", "Record", "Whom the intruder looks for first.", 1, low=1, high=60),
    ),
)
