"""The risk–utility map: each setting that was tried is a point, loss to the right, risk upwards.

Duncan's R–U confidentiality map, with the lines of equal score (½ loss + ½ risk) that the comparative
studies rank methods by. The lower left corner is where one wants to be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from microagg.figures.theme import FAINT, LOSS, ORIGINAL, PROTECTED, RISK, SMALL, round_up, sheet, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microagg.compiled import FloatArray


def risk_utility(
    loss: FloatArray, risk: FloatArray, names: Sequence[str], *, pinned: int | None = None, height: int = 250
) -> go.Figure:
    """Draw the trail of settings; the last one is the current.

    Parameters
    ----------
    loss, risk : (m,) float64
        Information loss and disclosure risk of each setting, ×100.
    names : sequence of str
        What each setting is, for the pointer.
    pinned : int, optional
        Position of the setting that the others are compared with.
    height : int, pixels

    Returns
    -------
    plotly.graph_objects.Figure
    """
    figure = sheet(height, x="Information loss IL  (← better)", y="Disclosure risk DR  (↓ better)")
    figure.update_xaxes(title_font_color=LOSS)
    figure.update_yaxes(title_font_color=RISK)
    width, tall = (
        round_up(float(np.nanmax(loss, initial=20.0))),
        round_up(float(np.nanmax(risk, initial=20.0))),
    )
    _equal_scores(figure, width, tall)
    figure.add_trace(
        go.Scatter(
            x=loss,
            y=risk,
            mode="lines+markers",
            line={"color": FAINT, "width": 1},
            marker={"color": ORIGINAL, "size": 7, "opacity": np.linspace(0.35, 1.0, len(loss))},
            text=list(names),
            hovertemplate="%{text}<br>IL %{x:.2f}, DR %{y:.2f}<extra></extra>",
            name="trail",
        )
    )
    if pinned is not None:
        figure.add_trace(
            go.Scatter(
                x=loss[pinned : pinned + 1],
                y=risk[pinned : pinned + 1],
                mode="markers+text",
                marker={"symbol": "diamond-open", "size": 13, "color": ORIGINAL, "line": {"width": 2}},
                text=["pinned"],
                textposition="bottom center",
                textfont={"size": SMALL},
                hoverinfo="skip",
                name="pinned",
            )
        )
    figure.add_trace(
        go.Scatter(
            x=loss[-1:],
            y=risk[-1:],
            mode="markers",
            marker={"color": PROTECTED, "size": 13, "line": {"color": "white", "width": 1.5}},
            text=list(names[-1:]),
            hovertemplate="now: %{text}<br>IL %{x:.2f}, DR %{y:.2f}<extra></extra>",
            name="current",
            cliponaxis=False,
        )
    )
    figure.update_xaxes(range=[0, width * 1.05])
    figure.update_yaxes(range=[0, tall * 1.05])
    return figure


def _equal_scores(figure: go.Figure, width: float, tall: float) -> None:
    """Faint diagonals along which ½ IL + ½ DR is the same, each with its score at its lower end."""
    step = round_up((width + tall) / 12)
    scores = [step * i for i in range(1, 6) if step * i < (width + tall) / 2]
    x = [value for s in scores for value in (max(0.0, 2 * s - tall), min(2 * s, width), None)]
    y = [value for s in scores for value in (min(2 * s, tall), max(0.0, 2 * s - width), None)]
    figure.add_trace(
        go.Scatter(
            x=x,
            y=y,
            mode="lines",
            line={"color": FAINT, "width": 1, "dash": "dot"},
            hoverinfo="skip",
            name="equal score",
        )
    )
    for s in scores:
        if 2 * s <= width:
            write(
                figure,
                2 * s,
                0.0,
                f"score {s:g}",
                size=SMALL - 1,
                colour=ORIGINAL,
                xanchor="right",
                yanchor="bottom",
            )
