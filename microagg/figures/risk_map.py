"""The risk–utility map: each setting that was tried is a point, loss to the right, risk upwards.

Duncan's R–U confidentiality map, with the lines of equal score (½ loss + ½ risk) that the comparative
studies rank methods by. The lower left corner is where one wants to be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.figures.theme import (
    FAINT,
    LOSS,
    ORIGINAL,
    PROTECTED,
    RISK,
    SMALL,
    Label,
    drawn,
    round_up,
    scatter,
    sheet,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import plotly.graph_objects as go

    from microagg.figures.theme import Trace
    from microagg.kernels.compiled import FloatArray


def risk_utility(
    loss: FloatArray,
    risk: FloatArray,
    names: Sequence[str],
    *,
    pinned: int | None = None,
    height: int = 250,
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
        Traces: equal score, trail, pinned, current, words.
    """
    layout = sheet(height, x="Information loss IL  (← better)", y="Disclosure risk DR  (↓ better)")
    layout["xaxis"]["title"]["font"]["color"], layout["yaxis"]["title"]["font"]["color"] = LOSS, RISK
    width, tall = (round_up(float(np.nanmax(values, initial=20.0))) for values in (loss, risk))
    layout["xaxis"]["range"], layout["yaxis"]["range"] = [0, 1.05 * width], [0, 1.05 * tall]
    diagonals, labels = _equal_scores(width, tall)
    compared = slice(0, 0) if pinned is None else slice(pinned, pinned + 1)
    if pinned is not None:
        labels.append((loss[pinned], risk[pinned], "<br>pinned", "bottom center", SMALL, ORIGINAL))
    shown = "%{text}<br>IL %{x:.2f}, DR %{y:.2f}<extra></extra>"
    ring = {"symbol": "diamond-open", "size": 14, "color": ORIGINAL, "line": {"width": 2}}
    now = {"color": PROTECTED, "size": 13, "line": {"color": "white", "width": 1.5}}
    return drawn(
        [
            diagonals,
            scatter(
                loss,
                risk,
                "trail",
                mode="lines+markers",
                line={"color": FAINT, "width": 1},
                marker={"color": ORIGINAL, "size": 7, "opacity": np.linspace(0.35, 1.0, len(loss))},
                text=list(names),
                hovertemplate=shown,
            ),
            scatter(loss[compared], risk[compared], "pinned", mode="markers", marker=ring),
            scatter(
                loss[-1:],
                risk[-1:],
                "current",
                mode="markers",
                marker=now,
                text=list(names[-1:]),
                hovertemplate=f"now: {shown}",
            ),
            words(labels) if labels else scatter([], [], "words"),
        ],
        layout,
    )


def _equal_scores(width: float, tall: float) -> tuple[Trace, list[Label]]:
    """Faint diagonals along which ½ IL + ½ DR is the same, and the score where one meets the lower axis."""
    step = round_up((width + tall) / 12)
    scores = [step * i for i in range(1, 6) if step * i < (width + tall) / 2]
    x = [value for s in scores for value in (max(0.0, 2 * s - tall), min(2 * s, width), None)]
    y = [value for s in scores for value in (min(2 * s, tall), max(0.0, 2 * s - width), None)]
    line = {"color": FAINT, "width": 1, "dash": "dot"}
    labels: list[Label] = [
        (2 * s, 0.0, f"score {s:g} ", "top left", SMALL - 1, ORIGINAL) for s in scores if 2 * s <= width
    ]
    return scatter(x, y, "equal score", mode="lines", line=line), labels
