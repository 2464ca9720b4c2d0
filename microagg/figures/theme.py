"""What every figure shares: the meaning of colours, a blank sheet, and how axes are named.

Four colours carry meaning, everywhere: *original* is neutral grey, *protected* blue, *risk* orange, *loss*
purple. They were chosen to stay apart for colour-blind eyes and to keep a contrast of at least 3 : 1 on both
the light and the dark background.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from microagg.kernels.random_numbers import chosen

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray

ORIGINAL = "#87909c"
PROTECTED = "#1a7fd4"
RISK = "#d9541e"
LOSS = "#b351b8"
FAINT = "rgba(135, 144, 156, 0.28)"
DIVERGING = ((0.0, RISK), (0.5, "rgba(135, 144, 156, 0.08)"), (1.0, PROTECTED))

SMALL, TEXT = 11, 12
_STEPS = (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.5, 10.0)


Layout = dict[str, Any]
Trace = dict[str, Any]
Label = tuple[float, float, str, str, int, str]


def sheet(height: int, *, x: str = "", y: str = "", left: int = 52, top: int = 8) -> Layout:
    """The layout of a blank figure in the house's style.

    Parameters
    ----------
    height : int
        Pixels.
    x, y : str
        Axis titles with unit and which way is better.
    left, top : int
        Margins in pixels.

    Returns
    -------
    dict
        To be completed and given to `drawn`.
    """
    return {
        "height": height,
        "margin": {"l": left, "r": 12, "t": top, "b": 40 if x else 8},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "showlegend": False,
        "hovermode": "closest",
        "xaxis": _axis(x),
        "yaxis": _axis(y),
    }


def _axis(title: str) -> Layout:
    return {
        "gridcolor": FAINT,
        "zeroline": False,
        "showline": True,
        "linecolor": FAINT,
        "tickfont": {"size": SMALL},
        "title": {"text": title, "font": {"size": TEXT}, "standoff": 6},
    }


def drawn(traces: list[Trace], layout: Layout) -> go.Figure:
    """Traces on a sheet as a figure.

    Made in one step from plain dictionaries, because Plotly checks each later change against all that is
    there: thirty-nine labels added one by one took longer than everything else that a slider sets in motion.
    """
    return go.Figure({"data": traces, "layout": layout})


def scatter(x: Any, y: Any, name: str, **style: Any) -> Trace:
    """A trace of points or lines; without a ``hovertemplate`` the pointer passes over it."""
    silent = {} if "hovertemplate" in style else {"hoverinfo": "skip"}
    return {"type": "scatter", "x": x, "y": y, "name": name, "cliponaxis": False, **silent, **style}


def words(labels: list[Label], name: str = "words") -> Trace:
    """Short texts at points, as one trace: (x, y, text, position as "bottom right", size, colour)."""
    x, y, texts, positions, sizes, colours = (list(part) for part in zip(*labels, strict=True))
    font = {"size": sizes, "color": colours}
    return scatter(x, y, name, mode="text", text=texts, textposition=positions, textfont=font)


def plain(name: str, length: int = 18) -> str:
    """A column's name as text for a figure: no markup is read into it, and it is cut to ``length``.

    Examples
    --------
    >>> plain("<b>wage</b>")
    '&lt;b&gt;wage&lt;/b&gt;'
    >>> plain("TOTAL_PERSONAL_INCOME", 8)
    'TOTAL_P…'
    """
    return html.escape(name if len(name) <= length else name[: length - 1] + "…", quote=False)


def round_up(value: float) -> float:
    """The next round number at or above a value, so that an axis grows in steps and else stands still.

    Examples
    --------
    >>> round_up(0.23), round_up(31.0), round_up(0.0)
    (0.3, 40.0, 1.0)
    """
    if not np.isfinite(value) or value <= 0:
        return 1.0
    unit = 10.0 ** np.floor(np.log10(value))
    return float(next((round(s * unit, 12) for s in _STEPS if s * unit >= value * (1 - 1e-12)), 10 * unit))


def span(values: FloatArray, margin: float = 0.04) -> list[float]:
    """An axis range around the finite values, with a margin.

    Parameters
    ----------
    values : (n,) float64
    margin : float
        Share of the range left free at each end.

    Returns
    -------
    [low, high], low < high
    """
    finite = values[np.isfinite(values)]
    if not len(finite):
        return [0.0, 1.0]
    low, high = float(finite.min()), float(finite.max())
    free = (high - low) * margin or abs(high) * margin or 1.0
    return [low - free, high + free]


def brief(value: float) -> str:
    """A number in few letters, for a tick or a corner of a figure.

    Examples
    --------
    >>> brief(1234567), brief(-45500), brief(0.031), brief(7.0)
    ('1.2 M', '−46 k', '0.031', '7')
    """
    size = abs(value)
    for unit, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if size >= unit:
            share = size / unit
            return ("−" if value < 0 else "") + (f"{share:.0f}" if share >= 10 else f"{share:.1f}") + letter
    return f"{value:.3g}".replace("-", "−")


def sampled(count: int, most: int, seed: int = 0) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Positions of an even sample, ascending and the same every time; all of them where they fit.

    Parameters
    ----------
    count, most : int
        How many there are, and how many may be drawn.
    seed : int

    Returns
    -------
    (min(count, most),) int64
    """
    if count <= most:
        return np.arange(count, dtype=np.int64)
    return chosen(seed, count, most)
