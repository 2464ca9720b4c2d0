"""The one pipeline: microdata and a plan in, a release out.

Columns as numbers → standardised → for each block the solver returns labels → `Partition` refuses any group
under k → centroids on the original scale. Everything that a plan asks for and that cannot be honoured is
refused in `prepare`, before any work.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from microagg.blocks import by_hand, by_rule
from microagg.centroids import centroids
from microagg.dependence import extended
from microagg.errors import DataError, PlanError
from microagg.methods import METHODS
from microagg.scaling import deviations, standardise
from microagg.types import Microdata, Partition, Plan, Release

if TYPE_CHECKING:
    from microagg.compiled import FloatArray, IntArray
    from microagg.methods.method import Method

Progress = Callable[[float], None]


@dataclass(frozen=True, eq=False)
class Task:
    """A plan that has been found possible for some data, with every default filled in.

    Parameters
    ----------
    data : Microdata
        With the roles that the plan gives.
    plan : Plan
    method : Method
    options : dict
        Complete; a column option holds its column's name.
    columns : tuple of str
        The attributes to protect, in the plan's order.
    blocks : tuple of tuples of str
    confidential : tuple of str
        The attributes of Y; empty where λ = 0 and none is a number.
    """

    data: Microdata
    plan: Plan
    method: Method
    options: dict[str, Any]
    columns: tuple[str, ...]
    blocks: tuple[tuple[str, ...], ...]
    confidential: tuple[str, ...]


def prepare(data: Microdata, plan: Plan) -> Task:
    """Check a plan against the data, so that what cannot be honoured is refused before the run.

    Raises
    ------
    PlanError
        Unknown method, option, column or block rule; a combination the method cannot honour; k > n.
    DataError
        Nothing to protect; text, missing or infinite values in a column to protect.
    """
    if plan.method not in METHODS:
        raise PlanError(f"There is no method {plan.method!r}; the methods are {', '.join(METHODS)}.")
    method = METHODS[plan.method]
    data = data.with_roles(plan.roles)
    options = method.complete(plan.options)
    if method.kind == "partition":
        _refuse_k(plan.k, len(data), "record")
    columns = _columns(data, plan)
    if method.kind == "values":
        _refuse_k(plan.k, len(data) * len(columns), "value")
    confidential = _confidential(data, plan, columns)
    for option in method.options:
        if option.column:
            options[option.name] = _sorting_column(options[option.name], columns, option.name)
    _refuse_limits(method, options, plan)
    blocks = _blocks(data, plan, method, columns)
    return Task(data, plan, method, options, columns, blocks, confidential)


def _columns(data: Microdata, plan: Plan) -> tuple[str, ...]:
    columns = data.columns("quasi_identifier") if plan.columns is None else plan.columns
    if not columns:
        roles = ", ".join(f"{a.name}: {a.role}" for a in data.attributes[:6])
        more = ", …" if len(data.attributes) > 6 else ""
        raise DataError(
            f"{data.name}: there is nothing to protect, as no column is a quasi-identifier ({roles}{more}); "
            "give a column of numbers that role, or name the columns."
        )
    repeated = [name for name in columns if columns.count(name) > 1]
    if repeated:
        raise PlanError(f"The plan names column {repeated[0]!r} more than once.")
    identifiers = [name for name in columns if name in data.columns("identifier")]
    if identifiers:
        raise PlanError(
            f"Column {identifiers[0]!r} is an identifier, which is left out, not averaged; "
            "change its role or take it out of the plan."
        )
    return columns


def _confidential(data: Microdata, plan: Plan, columns: tuple[str, ...]) -> tuple[str, ...]:
    usable = tuple(name for name in data.confidential_numbers if name not in columns)
    if plan.lam > 0:
        incomplete = [
            name
            for name in data.columns("confidential")
            if data.numeric(name) and name not in usable and name not in columns
        ]
        if incomplete:
            raise DataError(
                f"Column {incomplete[0]!r} has missing or infinite values, so λ > 0 cannot weigh it."
            )
        if not usable:
            raise PlanError(
                "λ > 0 needs a confidential attribute that is a number; set a role or take λ = 0."
            )
    return usable


def _sorting_column(chosen: str, columns: tuple[str, ...], option: str) -> str:
    if chosen and chosen not in columns:
        raise PlanError(f"Option {option!r} names {chosen!r}, which is not among the protected columns.")
    return chosen or columns[0]


def _refuse_limits(method: Method, options: dict[str, Any], plan: Plan) -> None:
    limits = method.limits(options)
    asked = {
        "lam": plan.lam > 0,
        "aggregate": plan.aggregate != "mean",
        "blocks": plan.blocks not in ("all", method.blocks),
    }
    for feature, reason in limits.items():
        if asked[feature]:
            raise PlanError(f"{method.title}: {reason}")


def _refuse_k(k: int, most: int, what: str) -> None:
    if k > most:
        there = f"there is only 1 {what}" if most == 1 else f"there are only {most} {what}s"
        raise PlanError(f"k is {k}, but {there}; choose a k of at most {most}.")


def _blocks(
    data: Microdata, plan: Plan, method: Method, columns: tuple[str, ...]
) -> tuple[tuple[str, ...], ...]:
    values = data.matrix(columns)
    rule = method.blocks or plan.blocks
    groups = by_rule(rule, standardise(values)) if isinstance(rule, str) else by_hand(rule, columns)
    if method.single_attribute and any(len(group) > 1 for group in groups):
        raise PlanError(
            f"{method.title} works on one attribute a block; set the blocks to 'single' or choose one column."
        )
    return tuple(tuple(columns[j] for j in group) for group in groups)


def protect(data: Microdata, plan: Plan, *, progress: Progress | None = None) -> Release:
    """Protect the quasi-identifiers of a file.

    Parameters
    ----------
    data : Microdata
    plan : Plan
    progress : callable, optional
        Called with the share done, 0…1; it may raise `Cancelled`.

    Returns
    -------
    Release
        Same rows, order, columns and index; identifiers left out unless the plan keeps them.

    Raises
    ------
    PlanError, DataError
        As `prepare`.

    Examples
    --------
    >>> import pandas as pd
    >>> data = Microdata.from_frame(pd.DataFrame({"age": [20, 21, 60, 64], "wage": [9.0, 11, 30, 30]}))
    >>> protect(data, Plan(k=2)).protected["age"].tolist()
    [20.5, 20.5, 62.0, 62.0]
    """
    began = time.perf_counter()
    task = prepare(data, plan)
    data = task.data
    values = {name: data.matrix([name])[:, 0] for name in task.columns}
    partitions: list[Partition] = []
    protected = data.frame.copy()
    if task.method.kind == "values":
        original = np.column_stack([values[name] for name in task.columns])
        protected[list(task.columns)] = task.method.solve(original, plan.k)
    else:
        Y = standardise(data.matrix(task.confidential)) if plan.lam > 0 else np.empty((len(data), 0))
        for number, block in enumerate(task.blocks):
            X = np.column_stack([values[name] for name in block])
            labels = _solve(task, X, Y, values, _share_of(progress, number, len(task.blocks)))
            partitions.append(Partition(labels, plan.k))
            protected[list(block)] = centroids(X, partitions[-1].labels, plan.aggregate)
    if not plan.keep_identifiers:
        protected = protected.drop(columns=list(data.columns("identifier")))
    promised = plan.k if task.method.kind == "partition" else 1
    return Release(
        data, plan, protected, task.blocks, tuple(partitions), time.perf_counter() - began, promised
    )


def _solve(
    task: Task, X: FloatArray, Y: FloatArray, values: dict[str, FloatArray], progress: Progress | None
) -> IntArray:
    """Labels of one block."""
    n, k = len(X), task.plan.k
    if n < 2 * k:
        return np.zeros(n, dtype=np.int64)
    block = standardise(X)
    given: dict[str, Any] = {
        "block": block,
        "spreads": deviations(X),
        "seed": task.plan.seed,
        "progress": progress,
    }
    options = dict(task.options)
    for option in task.method.options:
        if option.column:
            options[option.name] = standardise(values[options[option.name]][:, np.newaxis])[:, 0]
    inputs = {name: given[name] for name in task.method.inputs}
    return np.asarray(
        task.method.solve(extended(block, Y, task.plan.lam), k, **options, **inputs), dtype=np.int64
    )


def _share_of(progress: Progress | None, number: int, count: int) -> Progress | None:
    """The progress of one block as a share of them all."""
    if progress is None:
        return None
    return lambda done: progress((number + done) / count)
