"""A step of a lesson as a figure: its panels side by side, and a colour and a shape for every meaning.

Grey is a record as it was, amber what the step looks at, blue what is released, orange what an intruder
finds. Groups take colours and shapes in turn, so that neighbours differ in both.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from microagg.figures.theme import (
    FAINT,
    ORIGINAL,
    PROTECTED,
    RISK,
    SMALL,
    TEXT,
    Layout,
    Trace,
    drawn,
    plain,
    scatter,
    sheet,
)
from microagg.lessons.scene import Area, Dots, Line, Word

if TYPE_CHECKING:
    from collections.abc import Sequence

    import plotly.graph_objects as go

    from microagg.kernels.compiled import FloatArray
    from microagg.lessons.scene import Mark, Panel

NOW = "#b08a00"
COLOURS = {
    "record": ORIGINAL,
    "faint": FAINT,
    "now": NOW,
    "landed": NOW,
    "group": ORIGINAL,
    "released": PROTECTED,
    "risk": RISK,
}
GROUP_COLOURS = ("#0a9279", "#5a6bd8", "#c2476f", "#4f8a10", "#8a745c", "#0e8fb0")
GROUP_SYMBOLS = ("circle", "square", "triangle-up", "cross", "pentagon")
_SYMBOLS = {"released": "diamond", "now": "circle-open", "risk": "circle"}
_SIZES = {"released": 10, "now": 14, "record": 7, "faint": 5, "landed": 6, "risk": 9, "group": 8}
_TITLE, _FOOT = 0.075, 0.12
_GAP = "\N{NO-BREAK SPACE}" * 4


def step(panels: Sequence[Panel], *, height: int = 440) -> go.Figure:
    """Draw a step.

    Parameters
    ----------
    panels : sequence of Panel
    height : int, pixels

    Returns
    -------
    plotly.graph_objects.Figure
        One trace a mark that is not empty, in the panels' order; "nothing" where a panel has none.
    """
    layout = sheet(height)
    layout["margin"] = {"l": 46, "r": 8, "t": 4, "b": 4}
    layout["annotations"] = []
    traces: list[Trace] = []
    for number, panel in enumerate(panels, 1):
        ending = "" if number == 1 else str(number)
        on = {"xaxis": f"x{ending}", "yaxis": f"y{ending}"}
        _axes(layout, panel, ending)
        marks = [_trace(mark) for mark in panel.marks if _length(mark)]
        traces += [trace | on for trace in marks or [scatter([None], [None], "nothing")]]
    return drawn(traces, layout)


def lowered(text: str) -> str:
    """Indices of X and Y set low, as HTML.

    Examples
    --------
    >>> lowered("D_X + D_Y")
    'D<sub>X</sub> + D<sub>Y</sub>'
    """
    return re.sub(r"_([XY])\b", r"<sub>\1</sub>", text)


def _length(mark: Mark) -> int:
    match mark:
        case Dots():
            return len(mark.at)
        case Line():
            return len(mark.path)
        case Area():
            return len(mark.low)
        case Word():
            return 1


def _axes(layout: Layout, panel: Panel, ending: str) -> None:
    """Give a panel its axes, and write its title above them."""
    left, right, bottom, top = panel.place
    foot = _FOOT if panel.x else 0.06 if any(name for _, name in panel.ticks) else 0.01
    floor, ceiling = bottom + foot, top - _TITLE
    blank = sheet(0, x=lowered(plain(panel.x, 60)), y=lowered(plain(panel.y, 40)))
    across, up = blank["xaxis"], blank["yaxis"]
    across |= {"domain": [left, right], "range": list(panel.across), "anchor": f"y{ending}"}
    up |= {"domain": [floor, ceiling], "range": list(panel.up), "anchor": f"x{ending}"}
    across["title"]["standoff"], up["title"]["standoff"] = 4, 12
    if panel.equal:
        up |= {"scaleanchor": f"x{ending}", "scaleratio": 1}
    if panel.ticks:
        places, names = zip(*panel.ticks, strict=True)
        across |= {"tickvals": list(places), "ticktext": [plain(name, 14) for name in names]}
    layout[f"xaxis{ending}"], layout[f"yaxis{ending}"] = across, up
    layout["annotations"].append(
        {
            "text": lowered(plain(panel.title, 60)),
            "x": left,
            "y": top,
            "xref": "paper",
            "yref": "paper",
            "xanchor": "left",
            "yanchor": "top",
            "showarrow": False,
            "font": {"size": TEXT + 1},
        }
    )


def _trace(mark: Mark) -> Trace:
    match mark:
        case Dots():
            return _dots(mark)
        case Line():
            width = 3.0 if mark.wide else 1.0 if mark.dashed else 1.5
            dash = "dash" if mark.dashed else "solid"
            style = {"color": COLOURS[mark.meaning], "width": width, "dash": dash}
            return scatter(mark.path[:, 0], mark.path[:, 1], mark.meaning, mode="lines", line=style)
        case Area():
            path = _outlines(mark.low, mark.high)
            colour = COLOURS[mark.meaning]
            style = {"mode": "lines", "line": {"width": 0}, "fill": "toself", "fillcolor": colour}
            if mark.meaning == "faint":
                style["fillcolor"] = "rgba(135, 144, 156, 0.16)"
            return scatter(path[:, 0], path[:, 1], mark.meaning, **style)
        case Word():
            font = {"size": SMALL + 1, "color": COLOURS[mark.meaning]}
            gap = _GAP if mark.side in ("middle left", "middle right") else ""
            text = [gap + plain(mark.text, 40) + gap]
            style = {"mode": "text", "text": text, "textposition": mark.side, "textfont": font}
            return scatter([mark.x], [mark.y], "words", **style)


def _dots(mark: Dots) -> Trace:
    marker: dict[str, Any] = {
        "color": COLOURS[mark.meaning],
        "symbol": _SYMBOLS.get(mark.meaning, "circle"),
        "size": _SIZES.get(mark.meaning, 7),
    }
    if mark.meaning == "now":
        marker["line"] = {"width": 2.5, "color": NOW}
    if mark.groups is not None:
        marker["color"] = [GROUP_COLOURS[group % len(GROUP_COLOURS)] for group in mark.groups.tolist()]
        marker["symbol"] = [GROUP_SYMBOLS[group % len(GROUP_SYMBOLS)] for group in mark.groups.tolist()]
    style: dict[str, Any] = {"mode": "markers", "marker": marker}
    if mark.names:
        font = {"size": SMALL - 1, "color": ORIGINAL}
        style |= {"mode": "markers+text", "text": list(mark.names), "textposition": "top right"}
        style["textfont"] = font
    if mark.about:
        told = [plain(about, 120) for about in mark.about]
        style |= {"hovertext": told, "hovertemplate": "%{hovertext}<extra></extra>"}
    return scatter(mark.at[:, 0], mark.at[:, 1], mark.meaning, **style)


def _outlines(low: FloatArray, high: FloatArray) -> FloatArray:
    """Rectangles as one path, broken between them."""
    x0, y0, x1, y1 = *low.T, *high.T
    nothing = np.full(len(low), np.nan)
    x = np.stack([x0, x1, x1, x0, x0, nothing], axis=1).ravel()
    y = np.stack([y0, y0, y1, y1, y0, nothing], axis=1).ravel()
    return np.stack([x, y], axis=1)
