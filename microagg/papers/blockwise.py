"""Protect a file block by block as two of the papers do, under a reading of what they leave open.

"Modeling Projections in Microaggregation" §2–3 and "One Dimension Microaggregation" §2.2 and §4.2: the
attributes are split into blocks; each block is projected to an axis, the order cut optimally (or grouped by
MDAV), and replaced by centroids. Neither prints on which scale, in which order of attributes or with which
divisor; `Reading` holds these choices. "fixed" cuts every k records, which no paper states but which printed
figures show (`microagg.papers.one_dimension`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from microagg.kernels.scaling import deviations, min_max, ranks, standardise
from microagg.methods.aggregation import aggregate
from microagg.methods.fixed import cut_every
from microagg.methods.mdav import mdav
from microagg.methods.projections import first_component, partition_axis, sum_of_zscores
from microagg.protection.centroids import centroids

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microagg.kernels.compiled import FloatArray, IntArray
    from microagg.measures.intervals import Width
    from microagg.measures.matching import Direction


@dataclass(frozen=True)
class Reading:
    """What is left open.

    Parameters
    ----------
    order : str
        Of the attributes before blocks are cut from them.
    scale : {"standardised", "raw"}
        Of the values that are projected, grouped and whose loss the cuts minimise.
    zscores : {"standard deviation", "variance", "sum"}
        What a deviation is divided by; "sum": the raw values are summed.
    unit : {"min-max", "rank", "block", "raw"}
        How values are scaled before the Sugeno integral: each attribute by its range or by ranks, the whole
        block by its largest value, or not at all.
    cuts : {"projected", "attributes", "fixed", "from the top"}
        Whose loss the cuts of an order minimise, or every k records from the lowest or the highest on.
    width : str
        Of interval disclosure.
    direction : str
        Of distance-based linkage.
    loss : {"il", "il_scale_free"}
        IL with relative changes of cells, or with changes in standard deviations.
    known : str
        Which sets of attributes the intruder knows.
    """

    order: str = "file"
    scale: Literal["standardised", "raw"] = "standardised"
    zscores: Literal["standard deviation", "variance", "sum"] = "standard deviation"
    unit: Literal["min-max", "rank", "block", "raw"] = "min-max"
    cuts: Literal["projected", "attributes", "fixed", "from the top"] = "projected"
    width: Width = "ranks"
    direction: Direction = "protected to original"
    loss: Literal["il", "il_scale_free"] = "il"
    known: str = "unions"


def released(
    values: FloatArray, blocks: Sequence[Sequence[int]], method: str, k: int, reading: Reading
) -> FloatArray:
    """Protect each block on its own.

    Parameters
    ----------
    values : (n, p) float64, original units
    blocks : sequence of sequences of int
        Columns of each block.
    method : {"pcp", "zscores", "sugeno", "mdav"}
    k : int
    reading : Reading

    Returns
    -------
    (n, p) float64, original units
    """
    out = values.copy()
    for columns in map(list, blocks):
        block = np.ascontiguousarray(values[:, columns])
        out[:, columns] = centroids(block, _labels(block, method, k, reading))
    return out


def _labels(block: FloatArray, method: str, k: int, reading: Reading) -> IntArray:
    points = standardise(block) if reading.scale == "standardised" else block - block.mean(axis=0)
    if method == "mdav":
        return mdav(points, k)
    axis = _axis(block, points, method, reading)
    if reading.cuts == "fixed":
        return cut_every(np.argsort(axis, kind="stable"), k)
    if reading.cuts == "from the top":
        return cut_every(np.argsort(-axis, kind="stable"), k)
    return partition_axis(points, axis, k, reading.cuts)


def _axis(block: FloatArray, points: FloatArray, method: str, reading: Reading) -> FloatArray:
    """One number a record."""
    if method == "pcp":
        return first_component(points)
    if method == "zscores":
        if reading.zscores == "sum":
            return sum_of_zscores(block)
        return sum_of_zscores(standardise(block), deviations(block), reading.zscores)
    match reading.unit:
        case "min-max":
            unit = min_max(block)
        case "rank":
            unit = ranks(block)
        case "block":
            unit = block / np.abs(block).max()
        case _:
            unit = block
    return aggregate(unit, "sugeno")
