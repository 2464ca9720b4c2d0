"""Pass 2: records are gathered by part, replaced there by the plan's own solver, and sent back in place.

A part reaches the solver as a cell of the file does on one machine (`microagg.protection.partitioning`):
scaled by the whole file's means and deviations, centred, its records in the order of the file. Only the
attributes that a block needs travel; all other columns stay where they are, so that row i of the release is
record i.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from microagg.distributed.cell_table import LEFT_OUT
from microagg.kernels.random_numbers import uniforms
from microagg.measures.diversity import fewest_steps
from microagg.measures.lookup import own_credits
from microagg.measures.loss import within_by_attribute
from microagg.measures.matching import match_records
from microagg.model.microdata import Attribute, Microdata
from microagg.preparation.cells import Cell, Division
from microagg.preparation.prepare import Task
from microagg.protection.partitioning import partitions
from microagg.protection.protect import replaced
from microagg.protection.rounding import as_released

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from microagg.distributed.layout import Layout
    from microagg.kernels.compiled import FloatArray, IntArray

LOOKED_UP = 500
"""Records of a part that an intruder looks up in it."""


@dataclass(frozen=True, eq=False)
class Piece:
    """Records on their way to a part.

    Parameters
    ----------
    ids, part : (m,) int64
    values : (m, q) float64
        The layout's columns, original units.
    Y : (m, m_Y) float64
        Confidential numbers, original units.
    weights : (m,) float64 or None
    """

    ids: IntArray
    part: IntArray
    values: FloatArray
    Y: FloatArray
    weights: FloatArray | None


@dataclass(frozen=True, eq=False)
class Back:
    """Records on their way back: ids (m,), released values (m, block) and groups (m,)."""

    ids: IntArray
    values: FloatArray
    groups: IntArray


@dataclass(frozen=True)
class Solved:
    """What is known of some parts of a block once they are solved.

    Parameters
    ----------
    groups : int
    sse_y : float
        Within-group sum of squares of the confidential attributes, standardised.
    steps : int
        Of the confidential attribute with fewest, in each group, added up (`measures.diversity`).
    looked_up, linked : float
        Records that were looked up in their own part, and the chances of finding them, added up.
    """

    groups: int
    sse_y: float
    steps: int
    looked_up: float
    linked: float

    def __add__(self, other: Solved) -> Solved:
        """What is known of the parts of both."""
        return Solved(
            self.groups + other.groups,
            self.sse_y + other.sse_y,
            self.steps + other.steps,
            self.looked_up + other.looked_up,
            self.linked + other.linked,
        )


def gather(frame: pd.DataFrame, layout: Layout, bundles: IntArray, first: int) -> list[Piece]:
    """Divide a chunk by the task that its records go to."""
    outline = layout.outline
    frame = outline.read(frame)
    numbers, ids = outline.matrix(frame, outline.numbers), first + np.arange(len(frame))
    q = len(outline.columns)
    part = layout.parts_of(layout.cells.of(frame, numbers[:, :q]), numbers, ids)
    bundle = np.where(part == LEFT_OUT, LEFT_OUT, bundles[part])
    values, Y = outline.matrix(frame, layout.columns), layout.values(numbers)[1]
    pieces = []
    for number in range(int(bundles.max()) + 1):
        rows = np.flatnonzero(bundle == number)
        weights = numbers[rows, -1] if outline.weight else None
        pieces.append(Piece(ids[rows], part[rows], values[rows], Y[rows], weights))
    return pieces


def solve(
    pieces: list[Piece], layout: Layout, bounds: Sequence[int], confidential: Sequence[str]
) -> list[Back | Solved]:
    """Replace the records of the parts that share a task.

    Parameters
    ----------
    pieces : list of Piece
        In the order of the file.
    layout : Layout
    bounds : sequence of int
        First record of each chunk, and the number of records.
    confidential : sequence of str
        The confidential attributes of which no value is missing.

    Returns
    -------
    list
        What goes back to each chunk, and, last, what is known of the parts.
    """
    ids, part = np.concatenate([p.ids for p in pieces]), np.concatenate([p.part for p in pieces])
    values, Y = np.concatenate([p.values for p in pieces]), np.concatenate([p.Y for p in pieces])
    weights = np.concatenate([p.weights for p in pieces if p.weights is not None] or [np.empty(0)])
    released = np.empty((len(ids), len(layout.block)))
    groups = np.empty(len(ids), dtype=np.int64)
    known = Solved(0, 0.0, 0, 0, 0.0)
    there = [layout.outline.confidential.index(name) for name in confidential]
    scaled_Y = layout.scaling.standardised(confidential, Y[:, there])
    for number in np.unique(part):
        rows = np.flatnonzero(part == number)
        task = _task(layout, int(number), values[rows], weights[rows] if len(weights) else None)
        own = scaled_Y[rows] if layout.outline.plan.lam > 0 else np.empty((len(rows), 0))
        (found,), _ = partitions(task, own)
        centres = replaced(task, (found,))
        released[rows] = np.column_stack([centres[name] for name in layout.block])
        groups[rows] = layout.first_group[number] + found.labels
        within = float(within_by_attribute(scaled_Y[rows], found.labels).sum())
        tried = _linked(layout, int(number), ids[rows], values[rows], released[rows])
        steps = int(fewest_steps(scaled_Y[rows], found.labels).sum()) if confidential else 0
        known += Solved(len(found), within, steps, *tried)
    places = np.searchsorted(bounds[1:], ids, side="right")
    back: list[Back | Solved] = [
        Back(ids[there], released[there], groups[there])
        for there in (np.flatnonzero(places == chunk) for chunk in range(len(bounds) - 1))
    ]
    return [*back, known]


def _task(layout: Layout, part: int, values: FloatArray, weights: FloatArray | None) -> Task:
    """The plan for the records of one part."""
    outline, names = layout.outline, layout.columns
    cell = int(np.searchsorted(layout.first_part, part, side="right")) - 1
    missing = np.array([layout.cells.missing[cell][outline.columns.index(name)] for name in names])
    whole = len(layout.sizes) == 1
    data = Microdata(
        pd.DataFrame(values, columns=pd.Index(names)),
        tuple(Attribute(name, "quasi_identifier") for name in names),
    )
    return Task(
        data,
        outline.plan,
        outline.method,
        outline.options,
        names,
        (layout.block,),
        outline.confidential,
        values,
        dict.fromkeys(names, "continuous"),
        weights,
        Division(np.arange(len(values)), (Cell(np.arange(len(values)), missing, whole),)),
        layout.scaling,
    )


def _linked(
    layout: Layout, part: int, ids: IntArray, before: FloatArray, after: FloatArray
) -> tuple[int, float]:
    """Look some records of a part up in it, by the block's attributes: how many, and how many are found."""
    cell = int(np.searchsorted(layout.first_part, part, side="right")) - 1
    names = layout.there(cell)
    if not names:
        return 0, 0.0
    places = [layout.block.index(name) for name in names]
    desk = layout.scaling.standardised(names, after[:, places])
    candidates = layout.scaling.standardised(names, before[:, places])
    rows = np.sort(np.argsort(uniforms(ids, seed=layout.outline.plan.seed), kind="stable")[:LOOKED_UP])
    return len(rows), float(own_credits(match_records(desk, candidates, rows)).sum())


def assemble(
    frame: pd.DataFrame,
    layouts: Sequence[Layout],
    back: Sequence[Sequence[Back]],
    whole: Mapping[str, bool],
    first: int,
) -> list[pd.DataFrame]:
    """Put a chunk together as it leaves the house, and the groups of its records.

    Parameters
    ----------
    frame : DataFrame
        The chunk with all its columns.
    layouts : sequence of Layout, one a block
    back : for each block, what comes back from each task
    whole : mapping of str to bool
        Whether a column holds whole numbers only, in the whole file.
    first : int
        Number of its first record.
    """
    outline = layouts[0].outline
    frame = outline.read(frame).set_axis(pd.RangeIndex(first, first + len(frame)))
    values = outline.matrix(frame, outline.columns)
    kept = layouts[0].cells.of(frame, values) != LEFT_OUT
    groups = pd.DataFrame(index=frame.index)
    changed = {}
    for number, (layout, pieces) in enumerate(zip(layouts, back, strict=True)):
        rows = np.concatenate([piece.ids for piece in pieces]) - first
        released = np.full((len(frame), len(layout.block)), np.nan)
        released[rows] = np.concatenate([piece.values for piece in pieces])
        labels = np.full(len(frame), LEFT_OUT)
        labels[rows] = np.concatenate([piece.groups for piece in pieces])
        groups[f"block {number + 1}"] = labels
        for name, column in zip(layout.block, released.T, strict=True):
            rounding = outline.plan.rounding if whole[name] else "none"
            changed[name] = as_released(column, frame[name], rounding)
    protected = frame.assign(**changed).drop(columns=list(outline.identifiers))
    return [protected[kept], groups[kept]]
