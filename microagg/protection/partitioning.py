"""A file partitioned: each block scaled over the whole file, handed to the solver cell by cell, then refined.

A cell's records reach the solver centred, as a whole file's would, but on the file's scale; attributes that
the cell misses are left out. A cell of fewer than 2k records is one group, as is one that misses the block.
Refinement begins when every cell has its groups, so that it can be left at any time
(`microagg.protection.refinement`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from microagg.kernels.scaling import deviations, min_max, standardise
from microagg.methods.refine import Refinement
from microagg.model.partition import Partition
from microagg.preparation.extended_vectors import extended
from microagg.preparation.missing import over_present
from microagg.protection.refinement import refine_all

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microagg.kernels.compiled import FloatArray, IntArray
    from microagg.preparation.cells import Cell
    from microagg.preparation.prepare import Task
    from microagg.protection.refinement import Watch

Progress = Callable[[float], None]

SOLVING = 0.1
"""Share of a refined file's progress that stands for the methods that are refined."""


def partitions(
    task: Task, Y: FloatArray, progress: Progress | None = None, watch: Watch | None = None
) -> tuple[tuple[Partition, ...], float]:
    """Partition every block.

    Parameters
    ----------
    task : Task
    Y : (n, m_Y) float64
        The confidential attributes, standardised; no columns where λ = 0.
    progress : callable, optional
        Called with the share that is done; it may raise to stop.
    watch : callable, optional
        Sees the refinement and may say stop (`microagg.protection.refinement`).

    Returns
    -------
    One partition a block, and the share of its refinement at which the work was left: the plan's ``stop_at``
    unless ``watch`` said stop.
    """
    cells, k, seed, rounds = task.division.cells, task.plan.k, task.plan.seed, task.rounds
    solving = progress if rounds is None else share_of(progress, 0.0, SOLVING)
    found: list[list[IntArray]] = []
    parts: dict[tuple[int, int], Refinement] = {}
    rest = total = done = 0.0
    for names in task.blocks:
        block = _Block(task, names, Y)
        found.append([])
        for cell in cells:
            width = len(cell) / len(Y) / len(task.blocks)
            points = block.points(cell)
            if solving is not None:
                solving(min(done, 1.0))
            found[-1].append(block.solve(cell, points, share_of(solving, done, width)))
            done += width
            if solving is not None:
                solving(min(done, 1.0))
            if rounds is None:
                continue
            total += float(np.square(points).sum())
            points = _centred(points, cell)
            if block.divisible(cell):
                place = len(found) - 1, len(found[-1]) - 1
                parts[place] = Refinement(points, k, found[-1][-1], rounds=rounds, seed=seed)
            else:
                rest += float(np.square(points).sum())
    stopped = task.plan.stop_at
    if rounds is not None:
        refining = share_of(progress, SOLVING, 1 - SOLVING)
        stopped = refine_all(
            list(parts.values()), rest, total, stop_at=stopped, progress=refining, watch=watch
        )
        for (number, position), part in parts.items():
            found[number][position] = part.labels
    return tuple(_together(task, labels) for labels in found), stopped


def _together(task: Task, labels: Sequence[IntArray]) -> Partition:
    """The partition of a block from those of its cells."""
    joined, groups = np.empty(len(task.data), dtype=np.int64), 0
    for cell, own in zip(task.division.cells, labels, strict=True):
        joined[cell.records] = groups + own
        groups += int(own.max()) + 1
    return Partition(joined, task.plan.k)


def _standardised(task: Task, names: Sequence[str]) -> FloatArray:
    """Attributes standardised over the whole file, of which the records may be a part."""
    if task.scaling is not None:
        return task.scaling.standardised(names, task.values(names))
    return over_present(standardise, task.values(names))


def _centred(points: FloatArray, cell: Cell) -> FloatArray:
    """The points of a cell around their own mean; a whole file's are that already."""
    return points if cell.whole else points - points.mean(axis=0)


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
            return _standardised(self.task, self.names)
        scaled = over_present(min_max, self.values)
        nominal = [j for j, name in enumerate(self.names) if self.task.scales[name] == "nominal"]
        scaled[:, nominal] = self.values[:, nominal]
        return scaled

    @cached_property
    def spreads(self) -> FloatArray:
        """Standard deviation of each attribute in the whole file, of the values that are there."""
        if self.task.scaling is not None:
            return self.task.scaling.deviations(self.names)
        if not np.isnan(self.values).any():
            return deviations(self.values)
        present = (column[~np.isnan(column)] for column in self.values.T)
        return np.array([deviations(x[:, np.newaxis])[0] if len(x) else np.nan for x in present])

    @property
    def by_category(self) -> bool:
        return "nominal" in self.task.method.scales

    def there(self, cell: Cell) -> IntArray:
        """Which of the block's attributes the records of a cell have."""
        return np.flatnonzero(~cell.missing[self.places])

    def divisible(self, cell: Cell) -> bool:
        """Whether the records of a cell may form more than one group."""
        return len(cell) >= 2 * self.task.plan.k and len(self.there(cell)) > 0

    def attributes(self, cell: Cell) -> FloatArray:
        """The block's attributes of the records of a cell, scaled over the file."""
        there = self.there(cell)
        return cell.of(self.scaled if len(there) == len(self.names) else self.scaled[:, there])

    def points(self, cell: Cell) -> FloatArray:
        """What is partitioned: the attributes, extended by λ."""
        return extended(self.attributes(cell), cell.of(self.Y), self.task.plan.lam)

    def solve(self, cell: Cell, points: FloatArray, progress: Progress | None) -> IntArray:
        """Labels of the records of one cell, from 0."""
        task, there = self.task, self.there(cell)
        if not self.divisible(cell):
            return np.zeros(len(cell), dtype=np.int64)
        centred = (lambda values: values) if self.by_category else (lambda values: _centred(values, cell))
        given: dict[str, Callable[[], Any]] = {
            "block": lambda: np.ascontiguousarray(centred(self.attributes(cell))),
            "originals": lambda: np.ascontiguousarray(cell.of(self.values)[:, there]),
            "spreads": lambda: self.spreads[there],
            "scales": lambda: [task.scales[self.names[j]] for j in there],
            "seed": lambda: task.plan.seed,
            "progress": lambda: progress,
        }
        inputs = {name: given[name]() for name in task.solver.inputs}
        found = task.solver.solve(centred(points), task.plan.k, **self.options(cell), **inputs)
        return np.asarray(found, dtype=np.int64)

    def options(self, cell: Cell) -> dict[str, Any]:
        """The method's options, with columns to sort by as numbers."""
        own = self.task.solver is self.task.method
        options = dict(self.task.options) if own else self.task.solver.complete({})
        for option in self.task.solver.options:
            if option.column:
                column = _standardised(self.task, [options[option.name]])[:, 0]
                # A column with gaps is not sorted by: `prepare` refuses that.
                options[option.name] = np.nan_to_num(cell.of(column))
        return options
