"""Before and after, attribute by attribute: overlaid histograms as small multiples on one sheet.

All panels share one pair of axes (a panel is a cell of a grid), because a browser draws two lines through
thirteen cells several times faster than thirteen plots. Bins span the original's 1st to 99th percentile and
the end bins take what lies beyond, so that a few giants do not flatten everybody else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.figures.theme import (
    ORIGINAL,
    PROTECTED,
    SMALL,
    Label,
    brief,
    drawn,
    plain,
    scatter,
    sheet,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import plotly.graph_objects as go

    from microagg.kernels.compiled import FloatArray

BINS = 20
ACROSS = 7
_FILL, _TALL = 0.90, 0.66


def shares(original: FloatArray, protected: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Histogram of one attribute before and after, over the same bins.

    Parameters
    ----------
    original, protected : (n,) float64, original units

    Returns
    -------
    edges : (BINS + 1,) float64, original units
    before, after : (BINS,) float64
        Share of the records in each bin; what lies beyond the edges counts in the end bins.

    Examples
    --------
    >>> _, before, after = shares(np.arange(100.0), np.full(100, 49.5))
    >>> before.sum().round(9).item(), after.max().item()
    (1.0, 1.0)
    """
    low, high = np.percentile(original, [1.0, 99.0])
    if not low < high:
        low, high = float(original.min()), float(original.max())
    if not low < high:
        low, high = low - 0.5, high + 0.5
    before, after = (
        np.histogram(np.clip(values, low, high), BINS, (low, high))[0] / len(values)
        for values in (original, protected)
    )
    return np.linspace(low, high, BINS + 1), before, after


def distributions(
    original: FloatArray,
    protected: FloatArray,
    names: Sequence[str],
    *,
    row: int | None = None,
    most: int = ACROSS,
) -> go.Figure:
    """Draw every attribute before (grey area) and after (blue line).

    Parameters
    ----------
    original, protected : (n, p) float64, original units
    names : sequence of str
    row : int, optional
        Pixels of one row of panels; None: what fits on one screen.
    most : int
        Panels in a row.

    Returns
    -------
    plotly.graph_objects.Figure
        One trace for before, one for after; each panel is separated by a gap.
    """
    across = min(most, len(names))
    down = -(-len(names) // across)
    layout = sheet((row or {1: 230, 2: 150}.get(down, 130)) * down, left=4, top=4)
    layout["xaxis"] = {"visible": False, "range": [0, across]}
    layout["yaxis"] = {"visible": False, "range": [0, down]}
    x: list[FloatArray] = []
    grey: list[FloatArray] = []
    blue: list[FloatArray] = []
    texts: list[str] = []
    labels: list[Label] = []
    gap = np.array([np.nan])
    for j, name in enumerate(names):
        left, floor = j % across + 0.04, down - 1 - j // across + 0.14
        edges, before, after = shares(original[:, j], protected[:, j])
        scale = _TALL / max(before.max(), after.max())
        steps = np.repeat(np.linspace(0.0, 1.0, BINS + 1), 2)
        x += [left + _FILL * steps, gap]
        for heights, part in ((grey, before), (blue, after)):
            heights += [floor + scale * np.concatenate(([0.0], np.repeat(part, 2), [0.0])), gap]
        texts += _hover(plain(name), edges, before, after)
        labels += [
            (left, floor + _TALL + 0.16, plain(name), "bottom right", SMALL, ORIGINAL),
            (left, floor - 0.03, brief(edges[0]), "bottom right", SMALL - 2, ORIGINAL),
            (left + _FILL, floor - 0.03, brief(edges[-1]), "bottom left", SMALL - 2, ORIGINAL),
        ]
    across_all = np.concatenate(x)
    fill = {"fill": "toself", "fillcolor": "rgba(135, 144, 156, 0.45)", "line": {"width": 0}}
    return drawn(
        [
            scatter(across_all, np.concatenate(grey), "original", mode="lines", **fill),
            scatter(
                across_all,
                np.concatenate(blue),
                "protected",
                mode="lines",
                line={"color": PROTECTED, "width": 1.6},
                text=texts,
                hovertemplate="%{text}<extra></extra>",
            ),
            words(labels),
        ],
        layout,
    )


def _hover(name: str, edges: FloatArray, before: FloatArray, after: FloatArray) -> list[str]:
    """One text for each vertex of a panel's outline, and one for the gap behind it."""
    bins = [
        f"{name} {brief(edges[b])} to {brief(edges[b + 1])}<br>{before[b]:.1%} before, {after[b]:.1%} after"
        for b in range(len(before))
    ]
    return [name, *(text for text in bins for _ in range(2)), name, ""]
