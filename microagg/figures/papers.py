"""Published beside measured, drawn: figures against each other, and lines of both over k.

What agrees is told by symbol as well as by colour: a full disc within one unit of the last printed digit, a
half tone diamond within a tenth, an open square farther away.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from microagg.figures.lambda_curves import spread
from microagg.figures.theme import (
    FAINT,
    ORIGINAL,
    PROTECTED,
    RISK,
    SMALL,
    Label,
    Trace,
    drawn,
    scatter,
    sheet,
    span,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import plotly.graph_objects as go

    from microagg.kernels.compiled import FloatArray

MARKS = {"exact": (PROTECTED, "circle"), "close": ("#b08a00", "diamond"), "off": (RISK, "square-open")}
"""Colour and symbol of each agreement."""

_GAP = "\N{NO-BREAK SPACE}" * 4
_WIDE = 30.0  # a column that spans this factor is drawn on logarithms


@dataclass(frozen=True, eq=False)
class Panel:
    """A column: its heading, and each cell's published and measured figure, agreement and name."""

    title: str
    published: FloatArray
    measured: FloatArray
    agreement: Sequence[str]
    names: Sequence[str]


@dataclass(frozen=True, eq=False)
class Pair:
    """A method along k, published and measured."""

    name: str
    colour: str
    symbol: str
    k: FloatArray
    published: FloatArray
    measured: FloatArray


def against_printed(panels: Sequence[Panel], *, height: int = 330) -> go.Figure:
    """Draw measured against published, a panel a column, with the line on which they are equal.

    Parameters
    ----------
    panels : sequence of Panel
    height : int, pixels

    Returns
    -------
    plotly.graph_objects.Figure
        Traces: equal and cells for each panel.
    """
    layout = sheet(height, top=26)
    layout["margin"]["b"] = 44
    axis_x, axis_y = layout.pop("xaxis"), layout.pop("yaxis")
    traces: list[Trace] = []
    notes = []
    free = 0.055
    width = (1 - free * (len(panels) - 1)) / max(len(panels), 1)
    for number, panel in enumerate(panels, start=1):
        both = np.concatenate([panel.published, panel.measured])
        reach, kind = _reach(both)
        left = (number - 1) * (width + free)
        name = "" if number == 1 else str(number)
        title = {"text": "published", "font": {"size": SMALL}, "standoff": 4}
        layout[f"xaxis{name}"] = axis_x | {
            "domain": [left, left + width],
            "anchor": f"y{name}",
            "title": title,
            **kind,
        }
        layout[f"yaxis{name}"] = axis_y | {"anchor": f"x{name}", **kind}
        layout[f"yaxis{name}"]["title"] = (title | {"text": "measured"}) if number == 1 else {}
        on = {"xaxis": f"x{name}", "yaxis": f"y{name}"}
        line = {"color": ORIGINAL, "dash": "dot", "width": 1}
        traces.append(scatter(reach, reach, "equal", mode="lines", line=line, **on))
        traces.append(_cells(panel) | on)
        notes.append(
            {
                "text": f"<b>{panel.title}</b>",
                "x": left + width / 2,
                "y": 1,
                "xref": "paper",
                "yref": "paper",
                "yanchor": "bottom",
                "showarrow": False,
                "font": {"size": 12},
            }
        )
    layout["annotations"] = notes
    return drawn(traces, layout)


def _reach(values: FloatArray) -> tuple[list[float], dict[str, object]]:
    """Ends of the line of equality, and range and kind of both axes."""
    finite = values[np.isfinite(values)]
    if len(finite) and finite.min() > 0 and finite.max() / finite.min() > _WIDE:
        low, high = span(np.log10(finite), 0.08)
        return [10**low, 10**high], {"type": "log", "range": [low, high], "dtick": 1}
    low, high = span(finite, 0.08)
    return [low, high], {"range": [low, high], "nticks": 5}


def _cells(panel: Panel) -> Trace:
    colours, symbols = zip(*(MARKS[name] for name in panel.agreement), strict=True)
    return scatter(
        panel.published,
        panel.measured,
        "cells",
        mode="markers",
        marker={
            "color": list(colours),
            "symbol": list(symbols),
            "size": 8,
            "line": {"width": 1, "color": list(colours)},
        },
        text=list(panel.names),
        hovertemplate="%{text}<br>published %{x:.4~g}, measured %{y:.4~g}<extra></extra>",
    )


def along_k(pairs: Sequence[Pair], title: str, *, height: int = 380) -> go.Figure:
    """Draw a figure against k: published dotted and hollow, measured solid.

    Parameters
    ----------
    pairs : sequence of Pair
    title : str
        Of the figure's axis.
    height : int, pixels

    Returns
    -------
    plotly.graph_objects.Figure
        Traces: two for each pair, words.
    """
    layout = sheet(height, x="k, smallest group", y=title)
    traces: list[Trace] = []
    labels: list[Label] = []
    for pair in pairs:
        for what, values, dash, symbol in (
            ("published", pair.published, "dot", f"{pair.symbol}-open"),
            ("measured", pair.measured, "solid", pair.symbol),
        ):
            traces.append(
                scatter(
                    pair.k,
                    values,
                    f"{pair.name}, {what}",
                    mode="lines+markers",
                    line={"color": pair.colour, "dash": dash, "width": 1.75},
                    marker={"color": pair.colour, "symbol": symbol, "size": 8},
                    hovertemplate=f"{pair.name}, {what}<br>k = %{{x}}: %{{y:.2f}}<extra></extra>",
                )
            )
            if np.isfinite(values[-1]):
                text = f"{_GAP}{pair.name}, {what}"
                labels.append((pair.k[-1], values[-1], text, "middle right", SMALL, pair.colour))
    ends = np.array([label[1] for label in labels])
    every = np.concatenate([np.concatenate([p.published, p.measured]) for p in pairs])
    layout["yaxis"]["range"] = reach = span(every, 0.08)
    heights = spread(ends.tolist(), 0.055 * (reach[1] - reach[0]))
    placed: list[Label] = [(label[0], y, *label[2:]) for label, y in zip(labels, heights, strict=True)]
    first, last = float(pairs[0].k[0]), float(pairs[0].k[-1])
    layout["xaxis"] |= {
        "tickmode": "array",
        "tickvals": pairs[0].k.tolist(),
        "range": [first - 0.05 * (last - first), last + 0.45 * (last - first)],
        "gridcolor": FAINT,
    }
    return drawn([*traces, words(placed)] if placed else traces, layout)
