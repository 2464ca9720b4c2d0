"""The passes that measure a release in parts: originals beside what was written, chunk by chunk.

The first of them adds up moments, ranks and classes; the second looks a sample up among all originals, once
both files' deviations are known. What is added up, and the figures themselves, are defined in
`microagg.measures`.
"""

from __future__ import annotations

from collections import Counter
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

import dask
import numpy as np

from microagg.assessment.assess import Assessment, Disclosed, Lost, lost_by_numbers
from microagg.distributed import measures as m
from microagg.distributed.cell_table import LEFT_OUT
from microagg.errors import MicroaggError
from microagg.kernels.scaling import scaled_by
from microagg.measures.anonymity import RealAnonymity
from microagg.measures.dependence import Dependence, mean_distortion
from microagg.measures.diversity import Diversity
from microagg.measures.intervals import WIDTHS, IntervalDisclosure
from microagg.measures.knowledge import Knowledge
from microagg.measures.linkage import Linkage, standard_error
from microagg.measures.matching import shared_credit, squared_distances
from microagg.measures.moments import Sums
from microagg.measures.nearest import nearest_of_both, nearest_with_ties
from microagg.measures.probabilistic import TABLED, Met, Patterns, met_by, own_patterns

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pandas as pd

    from microagg.distributed.cell_table import Cells
    from microagg.distributed.divided_file import DividedFile
    from microagg.distributed.outline import Outline
    from microagg.distributed.ranks import Ranks
    from microagg.distributed.solving import Solved
    from microagg.kernels.compiled import FloatArray, IntArray
    from microagg.measures.moments import Moments
    from microagg.measures.risk import RiskWeights

ALL = slice(None)


def measured(
    file: DividedFile,
    frames: list[Any],
    solved: Sequence[Sequence[Solved]],
    weights: RiskWeights,
    loss_weight: float,
) -> m.Measures:
    """Measure a release.

    Parameters
    ----------
    file : DividedFile
    frames : list of delayed DataFrame
        Its protected chunks, as they were written.
    solved : for each block, what is known of its parts
    weights : RiskWeights
        How much each kind of disclosure counts in DR; probabilistic linkage is measured where it counts.
    loss_weight : float in [0, 1]
        How much information loss counts in the score.

    Raises
    ------
    MicroaggError
        A class of a block has fewer than k records.
    """
    own, released = file.outline, int(file.layouts[0].cells.sizes.sum())
    columns = list(dict.fromkeys((*own.numbers, *own.strata)))
    q, table = len(own.columns), file.layouts[0].cells
    means, unit = file.facts.means[:q], file.facts.unit[:q]
    pairs = [
        dask.delayed(_pair)(before, after, own, table, first)
        for before, after, first in zip(file.chunks.of(columns), frames, file.chunks.bounds, strict=False)
    ]
    ranks = dask.delayed(file.ranks)
    sums, reaching, sizes = dask.compute(
        _added([dask.delayed(_sums)(pair, means, unit) for pair in pairs]),
        [dask.delayed(_reaching)(pair, ranks) for pair in pairs],
        _sizes(file, pairs),
    )
    classes = [_together(one) for one in sizes]
    smallest = tuple(min(one) for one in (classes if len(file.blocks) == 1 else classes[1:]))
    if min(smallest) < file.plan.k:
        raise MicroaggError(
            f"A class of {min(smallest)} records was found where k is {file.plan.k}; nothing is released."
        )
    moments = sums.moments(means, unit) if sums.n else None
    known = Knowledge.of([range(q)])
    linkage, likely = _linked(file, pairs, moments, probabilistic=weights.pld > 0)
    with np.errstate(invalid="ignore"):
        by_attribute = np.sum(reaching, axis=0) / (WIDTHS * np.float64(sums.n))
    rates = [IntervalDisclosure(one).rate(known.listed) for one in by_attribute]
    by_block = [reduce(add, parts) for parts in solved]
    within = sum(one.looked_up for one in by_block)
    lost = _lost(file, moments, by_block, released)
    disclosed = Disclosed(
        known,
        linkage,
        likely,
        IntervalDisclosure(by_attribute[0]),
        rates[0],
        RealAnonymity(file.plan.k, *(np.array(side) for side in zip(*classes[0].items(), strict=True))),
        tuple(_diversity(file, one) for one in by_block),
    )
    return m.Measures(
        Assessment(lost, disclosed, weights, loss_weight),
        records=released,
        left_out=file.chunks.records - released,
        groups=sum(one.groups for one in by_block),
        sst=float((moments.spread > 0).sum() * moments.n) if moments else 0.0,
        id_low=rates[1],
        id_high=rates[2],
        rank_error=float(file.ranks.error.max() / max(file.ranks.records, 1)),
        smallest_in_block=smallest,
        dld_within=sum(one.linked for one in by_block) / within if within else float("nan"),
    )


def _added(parts: list[Any], merge: Callable[[Any, Any], Any] = add) -> Any:
    """Merge what delayed tasks give two by two, so that no worker holds that of all."""
    while len(parts) > 1:
        odd = parts[len(parts) // 2 * 2 :]
        parts = [dask.delayed(merge)(*two) for two in zip(parts[::2], parts[1::2], strict=False)] + odd
    return parts[0]


def _sizes(file: DividedFile, pairs: list[Any]) -> list[list[Any]]:
    """Classes by size, basket by basket: over all protected attributes, then over each of several blocks."""
    numbers = list(file.outline.columns)
    blocks = [tuple(numbers)] if len(file.blocks) == 1 else [tuple(numbers), *file.blocks]
    baskets = min(len(pairs), 32)
    sized = []
    for block in blocks:
        places = [numbers.index(name) for name in block]
        sorted_ = [dask.delayed(_baskets, nout=baskets)(pair, places, baskets) for pair in pairs]
        sized.append([dask.delayed(m.class_sizes)([s[b] for s in sorted_]) for b in range(baskets)])
    return sized


def _together(sizes: Sequence[dict[int, int]]) -> dict[int, int]:
    total: Counter[int] = Counter()
    for own in sizes:
        total.update(own)
    return dict(sorted(total.items()))


def _lost(file: DividedFile, moments: Moments | None, by_block: Sequence[Solved], records: int) -> Lost:
    information, squared = lost_by_numbers(moments, len(file.outline.columns))
    sst_y = records * int((file.layouts[0].scaling.deviations(file.confidential) > 0).sum())
    d_y = mean_distortion([(one.sse_y, sst_y) for one in by_block if file.confidential])
    return Lost(information, squared, Dependence(squared.total, d_y, file.plan.lam))


def _diversity(file: DividedFile, block: Solved) -> Diversity:
    """What is measured of it in parts: ℓ_avg."""
    average = block.steps / block.groups if file.confidential else float("nan")
    return Diversity(average, np.empty(0, dtype=np.int64), np.empty((0, 0)))


def _linked(
    file: DividedFile, pairs: list[Any], moments: Moments | None, *, probabilistic: bool
) -> tuple[Linkage, Linkage | None]:
    """Look a sample up among all originals, each side on its own scale: by distance, and by agreement."""
    nobody = Linkage(np.empty(0)), Linkage(np.empty(0)) if probabilistic else None
    if moments is None:
        return nobody
    scale = moments.mean, moments.spread, moments.mean_after, moments.spread_after
    chosen = [dask.delayed(_chosen)(pair, moments.n, file.plan.seed) for pair in pairs]
    desk = dask.delayed(_desk)(chosen, scale)
    nearest = _added([dask.delayed(_nearest)(desk, pair, scale) for pair in pairs], nearest_of_both)
    (linkage,) = dask.compute(dask.delayed(_by_distance)(desk, nearest, moments.n))
    if not linkage.looked_up:
        return nobody
    likely = None
    if probabilistic and len(moments.spread) > TABLED:
        reason = f"Not measured in parts: more than {TABLED} attributes."
        likely = Linkage(np.array([np.nan]), notes={"sets": reason})
    elif probabilistic:
        met = _added([dask.delayed(_met)(desk, pair, scale) for pair in pairs])
        (likely,) = dask.compute(dask.delayed(_by_agreement)(desk, met, moments.n))
    return linkage, likely


def _linkage(credit: FloatArray, records: int) -> Linkage:
    by_set = np.array([credit.mean() if len(credit) else np.nan])
    return Linkage(by_set, standard_error(by_set, None, credit, records), looked_up=len(credit))


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
    return scaled_by(after, scale[2], scale[3]), scaled_by(before, scale[0], scale[1])


def _nearest(desk: Any, pair: Any, scale: Any) -> tuple[FloatArray, IntArray]:
    released, own = desk
    candidates = scaled_by(_complete(pair)[1], scale[0], scale[1])
    reached = squared_distances(released, own, ALL, ALL)
    return nearest_with_ties(released, reached, candidates, np.ones(len(candidates), dtype=np.int64))


def _by_distance(desk: Any, nearest: tuple[FloatArray, IntArray], candidates: int) -> Linkage:
    released, own = desk
    return _linkage(shared_credit(squared_distances(released, own, ALL, ALL), *nearest), candidates)


def _met(desk: Any, pair: Any, scale: Any) -> Met:
    return met_by(desk[0], scaled_by(_complete(pair)[1], scale[0], scale[1]))


def _by_agreement(desk: Any, met: Met, candidates: int) -> Linkage:
    patterns = Patterns.of(met, own_patterns(*desk), np.arange(len(desk[0])), candidates)
    return _linkage(patterns.credit(patterns.fit(range(desk[0].shape[1]))[1]), candidates)
