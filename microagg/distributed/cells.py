"""Strata and patterns of missing values as cells of a file that is not at hand, from their counts alone.

The rules are those of one machine (`microagg.preparation.strata`, `microagg.preparation.cells`): small strata
are refused or merged, patterns of fewer than k records are left out, records with a gap are dropped where the
plan says so. Each chunk then looks the cell of a record up in a table that every worker has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.distributed.cell_table import CELL, LEFT_OUT, PATTERN, Cells
from microagg.distributed.file_statistics import RECORDS
from microagg.errors import DataError
from microagg.model.microdata import Microdata
from microagg.preparation.cells import too_few_complete
from microagg.preparation.strata import refuse_small, stratify

if TYPE_CHECKING:
    from microagg.distributed.file_statistics import Facts
    from microagg.distributed.outline import Outline


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
