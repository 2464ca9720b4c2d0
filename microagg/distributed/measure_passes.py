"""The passes that measure a release in parts: originals beside what was written, chunk by chunk.

The first of them adds up moments, ranks and classes; the second looks a sample up among all originals, once
both files' deviations are known. The figures themselves are defined in `measures`.
"""

from __future__ import annotations

import math
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

import dask
import numpy as np

from microagg.distributed import measures as m
from microagg.distributed.cell_table import LEFT_OUT
from microagg.errors import MicroaggError
from microagg.measures.dependence import Dependence, mean_distortion
from microagg.measures.loss import relative_changes, squared_loss
from microagg.measures.moments import Sums

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from microagg.distributed.cell_table import Cells
    from microagg.distributed.divided_file import DividedFile
    from microagg.distributed.outline import Outline
    from microagg.distributed.ranks import Ranks
    from microagg.distributed.solving import Solved
    from microagg.kernels.compiled import FloatArray, IntArray
    from microagg.measures.moments import Moments


def measured(file: DividedFile, frames: list[Any], solved: Sequence[Sequence[Solved]]) -> m.Measures:
    """Measure a release.

    Parameters
    ----------
    file : DividedFile
    frames : list of delayed DataFrame
        Its protected chunks, as they were written.
    solved : for each block, what is known of its parts

    Raises
    ------
    MicroaggError
        A class of a block has fewer than k records.
    """
    own, numbers = file.outline, list(file.outline.columns)
    columns = list(dict.fromkeys((*own.numbers, *own.strata)))
    table, released = file.layouts[0].cells, int(file.layouts[0].cells.sizes.sum())
    q = len(numbers)
    means, unit = file.facts.means[:q], file.facts.unit[:q]
    pairs = [
        dask.delayed(_pair)(before, after, own, table, first)
        for before, after, first in zip(file.chunks.of(columns), frames, file.chunks.bounds, strict=False)
    ]
    ranks = dask.delayed(file.ranks)
    blocks = [tuple(numbers)] if len(file.blocks) == 1 else [tuple(numbers), *file.blocks]
    baskets = min(len(frames), 32)
    sized = []
    for block in blocks:
        places = [numbers.index(name) for name in block]
        sorted_ = [dask.delayed(_baskets, nout=baskets)(pair, places, baskets) for pair in pairs]
        sized.append([dask.delayed(m.class_sizes)([s[b] for s in sorted_]) for b in range(baskets)])
    compared, disclosed, sizes = dask.compute(
        [dask.delayed(_sums)(pair, means, unit) for pair in pairs],
        [dask.delayed(_reaching)(pair, ranks) for pair in pairs],
        sized,
    )
    moments = reduce(add, compared).moments(means, unit)
    looked, dld = _linked(file, pairs, moments)
    classes = [_together(one) for one in sizes]
    smallest = tuple(min(one) for one in (classes if len(file.blocks) == 1 else classes[1:]))
    if min(smallest) < file.plan.k:
        raise MicroaggError(
            f"A class of {min(smallest)} records was found where k is {file.plan.k}; nothing is released."
        )
    information, squared = relative_changes(moments), squared_loss(moments)
    shares = np.sum(disclosed, axis=0) / max(10 * moments.n * q, 1)
    by_block = [reduce(add, parts) for parts in solved]
    within = sum(one.looked_up for one in by_block)
    sst_y = released * int((file.layouts[0].scaling.deviations(file.confidential) > 0).sum())
    d_y = mean_distortion([(one.sse_y, sst_y) for one in by_block if file.confidential])
    dependence = Dependence(squared.total, d_y, file.plan.lam)
    counted = classes[0]
    return m.Measures(
        records=released,
        left_out=file.chunks.records - released,
        groups=sum(one.groups for one in by_block),
        sse=float(squared.by_attribute.sum()) * moments.n,
        sst=float((moments.spread > 0).sum()) * moments.n,
        l=squared.total,
        d_x=dependence.d_x,
        d_y=dependence.d_y,
        d=dependence.d,
        il=information.il,
        il_scale_free=information.il_scale_free,
        il_parts=(information.il1, information.il2, information.il3, information.il4, information.il5),
        id=float(shares[0].sum()),
        id_low=float(shares[1].sum()),
        id_high=float(shares[2].sum()),
        rank_error=float(file.ranks.error.max() / max(file.ranks.records, 1)),
        k_prime=released / sum(counted.values()),
        smallest_class=min(counted),
        records_below_k=sum(size * times for size, times in counted.items() if size < file.plan.k),
        class_sizes=counted,
        smallest_in_block=smallest,
        dld=dld,
        dld_error=math.sqrt(dld * (1 - dld) / looked) if looked else float("nan"),
        dld_records=looked,
        dld_within=sum(one.linked for one in by_block) / within if within else float("nan"),
    )


def _linked(
    file: DividedFile,
    pairs: list[Any],
    moments: Moments,
) -> tuple[int, float]:
    """Look a sample up among all originals, each side on its own scale."""
    scale = moments.mean, moments.spread, moments.mean_after, moments.spread_after
    chosen = [dask.delayed(_chosen)(pair, moments.n, file.plan.seed) for pair in pairs]
    desk = dask.delayed(_desk)(chosen, scale)
    found = [dask.delayed(_nearest)(desk, pair, scale) for pair in pairs]
    looked, dld = dask.compute(dask.delayed(m.linked)(desk, found))[0]
    return int(looked), float(dld)


def _pair(
    before: pd.DataFrame, after: pd.DataFrame, own: Outline, table: Cells, first: int
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Numbers, originals and released values of the records of a chunk that are released."""
    before = own.read(before)
    values = own.matrix(before, own.columns)
    kept = np.flatnonzero(table.of(before, values) != LEFT_OUT)
    return first + kept, values[kept], own.matrix(after, own.columns)


def _complete(pair: tuple[IntArray, FloatArray, FloatArray]) -> tuple[IntArray, FloatArray, FloatArray]:
    ids, before, after = pair
    rows = np.isfinite(before + after).all(axis=1)
    return ids[rows], before[rows], after[rows]


def _sums(pair: Any, means: FloatArray, unit: FloatArray) -> Sums:
    _, before, after = _complete(pair)
    return Sums.of(before, after, means, unit)


def _reaching(pair: Any, ranks: Ranks) -> IntArray:
    return ranks.reaching(*_complete(pair)[1:])


def _baskets(pair: Any, places: list[int], baskets: int) -> list[Any]:
    return m.sorted_into(pair[2][:, places], baskets)


def _chosen(pair: Any, n: int, seed: int) -> tuple[FloatArray, FloatArray]:
    ids, before, after = _complete(pair)
    rows = m.looked_up(ids, n, seed)
    return before[rows], after[rows]


def _desk(chosen: list[Any], scale: Any) -> tuple[FloatArray, FloatArray]:
    before, after = (np.concatenate(side) for side in zip(*chosen, strict=True))
    return _scaled(after, scale[2], scale[3]), _scaled(before, scale[0], scale[1])


def _nearest(desk: Any, pair: Any, scale: Any) -> tuple[FloatArray, IntArray]:
    return m.nearest(desk, _scaled(_complete(pair)[1], scale[0], scale[1]))


def _scaled(values: FloatArray, mean: FloatArray, spread: FloatArray) -> FloatArray:
    return np.ascontiguousarray((values - mean) * (spread > 0) / np.where(spread > 0, spread, 1.0))


def _together(sizes: Sequence[dict[int, int]]) -> dict[int, int]:
    total: dict[int, int] = {}
    for own in sizes:
        for size, times in own.items():
            total[size] = total.get(size, 0) + times
    return dict(sorted(total.items()))
