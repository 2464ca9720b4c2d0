"""λ at work: both distortions against each other, as relative changes, and figures against λ or k.

k-Anonymous Microaggregation with Preservation of Statistical Dependence, §V. Each curve is walked by λ from
the upper left (λ = 0, X kept best) to the lower right (λ = 1, Y kept best). What a weighted sum could reach
is the lower convex envelope, drawn dashed; points above it are hollow: a heuristic found them, better
mixtures exist.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from microagg.figures.palette import axis
from microagg.figures.theme import (
    ORIGINAL,
    PROTECTED,
    SMALL,
    Label,
    Trace,
    drawn,
    scatter,
    sheet,
    words,
)
from microagg.measures.catalogue import MEASURES

if TYPE_CHECKING:
    from collections.abc import Sequence

    import plotly.graph_objects as go
    from numpy.typing import NDArray

    from microagg.kernels.compiled import FloatArray


_GAP = "\N{NO-BREAK SPACE}" * 3


@dataclass(frozen=True, eq=False)
class Curve:
    """One method, k and way of making blocks, along λ.

    Parameters
    ----------
    name : str
        For the pointer.
    label : str
        Short, at the curve's end; "" for none.
    colour, symbol : str
    lam, d_x, d_y : (m,) float64, by ascending λ
        Distortions ×100.
    on : (m,) bool
        On the lower convex envelope.
    """

    name: str
    label: str
    colour: str
    symbol: str
    lam: FloatArray
    d_x: FloatArray
    d_y: FloatArray
    on: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Line:
    """Values along λ or k.

    Parameters
    ----------
    name, label, colour, symbol : str
        As in `Curve`.
    x, y : (m,) float64
    dash : str
        Plotly's name of a dash.
    """

    name: str
    label: str
    colour: str
    symbol: str
    x: FloatArray
    y: FloatArray
    dash: str = "solid"


def trade_off(
    curves: Sequence[Curve], now: tuple[float, float, float] | None, *, height: int = 330
) -> go.Figure:
    """Draw D_Y against D_X.

    Parameters
    ----------
    curves : sequence of Curve
    now : (λ, D_X, D_Y), optional
        Where the current settings stand, distortions ×100.
    height : int, pixels

    Returns
    -------
    plotly.graph_objects.Figure
        Traces: an envelope and a curve each, then current, words.
    """
    layout = sheet(height, x=axis("d_x", "x"), y=axis("d_y", "y"))
    traces: list[Trace] = []
    labels: list[Label] = []
    for curve in curves:
        traces += [_envelope(curve), _along(curve, curve.d_x, curve.d_y)]
        if curve.label and len(curve.lam):
            labels.append(
                (curve.d_x[0], curve.d_y[0], f"{curve.label}{2 * _GAP}", "middle left", SMALL, curve.colour)
            )
    every = [curve.d_x for curve in curves] + ([np.array([now[1]])] if now else [])
    tall = [curve.d_y for curve in curves] + ([np.array([now[2]])] if now else [])
    layout["xaxis"]["range"], layout["yaxis"]["range"] = _reach(every), _reach(tall)
    if now is not None:
        traces.append(_current(now))
        labels.append((now[1], now[2], f"{2 * _GAP}λ = {now[0]:.2f}", "middle right", SMALL + 1, PROTECTED))
    return drawn([*traces, words(labels)] if labels else traces, layout)


def increments(curves: Sequence[Curve], *, height: int = 330) -> go.Figure:
    """Draw both distortions as changes relative to λ = 0, with the dotted line of equal gain and cost.

    Parameters
    ----------
    curves : sequence of Curve
        Those without λ = 0, or with a distortion of 0 there, are left out.
    height : int, pixels

    Returns
    -------
    plotly.graph_objects.Figure
        Traces: one a curve, equal, words.
    """
    layout = sheet(
        height, x="change of D<sub>X</sub>, %  (← better)", y="change of D<sub>Y</sub>, %  (↓ better)"
    )
    traces: list[Trace] = []
    labels: list[Label] = []
    far = [1.0]
    for curve in curves:
        if not len(curve.lam) or curve.lam[0] != 0 or not curve.d_x[0] or not curve.d_y[0]:
            continue
        x, y = (100 * (d / d[0] - 1) for d in (curve.d_x, curve.d_y))
        traces.append(_along(curve, x, y, ":+.3~g"))
        labels.append((x[-1], y[-1], f"{_GAP}{curve.label}", "middle right", SMALL, curve.colour))
        far.append(float(x.max()))
    reach = min(max(far), 100.0)
    equal = scatter([0, reach], [0, -reach], "equal", mode="lines", line={"color": ORIGINAL, "dash": "dot"})
    labels.append((reach, -reach, f"{_GAP}gain = cost", "middle right", SMALL, ORIGINAL))
    layout["xaxis"]["range"] = [-0.03 * max(far), 1.15 * max(far)]
    return drawn([*traces, equal, words(labels)], layout)


def against(
    lines: Sequence[Line],
    measure: str,
    x: str,
    *,
    ticks: Sequence[float] = (),
    first: bool = False,
    title: str = "",
    height: int = 250,
) -> go.Figure:
    """Draw a measure against λ or k.

    Parameters
    ----------
    lines : sequence of Line
        Values as shown: ratios ×100.
    measure : str
        Of `microagg.MEASURES`; names the axis.
    x : str
        Title of the other axis.
    ticks : sequence of float
        Where the other axis is marked; empty: at round numbers.
    first : bool
        Label the lines where they begin, not where they end.
    title : str
        In place of the measure's, for an axis that two measures share.
    height : int, pixels

    Returns
    -------
    plotly.graph_objects.Figure
    """
    layout = sheet(height, x=x, y=title or axis(measure, "y"))
    unit = " %" if MEASURES[measure].percent else ""
    traces = [
        scatter(
            line.x,
            line.y,
            line.name,
            mode="lines+markers",
            line={"color": line.colour, "width": 1.75, "dash": line.dash},
            marker={"color": line.colour, "symbol": line.symbol, "size": 5},
            hovertemplate=f"{line.name}<br>%{{x:.3~g}}: %{{y:.4~g}}{unit}<extra></extra>",
        )
        for line in lines
    ]
    named = [line for line in lines if line.label and len(line.x)]
    reach = _reach([line.y for line in lines])
    end, side = (0, "middle left") if first else (-1, "middle right")
    heights = spread([float(line.y[end]) for line in named], 0.075 * (reach[1] - reach[0]))
    labels: list[Label] = [
        (line.x[end], at, f"{_GAP}{line.label}{_GAP}", side, SMALL, line.colour)
        for line, at in zip(named, heights, strict=True)
    ]
    layout["yaxis"]["range"] = reach
    if ticks:
        layout["xaxis"] |= {"tickmode": "array", "tickvals": list(ticks)}
    top = max((float(line.x[-1]) for line in lines if len(line.x)), default=1.0)
    layout["xaxis"]["range"] = [-0.24 * top, 1.04 * top] if first else [-0.03 * top, 1.2 * top]
    return drawn([*traces, words(labels)] if labels else traces, layout)


def _along(curve: Curve, x: FloatArray, y: FloatArray, form: str = ":.4~g") -> Trace:
    return scatter(
        x,
        y,
        curve.name,
        mode="lines+markers",
        line={"color": curve.colour, "width": 1.5},
        marker={
            "color": curve.colour,
            "symbol": [curve.symbol if on else f"{curve.symbol}-open" for on in curve.on],
            "size": 7,
        },
        customdata=curve.lam,
        hovertemplate=f"{curve.name}, λ = %{{customdata:.2f}}<br>"
        f"D_X %{{x{form}}} %, D_Y %{{y{form}}} %<extra></extra>",
    )


def _envelope(curve: Curve) -> Trace:
    best = np.flatnonzero(curve.on)
    best = best[np.argsort(curve.d_x[best], kind="stable")]
    style = {"color": curve.colour, "width": 1, "dash": "dash"}
    return scatter(curve.d_x[best], curve.d_y[best], "envelope", mode="lines", line=style, opacity=0.6)


def _current(now: tuple[float, float, float]) -> Trace:
    return scatter(
        [now[1]],
        [now[2]],
        "current",
        mode="markers",
        marker={"color": PROTECTED, "size": 13, "line": {"color": "white", "width": 1.5}},
        hovertemplate="now: %{x:.4~g}, %{y:.4~g}<extra></extra>",
    )


def _reach(values: Sequence[FloatArray]) -> list[float]:
    """From zero to a little above all of them."""
    return [0.0, 1.12 * (max((float(np.nanmax(part, initial=0.0)) for part in values), default=0.0) or 1.0)]


def spread(heights: Sequence[float], apart: float) -> list[float]:
    """Move labels up or down as little as needed for each to stand clear of the next.

    Examples
    --------
    >>> spread([1.0, 5.0, 5.0], 2.0)
    [1.0, 4.0, 6.0]
    """
    runs: list[list[int]] = []
    middle: list[float] = []
    for position in sorted(range(len(heights)), key=heights.__getitem__):
        runs.append([position])
        middle.append(heights[position])
        while len(runs) > 1 and middle[-1] - middle[-2] < apart * (len(runs[-1]) + len(runs[-2])) / 2:
            runs[-2:] = [runs[-2] + runs[-1]]
            middle[-2:] = [sum(heights[i] for i in runs[-1]) / len(runs[-1])]
    placed = dict.fromkeys(range(len(heights)), 0.0)
    for run, centre in zip(runs, middle, strict=True):
        for step, position in enumerate(run):
            placed[position] = centre + apart * (step - (len(run) - 1) / 2)
    return list(placed.values())
