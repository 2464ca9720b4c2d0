"""The risk–utility map of many plans, and two views of their score.

Duncan's R–U confidentiality map: each plan is a point, loss to the right, risk upwards (where high is good,
as for k′, the axis says so). Those that no other plan beats on both are joined: the Pareto front.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from microagg.figures.palette import axis, colour, short, symbol
from microagg.figures.theme import (
    LOSS,
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
from microagg.measures.catalogue import MEASURES
from microagg.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import plotly.graph_objects as go
    from numpy.typing import NDArray

    from microagg.kernels.compiled import FloatArray, IntArray

_PER_LINE, _MANY = 3, 100
_SCALE = ((0.0, "#0a9279"), (0.5, "#b08a00"), (1.0, "#c2476f"))


@dataclass(frozen=True, eq=False)
class Points:
    """The plans as points.

    Parameters
    ----------
    loss, risk : (m,) float64
        As shown: ratios ×100.
    k : (m,) int64
    method, name : sequence of str, length m
        ``name`` is the whole plan, for the pointer.
    front : (m,) bool
    refined : sequence of (int, int)
        Positions of plans and of their refined twins.
    """

    loss: FloatArray
    risk: FloatArray
    k: IntArray
    method: Sequence[str]
    name: Sequence[str]
    front: NDArray[np.bool_]
    refined: Sequence[tuple[int, int]] = ()


def plan_map(
    points: Points, measures: tuple[str, str], *, chosen: int | None = None, height: int = 340
) -> go.Figure:
    """Draw the map.

    Parameters
    ----------
    points : Points
    measures : (str, str)
        Names of the measure of loss and of the measure of risk.
    chosen : int, optional
        Position of the recommended plan.
    height : int, pixels

    Returns
    -------
    plotly.graph_objects.Figure
        Traces: front, from each plan to its refined twin, one a method (``customdata``: the plan's position;
        twins are open), chosen.
    """
    loss, risk = measures
    methods = [name for name in METHODS if name in set(points.method)]
    lines = -(-len(methods) // _PER_LINE)
    layout = sheet(height, x=axis(loss, "x"), y=axis(risk, "y"), top=10 + 20 * lines)
    layout["xaxis"]["title"]["font"]["color"], layout["yaxis"]["title"]["font"]["color"] = LOSS, RISK
    layout["xaxis"]["range"], layout["yaxis"]["range"] = _from_zero(points.loss), _from_zero(points.risk)
    layout |= _legend(len(methods))
    traces = [_front(points), *_to_twins(points)]
    traces += [_of_method(points, method, measures) for method in methods]
    if chosen is not None:
        traces += _ring(points, chosen)
    return drawn(traces, layout)


def _from_zero(values: FloatArray) -> list[float]:
    top = round_up(float(np.nanmax(values, initial=0.0)))
    return [-0.02 * top, 1.05 * top]


def _legend(count: int) -> dict[str, object]:
    place = {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom"}
    return {
        "showlegend": count > 1,
        "legend": place | {"font": {"size": SMALL, "family": "sans-serif"}, "bgcolor": "rgba(0,0,0,0)"},
    }


def _front(points: Points) -> Trace:
    best = np.flatnonzero(points.front)
    best = best[np.argsort(points.loss[best], kind="stable")]
    style = {"color": ORIGINAL, "width": 1.5, "dash": "dot"}
    return scatter(points.loss[best], points.risk[best], "front", mode="lines", line=style, showlegend=False)


def _to_twins(points: Points) -> list[Trace]:
    """Thin lines, in the colour of the method, none where nothing is refined."""
    lines = []
    for method in dict.fromkeys(points.method[plain] for plain, _ in points.refined):
        own = [pair for pair in points.refined if points.method[pair[0]] == method]
        x = [value for one, other in own for value in (points.loss[one], points.loss[other], None)]
        y = [value for one, other in own for value in (points.risk[one], points.risk[other], None)]
        style = {"color": colour(method), "width": 1.25}
        lines.append(
            scatter(x, y, f"{method} refined", mode="lines", line=style, opacity=0.7, showlegend=False)
        )
    return lines


def _of_method(points: Points, method: str, measures: tuple[str, str]) -> Trace:
    own = np.flatnonzero(np.array([name == method for name in points.method]))
    twins = {other for _, other in points.refined}
    low, high = int(points.k.min()), int(points.k.max())
    share = (points.k[own] - low) / max(high - low, 1)
    shown = ", ".join(
        f"{MEASURES[name].title} %{{{letter}:.4~g}}{' %' if MEASURES[name].percent else ''}"
        for name, letter in zip(measures, "xy", strict=True)
    )
    return scatter(
        points.loss[own],
        points.risk[own],
        short(method),
        mode="markers",
        marker={
            "color": colour(method),
            "symbol": [symbol(method) + ("-open" if i in twins else "") for i in own.tolist()],
            "size": (6 + 9 * np.sqrt(share)) * (0.7 if len(points.k) > _MANY else 1.0),
            "opacity": 0.8,
            "line": _outlines(points, own, twins, method),
        },
        customdata=own,
        text=[points.name[i] for i in own.tolist()],
        hovertemplate="%{text}<br>" + shown + "<extra></extra>",
    )


def _outlines(points: Points, own: IntArray, twins: set[int], method: str) -> dict[str, object]:
    """Grey around plans on the front; an open mark is nothing but its outline, which is its method's."""
    if not twins:
        return {"color": ORIGINAL, "width": np.where(points.front[own], 1.5, 0.0)}
    hollow = np.isin(own, list(twins))
    return {
        "color": [colour(method) if open_ else ORIGINAL for open_ in hollow.tolist()],
        "width": np.where(hollow, 1.5, np.where(points.front[own], 1.5, 0.0)),
    }


def _ring(points: Points, chosen: int) -> list[Trace]:
    x, y = float(points.loss[chosen]), float(points.risk[chosen])
    ring = {"symbol": "circle-open", "size": 22, "color": ORIGINAL, "line": {"width": 2}}
    label: Label = (x, y, "\N{NO-BREAK SPACE}" * 4 + "recommended", "top right", SMALL + 1, ORIGINAL)
    return [
        scatter([x], [y], "chosen", mode="markers", marker=ring, showlegend=False),
        words([label]) | {"showlegend": False},
    ]


def score_by_k(series: Mapping[str, tuple[IntArray, FloatArray]], *, height: int = 300) -> go.Figure:
    """Draw the score against k, one line a method.

    Modeling Projections, figures 2 and 3.

    Parameters
    ----------
    series : mapping of str to ((m,) int64, (m,) float64)
        k ascending and the score, by method.
    height : int, pixels

    Returns
    -------
    plotly.graph_objects.Figure
    """
    lines = -(-len(series) // _PER_LINE)
    layout = sheet(height, x="k, smallest group", y=axis("score", "y"), top=10 + 20 * lines)
    layout |= _legend(len(series))
    traces = [
        scatter(
            k,
            score,
            short(method),
            mode="lines+markers",
            line={"color": colour(method), "width": 1.75},
            marker={"color": colour(method), "symbol": symbol(method), "size": 7},
            hovertemplate=f"{METHODS[method].title}<br>k = %{{x}}, score %{{y:.2f}}<extra></extra>",
        )
        for method, (k, score) in series.items()
    ]
    return drawn(traces, layout)


def score_map(
    methods: Sequence[str], ks: Sequence[int], scores: FloatArray, *, height: int = 300
) -> go.Figure:
    """Draw the score over method × k as colours, with its value in each cell or, with many k, a scale.

    Parameters
    ----------
    methods : sequence of str
    ks : sequence of int
    scores : (methods, ks) float64
        nan where there is none.
    height : int, pixels

    Returns
    -------
    plotly.graph_objects.Figure
    """
    layout = sheet(height, x="k, smallest group", left=96)
    layout["xaxis"] |= {"type": "category", "showgrid": False}
    layout["yaxis"] |= {"type": "category", "showgrid": False, "autorange": "reversed"}
    roomy = len(ks) <= 12
    heat = {
        "type": "heatmap",
        "x": [str(k) for k in ks],
        "y": [short(method) for method in methods],
        "z": scores,
        "colorscale": _SCALE,
        "xgap": 1,
        "ygap": 1,
        "text": [["" if np.isnan(value) else f"{value:.0f}" for value in row] for row in scores],
        "texttemplate": "%{text}" if roomy else "",
        "textfont": {"size": SMALL},
        "hovertemplate": "%{y}<br>k = %{x}, score %{z:.2f}<extra></extra>",
        "hoverongaps": False,
        "showscale": not roomy,
        "colorbar": {"thickness": 10, "tickfont": {"size": SMALL}, "outlinewidth": 0},
    }
    return drawn([heat], layout)
