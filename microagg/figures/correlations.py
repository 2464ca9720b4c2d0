"""Correlations before, after, and their difference: three maps, one colour scale from −1 to 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.figures.theme import DIVERGING, SMALL, drawn, plain, sheet
from microagg.kernels.scaling import standardise

if TYPE_CHECKING:
    from collections.abc import Sequence

    import plotly.graph_objects as go

    from microagg.kernels.compiled import FloatArray

TITLES = ("before", "after", "after − before")


def correlation(values: FloatArray) -> FloatArray:
    """Correlations between columns; a constant column correlates 0 with every other.

    Parameters
    ----------
    values : (n, p) float64, any scale

    Returns
    -------
    (p, p) float64 in [−1, 1]
    """
    scaled = standardise(values)
    return np.clip(scaled.T @ scaled / len(scaled), -1.0, 1.0)


def correlation_maps(
    original: FloatArray, protected: FloatArray, names: Sequence[str], *, height: int = 320
) -> go.Figure:
    """Draw the three maps side by side.

    Parameters
    ----------
    original, protected : (n, p) float64, original units
    names : sequence of str
    height : int, pixels

    Returns
    -------
    plotly.graph_objects.Figure
        Traces: before, after, difference.
    """
    before, after = correlation(original), correlation(protected)
    labels = [plain(name, 11) for name in names]
    positions = np.arange(len(labels))
    layout = sheet(height, left=84, top=22)
    layout["margin"]["b"] = 66
    layout["coloraxis"] = {
        "colorscale": [list(stop) for stop in DIVERGING],
        "cmin": -1,
        "cmax": 1,
        "colorbar": {"thickness": 10, "len": 0.9, "tickfont": {"size": SMALL - 1}, "title": {"text": "r"}},
    }
    layout["annotations"] = []
    pointed = np.array([[f"{a} – {b}" for b in labels] for a in labels])
    traces = []
    for number, (title, matrix) in enumerate(zip(TITLES, (before, after, after - before), strict=True)):
        suffix, left = "" if number == 0 else str(number + 1), number * 0.34
        largest = f" (largest {np.abs(matrix).max():.2f})" if number == 2 else ""
        traces.append(
            {
                "type": "heatmap",
                "z": matrix.astype(np.float32),
                "x": positions,
                "y": positions,
                "coloraxis": "coloraxis",
                "xaxis": f"x{suffix}",
                "yaxis": f"y{suffix}",
                "customdata": pointed,
                "hovertemplate": "%{customdata}: %{z:.3f}<extra>" + title + "</extra>",
                "name": title,
            }
        )
        ticks = {
            "tickvals": positions,
            "ticktext": labels,
            "tickfont": {"size": SMALL - 2},
            "showgrid": False,
            "zeroline": False,
            "ticks": "",
        }
        layout[f"xaxis{suffix}"] = {
            **ticks,
            "domain": [left, left + 0.31],
            "anchor": f"y{suffix}",
            "tickangle": -60,
        }
        layout[f"yaxis{suffix}"] = {
            **ticks,
            "anchor": f"x{suffix}",
            "autorange": "reversed",
            "showticklabels": number == 0,
        }
        layout["annotations"].append(
            {
                "text": title + largest,
                "x": left + 0.155,
                "y": 1,
                "xref": "paper",
                "yref": "paper",
                "xanchor": "center",
                "yanchor": "bottom",
                "showarrow": False,
                "font": {"size": SMALL},
            }
        )
    return drawn(traces, layout)
