"""The D_X–D_Y curve of one plan: only λ changes from point to point, so all else is prepared once.

k-Anonymous Microaggregation with Preservation of Statistical Dependence, §III. A point needs the groups and
nothing of the release: no file is written, nothing but the two distortions is measured. Where the released
values are not plain centroids of numbers (categories, rounding, gaps), each point is a release of its own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from microagg.assessment.assess import lost
from microagg.kernels.scaling import standardise
from microagg.measures.dependence import Dependence, confidential_distortion
from microagg.measures.loss import released_loss
from microagg.preparation.prepare import prepare
from microagg.protection.centroids import centroids
from microagg.protection.partitioning import partitions
from microagg.protection.protect import protect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from microagg.kernels.compiled import FloatArray
    from microagg.model.microdata import Microdata
    from microagg.model.plan import Plan
    from microagg.preparation.prepare import Task


def lambda_curve(data: Microdata, plan: Plan, lams: Iterable[float]) -> Iterator[Dependence]:
    """Both distortions for each λ, all else as in the plan.

    Parameters
    ----------
    data : Microdata
    plan : Plan
        Its own λ counts for nothing.
    lams : iterable of float in [0, 1]

    Yields
    ------
    Dependence

    Raises
    ------
    PlanError, DataError
        As `microagg.preparation.prepare.prepare` with λ > 0.

    Examples
    --------
    >>> import pandas as pd
    >>> from microagg.model.microdata import Microdata
    >>> from microagg.model.plan import Plan
    >>> frame = pd.DataFrame({"age": [20, 60, 21, 64], "wage": [9.0, 9, 30, 30]})
    >>> data = Microdata.from_frame(frame, roles={"wage": "confidential"})
    >>> [round(point.d_y, 3) for point in lambda_curve(data, Plan(k=2), (0, 1))]
    [1.0, 0.0]
    """
    task = prepare(data, plan.replace(lam=0.5))
    numbers = all(scale == "continuous" for scale in task.scales.values())
    plain = numbers and plan.rounding == "none" and not np.isnan(task.matrix).any()
    if not plain or task.method.kind == "values":
        for lam in lams:
            yield lost(protect(data, plan.replace(lam=lam))).dependence
        return
    Y = standardise(task.data.matrix(task.confidential))
    for lam in lams:
        yield _point(replace(task, plan=plan.replace(lam=lam)), Y)


def _point(task: Task, Y: FloatArray) -> Dependence:
    groups, _ = partitions(task, Y)
    released = np.empty_like(task.matrix)
    for block, found in zip(task.blocks, groups, strict=True):
        places = [task.columns.index(name) for name in block]
        released[:, places] = centroids(task.values(block), found.labels, task.plan.aggregate, task.weights)
    d_y = confidential_distortion(Y, [found.labels for found in groups])
    return Dependence(released_loss(task.matrix, released).total, d_y, task.plan.lam)
