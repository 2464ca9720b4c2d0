"""The Sugeno integral of one record: where its falling values meet the rising measure.

J. Nin and V. Torra, "Modeling Projections in Microaggregation", figure 1: the quantifier over the share of
the attributes, the record's scaled values from the largest to the smallest, and the integral where they
cross.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.figures.theme import ORIGINAL, PROTECTED, RISK, SMALL, TEXT, drawn, plain, scatter, sheet, words

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from microagg.figures.theme import Label
    from microagg.methods.aggregation import Quantifier, SugenoConstruction


def construction(
    steps: SugenoConstruction, weigh: Quantifier, names: tuple[str, ...], *, height: int = 300
) -> go.Figure:
    """Draw the quantifier and the integral of one record.

    Parameters
    ----------
    steps : SugenoConstruction
    weigh : quantifier
    names : tuple of str
        Of the block's attributes.
    height : int, pixels

    Returns
    -------
    plotly.graph_objects.Figure
        Traces: quantifier, measure, values, integral, words.
    """
    shares = np.linspace(0.0, 1.0, 101)
    # Each value holds over one attribute's width, as a falling staircase.
    edges = np.concatenate([[0.0], steps.shares])
    falling = np.concatenate([steps.values, steps.values[-1:]])
    at, integral = float(steps.shares[steps.at]), steps.integral
    layout = sheet(height, x="share of the attributes, largest values first", y="measure; scaled value")
    layout["xaxis"]["range"], layout["yaxis"]["range"] = [-0.01, 1.02], [-0.02, 1.08]
    few = len(names) <= 15
    labels: list[Label] = [(0.0, integral, f"\u2002Sugeno = {integral:.3f}", "bottom right", TEXT, RISK)]
    if few:
        middles = steps.shares - 0.5 / len(names)
        labels += [
            (float(x), float(y), plain(names[j], 12), "top center", SMALL, PROTECTED)
            for x, y, j in zip(middles, steps.values, steps.attributes, strict=True)
        ]
    over = "%{y:.3f} at %{x:.2f}<extra></extra>"
    return drawn(
        [
            scatter(
                shares, weigh(shares), "quantifier", mode="lines", line={"color": ORIGINAL, "width": 1.5}
            ),
            scatter(
                steps.shares,
                steps.capacities,
                "measure",
                mode="markers",
                marker={"color": ORIGINAL, "size": 7},
                hovertemplate="measure " + over,
            ),
            scatter(
                edges,
                falling,
                "values",
                mode="lines",
                line={"color": PROTECTED, "width": 2, "shape": "hv"},
                hovertemplate="value " + over,
            ),
            scatter(
                [0.0, at],
                [integral, integral],
                "integral",
                mode="lines+markers",
                line={"color": RISK, "width": 1.5, "dash": "dot"},
                marker={"color": RISK, "size": [0, 11]},
                hovertemplate="integral " + over,
            ),
            words(labels),
        ],
        layout,
    )
