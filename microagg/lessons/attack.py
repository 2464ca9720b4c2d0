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
from microagg.lessons.lesson import DEVIATIONS, Lesson, Quantity, Records, Step, listed
from microagg.lessons.question import Question, choose
from microagg.lessons.scene import Dots, Line, Mark, Panel, Word, label, segments, span
from microagg.measures.anonymity import RealAnonymity, classes
from microagg.measures.intervals import WIDTHS, interval_disclosure
from microagg.measures.linkage import nearest_candidates
from microagg.measures.matching import scaled_sides
from microagg.methods import METHODS
from microagg.methods.method import Option

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray

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
        alike = self.whole.anonymity
        self._show(
            "The file",
            f"{self.records.counted}. Both attributes can be known to somebody outside: they are "
            "quasi-identifiers. They are standardised: 1 on an axis is one standard deviation.",
            self._people(),
            plane.standardising(self.records),
            release=None,
        )
        self._show(
            f"Protect with {METHODS[self.method].title}",
            f"In groups of at least k = {self.k}, each record is replaced by the centroid of its group "
            f"(blue). {len(alike.sizes)} different records are released.",
            (*plane.stars(self.records.points, self.whole.labels[0]), *self._people()),
            quantities=(*_anonymity(alike), _lost(self.whole)),
        )

    def link(self) -> None:
        """Link one released record, then all of them."""
        desk, people = scaled_sides(self.whole.original, self.whole.protected, "protected to original")
        self._show(
            "The intruder's chair",
            "The intruder has the true values with names (grey) and the release (blue). He standardises "
            "both, each by its own mean and standard deviation. Centroids spread less than records, so they "
            "move outwards.",
            (*self._people(people), Dots(desk, "released")),
        )
        order, distances = nearest_candidates(self.whole.original, self.whole.protected, KNOWN, self.record)
        near, i = int(order[0]), self.record
        links = self.whole.links
        tied = int(links.candidates[i])
        verdict = (
            f"{tied} records lie as near, and record {i + 1} is one of them: he is right with a chance of 1 "
            f"in {tied}."
            if links.credit[i] > 0 and tied > 1
            else "He takes it, and is right: the record is found again." if links.credit[i] > 0
            else f"He takes it, and is wrong: record {i + 1} lies at {links.own[i]:.2f}."
        )  # fmt: skip
        self._show(
            "Link one record",
            f"The released record {i + 1} lies nearest to the true record {near + 1}, at a distance of "
            f"{distances[0]:.2f}. {verdict}",
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
                Quantity("nearest", float(distances[0]), f"{DEVIATIONS}: distance to record {near + 1}"),
                Quantity(
                    "own", float(links.own[i]), f"{DEVIATIONS}: distance to record {i + 1}, which it is"
                ),
            ),
        )
        self._link_all(
            self.whole, "Link everybody",
            "The records of a group share one centroid, and only one of them can be the nearest to it. So "
            "at most one a group is found again: DLD ≤ groups/n ≤ 1/k.",
            f"groups/n = {len(self.whole.anonymity.sizes)}/{len(self.records)} = "
            f"{len(self.whole.anonymity.sizes) / len(self.records):.3f}",
        )  # fmt: skip

    def _link_all(self, release: Release, title: str, why: str, bound: str) -> None:
        desk, people = scaled_sides(release.original, release.protected, "protected to original")
        credit = release.links.credit
        hit = np.flatnonzero(credit > 0)
        found = f"Records {listed(hit)} are found again" if len(hit) > 1 else ""
        found = found or (f"Record {listed(hit)} is found again" if len(hit) else "No record is found again")
        found += " (some by a chance among equally near ones). " if (credit[hit] < 1).any() else ". "
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
                Quantity("bound", bound, "the most that DLD can be with one block"),
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
                f"A value can be disclosed without a link. {inside.sum()} of {len(ranks)} true values of "
                f"{name} lie within 10 % of the ranks ({0.1 * len(ranks):g} ranks) of the released value: "
                "orange, between the lines.",
                (*plane.stars(self.records.points, self.whole.labels[0]), *self._people()),
                column=column,
                quantities=(
                    Quantity(
                        "within 10 %",
                        float(inside.mean()),
                        "share of the values, 0 … 1, in the widest interval",
                    ),
                    Quantity(
                        "ID",
                        float(shares[column]),
                        f"the share averaged over widths 1 % … {WIDTHS} %; low is safe",
                    ),
                ),
            )

    def blocks(self) -> None:
        """Protect attribute by attribute, and count what that leaves of anonymity."""
        n, apart = len(self.records), self.apart
        points, names = self.records.points, self.records.names
        lines = [len(np.unique(column)) for column in apart.protected.T]
        strips = self._strips()
        before, after = _loss(self.whole), _loss(apart)
        self._show(
            "Two blocks",
            f"Now each attribute is protected by itself: {names[0]} has {lines[0]} different centroids and "
            f"{names[1]} has {lines[1]} (dashed lines). They cross at {lines[0]} × {lines[1]} = "
            f"{lines[0] * lines[1]} points. The loss goes from {100 * before:.1f} % to {100 * after:.1f} %"
            + (", since a group has to be close in one attribute only." if after < before else "."),
            (*strips, *self._people()),
            release=apart,
            blocks=2,
            quantities=(*_anonymity(apart.anonymity), _lost(apart)),
        )
        first, labels = classes(apart.protected)
        alone = np.flatnonzero(np.bincount(labels)[labels] == 1)
        held = self._standardised(apart.protected)
        self._show(
            "What becomes of k′",
            f"Each record is released at one of the crossings. {len(first)} crossings are taken (blue), by "
            f"k′ = {n / len(first):.2f} records on average; with one block k′ was "
            f"{self.whole.anonymity.k_prime:.2f}. {len(alone)} "
            f"{'record is' if len(alone) == 1 else 'records are'} alone (orange).",
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
            f"With one block {100 * self.whole.dld:.0f} % of the records were found, with two "
            f"{100 * apart.dld:.0f} %. The bound of 1/k = {100 / self.k:.0f} % is proven for one block only"
            + (", and here it is passed." if apart.dld > 1 / self.k else "."),
            f"1/k = {1 / self.k:.3f}",
        )  # fmt: skip
        cells = potential_cells(n, self.k, 2)
        self._show(
            "The count of potential cells",
            "The paper counts the combinations of centroids, as potential cells: ⌊n/k⌋ to the power of the "
            f"number of blocks, {n // self.k}² = {cells} here. Its Census file, with 6 attributes in blocks "
            "of 2, has 108³ = 1,259,712 for 1,080 records, and nearly all of them are found again.",
            (*strips, *self._people(), Dots(held[first], "released")),
            release=apart,
            blocks=MOST_BLOCKS,
            quantities=(
                Quantity("here", cells, f"potential cells, ⌊{n}/{self.k}⌋², for {n} records"),
                Quantity(
                    "Census", potential_cells(*CENSUS, 3), "potential cells, ⌊1080/10⌋³, for 1,080 records"
                ),
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
        one, other = self.records.standardised(0), self.records.standardised(1)
        shown = Panel("The records", one, other, *self._spans, marks, LEFT)
        panels = shown, self._ranks(held, column), self._cells(blocks or (1 if held is self.whole else 0))
        self.steps.append(Step(title, sentence, panels, result, quantities, self._columns(held)))

    def _columns(self, release: Release | None) -> dict[str, FloatArray]:
        """What linking a release takes: both sides standardised, and each record's distance to its own."""
        if release is None:
            return plane.columns(self.records)
        desk, people = scaled_sides(release.original, release.protected, "protected to original")
        names = self.records.names
        columns = plane.columns(self.records)
        columns |= {
            f"{self.records.titled(i)}, released": column for i, column in enumerate(release.protected.T)
        }
        columns |= {f"{names[i]}, true, by its own mean and sd": column for i, column in enumerate(people.T)}
        columns |= {
            f"{names[i]}, released, by its own mean and sd": column for i, column in enumerate(desk.T)
        }
        columns[f"distance to its own, {DEVIATIONS}"] = release.links.own
        columns["found, chance 0 … 1"] = release.links.credit
        return columns

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
            f"Intervals of {self.records.names[column]}, in ranks",
            "rank of the released value", "rank of the true value",
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
            "Potential cells ⌊n/k⌋ᵇˡᵒᶜᵏˢ", "number of blocks", "log₁₀ of the number of cells",
            (0.5, MOST_BLOCKS + 0.5), (0.0, 9.0), tuple(marks), LOWER,
        )  # fmt: skip


def _anonymity(found: RealAnonymity) -> tuple[Quantity, ...]:
    return (
        Quantity("k′", found.k_prime, "records that are released equal, on average"),
        Quantity("smallest", found.smallest_class, "records in the smallest class of equal ones"),
        Quantity("below k", found.records_below_k, "records in a class of fewer than k"),
    )


def _loss(release: Release) -> float:
    """SSE/SST of the standardised attributes."""
    original = release.original
    spread = np.where(np.ptp(original, axis=0) == 0, 1.0, original.std(axis=0))
    total = float(np.square((original - original.mean(axis=0)) / spread).sum())
    return float(np.square((release.protected - original) / spread).sum()) / max(total, 1e-300)


def _lost(release: Release) -> Quantity:
    return Quantity(
        "SSE/SST", _loss(release), "share of the variance that is lost, 0 … 1; low is good for use"
    )


def questions(
    records: Records, k: int, *, method: str = "mdav", record: int = 0
) -> tuple[Question, Question, Question]:
    """Ask about the bound, about one record, and about cells."""
    whole, apart = (protected(records, k, method, blocks=blocks) for blocks in (False, True))
    return _bound(whole, k), _safer(whole, apart, record), _cells(len(records), k)


def _bound(whole: Release, k: int) -> Question:
    n, groups = len(whole.original), len(whole.anonymity.sizes)
    found = f"{whole.links.credit.sum():.3g} ({100 * whole.dld:.0f} %) are found"
    return choose(
        f"At most how many of the {n} records can be found again with one block?",
        (f"{groups}", f"At most one a group. In fact {found}, since a foreign record can be nearer."),
        (f"{k}", f"k is the least size of a group. At most one a group is found, that is {groups}; {found}."),
        (f"{n}", f"A group shares one centroid, so at most one a group is found, that is {groups}."),
        (f"{groups + 1}", f"There are {groups} different released records, and each finds at most one."),
    )  # fmt: skip


def _safer(whole: Release, apart: Release, record: int) -> Question:
    """Safer is a smaller chance of being found; at equal chances, more records that are released equal."""
    chances = [float(release.links.credit[record]) for release in (whole, apart)]
    alike = [_alike(release, record) for release in (whole, apart)]
    one, two = ((-chance, count) for chance, count in zip(chances, alike, strict=True))
    texts = "With one block", "With two blocks", "Equally safe"
    truth = 0 if one > two else 1 if two > one else 2
    why = (
        "It is found where no true record lies nearer to its released values than its own. With one block "
        f"the chance of that is {chances[0]:.2f}, and {alike[0]} records are released like it, itself "
        f"included. With two blocks the chance is {chances[1]:.2f}, and there are {alike[1]}."
    )
    if chances[0] == chances[1] and truth != 2:
        why += " The chances are equal, so the number of equal records decides."
    return choose(
        f"When is record {record + 1} safer: with one block or with two?",
        (texts[truth], why), *((text, why) for place, text in enumerate(texts) if place != truth),
    )  # fmt: skip


def _cells(n: int, k: int) -> Question:
    base = n // k
    third = potential_cells(n, k, 3)
    why = f"⌊{n}/{k}⌋³ = {third:,}, for {n} records."
    return choose(
        "How many potential cells are there with a third attribute, in a block of its own?",
        (f"{third:,}", why),
        (f"{base**2:,}", f"That is the number with two blocks. {why}"),
        (f"{3 * base:,}", f"Every group of a block meets every group of another: multiply. {why}"),
        (f"{n:,}", f"That is the number of records. {why}"),
    )  # fmt: skip


def _alike(release: Release, record: int) -> int:
    return int((release.protected == release.protected[record]).all(axis=1).sum())


LESSON = Lesson(
    name="attack",
    title="Attack",
    story=(
        "How safe is a release? Here an intruder links released records to names and looks for intervals "
        "around released values. Then the attributes are protected in two blocks, and he tries again."
    ),
    reference="Statistical Dependence §V.C; Modeling Projections §2.4; One Dimension Microaggregation §2.3",
    reading=(
        "Left: grey is true, blue is released, orange is found or alone. Right, above: values between the "
        "lines are disclosed; below: potential cells and number of records."
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
