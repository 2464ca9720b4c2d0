"""The D_X–D_Y curve: what the quasi-identifiers lose, against what is lost of their link to Y.

k-Anonymous Microaggregation with Preservation of Statistical Dependence, figures 3–5. Both axes are better
towards zero; λ walks from the upper left (λ = 0, X kept best) to the lower right (λ = 1, Y kept best).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from microagg.figures.theme import ORIGINAL, PROTECTED, SMALL, round_up, sheet, write

if TYPE_CHECKING:
    from collections.abc import Sequence

Point = tuple[float, float, float]


def dependence_curve(
    curve: Sequence[Point], current: Point, *, height: int = 250, pending: bool = False
) -> go.Figure:
    """Draw the curve and where the current λ stands on it.

    Parameters
    ----------
    curve : sequence of (λ, D_X, D_Y), ratios, by ascending λ
        Empty while it is being computed.
    current : (λ, D_X, D_Y)
    height : int, pixels
    pending : bool
        Say that the curve is still to come.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    figure = sheet(
        height,
        x="D<sub>X</sub>: quasi-identifiers' variance lost  (← better)",
        y="D<sub>Y</sub>: link to Y lost  (↓ better)",
    )
    points = np.array([*curve, current], dtype=np.float64)
    lam, d_x, d_y = points[:-1].T
    figure.add_trace(
        go.Scatter(
            x=d_x,
            y=d_y,
            mode="lines+markers",
            line={"color": ORIGINAL, "width": 1.5},
            marker={"color": ORIGINAL, "size": 5},
            customdata=lam,
            hovertemplate="λ = %{customdata:.2f}<br>D_X = %{x:.4f}<br>D_Y = %{y:.4f}<extra></extra>",
            name="curve",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=[current[1]],
            y=[current[2]],
            mode="markers+text",
            marker={"color": PROTECTED, "size": 13, "line": {"color": "white", "width": 1.5}},
            text=[f"λ = {current[0]:.2f}"],
            textposition="top right",
            textfont={"size": SMALL + 1, "color": PROTECTED},
            hovertemplate="now: λ = %{text}<br>D_X = %{x:.4f}<br>D_Y = %{y:.4f}<extra></extra>",
            name="current",
            cliponaxis=False,
        )
    )
    for end, position in ((0, "left"), (-1, "right")) if len(curve) > 1 else ():
        if curve[end][0] != current[0]:
            write(
                figure,
                curve[end][1],
                curve[end][2],
                f"λ = {curve[end][0]:.0f}",
                xanchor=position,
                yanchor="bottom",
            )
    if pending:
        figure.add_annotation(
            text="drawing the curve…",
            x=1,
            y=0.02,
            xref="paper",
            yref="paper",
            showarrow=False,
            font={"size": SMALL, "color": ORIGINAL},
        )
    figure.update_xaxes(range=[0, 1.2 * round_up(float(np.nanmax(points[:, 1])))])
    figure.update_yaxes(range=[0, 1.12 * round_up(float(np.nanmax(points[:, 2])))])
    return figure
