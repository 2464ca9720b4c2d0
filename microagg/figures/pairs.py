"""Two attributes against each other: where each record stood, and the centroid it was moved to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from microagg.figures.theme import FAINT, ORIGINAL, PROTECTED, plain, sampled, sheet, span

if TYPE_CHECKING:
    from microagg.compiled import FloatArray

MOST = 800


def moves(
    original: FloatArray,
    protected: FloatArray,
    names: tuple[str, str],
    *,
    ranks: bool = False,
    height: int = 320,
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

    Returns
    -------
    plotly.graph_objects.Figure
        Traces: moves, original, protected.
    """
    unit = " (rank among the originals, %)" if ranks else ""
    figure = sheet(height, x=plain(names[0], 40) + unit, y=plain(names[1], 40) + unit, left=64)
    if ranks:
        original, protected = _ranked(original, original), _ranked(original, protected)
    for axis, j in ((figure.update_xaxes, 0), (figure.update_yaxes, 1)):
        axis(range=span(original[:, j]))
    drawn = sampled(len(original), MOST)
    before, after = original[drawn], protected[drawn]
    segments = np.stack([before, after, np.full_like(before, np.nan)], axis=1).reshape(-1, 2)
    figure.add_trace(
        go.Scatter(
            x=segments[:, 0],
            y=segments[:, 1],
            mode="lines",
            line={"color": FAINT, "width": 1},
            hoverinfo="skip",
            name="moves",
        )
    )
    for name, points, colour, size in (("original", before, ORIGINAL, 4), ("protected", after, PROTECTED, 5)):
        figure.add_trace(
            go.Scatter(
                x=points[:, 0],
                y=points[:, 1],
                mode="markers",
                marker={"color": colour, "size": size, "opacity": 0.75},
                customdata=drawn + 1,
                hovertemplate=f"record %{{customdata}}, {name}<br>%{{x:.6~g}}, %{{y:.6~g}}<extra></extra>",
                name=name,
            )
        )
    return figure


def _ranked(reference: FloatArray, values: FloatArray) -> FloatArray:
    """Mid-rank of each value among the reference, column by column, in per cent."""
    ranked = np.empty_like(values)
    for j in range(values.shape[1]):
        column = np.sort(reference[:, j])
        below = np.searchsorted(column, values[:, j], side="left")
        upto = np.searchsorted(column, values[:, j], side="right")
        ranked[:, j] = 50.0 * (below + upto) / len(column)
    return ranked
