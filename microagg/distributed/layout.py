"""Which part, and with it which worker, a record goes to.

A block's cells (strata, patterns) come first; a cell that is larger than a part is divided by a tree of its
own (`parts`), grown on the sample of its points: what records are compared by, that is, with βY where λ > 0.
Parts that a count finds too small are taken out of the tree and their records counted again. Parts that come
one after the other share a task until it holds enough records.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from microagg.distributed import parts
from microagg.distributed.cell_table import LEFT_OUT
from microagg.preparation.extended_vectors import extended

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from microagg.distributed.cell_table import Cells
    from microagg.distributed.outline import Outline
    from microagg.distributed.parts import Tree
    from microagg.kernels.compiled import FloatArray, IntArray
    from microagg.kernels.scaling import Scaling

PART = 50_000
"""Records of a part, where the method is quick enough."""

MOST_SECONDS = 30.0
"""Of a part, as the method's cost foretells them; slower methods get smaller parts."""

PER_PART = 1_000
"""Records of the sample in a part."""

BUNDLES = 64


def part_records(outline: Outline, wanted: int | None = None) -> int:
    """Records of a part: as wanted, 50,000, or fewer for methods that grow with their square; at least 3k."""
    plan, records = outline.plan, wanted or PART
    d = max(map(len, outline.blocks)) + (len(outline.confidential) if plan.lam > 0 else 0)
    while not wanted and outline.method.cost(records, d, plan.k, outline.options).seconds > MOST_SECONDS:
        records //= 2
    return max(records, 3 * plan.k)


@dataclass(frozen=True, eq=False)
class Layout:
    """The parts of one block.

    Parameters
    ----------
    outline : Outline
    cells : Cells
    scaling : Scaling
    block : tuple of str
    trees : tuple of (Split or None)
        One for each cell.
    sizes : (parts,) int64
        Records of each part, the parts of the first cell first; empty as long as they are not counted.
    """

    outline: Outline
    cells: Cells
    scaling: Scaling
    block: tuple[str, ...]
    trees: tuple[Tree, ...]
    sizes: IntArray

    @property
    def first_part(self) -> IntArray:
        """Number of each cell's first part, and the number of parts, (c + 1,) int64."""
        return np.cumsum([0, *map(parts.size, self.trees)])

    @property
    def first_group(self) -> IntArray:
        """A number for each part's first group, so that no group of another part has the same."""
        most = self.sizes // self.outline.plan.k
        return np.cumsum(most) - most

    @property
    def columns(self) -> tuple[str, ...]:
        """What travels with a record: the block's attributes, and those it is sorted by."""
        options = [self.outline.options[o.name] for o in self.outline.method.options if o.column]
        return (*self.block, *(name for name in dict.fromkeys(options) if name not in self.block))

    def bundles(self, records: int) -> IntArray:
        """The task of each part, (parts,) int64: the next one once a task holds ``records``."""
        before = np.cumsum(self.sizes) - self.sizes
        return np.asarray(np.unique(before // max(records, 1), return_inverse=True)[1])

    def there(self, cell: int) -> list[str]:
        """Attributes of the block that the records of a cell have."""
        missing = self.cells.missing[cell]
        return [name for name in self.block if not missing[self.outline.columns.index(name)]]

    def points(self, cell: int, block: FloatArray, Y: FloatArray) -> FloatArray:
        """What records of a cell are compared by, from the block's values and Y in original units."""
        names = self.there(cell)
        scaled = self.scaling.standardised(names, block[:, [self.block.index(name) for name in names]])
        Y = self.scaling.standardised(self.outline.confidential, Y) if self.outline.plan.lam > 0 else Y
        return extended(scaled, Y, self.outline.plan.lam)

    def parts_of(self, cell: IntArray, values: FloatArray, ids: IntArray) -> IntArray:
        """Part of each record, (n,) int64, −1 where it is left out.

        Parameters
        ----------
        cell : (n,) int64
        values : (n, q) float64
            The outline's numbers, original units.
        ids : (n,) int64
            Numbers of the records in the file.
        """
        found, first = np.full(len(cell), LEFT_OUT, dtype=np.int64), self.first_part
        block, Y = self.values(values)
        for number in np.unique(cell[cell != LEFT_OUT]):
            rows, tree = np.flatnonzero(cell == number), self.trees[number]
            found[rows] = first[number]
            if tree is not None:
                found[rows] += parts.part_of(tree, self.points(number, block[rows], Y[rows]), ids[rows])
        return found

    def values(self, numbers: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The block's attributes and the confidential ones, of the outline's numbers."""
        q = len(self.outline.columns)
        places = [self.outline.columns.index(name) for name in self.block]
        return numbers[:, places], numbers[:, q : q + len(self.outline.confidential)]

    def counted(self, sizes: IntArray) -> Layout:
        """Return the layout with its sizes, or, where some are too small, one that is to be counted again."""
        first, least = self.first_part, 3 * self.outline.plan.k
        kept = tuple(
            parts.pruned(tree, sizes[first[c] : first[c + 1]].tolist(), least)
            for c, tree in enumerate(self.trees)
        )
        same = all(new is old for new, old in zip(kept, self.trees, strict=True))
        return replace(self, trees=kept, sizes=sizes if same else np.empty(0, dtype=np.int64))


def grown(
    outline: Outline,
    cells: Cells,
    scaling: Scaling,
    records: int,
    sample: tuple[IntArray, IntArray, FloatArray],
) -> list[Layout]:
    """Divide each block, as far as the sample tells.

    Parameters
    ----------
    outline, cells, scaling
    records : int
        Of a part, at most, as far as the sample tells.
    sample : ids (m,), cells (m,), numbers (m, q)
    """
    ids, cell, numbers = sample
    layouts = []
    for block in outline.blocks:
        empty = Layout(
            outline, cells, scaling, block, (None,) * len(cells.sizes), np.empty(0, dtype=np.int64)
        )
        trees: list[Tree] = []
        for number, size in enumerate(cells.sizes):
            leaves, rows = -(-int(size) // records), np.flatnonzero(cell == number)
            if leaves < 2 or not empty.there(number):
                trees.append(None)
                continue
            own, Y = empty.values(numbers[rows])
            trees.append(parts.grow(empty.points(number, own, Y), ids[rows], leaves))
        layouts.append(replace(empty, trees=tuple(trees)))
    return layouts


def count(
    frame: pd.DataFrame, outline: Outline, cells: Cells, layouts: Sequence[Layout], first: int
) -> list[IntArray]:
    """Count the records of a chunk in each part of each block."""
    frame = outline.read(frame)
    values, ids = outline.matrix(frame, outline.numbers), first + np.arange(len(frame))
    cell = cells.of(frame, values[:, : len(outline.columns)])
    counts = []
    for layout in layouts:
        found = layout.parts_of(cell, values, ids)
        counts.append(np.bincount(found[found != LEFT_OUT], minlength=layout.first_part[-1]))
    return counts
