"""Where the variance lies: principal components of the original and of the release, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.figures.theme import ORIGINAL, PROTECTED, drawn, round_up, scatter, sheet

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from microagg.kernels.compiled import FloatArray


def scree(before: FloatArray, after: FloatArray, *, height: int = 300) -> go.Figure:
    """Draw the share of the variance on each component.

    Parameters
    ----------
    before, after : (p,) float64
        Shares, the largest first.
    height : int, pixels

    Returns
    -------
    plotly.graph_objects.Figure
        Traces: original, protected.
    """
    layout = sheet(height, x="Principal component", y="Share of the variance, %")
    top = round_up(100 * float(max(before.max(initial=0.0), after.max(initial=0.0))))
    layout["yaxis"]["range"] = [0, 1.05 * top]
    layout["xaxis"] |= {"range": [0.5, len(before) + 0.5], "dtick": max(1, len(before) // 12)}
    numbers = np.arange(1, len(before) + 1)
    return drawn(
        [
            scatter(
                numbers,
                100 * shares,
                name,
                mode="lines+markers",
                line={"color": colour, "width": 2},
                marker={"color": colour, "size": 9, "symbol": symbol},
                hovertemplate=f"component %{{x}}, {name}<br>%{{y:.2f}} %<extra></extra>",
            )
            for name, shares, colour, symbol in (
                ("original", before, ORIGINAL, "circle"),
                ("protected", after, PROTECTED, "diamond"),
            )
        ],
        layout,
    )
