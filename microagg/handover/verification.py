"""The release is checked from the bytes that were written, not from what the program believes it wrote.

The file is read back as a stranger would read it and held against the original and the plan's promise: rows,
columns and their order, identifiers, what should be untouched, missing values, what should be protected, real
anonymity over every set of quasi-identifiers that an intruder may hold, originals that still show, cells that
a spreadsheet would run, and what the file holds beside its table. A red check is a finding, never an
exception. O(n·p) and one reading, in which the file is also audited (`microagg.audit`): whether it keeps its
promise is one question, what it shows is another.

Values are compared as values, because formats differ in types: a number that was text is the same where it
reads as the same number, moments are the same where they are the same instant, and missing equals missing.
Untouched columns must agree to the last digit. Other programs' workbooks keep fifteen or sixteen; protected
values that agree in fifteen pass, and the check says so. Originals that still show are looked for to the same
fifteen digits, classes of equals to the last.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from microagg.assessment.audit import audit
from microagg.assessment.audit.released import columns_unchanged
from microagg.assessment.equal_cells import alike
from microagg.errors import MicroaggError
from microagg.handover.file_check import Check
from microagg.handover.hidden_content import beside
from microagg.io.excel_extras import FORMULAS
from microagg.io.formats import format_of
from microagg.io.reading import read_table
from microagg.io.table import Labels
from microagg.io.writing import formula_cells, neutralise
from microagg.measures.anonymity import class_sizes, classes, real_anonymity
from microagg.model.categories import distinguished
from microagg.model.dates import told_as_text
from microagg.model.findings import NAMES, Finding, Findings
from microagg.model.microdata import row_names
from microagg.model.phrases import counted, fewer, listed
from microagg.protection.shuffle_seed import GUESSABLE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from microagg.io.dialect import Dialect
    from microagg.io.table import Beside
    from microagg.model.microdata import Microdata
    from microagg.model.release import Release

FIFTEEN_DIGITS = 2e-15
_names = partial(listed, most=6)
_MOSTLY = 0.5
"""Share of a column's values from which on they are taken for an identifier's."""


def check(
    written: bytes,
    name: str,
    release: Release,
    *,
    dialect: Dialect | None = None,
    neutralised: bool = False,
    labels: Labels | None = None,
) -> tuple[Check, ...]:
    """Hold a written file against the release it should be.

    Parameters
    ----------
    written : bytes
    name : str
        File name; its ending says the format.
    release : Release
        With the original and the plan.
    dialect : Dialect, optional
        How the text was written; guessed where None.
    neutralised : bool
        Whether formula cells were to be written with an apostrophe.
    labels : Labels, optional
        Those of the original; none where None.

    Returns
    -------
    tuple of Check
        Always the same ones in the same order for a release; one alone where the file cannot be read.

    Examples
    --------
    >>> from microagg.io.writing import csv_bytes
    >>> from microagg.protection.protect import protect
    >>> from microagg.model.microdata import Microdata
    >>> from microagg.model.plan import Plan
    >>> people = Microdata.from_frame(pd.DataFrame({"age": [20, 21, 60, 64], "wage": [9.5, 11, 30, 30]}))
    >>> release = protect(people, Plan(k=2))
    >>> [one.name for one in check(csv_bytes(release.protected), "x.csv", release) if one.status != "green"]
    ['Order']
    """
    return look(written, name, release, dialect=dialect, neutralised=neutralised, labels=labels)[0]


def look(
    written: bytes,
    name: str,
    release: Release,
    *,
    dialect: Dialect | None = None,
    neutralised: bool = False,
    labels: Labels | None = None,
) -> tuple[tuple[Check, ...], Findings, dict[str, list[str]]]:
    """Check a written file, and audit what it shows: the file as it is read back, not the release.

    Parameters
    ----------
    written, name, release, dialect, neutralised, labels
        As for `check`.

    Returns
    -------
    checks : tuple of Check
    findings : Findings
        All amber where the file cannot be read.
    columns : dict of str to list of str
        Every column by what has become of it in the file: protected, untouched, dropped, or, where there is
        one, changed (neither the plan's values nor the original's); empty where the file cannot be read.
    """
    try:
        # A release has a header, even where its names are numbers, and nothing above it.
        table = read_table(written, name=name, dialect=dialect, header=True, skip=0)
    except MicroaggError as error:
        unread = "Not looked at: the file cannot be read back."
        findings = Findings(Finding(one, "amber", 0, unread) for one in NAMES if one != "undecided")
        return (Check("Readable", "red", "The file cannot be read back.", str(error)),), findings, {}
    promised = neutralise(release.protected) if neutralised else release.protected
    read = table.frame
    if dialect is not None and not dialect.header and read.shape[1] == promised.shape[1]:
        read.columns = promised.columns
    comparison = _Comparison(release, promised, read, format_of(name).name)
    checks = (
        comparison.rows(),
        comparison.columns(),
        comparison.order(),
        comparison.identifiers(),
        comparison.copied(),
        comparison.missing(),
        comparison.values(),
        *comparison.anonymity(),
        comparison.unchanged(),
        formulas(read, name, table.beside),
        beside(written, table, promised, labels or Labels()),
    )
    named = dict(zip(map(str, promised.columns), map(str, release.protected.columns), strict=True))
    findings = audit(replace(release, protected=read.rename(columns=named)))
    return checks, findings, comparison.fates()


def sorted_by(data: Microdata, protected: Sequence[str]) -> Iterator[str]:
    """Columns that are to be hidden and that the order of the rows gives away.

    Those are identifiers, units, confidential and protected columns whose original values ascend or descend
    from row to row, and units whose records stand together.

    Examples
    --------
    >>> from microagg.model.microdata import Microdata
    >>> people = pd.DataFrame({"home": [7, 7, 3, 3, 5], "age": [20, 60, 30, 31, 1]})
    >>> list(sorted_by(Microdata.from_frame(people, roles={"home": "unit"}), ["age"]))
    ['home']
    """
    for attribute in data.attributes:
        column, name, role = data.frame[attribute.name], attribute.name, attribute.role
        if role not in ("identifier", "unit", "confidential") and name not in protected:
            continue
        codes = pd.factorize(column)[0]
        changes, distinct = int((codes[1:] != codes[:-1]).sum()), len(set(codes.tolist()))
        if distinct < 2:
            continue
        together = role == "unit" and changes == distinct - 1 < len(codes) - 1
        if together or column.is_monotonic_increasing or column.is_monotonic_decreasing:
            yield name


def formulas(read: pd.DataFrame, name: str, beside_it: Sequence[Beside] = ()) -> Check:
    """Whether a spreadsheet would run a cell; of a workbook, what was found in it beside the values."""
    if any(one.what == FORMULAS for one in beside_it):
        return Check("Formula cells", "red", "Cells of the workbook are formulas, which a spreadsheet runs.")
    cells = formula_cells(read)
    if cells and not name.lower().endswith((".xlsx", ".xlsm")):
        return Check(
            "Formula cells",
            "red",
            f"{counted(cells, 'cell')} would run as {'a formula' if cells == 1 else 'formulas'} in a "
            "spreadsheet.",
            "Text that begins with = + - @ or |; neutralise it by an apostrophe, or tell who opens the file.",
        )
    kept = f" {counted(cells, 'cell')} that look so are marked as text." if cells else ""
    return Check("Formula cells", "green", f"No cell would run as a formula in a spreadsheet.{kept}")


class _Comparison:
    """A file read back, beside what was promised."""

    def __init__(self, release: Release, promised: pd.DataFrame, read: pd.DataFrame, kind: str) -> None:
        self.release, self.promised, self.read, self.kind = release, promised, read, kind
        self.data = release.data
        self.names = dict(zip(map(str, release.protected.columns), map(str, promised.columns), strict=True))
        self.there = {own: name for own, name in self.names.items() if name in read.columns}
        self.as_many = len(read) == len(promised)
        self.k = release.k if release.plan is None else release.plan.k

    def rows(self) -> Check:
        out = sum(len(left.positions) for left in self.release.left_out)
        said = f"{len(self.read):,} records" + (f"; {out:,} of the original are left out" if out else "")
        if self.as_many:
            return Check("Records", "green", f"{said}, as promised.")
        return Check("Records", "red", f"{said}, but {len(self.promised):,} were promised.")

    def columns(self) -> Check:
        promised, found = list(map(str, self.promised.columns)), list(map(str, self.read.columns))
        if found == promised:
            return Check("Columns", "green", f"{len(found)} columns with their names, in their order.")
        lacking = [name for name in promised if name not in found]
        more = [name for name in found if name not in promised]
        detail = [f"Lacking: {_names(lacking)}." if lacking else "", f"More: {_names(more)}." if more else ""]
        hidden = [name for name in self.data.frame.columns if self._renamed(str(name))]
        detail += [f"Original values under another name: {_names(hidden)}." if hidden else ""]
        what = (
            "There are other columns than promised." if lacking or more else "Columns stand in other order."
        )
        return Check("Columns", "red", what, " ".join(part for part in detail if part))

    def order(self) -> Check:
        shuffled = self.release.order is not None
        wanted = "the plan's random order" if shuffled else "the order of the original"
        traced = shuffled and bool(row_names(self.read))
        if traced:
            return Check("Order", "red", "Rows are shuffled, but the index tells where each one stood.")
        if not self.as_many or not self.there:
            return Check("Order", "red", "The rows cannot be matched to those promised.")
        moved, changed, telling_rows = self._rows_told
        if moved:
            return Check("Order", "red", f"{_names(moved)}: the same values in other rows than {wanted}.")
        if changed and not telling_rows:
            return Check("Order", "red", f"No column stands in {wanted}; are the rows in another?")
        if changed:
            said = f"Rows stand in {wanted} by {_names(telling_rows)}; {_names(changed)} does not tell."
            return Check("Order", "amber", said)
        telling = () if shuffled else tuple(sorted_by(self.data, self.release.attributes))
        if telling:
            said = f"Rows stand in {wanted}, which follows {_names(telling)}."
            why = "A row's place then tells what was taken out of it; shuffle the rows."
            return Check("Order", "amber", said, why, internal=True)
        seed = None if self.release.plan is None else self.release.plan.shuffle
        if seed is not None and seed < GUESSABLE:
            said = f"Rows stand in {wanted}, of a seed that can be guessed."
            why = f"Whoever tries the seeds below {GUESSABLE:,} can undo the shuffle; draw one at random."
            return Check("Order", "amber", said, why, internal=True)
        return Check("Order", "green", f"Rows stand in {wanted}.", internal=shuffled)

    def identifiers(self) -> Check:
        named = [name for name in self.data.columns("identifier") if name in self.read.columns]
        renamed = {name: found for name in self.data.columns("identifier") if (found := self._renamed(name))}
        if renamed:
            said = _names([f"{name} as {found}" for name, found in renamed.items()])
            why = "It should have been left out."
            return Check(
                "Identifiers", "red", f"Values of an identifier leave under another name: {said}.", why
            )
        index = row_names(self.read)
        if named or index:
            asked = self.release.plan is not None and self.release.plan.keep_identifiers
            why = "The plan keeps identifiers." if asked and named else ""
            why += " The data keep their index." if self.data.index == "keep" and index else ""
            said = _names([*named, *([index] if index else [])])
            return Check(
                "Identifiers",
                "red",
                f"The file names its records by {said}.",
                why.strip() or "They should have been left out.",
            )
        count = len(self.data.columns("identifier"))
        if not count:
            return Check(
                "Identifiers", "green", "No column has that role.", "The audit says what looks like one."
            )
        return Check("Identifiers", "green", f"None is in the file; {count} left out.")

    def copied(self) -> Check:
        own = [name for name in self.names if name not in self.release.attributes]
        wrong = [name for name in own if name not in self.there or not self._same(name)]
        if wrong:
            return Check("Copied columns", "red", f"Not as in the original: {_names(wrong)}.")
        what = f"{len(own)} columns are" if len(own) != 1 else "1 column is"
        said = f"{what} as in the original." if own else "There are none."
        return Check("Copied columns", "green", said, " ".join(told_as_text(self.promised, self.kind)))

    def missing(self) -> Check:
        counts = {
            name: (int(self.data.frame[name].isna().sum()), int(self.read[found].isna().sum()))
            for name, found in self.there.items()
        }
        wrong = [
            f"{name} ({before} before, {after} now)"
            for name, (before, after) in counts.items()
            if before != after
        ]
        if wrong:
            return Check("Missing values", "red", f"Their number changed in {_names(wrong)}.")
        lacking = [name for name in self.names if name not in self.there]
        if not counts:
            return Check("Missing values", "red", "None of the promised columns is in the file.")
        if lacking:
            return Check("Missing values", "amber", f"It cannot be told of {_names(lacking)}.")
        total = sum(before for before, _ in counts.values())
        out = sum(len(left.positions) for left in self.release.left_out)
        where = f", among the {len(self.read):,} released records" if out else ""
        said = f"As many as before in every column{where}: {total:,} in all."
        kept = f"The missing values of the {out:,} records left out are not in the file." if out else ""
        return Check("Missing values", "green", said, kept)

    def values(self) -> Check:
        own = self.release.attributes
        wrong = [name for name in own if name not in self.there or not self._same(name, FIFTEEN_DIGITS)]
        if wrong:
            where = f"Otherwise in {_names(wrong)}."
            return Check("Protected values", "red", "They are not those that the plan makes.", where)
        exact = all(self._same(name) for name in own)
        kept = "" if exact else "They agree to fifteen digits, not to the last."
        return Check(
            "Protected values", "green", "Every protected value is the one that the plan makes.", kept
        )

    def anonymity(self) -> list[Check]:
        return [
            self._hidden(what, columns, internal=what.startswith("block ")) for what, columns in self._known()
        ]

    def unchanged(self) -> Check:
        """Originals that still show; red where one stands in the open."""
        own = [name for name in self.release.attributes if name in self.there]
        if (
            own
            and self.as_many
            and all(alike(self._original(n), self.read[self.there[n]]).all() for n in own)
        ):
            if columns_unchanged(self.release):
                said = "Every cell of the protected columns still holds the original value."
                why = (
                    "The rows were groups of k alike before: of persons, or of one person or household each."
                )
                return Check("Unchanged values", "amber", said, why, internal=True)
            said = "Every cell of the columns to be protected holds the original value: nothing is protected."
            return Check("Unchanged values", "red", said, internal=True)
        if not own or self.order().status == "red":
            said = "It cannot be told: rows are not those promised, in their order."
            return Check("Unchanged values", "red", said, internal=True)
        kept = np.column_stack([self._kept(name) for name in own])
        agreeing = self._agreeing(own)
        open_records = kept.all(axis=1) & (class_sizes(self._codes(own)) < self.k)
        cells, forced = int(kept.sum()), int((kept & agreeing).sum())
        share = _share(cells, kept.size)
        said = f"{counted(cells, 'cell')} ({share}) of protected columns still hold the original value"
        why = (
            f"Of these cells, {forced:,} stand in classes whose records all agreed: such a class releases "
            "its value."
            if forced
            else ""
        )
        if open_records.any():
            return Check(
                "Unchanged values",
                "red",
                f"{said}, and {int(open_records.sum()):,} records stand wholly unchanged among fewer than k.",
                why,
                internal=True,
            )
        return Check(
            "Unchanged values",
            "green",
            f"{said}; no record stands wholly unchanged among fewer than k.",
            why,
            internal=True,
        )

    def fates(self) -> dict[str, list[str]]:
        """Every column by what has become of it in the file."""
        found: dict[str, list[str]] = {"protected": [], "untouched": [], "changed": [], "dropped": []}
        for name in map(str, self.data.frame.columns):
            column = self.there.get(name, name)
            if column not in self.read.columns:
                found["dropped"].append(name)
            elif name in self.there and name in self.release.attributes and self._same(name, FIFTEEN_DIGITS):
                found["protected"].append(name)
            elif self.as_many and alike(self._original(name), self.read[column]).all():
                found["untouched"].append(name)
            else:
                found["changed"].append(name)
        known = {*self.data.frame.columns, *self.there.values()}
        found["changed"] += [str(name) for name in self.read.columns if name not in known]
        return {what: names for what, names in found.items() if names or what != "changed"}

    @cached_property
    def _rows_told(self) -> tuple[list[str], list[str], list[str]]:
        """Columns with the promised values in other rows, with other values, and those that tell rows."""
        moved: list[str] = []
        changed: list[str] = []
        telling: list[str] = []
        for own, name in self.there.items():
            if not self._alike(own, FIFTEEN_DIGITS).all():
                same = _counts(self.promised[self.names[own]]).equals(_counts(self.read[name]))
                (moved if same else changed).append(own)
            elif self.read[name].nunique(dropna=False) > 1:
                telling.append(own)
        return moved, changed, telling

    def _renamed(self, name: str) -> str:
        """The column that is not promised and holds a column's original values; empty where none does."""
        known = {*self.names.values(), *map(str, self.data.frame.columns)}
        own = _texts(self.data.frame[name])
        for column in self.read.columns:
            if column in known or own.nunique() < 2:
                continue
            found = _texts(self.read[column])
            named = self.data[name].role == "identifier" and found.isin(own).mean() >= _MOSTLY
            if named or _counts(self.data.frame[name]).equals(_counts(self.read[column])):
                return str(column)
        return ""

    def _known(self) -> list[tuple[str, tuple[str, ...]]]:
        """The sets of quasi-identifiers an intruder may hold, all protected ones first."""
        protected = self.release.attributes
        sets = [("all protected", protected)]
        if len(self.release.blocks) > 1:
            sets += [(f"block {i}", tuple(block)) for i, block in enumerate(self.release.blocks, 1)]
        plan = self.release.plan
        strata = self.data.columns("stratum") if plan is None or plan.strata is None else plan.strata
        if strata:
            sets.append(("with strata", (*protected, *strata)))
        bare = [name for name in self.data.columns("quasi_identifier") if name not in protected]
        if bare:
            sets.append(("with unprotected", (*protected, *bare)))
        return sets

    def _hidden(self, what: str, columns: Sequence[str], *, internal: bool) -> Check:
        """k′ over columns; that of a block is internal, as it tells how groups were made."""
        name = f"k′, {what}"
        lacking = [column for column in columns if column not in self.there]
        if lacking:
            return Check(name, "red", f"It cannot be measured without {_names(lacking)}.", internal=internal)
        found = real_anonymity(self._codes(columns), None, self.k)
        holds = found.smallest_class >= self.k
        said = (
            f"k′ is {found.k_prime:.4g} and the smallest class has {found.smallest_class:,} "
            f"{'record' if found.smallest_class == 1 else 'records'}, "
        )
        said += f"at least k = {self.k}." if holds else f"below k = {self.k}."
        below = "" if holds else f"{found.records_below_k:,} records are released like {fewer(self.k)}. "
        return Check(
            name,
            "green" if holds else "red",
            said,
            f"{below}Known: {_names(list(columns))}.",
            internal=internal,
        )

    def _codes(self, columns: Sequence[str]) -> Any:
        return distinguished([self.read[self.there[column]] for column in columns])

    def _alike(self, name: str, tolerance: float = 0.0) -> NDArray[np.bool_]:
        return alike(self.promised[self.names[name]], self.read[self.there[name]], tolerance=tolerance)

    def _same(self, name: str, tolerance: float = 0.0) -> bool:
        return self.as_many and bool(self._alike(name, tolerance).all())

    def _original(self, name: str) -> pd.Series[Any]:
        """The original in the order of the written rows."""
        column, order = self.data.frame[name], self.release.order
        return column if order is None else column.iloc[order]

    def _kept(self, name: str) -> NDArray[np.bool_]:
        column = self._original(name)
        return (
            alike(column, self.read[self.there[name]], tolerance=FIFTEEN_DIGITS) & column.notna().to_numpy()
        )

    def _agreeing(self, own: Sequence[str]) -> NDArray[np.bool_]:
        """Where all records that are released alike in a block had the same original value."""
        found = np.zeros((len(self.read), len(own)), dtype=bool)
        for block in self.release.blocks:
            known = [name for name in block if name in self.there]
            if not known:
                continue
            _, labels = classes(self._codes(known))
            for name in known:
                codes = distinguished([self._original(name).reset_index(drop=True)])
                _, pairs = classes(np.column_stack([labels.astype(np.float64), codes]))
                kinds = pd.Series(pairs).groupby(labels).transform("nunique").to_numpy()
                found[:, list(own).index(name)] = kinds == 1
        return found


def _texts(column: pd.Series[Any]) -> pd.Series[Any]:
    """What is there, as text that is the same for the same value in whatever type."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.astype(object)
    numbers = pd.to_numeric(column, errors="coerce")
    plain = column.astype(str).str.strip()
    return plain.where(numbers.isna(), numbers.astype("float64").astype(str))[column.notna()]


def _counts(column: pd.Series[Any]) -> pd.Series[Any]:
    return _texts(column).value_counts().sort_index().rename_axis(None)


def _share(part: int, whole: int) -> str:
    return "under 0.1 %" if 0 < part < whole / 1000 else f"{100 * part / whole:.1f} %"
