"""The one pipeline: microdata and a plan in, a release out.

Everything that a plan asks for and that cannot be honoured is refused in `prepare`, before any work. Then,
block by block: columns as numbers → scaled over the whole file → within each cell the solver returns labels →
`Partition` refuses any group under k → centroids on the original scale. Rounding, identifiers and the order
of the rows come last.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from microagg.errors import DataError
from microagg.kernels.random_numbers import permutation
from microagg.kernels.scaling import standardise
from microagg.model.categories import only_used_categories, recoded
from microagg.model.microdata import Microdata
from microagg.model.release import Release
from microagg.preparation.prepare import Task, prepare
from microagg.preparation.refinement_rounds import stop_told
from microagg.protection.centroids import centroids
from microagg.protection.partitioning import Progress, partitions
from microagg.protection.rounding import as_released

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from microagg.kernels.compiled import FloatArray, IntArray
    from microagg.model.partition import Partition
    from microagg.model.plan import Plan
    from microagg.protection.refinement import Watch

__all__ = ["Progress", "Task", "prepare", "protect"]


ENGINES: dict[str, Callable[[Any, Plan], Any]] = {}
"""What protects frames that are no `Microdata`, by the package that they come from; it enters itself here."""


def protect(
    data: Microdata, plan: Plan, *, progress: Progress | None = None, watch: Watch | None = None
) -> Release:
    """Protect the quasi-identifiers of a file.

    Parameters
    ----------
    data : Microdata
        A dask DataFrame is protected in parts, on whatever cluster is there (`microagg.distributed`).
    plan : Plan
    progress : callable, optional
        Called with the share done, 0…1; it may raise `Cancelled`.
    watch : callable, optional
        Where the plan refines: called with each `microagg.protection.refinement.Moment`, at least ten times a
        second, to see the loss fall. Where it returns true, refinement stops and the best so far is released,
        under the plan that gives this release again; ``lambda now: now.seconds > 5`` is a budget of five
        seconds.

    Returns
    -------
    Release
        Same rows, order and columns, unless the plan says otherwise; identifiers left out unless the plan
        keeps them, and the index unless the data keep it. Of a dask DataFrame, a
        `microagg.distributed.release.DistributedRelease`, whose frames are lazy.

    Raises
    ------
    PlanError, DataError
        As `prepare`.

    Examples
    --------
    >>> import pandas as pd
    >>> from microagg.model.microdata import Microdata
    >>> from microagg.model.plan import Plan
    >>> data = Microdata.from_frame(pd.DataFrame({"age": [20, 21, 60, 64], "wage": [9.0, 11, 30, 30]}))
    >>> protect(data, Plan(k=2)).protected["age"].tolist()
    [20.5, 20.5, 62.0, 62.0]
    """
    if not isinstance(data, Microdata):
        return _engine(data)(data, plan)
    began = time.perf_counter()
    task = prepare(data, plan)
    if task.method.kind == "values":
        groups: tuple[Partition, ...] = ()
        values = task.method.solve(task.matrix, plan.k, progress=progress)
        released = dict(zip(task.columns, values.T, strict=True))
    else:
        Y = np.empty((len(task.data), 0))
        if plan.lam > 0:
            Y = standardise(task.data.matrix(task.confidential))
        groups, stopped = partitions(task, Y, progress, watch)
        plan = plan.replace(stop_at=stopped)
        released = replaced(task, groups, progress)
    protected, order = _file(task, released)
    return Release(
        task.data,
        plan,
        protected,
        task.blocks,
        groups,
        time.perf_counter() - began,
        promised(task),
        task.division.left_out,
        order,
        (*task.notes, *index_note(data.row_names if data.index == "drop" else ""), *stop_told(plan)),
    )


def _engine(data: object) -> Callable[[Any, Plan], Any]:
    """What protects a frame of another package."""
    package = type(data).__module__.partition(".")[0]
    if package not in ENGINES:
        raise DataError("What is protected is a Microdata (see `Microdata.from_frame`) or a dask DataFrame.")
    return ENGINES[package]


def replaced(
    task: Task, partitions: tuple[Partition, ...], progress: Progress | None = None
) -> dict[str, FloatArray]:
    """What each attribute's values are replaced by: numbers, or codes of categories."""
    aggregates = {"continuous": task.plan.aggregate, "ordinal": "median category", "nominal": "mode"}
    released: dict[str, FloatArray] = {}
    for block, groups in zip(task.blocks, partitions, strict=True):
        for scale, aggregate in aggregates.items():
            names = [name for name in block if task.scales[name] == scale]
            if names:
                centres = centroids(task.values(names), groups.labels, aggregate, task.weights)
                released |= zip(names, centres.T, strict=True)
        if progress is not None:
            progress(1.0)
    return released


def index_note(named: str) -> tuple[str, ...]:
    """What is said of an index that can name records (`row_names`) and is left out."""
    said = f"{named[:1].upper()}{named[1:]} is left out of the release, since it can name every record."
    return (said,) if named else ()


def _file(task: Task, released: dict[str, FloatArray]) -> tuple[pd.DataFrame, IntArray | None]:
    """The protected file as it leaves the house, and the record in each of its rows if they are shuffled."""
    plan, protected = task.plan, task.data.frame.copy()
    protected.attrs = {}  # which Parquet files would carry
    for name, values in released.items():
        column = protected[name]
        protected[name] = (
            as_released(values, column, plan.rounding)
            if task.scales[name] == "continuous"
            else recoded(column, task.values([name])[:, 0], values)
        )
    protected = only_used_categories(protected)
    if not plan.keep_identifiers:
        protected = protected.drop(columns=list(task.data.columns("identifier")))
    if task.data.index == "drop":
        protected = protected.reset_index(drop=True)
    order = order_of(plan, len(protected))
    return (protected if order is None else protected.iloc[order].reset_index(drop=True)), order


def order_of(plan: Plan, records: int) -> IntArray | None:
    """The record in each row of a release of so many, (records,) int64; None: the file's own order."""
    return None if plan.shuffle is None else permutation(plan.shuffle, records)


def promised(task: Task) -> int:
    """The group size that a release of this task promises: a method of values promises none."""
    return task.plan.k if task.method.kind == "partition" else 1
