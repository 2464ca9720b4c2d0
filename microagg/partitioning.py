"""One block partitioned: scaled over the whole file, handed to the solver cell by cell.

A cell's records reach the solver centred, as a whole file's would, but on the file's scale; attributes that
the cell misses are left out. A cell of fewer than 2k records is one group, as is one that misses the block.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from microagg.dependence import extended
from microagg.methods.refine import refine
from microagg.missing import over_present
from microagg.scaling import deviations, min_max, standardise
from microagg.types import Partition

if TYPE_CHECKING:
    from microagg.cells import Cell
    from microagg.compiled import FloatArray, IntArray
    from microagg.prepare import Task

Progress = Callable[[float], None]

SOLVING = 0.1
"""Share of a refined block's progress that stands for the method that is refined."""


def partition(task: Task, block: tuple[str, ...], Y: FloatArray, progress: Progress | None) -> Partition:
    """Partition a block.

    Parameters
    ----------
    task : Task
    block : tuple of str
    Y : (n, m_Y) float64
        The confidential attributes, standardised; no columns where λ = 0.
    progress : callable, optional
        Called with the share of the block that is done; it may raise to stop.

    Returns
    -------
    Partition
    """
    work = _Block(task, block, Y)
    labels, groups, done, n = np.empty(len(Y), dtype=np.int64), 0, 0, len(Y)
    for cell in task.division.cells:
        found = work.solve(cell, share_of(progress, done / n, len(cell) / n))
        labels[cell.records] = groups + found
        groups += int(found.max()) + 1
        done += len(cell)
        if progress is not None:
            progress(done / n)
    return Partition(labels, task.plan.k)


def share_of(progress: Progress | None, begin: float, width: float) -> Progress | None:
    """The progress of a part as progress of the whole, of which it is the share ``width`` from ``begin``."""
    if progress is None:
        return None
    return lambda done: progress(begin + done * width)


@dataclass(frozen=True, eq=False)
class _Block:
    """What solving needs of one block, made once for all cells."""

    task: Task
    names: tuple[str, ...]
    Y: FloatArray

    @cached_property
    def places(self) -> list[int]:
        return [self.task.columns.index(name) for name in self.names]

    @cached_property
    def values(self) -> FloatArray:
        return self.task.values(self.names)

    @cached_property
    def scaled(self) -> FloatArray:
        """Standardised; or, where the method takes categories, numbers and ranks in [0, 1], and codes."""
        if not self.by_category:
            return over_present(standardise, self.values)
        scaled = over_present(min_max, self.values)
        nominal = [j for j, name in enumerate(self.names) if self.task.scales[name] == "nominal"]
        scaled[:, nominal] = self.values[:, nominal]
        return scaled

    @cached_property
    def spreads(self) -> FloatArray:
        """Standard deviation of each attribute, of the values that are there."""
        if not np.isnan(self.values).any():
            return deviations(self.values)
        present = (column[~np.isnan(column)] for column in self.values.T)
        return np.array([deviations(x[:, np.newaxis])[0] if len(x) else np.nan for x in present])

    @property
    def by_category(self) -> bool:
        return "nominal" in self.task.method.scales

    def solve(self, cell: Cell, progress: Progress | None) -> IntArray:
        """Labels of the records of one cell, from 0."""
        task, there = self.task, np.flatnonzero(~cell.missing[self.places])
        if len(cell) < 2 * task.plan.k or not len(there):
            return np.zeros(len(cell), dtype=np.int64)
        block = self.scaled if len(there) == len(self.names) else self.scaled[:, there]
        block, Y = cell.of(block), cell.of(self.Y)
        if not cell.whole and not self.by_category:
            block, Y = block - block.mean(axis=0), Y - Y.mean(axis=0)
        solving, refining = progress, None
        if task.plan.refine is not None:
            solving, refining = share_of(progress, 0.0, SOLVING), share_of(progress, SOLVING, 1 - SOLVING)
        given: dict[str, Callable[[], Any]] = {
            "block": lambda: np.ascontiguousarray(block),
            "spreads": lambda: self.spreads[there],
            "scales": lambda: [task.scales[self.names[j]] for j in there],
            "seed": lambda: task.plan.seed,
            "progress": lambda: solving,
        }
        inputs = {name: given[name]() for name in task.method.inputs}
        points = extended(block, Y, task.plan.lam)
        labels = np.asarray(
            task.method.solve(points, task.plan.k, **self.options(cell), **inputs), dtype=np.int64
        )
        if task.plan.refine is None:
            return labels
        rounds, seed = task.plan.refine, task.plan.seed
        return refine(points, task.plan.k, labels, rounds=rounds, seed=seed, progress=refining)

    def options(self, cell: Cell) -> dict[str, Any]:
        """The method's options, with columns to sort by as numbers."""
        options = dict(self.task.options)
        for option in self.task.method.options:
            if option.column:
                column = self.task.values([options[option.name]])
                # A column with gaps is not sorted by: `prepare` refuses that.
                options[option.name] = np.nan_to_num(cell.of(over_present(standardise, column)[:, 0]))
        return options
