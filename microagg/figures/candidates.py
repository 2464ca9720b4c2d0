"""Everybody that one record may be, by distance: the intruder takes the nearest, rightly or wrongly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.figures.theme import (
    FAINT,
    ORIGINAL,
    RISK,
    SMALL,
    Label,
    Trace,
    drawn,
    round_up,
    scatter,
    sheet,
    words,
)

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from microagg.kernels.compiled import FloatArray, IntArray

MOST = 10
_GAP = "\N{NO-BREAK SPACE}" * 3


def candidates(records: IntArray, distances: FloatArray, right: int, *, height: int = 260) -> go.Figure:
    """Draw the nearest candidates, and the right one wherever it stands.

    Parameters
    ----------
    records : (n,) int64
        Candidates by distance, the nearest first, as they are numbered on the page.
    distances : (n,) float64, standard deviations
    right : int
        Place of the right one among them.
    height : int, pixels

    Returns
    -------
    plotly.graph_objects.Figure
        Traces: stems, wrong, right, words.
    """
    places = np.arange(min(MOST, len(records)))
    rows = places.astype(np.float64)
    if right >= MOST:
        places, rows = np.append(places, right), np.append(rows, MOST + 0.8)
    lengths, is_right = distances[places], places == right
    top = round_up(float(lengths.max(initial=0.0)))
    layout = sheet(height, x="Distance, standard deviations  (farther: harder to link)", left=92, top=4)
    layout["xaxis"]["range"] = [-0.02 * top, 1.12 * top]
    layout["yaxis"] |= {
        "range": [rows.max() + 0.7, -0.7],
        "tickvals": rows,
        "ticktext": [f"{place + 1}. record {records[place]}" for place in places],
        "showgrid": False,
        "showline": False,
    }
    x = np.stack([np.zeros_like(lengths), lengths, np.full_like(lengths, np.nan)], axis=1).ravel()
    labels: list[Label] = [
        (length, row, f"{_GAP}{length:.3g}" + (" right" if hit else ""), "middle right", SMALL, colour)
        for length, row, hit in zip(lengths, rows, is_right, strict=True)
        for colour in [RISK if hit else ORIGINAL]
    ]
    if right >= MOST:
        labels.append((0.0, MOST - 0.1, "⋮", "middle center", SMALL, ORIGINAL))
    return drawn(
        [
            scatter(x, np.repeat(rows, 3), "stems", mode="lines", line={"color": FAINT, "width": 2}),
            _dots("wrong", lengths[~is_right], rows[~is_right], records[places][~is_right], ORIGINAL),
            _dots("right", lengths[is_right], rows[is_right], records[places][is_right], RISK),
            words(labels),
        ],
        layout,
    )


def _dots(name: str, x: FloatArray, y: FloatArray, records: IntArray, colour: str) -> Trace:
    return scatter(
        x,
        y,
        name,
        mode="markers",
        marker={"color": colour, "size": 10},
        customdata=records,
        hovertemplate=f"record %{{customdata}}, {name}<br>distance %{{x:.4g}}<extra></extra>",
    )
