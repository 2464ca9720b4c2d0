"""Cells: the sets of records within which each block is partitioned.

A cell holds the records of one stratum that miss the same quasi-identifiers; without strata and missing
values the whole file is one cell. Only the partition is confined: values are scaled once, over the whole
file, so that a distance means the same in every cell. Cells stand in the order of strata, then of patterns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from microagg.errors import DataError
from microagg.model.release import LeftOut
from microagg.model.safe_repr import discreet
from microagg.preparation.missing import pattern_name, refuse
from microagg.preparation.strata import refuse_small, stratify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from microagg.kernels.compiled import FloatArray, IntArray
    from microagg.model.microdata import Microdata
    from microagg.model.plan import Plan
    from microagg.preparation.strata import Strata


@dataclass(frozen=True, eq=False)
class Cell:
    """Records that are protected among themselves.

    Parameters
    ----------
    records : (m,) int64, ascending
    missing : (q,) bool
        Which of the attributes all of them miss; the others they all have.
    whole : bool
        Whether it holds every record of the file.
    """

    records: IntArray
    missing: NDArray[np.bool_]
    whole: bool = False

    __repr__ = discreet

    def __len__(self) -> int:
        return len(self.records)

    def of(self, values: FloatArray) -> FloatArray:
        """The rows of these records; no copy where they are all rows."""
        return values if self.whole else values[self.records]


def divide(missing: NDArray[np.bool_], strata: Strata | None) -> list[Cell]:
    """Put each record into its cell.

    Parameters
    ----------
    missing : (n, q) bool
        Which attributes each record misses.
    strata : Strata, optional

    Returns
    -------
    list of Cell
        Together all records, whatever their number in each.
    """
    n = len(missing)
    part = np.zeros(n, dtype=np.int64) if strata is None else strata.part
    if missing.any():
        patterns, pattern = np.unique(missing, axis=0, return_inverse=True)
    else:
        patterns, pattern = missing[:1], np.zeros(n, dtype=np.int64)
    code = part * len(patterns) + pattern
    if (code == code[0]).all():
        return [Cell(np.arange(n), missing[0], whole=True)]
    order = np.argsort(code, kind="stable")
    starts = np.flatnonzero(np.diff(code[order], prepend=-1))
    return [Cell(records, missing[records[0]]) for records in np.split(order, starts[1:])]


@dataclass(frozen=True, eq=False)
class Division:
    """Which records are released, and which of them are protected together.

    Parameters
    ----------
    kept : (m,) int64, ascending
        Positions in the file of the records that are released.
    cells : tuple of Cell
        Their records count among those kept; each has at least k.
    left_out : tuple of LeftOut
    notes : tuple of str
        What happened, one sentence each.
    """

    kept: IntArray
    cells: tuple[Cell, ...]
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()

    __repr__ = discreet


def division(
    data: Microdata,
    plan: Plan,
    columns: Sequence[str],
    strata: Sequence[str],
    missing: NDArray[np.bool_],
    fewest: int,
) -> Division:
    """Leave out what the plan says and divide the rest into cells that are large enough to be protected.

    Parameters
    ----------
    data : Microdata
    plan : Plan
    columns : sequence of str
        The attributes to protect.
    strata : sequence of str
    missing : (n, q) bool
        Which of ``columns`` each record misses.
    fewest : int
        Records that a cell must hold: k, or, where the method's k counts values, those that have k of them.

    Raises
    ------
    DataError
        Missing values or small strata that the plan refuses, or too few records that are left.
    """
    left_out, notes = [], []
    if plan.missing == "refuse":
        refuse(missing, columns)
    kept = np.arange(len(data))
    if plan.missing == "drop" and missing.any():
        gone = missing.any(axis=1)
        kept = np.flatnonzero(~gone)
        left_out = [LeftOut("A quasi-identifier is missing.", np.flatnonzero(gone))]
        if len(kept) < fewest:
            raise DataError(too_few_complete(len(kept), len(data), plan.k, fewest))
    found = None
    if strata:
        found = stratify(data.records(kept), strata, fewest, plan.small_strata)
        refuse_small(found, fewest)
        notes = [
            f"Protected together, so that k holds in them together, not in each: {found.part_name(position)}."
            for position, members in enumerate(found.merged)
            if len(members) > 1
        ]
    cells = divide(missing[kept], found)
    small = _too_small(cells, fewest, columns, found)
    left_out += [LeftOut(out.reason, kept[out.positions]) for out in small]
    if small:
        cells, kept = _without_small(cells, fewest, kept)
    notes += _told(left_out, len(data), small=bool(small))
    return Division(kept, tuple(cells), tuple(left_out), tuple(notes))


def too_few_complete(kept: int, n: int, k: int, fewest: int) -> str:
    """What is wrong where too few records have every value, and what to do."""
    have = f"Only {kept} of {n} records have a value in every quasi-identifier, fewer than"
    if fewest == k:
        return f"{have} k = {k}; protect them by patterns of what is missing, or leave out a column."
    return f"{have} the {fewest} that hold k = {k} values; take a lower k, or leave out a column."


def _too_small(cells: Sequence[Cell], k: int, columns: Sequence[str], strata: Strata | None) -> list[LeftOut]:
    """Cells with fewer than k records, each with its reason."""
    found = []
    for cell in cells:
        if len(cell) < k:
            where = "" if strata is None else f" in {strata.part_name(strata.part[cell.records[0]])}"
            what = pattern_name(cell.missing, columns)
            found.append(LeftOut(f"Fewer than {k} records with {what}{where}.", cell.records))
    return found


def _without_small(cells: Sequence[Cell], k: int, kept: IntArray) -> tuple[list[Cell], IntArray]:
    """The cells of at least k records, counted among their own records only."""
    large = [cell for cell in cells if len(cell) >= k]
    if not large:
        raise DataError(
            f"No {k} records miss the same quasi-identifiers, so none can be protected; "
            "drop the records with missing values, or leave out a column."
        )
    there = np.sort(np.concatenate([cell.records for cell in large]))
    whole = len(large) == 1
    return [Cell(np.searchsorted(there, c.records), c.missing, whole) for c in large], kept[there]


def _told(left_out: Sequence[LeftOut], n: int, *, small: bool) -> list[str]:
    """How many records leave the release, in one sentence."""
    count = sum(len(out.positions) for out in left_out)
    why = "too few others miss the same quasi-identifiers" if small else "a quasi-identifier is missing"
    verb = "is" if count == 1 else "are"
    return [f"{count} of {n} records {verb} not released, because {why}."] if count else []
