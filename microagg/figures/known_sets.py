"""The more is known, the more is linked: each set of known attributes by its size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.figures.palette import axis
from microagg.figures.theme import (
    ORIGINAL,
    RISK,
    TEXT,
    Label,
    drawn,
    plain,
    round_up,
    sampled,
    scatter,
    sheet,
    words,
)
from microagg.kernels.random_numbers import uniforms

if TYPE_CHECKING:
    from collections.abc import Sequence

    import plotly.graph_objects as go

    from microagg.kernels.compiled import FloatArray, IntArray

MOST = 1500
_SPREAD = 0.3


def by_size(sizes: IntArray, linked: FloatArray, names: Sequence[str], *, height: int = 300) -> go.Figure:
    """Draw the linkage under each set, and the mean for each number of attributes known.

    Parameters
    ----------
    sizes : (m,) int64
        Attributes in each set.
    linked : (m,) float64
        DLD under each set, ×100.
    names : sequence of str
        Of each set, for the pointer.
    height : int, pixels

    Returns
    -------
    plotly.graph_objects.Figure
        Traces: sets, mean, words.
    """
    layout = sheet(height, x="Attributes known", y=axis("dld", "y"))
    top = round_up(float(linked.max(initial=0.0)))
    layout["xaxis"] |= {"range": [0.4, max(3, int(sizes.max())) + 0.6], "dtick": 1, "showgrid": False}
    layout["yaxis"]["range"] = [0, 1.08 * top]
    shown = sampled(len(sizes), MOST)
    aside = _SPREAD * (2 * uniforms(np.arange(len(sizes))) - 1)
    there = np.unique(sizes)
    means = np.array([linked[sizes == size].mean() for size in there])
    labels: list[Label] = [
        (float(size), mean, f"{mean:.1f}<br> ", "top center", TEXT, RISK)
        for size, mean in zip(there.tolist(), means.tolist(), strict=True)
    ]
    return drawn(
        [
            scatter(
                (sizes + aside)[shown],
                linked[shown],
                "sets",
                mode="markers",
                marker={"color": ORIGINAL, "size": 5, "opacity": 0.45},
                text=[plain(names[i], 90) for i in shown.tolist()],
                hovertemplate="%{text}<br>DLD %{y:.2f} %<extra></extra>",
            ),
            scatter(
                there,
                means,
                "mean",
                mode="lines+markers",
                line={"color": RISK, "width": 1.5},
                marker={"color": RISK, "size": 9},
                hovertemplate="%{x} known: DLD %{y:.2f} % on average<extra></extra>",
            ),
            words(labels),
        ],
        layout,
    )
