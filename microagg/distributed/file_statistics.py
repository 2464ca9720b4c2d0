"""What is counted and added up of a file before it is divided: one small value a chunk, merged on the client.

Sums are exact (`reproducible_sums`), so that means do not depend on how the file was cut. What a plan refuses
is refused here with the same numbers as on one machine: how many values, in which columns, the first in which
record.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from microagg.distributed.cell_table import PATTERN, patterns
from microagg.errors import DataError
from microagg.kernels.reproducible_sums import added, exact_sums, rounded
from microagg.kernels.scaling import square_unit
from microagg.model.microdata import LARGEST
from microagg.preparation.prepare import refuse_gaps_to_sort_by, refuse_k

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from microagg.distributed.cell_table import Cells
    from microagg.distributed.outline import Outline
    from microagg.kernels.compiled import FloatArray, IntArray

RECORDS = "(records)"
NONE = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class Facts:
    """Counts and sums of the numbers of a chunk, or of the file.

    Parameters
    ----------
    records : int
    gaps, beyond, light : (q,) int64
        For each number: values that are missing, infinite or beyond 1e300, not above 0.
    first : (3,) int64
        The first record with a gap among the attributes to protect, a value beyond, a weight not above 0.
    low, high : (q,) float64
    whole : (q,) bool
        Whether all values that are there are whole numbers.
    sums : list of q int
        Exact, as `reproducible_sums` keeps them.
    kinds : DataFrame
        Records of each combination of strata and of missing attributes.
    """

    records: int
    gaps: IntArray
    beyond: IntArray
    light: IntArray
    first: IntArray
    low: FloatArray
    high: FloatArray
    whole: NDArray[np.bool_]
    sums: list[int]
    kinds: pd.DataFrame

    @property
    def means(self) -> FloatArray:
        """Means of the values that are there, (q,) float64, each rounded once; 0 where none is."""
        present = self.records - self.gaps
        return np.array([rounded(s, max(int(m), 1)) for s, m in zip(self.sums, present, strict=True)])

    @property
    def unit(self) -> FloatArray:
        """Powers of two by which deviations are divided before they are squared, (q,) float64."""
        return square_unit(np.vstack([self.low - self.means, self.high - self.means]))


def facts(frame: pd.DataFrame, outline: Outline, first: int, cells: Cells | None = None) -> Facts:
    """Look at a chunk.

    Parameters
    ----------
    frame : DataFrame
        Its numbers and strata.
    outline : Outline
    first : int
        Number of its first record in the file.
    cells : Cells, optional
        Where they are known: records that are left out are not looked at.
    """
    frame = outline.read(frame)
    values = outline.matrix(frame, outline.numbers)
    if cells is not None:
        kept = cells.of(frame, values[:, : len(outline.columns)]) >= 0
        frame, values = frame[kept], values[kept]
    gaps, beyond = np.isnan(values), np.abs(values) > LARGEST
    light = np.zeros_like(gaps)
    if outline.weight:
        light[:, -1] = values[:, -1] <= 0
    protected = gaps[:, : len(outline.columns)]
    there = np.where(gaps | beyond, 0.0, values)
    return Facts(
        len(frame),
        gaps.sum(axis=0),
        beyond.sum(axis=0),
        light.sum(axis=0),
        np.array([_first(cells, first) for cells in (protected, beyond, light)]),
        np.where(gaps, np.inf, values).min(axis=0, initial=np.inf),
        np.where(gaps, -np.inf, values).max(axis=0, initial=-np.inf),
        np.asarray((there == np.floor(there)).all(axis=0)),
        exact_sums(np.where(beyond, np.nan, values)),
        _kinds(frame[list(outline.strata)], protected),
    )


def merged(found: Sequence[Facts]) -> Facts:
    """Put the chunks' facts together."""
    kinds = pd.concat([one.kinds for one in found], ignore_index=True)
    keys = [name for name in kinds.columns if name != RECORDS]
    return Facts(
        sum(one.records for one in found),
        np.sum([one.gaps for one in found], axis=0),
        np.sum([one.beyond for one in found], axis=0),
        np.sum([one.light for one in found], axis=0),
        np.min([one.first for one in found], axis=0),
        _bounded(np.min([one.low for one in found], axis=0)),
        _bounded(np.max([one.high for one in found], axis=0)),
        np.all([one.whole for one in found], axis=0),
        added([one.sums for one in found]),
        kinds.groupby(keys, dropna=False, observed=True)[RECORDS].sum().reset_index(),
    )


def refuse(found: Facts, outline: Outline) -> None:
    """Refuse what the plan cannot be carried out with.

    Raises
    ------
    DataError
        Values that are missing, beyond all use or of no weight.
    PlanError
        k above the number of records.
    """
    plan, q = outline.plan, len(outline.columns)
    refuse_k(plan.k, found.records, "record")
    if found.beyond.any():
        raise DataError(
            f"There are infinite or too large (beyond {LARGEST:g}) values in "
            f"{_counted(found.beyond, outline.numbers)}, the first in record {found.first[1] + 1}; fill "
            "them, drop those records, or leave it out."
        )
    if plan.missing == "refuse" and found.gaps[:q].any():
        raise DataError(
            f"There are missing values in {_counted(found.gaps[:q], outline.columns)}, the first in record "
            f"{found.first[0] + 1}; drop those records, protect them by patterns of what is missing, fill "
            "the values, or leave the column out."
        )
    if plan.missing == "patterns":
        refuse_gaps_to_sort_by(outline.method, outline.options, outline.columns, found.gaps[:q] > 0)
    if outline.weight and (found.gaps[-1] or found.light.any()):
        raise DataError(
            f"Column {outline.weight!r} does not weigh all records with a number above 0 "
            f"({int(found.gaps[-1] + found.light[-1])} have none)."
        )
    for j, name in enumerate(outline.numbers):
        if name in outline.confidential and found.gaps[j] and plan.lam > 0:
            raise DataError(f"Column {name!r} has missing values, so λ > 0 cannot weigh it.")


def squares(values: FloatArray, means: FloatArray, unit: FloatArray) -> list[int]:
    """Exact sums of squared deviations of each number, in squares of ``unit``."""
    return exact_sums(np.square((values - means) / unit))


def _kinds(strata: pd.DataFrame, gaps: NDArray[np.bool_]) -> pd.DataFrame:
    keys = strata.assign(**{PATTERN: patterns(gaps)})
    counted = keys.groupby(list(keys.columns), dropna=False, observed=True, sort=False).size()
    return counted.rename(RECORDS).reset_index()


def _first(cells: NDArray[np.bool_], offset: int) -> int:
    rows = cells.any(axis=1)
    return offset + int(rows.argmax()) if rows.any() else NONE


def _bounded(values: FloatArray) -> FloatArray:
    return np.where(np.isfinite(values), values, 0.0)


def _counted(counts: IntArray, names: Sequence[str]) -> str:
    return ", ".join(f"{name!r} ({count})" for name, count in zip(names, counts, strict=True) if count)
