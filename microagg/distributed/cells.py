"""Strata and patterns of missing values as cells of a file that is not at hand, from their counts alone.

The rules are those of one machine (`microagg.strata`, `microagg.cells`): small strata are refused or merged,
patterns of fewer than k records are left out, records with a gap are dropped where the plan says so. Each
chunk then looks the cell of a record up in a table that every worker has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from microagg.cells import too_few_complete
from microagg.distributed.facts import PATTERN, RECORDS, patterns
from microagg.errors import DataError
from microagg.strata import refuse_small, stratify
from microagg.types import Microdata

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from microagg.compiled import FloatArray, IntArray
    from microagg.distributed.facts import Facts
    from microagg.distributed.outline import Outline

CELL = "(cell)"
LEFT_OUT = -1


@dataclass(frozen=True, eq=False)
class Cells:
    """The sets of records that are protected among themselves.

    Parameters
    ----------
    table : DataFrame
        The cell of each combination of strata and of missing attributes; −1: left out.
    missing : (c, q) bool
        Which of the attributes to protect each cell misses.
    sizes : (c,) int64
        Records of each cell.
    notes : tuple of str
        What happened, one sentence each.
    """

    table: pd.DataFrame
    missing: NDArray[np.bool_]
    sizes: IntArray
    notes: tuple[str, ...]

    def of(self, frame: pd.DataFrame, protected: FloatArray) -> IntArray:
        """Cells of the records of a chunk, (n,) int64: by its strata and the gaps of ``protected`` (n, q)."""
        if len(self.table) == 1:
            return np.full(len(frame), self.table[CELL].iloc[0], dtype=np.int64)
        keys = [name for name in self.table.columns if name != CELL]
        own = frame[keys[:-1]].assign(**{PATTERN: patterns(np.isnan(protected))})
        return own.merge(self.table, how="left", on=keys)[CELL].to_numpy(np.int64)


def cells(found: Facts, outline: Outline) -> Cells:
    """Divide a file by strata and patterns.

    Raises
    ------
    DataError, PlanError
        Strata that are too many or too small, or fewer than k records that are left.
    """
    plan, kinds = outline.plan, found.kinds
    gaps = np.array([[digit == "1" for digit in name] for name in kinds[PATTERN]], dtype=bool)
    counts = kinds[RECORDS].to_numpy(np.int64)
    kept = ~gaps.any(axis=1) if plan.missing == "drop" else np.ones(len(kinds), dtype=bool)
    if counts[kept].sum() < plan.k:
        raise DataError(too_few_complete(int(counts[kept].sum()), found.records, plan.k, plan.k))
    part, notes = np.zeros(len(kinds), dtype=np.int64), []
    if outline.strata:
        combinations = Microdata.from_frame(kinds.loc[np.flatnonzero(kept)][list(outline.strata)])
        strata = stratify(combinations, outline.strata, plan.k, plan.small_strata, counts[kept])
        refuse_small(strata, plan.k)
        part[kept] = strata.part
        notes = [
            f"Protected together, so that k holds in them together, not in each: {strata.part_name(group)}."
            for group, members in enumerate(strata.merged)
            if len(members) > 1
        ]
    keys = np.column_stack([part, gaps])[kept]
    seen, cell = np.unique(keys, axis=0, return_inverse=True)
    sizes = np.bincount(cell.ravel(), counts[kept]).astype(np.int64)
    large = sizes >= plan.k
    if not large.any():
        raise DataError(
            f"No {plan.k} records miss the same quasi-identifiers, so none can be protected; "
            "drop the records with missing values, or leave out a column."
        )
    number = np.full(len(kinds), LEFT_OUT)
    number[kept] = np.where(large, np.cumsum(large) - 1, LEFT_OUT)[cell.ravel()]
    gone = found.records - int(sizes[large].sum())
    if gone:
        why = (
            "a quasi-identifier is missing"
            if large.all()
            else "too few others miss the same quasi-identifiers"
        )
        notes.append(
            f"{gone} of {found.records} records {'is' if gone == 1 else 'are'} not released, because {why}."
        )
    table = kinds[[*outline.strata, PATTERN]].assign(**{CELL: number})
    return Cells(table, seen[large, 1:].astype(bool), sizes[large], tuple(notes))
