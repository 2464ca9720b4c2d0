"""Rings around the records that were selected in another figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microagg.figures.theme import Trace, sampled, scatter

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray

SELECTED = "#c77700"
MOST = 300


def rings(points: FloatArray) -> Trace:
    """Draw a ring around each point.

    Parameters
    ----------
    points : (m, 2) float64
        Above 300 an even sample of them is ringed.

    Returns
    -------
    dict
        A trace called "selected".
    """
    kept = points[sampled(len(points), MOST)]
    ring = {"symbol": "circle-open", "size": 9, "color": SELECTED, "line": {"width": 1.5}}
    return scatter(kept[:, 0], kept[:, 1], "selected", mode="markers", marker=ring)
