"""The passes over a file, in their order; everything that is done on workers is in the files beside this one.

1. Count the partitions' records and cut chunks. Guess and check on a seeded sample what the plan means.
2. Add up what is counted (`facts`), twice where records are left out. Strata and patterns become cells.
3. Add up squares for the scale; gather a seeded sample on one worker and divide the cells there (`layout`).
4. Count the parts, and again after small ones are taken out. Up to here the caller waits.
5. Gather, solve, send back: lazily, whenever the protected frame is asked for or written.

Everything is deterministic: chunks follow from the number of records, samples from the records' numbers and
the plan's seed, sums are exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import dask
import numpy as np

from microagg.distributed.cell_table import LEFT_OUT, Cells
from microagg.distributed.cells import cells
from microagg.distributed.chunks import Chunks, cut
from microagg.distributed.cluster import told
from microagg.distributed.file_statistics import Facts, facts, merged, refuse, squares
from microagg.distributed.layout import PER_PART, Layout, count, grown, part_records
from microagg.distributed.outline import SAMPLE, Outline, outline
from microagg.distributed.ranks import Ranks, marks, tally
from microagg.distributed.release import DistributedRelease
from microagg.errors import MicroaggError
from microagg.kernels.random_numbers import uniforms
from microagg.kernels.reproducible_sums import added, rounded
from microagg.kernels.scaling import Scaling
from microagg.methods.cost_limits import refuse_hopeless

if TYPE_CHECKING:
    import pandas as pd

    from microagg.kernels.compiled import FloatArray, IntArray
    from microagg.model.plan import Plan

LEAST_SAMPLE = 100_000
"""Records from which a small file is divided."""


def protect_lazily(
    frame: Any, plan: Plan, *, part: int | None = None, chunk: int | None = None
) -> DistributedRelease:
    """Protect a dask DataFrame: the first passes are made now, the rest when the result is asked for.

    Parameters
    ----------
    frame : dask DataFrame
    plan : Plan
    part : int, optional
        Records of a part; None: 50,000, fewer for slow methods.
    chunk : int, optional
        Records of a chunk, which is also a file of the result; None: what gives 64, 25,000 at least.

    Raises
    ------
    PlanError, DataError
        What `microagg.protect` refuses, or what cannot be had in parts.
    MicroaggError
        The cluster fails.
    """
    with told("The run"):
        chunks = cut(frame, chunk)
        own = _outlined(chunks, plan)
        numbers = list(dict.fromkeys((*own.numbers, *own.strata)))
        found = _facts(chunks, own, numbers, None)
        if found.records != chunks.records:
            raise MicroaggError(f"{found.records} records were read where {chunks.records} had been counted.")
        refuse(found, own)
        table = cells(found, own)
        if table.sizes.sum() < chunks.records:
            found = _facts(chunks, own, numbers, table)
        layouts, scale = _divided(chunks, own, numbers, found, table, part_records(own, part))
        layouts, counts = _counted(chunks, own, numbers, table, layouts, scale)
    further = len(own.confidential) if plan.lam > 0 else 0
    for layout in layouts:
        each = [(int(size), len(layout.block) + further) for size in layout.sizes]
        refuse_hopeless(own.method, own.options, plan.k, [max(each)])
    return DistributedRelease(chunks, own, found, tuple(layouts), Ranks(scale, counts))


def _outlined(chunks: Chunks, plan: Plan) -> Outline:
    rate = SAMPLE / chunks.records
    pieces = [
        dask.delayed(_some)(frame, first, rate, plan.seed)
        for frame, first in zip(chunks.of(), chunks.bounds, strict=False)
    ]
    (found,) = dask.compute(dask.delayed(outline)(pieces, plan, chunks.records))
    return found  # type: ignore[no-any-return]


def _facts(chunks: Chunks, own: Outline, columns: list[str], table: Cells | None) -> Facts:
    look = [
        dask.delayed(facts)(frame, own, first, table)
        for frame, first in zip(chunks.of(columns), chunks.bounds, strict=False)
    ]
    return merged(dask.compute(*look))


def _divided(
    chunks: Chunks, own: Outline, columns: list[str], found: Facts, table: Cells, part: int
) -> tuple[list[Layout], list[FloatArray]]:
    """From a sample that stays on a worker, the trees and the marks of the ranks."""
    rate = max(LEAST_SAMPLE / chunks.records, PER_PART / part)
    looks = [
        dask.delayed(_look, nout=2)(frame, own, table, found.means, found.unit, first, rate)
        for frame, first in zip(chunks.of(columns), chunks.bounds, strict=False)
    ]
    scaling = dask.delayed(_scaling)([look[0] for look in looks], own, found)
    (found_all,) = dask.compute(dask.delayed(_grow)([look[1] for look in looks], own, table, scaling, part))
    return found_all  # type: ignore[no-any-return]


def _counted(
    chunks: Chunks,
    own: Outline,
    columns: list[str],
    table: Cells,
    layouts: list[Layout],
    scale: list[FloatArray],
) -> tuple[list[Layout], list[IntArray]]:
    """Count parts until none is too small, and ranks once."""
    ranks: list[IntArray] = []
    while True:
        shared, marked = dask.delayed(layouts), dask.delayed(scale)
        frames = chunks.of(columns)
        counts, tallies = dask.compute(
            [
                dask.delayed(count)(frame, own, table, shared, first)
                for frame, first in zip(frames, chunks.bounds, strict=False)
            ],
            [] if ranks else [dask.delayed(_tally)(frame, own, table, marked) for frame in frames],
        )
        if not ranks:
            ranks = [np.sum(own_counts, axis=0) for own_counts in zip(*tallies, strict=True)]
        layouts = [
            layout.counted(np.sum(sizes, axis=0))
            for layout, sizes in zip(layouts, zip(*counts, strict=True), strict=True)
        ]
        if all(len(layout.sizes) for layout in layouts):
            return layouts, ranks


def _some(frame: pd.DataFrame, first: int, rate: float, seed: int) -> pd.DataFrame:
    """The records of a chunk that are drawn."""
    return frame[uniforms(first + np.arange(len(frame)), seed=seed) < rate]


def _look(
    frame: pd.DataFrame,
    own: Outline,
    table: Cells,
    means: FloatArray,
    unit: FloatArray,
    first: int,
    rate: float,
) -> tuple[list[int], tuple[IntArray, IntArray, FloatArray]]:
    """Squares of the records that are released, and the sample of them."""
    frame, ids = own.read(frame), first + np.arange(len(frame))
    values = own.matrix(frame, own.numbers)
    cell = table.of(frame, values[:, : len(own.columns)])
    kept = cell != LEFT_OUT
    chosen = kept & (uniforms(ids, seed=own.plan.seed) < rate)
    return squares(values[kept], means, unit), (ids[chosen], cell[chosen], values[chosen])


def _scaling(parts: list[list[int]], own: Outline, found: Facts) -> Scaling:
    present = found.records - found.gaps
    variance = [rounded(s, max(int(n), 1)) for s, n in zip(added(parts), present, strict=True)]
    spreads = np.where(found.low == found.high, 0.0, np.sqrt(variance) * found.unit)
    return Scaling(
        dict(zip(own.numbers, found.means.tolist(), strict=True)),
        dict(zip(own.numbers, spreads.tolist(), strict=True)),
    )


def _grow(
    samples: list[tuple[IntArray, IntArray, FloatArray]],
    own: Outline,
    table: Cells,
    scaling: Scaling,
    part: int,
) -> tuple[list[Layout], list[FloatArray]]:
    ids, cell, values = (np.concatenate(side) for side in zip(*samples, strict=True))
    protected = values[:, : len(own.columns)]
    scale = marks(protected[~np.isnan(protected).any(axis=1)])
    return grown(own, table, scaling, part, (ids, cell, values)), scale


def _tally(frame: pd.DataFrame, own: Outline, table: Cells, scale: list[FloatArray]) -> list[IntArray]:
    frame = own.read(frame)
    values = own.matrix(frame, own.columns)
    kept = table.of(frame, values) != LEFT_OUT
    return tally(values[kept & ~np.isnan(values).any(axis=1)], scale)
