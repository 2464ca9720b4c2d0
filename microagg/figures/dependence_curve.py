"""The D_X–D_Y curve: what the quasi-identifiers lose, against what is lost of their link to Y.

k-Anonymous Microaggregation with Preservation of Statistical Dependence, figures 3–5. Both axes are better
towards zero; λ walks from the upper left (λ = 0, X kept best) to the lower right (λ = 1, Y kept best).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.figures.theme import ORIGINAL, PROTECTED, SMALL, Label, drawn, round_up, scatter, sheet, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    import plotly.graph_objects as go

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
        Traces: curve, current, words.
    """
    points = np.array([*curve, current], dtype=np.float64)
    lam, d_x, d_y = points[:-1].T
    width, tall = (1.15 * round_up(float(np.nanmax(points[:, axis]))) for axis in (1, 2))
    layout = sheet(
        height,
        x="D<sub>X</sub>: quasi-identifiers' variance lost  (← better)",
        y="D<sub>Y</sub>: link to Y lost  (↓ better)",
    )
    layout["xaxis"]["range"], layout["yaxis"]["range"] = [0, width], [0, tall]
    here = f"λ = {current[0]:.2f}"
    labels: list[Label] = [(current[1], current[2], f"\u2002\u2002{here}", "top right", SMALL + 1, PROTECTED)]
    for end in (0, -1) if len(curve) > 1 else ():
        if curve[end][0] != current[0]:
            text = f"\u2002λ = {curve[end][0]:.0f}\u2002"
            labels.append((*curve[end][1:], text, "top right" if end == 0 else "top left", SMALL, ORIGINAL))
    if pending:
        labels.append((0.98 * width, 0.02 * tall, "drawing the curve…", "top left", SMALL, ORIGINAL))
    shown = "D_X = %{x:.4f}<br>D_Y = %{y:.4f}<extra></extra>"
    return drawn(
        [
            scatter(
                d_x,
                d_y,
                "curve",
                mode="lines+markers",
                line={"color": ORIGINAL, "width": 1.5},
                marker={"color": ORIGINAL, "size": 5},
                customdata=lam,
                hovertemplate="λ = %{customdata:.2f}<br>" + shown,
            ),
            scatter(
                [current[1]],
                [current[2]],
                "current",
                mode="markers",
                marker={"color": PROTECTED, "size": 13, "line": {"color": "white", "width": 1.5}},
                hovertemplate=f"now: {here}<br>" + shown,
            ),
            words(labels),
        ],
        layout,
    )
