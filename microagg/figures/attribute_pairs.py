"""Two attributes against each other: where each record stood, and the centroid it was moved to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.figures.selection_rings import rings
from microagg.figures.theme import FAINT, ORIGINAL, PROTECTED, drawn, plain, sampled, scatter, sheet, span

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from microagg.kernels.compiled import FloatArray, IntArray

MOST = 800


def moves(
    original: FloatArray,
    protected: FloatArray,
    names: tuple[str, str],
    *,
    ranks: bool = False,
    height: int = 320,
    marked: IntArray | None = None,
) -> go.Figure:
    """Draw each record before, after, and the segment between.

    Parameters
    ----------
    original, protected : (n, 2) float64, original units
        Above 800 records an even sample is drawn, always the same.
    names : (str, str)
    ranks : bool
        Show each value's rank among the originals, in per cent, which spreads skewed attributes out.
    height : int, pixels
    marked : (m,) int64, optional
        Records to ring.

    Returns
    -------
    plotly.graph_objects.Figure
        Traces: moves, original, protected; selected, where records are marked.
    """
    unit = " (rank among the originals, %)" if ranks else ""
    layout = sheet(height, x=plain(names[0], 40) + unit, y=plain(names[1], 40) + unit, left=64)
    if ranks:
        original, protected = _ranked(original, original), _ranked(original, protected)
    layout["xaxis"]["range"], layout["yaxis"]["range"] = span(original[:, 0]), span(original[:, 1])
    shown = sampled(len(original), MOST)
    before, after = original[shown], protected[shown]
    segments = np.stack([before, after, np.full_like(before, np.nan)], axis=1).reshape(-1, 2)
    traces = [
        scatter(segments[:, 0], segments[:, 1], "moves", mode="lines", line={"color": FAINT, "width": 1})
    ]
    for name, points, colour, size in (("original", before, ORIGINAL, 4), ("protected", after, PROTECTED, 5)):
        traces.append(
            scatter(
                points[:, 0],
                points[:, 1],
                name,
                mode="markers",
                marker={"color": colour, "size": size, "opacity": 0.75},
                customdata=shown + 1,
                hovertemplate=f"record %{{customdata}}, {name}<br>%{{x:.6~g}}, %{{y:.6~g}}<extra></extra>",
            )
        )
    if marked is not None and len(marked):
        traces.append(rings(original[marked]))
    return drawn(traces, layout)


def _ranked(reference: FloatArray, values: FloatArray) -> FloatArray:
    """Mid-rank of each value among the reference, column by column, in per cent."""
    ranked = np.empty_like(values)
    for j in range(values.shape[1]):
        column = np.sort(reference[:, j])
        below = np.searchsorted(column, values[:, j], side="left")
        upto = np.searchsorted(column, values[:, j], side="right")
        ranked[:, j] = 50.0 * (below + upto) / len(column)
    return ranked
