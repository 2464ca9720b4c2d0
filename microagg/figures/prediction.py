"""What models learned from the release still predict, beside models learned from the originals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.figures.theme import FAINT, ORIGINAL, PROTECTED, drawn, plain, scatter, sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    import plotly.graph_objects as go

    from microagg.kernels.compiled import FloatArray
_LETTERS = 24


def predictions(
    names: Sequence[str], from_original: FloatArray, from_protected: FloatArray, *, height: int = 300
) -> go.Figure:
    """Draw two dots for each confidential attribute, joined.

    Parameters
    ----------
    names : sequence of str
    from_original, from_protected : (m,) float64
        R² or accuracy, at most 1; nan where not defined. Below 0 (worse than the mean) is drawn at 0.
    height : int, pixels

    Returns
    -------
    plotly.graph_objects.Figure
        Traces: gaps, original, protected.
    """
    rows = np.arange(len(names), dtype=np.float64)
    before, after = np.maximum(from_original, 0.0), np.maximum(from_protected, 0.0)
    left = 16 + 7 * min(_LETTERS, max((len(name) for name in names), default=0))
    layout = sheet(height, x="R², or share right  (better →)", left=left, top=4)
    layout["xaxis"]["range"] = [-0.02, 1.02]
    layout["yaxis"] |= {
        "range": [len(names) - 0.4, -0.6],
        "tickvals": rows,
        "ticktext": [plain(name, _LETTERS) for name in names],
        "showline": False,
    }
    gaps = np.stack([before, after, np.full_like(before, np.nan)], axis=1).ravel()
    traces = [scatter(gaps, np.repeat(rows, 3), "gaps", mode="lines", line={"color": FAINT, "width": 4})]
    for name, drawn_at, values, colour in (
        ("original", before, from_original, ORIGINAL),
        ("protected", after, from_protected, PROTECTED),
    ):
        traces.append(
            scatter(
                drawn_at,
                rows,
                name,
                mode="markers",
                marker={"color": colour, "size": 11},
                customdata=values,
                text=[plain(n, 40) for n in names],
                hovertemplate=f"%{{text}}<br>learned from the {name}: %{{customdata:.3f}}<extra></extra>",
            )
        )
    return drawn(traces, layout)
