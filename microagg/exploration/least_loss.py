"""What any partition must lose, beside what this release lost.

`microagg.methods.bound` bounds the sum of squares of one block. L divides the sum over the blocks by SST, and
so does its bound. It holds whatever the groups are released as, means, medians, weighted means or rounded,
as long as the records of a group are released alike: no value is nearer to them, in squares, than their mean.
It holds under strata and any λ, which only narrow the choice of partitions. L is measured in the records that
miss no number; where the plan protects the others apart, groups of at least k among those records are what
is bounded.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from microagg.kernels.scaling import standardise
from microagg.methods.bound import MOST_RECORDS, lower_bound

if TYPE_CHECKING:
    from microagg.model.release import Release


def least_loss(release: Release) -> float:
    """The largest known L that no partition into groups of k can fall below, for these data and blocks.

    Parameters
    ----------
    release : Release

    Returns
    -------
    float
        A ratio as L; nan where there is no such bound: the method forms no groups, no number is complete, a
        group mixes records with and without gaps; or where it is not cheap, above 10,000 records.

    Examples
    --------
    >>> import pandas as pd
    >>> from microagg.protection.protect import protect
    >>> from microagg.model.microdata import Microdata
    >>> from microagg.model.plan import Plan
    >>> data = Microdata.from_frame(pd.DataFrame({"age": [20.0, 22, 60, 62]}))
    >>> round(least_loss(protect(data, Plan(k=2))), 6)
    0.002494
    """
    there, k = release.complete, release.k
    if not release.partitions or not release.columns or not 0 < int(there.sum()) <= MOST_RECORDS:
        return math.nan
    for groups in release.partitions:
        sizes = np.bincount(groups.labels[there])
        if sizes[sizes > 0].min() < k:
            return math.nan
    points = standardise(release.original_values[there])
    total = float(np.square(points).sum())
    blocks = [list(block) for block in release.block_positions if block]
    least = sum(lower_bound(np.ascontiguousarray(points[:, block]), k) for block in blocks)
    return least / total if total > 0 else 0.0
