"""The groups as stars: each record joined to its group's centroid, on the first two principal components.

The plane is that of the standardised originals, so it stands still while k or the method changes. Two
dimensions show only part of the distances, and the figure says which part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.figures.selection_rings import rings
from microagg.figures.theme import FAINT, ORIGINAL, PROTECTED, drawn, sampled, scatter, sheet, span

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from microagg.kernels.compiled import FloatArray, IntArray

MOST = 1200


def plane(standardised: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The first two principal components.

    Parameters
    ----------
    standardised : (n, p) float64

    Returns
    -------
    scores : (n, 2) float64
        Zeros in the second column where p = 1.
    share : (2,) float64
        Share of the variance along each.

    Examples
    --------
    >>> scores, share = plane(np.array([[-1.0, -1.0], [1.0, 1.0]]))
    >>> share.round(6).tolist()
    [1.0, 0.0]
    """
    values, vectors = np.linalg.eigh(standardised.T @ standardised / len(standardised))
    axes = vectors[:, ::-1][:, :2]
    axes = axes * np.where(axes.sum(axis=0) < 0, -1.0, 1.0)
    share = values[::-1][:2] / max(float(values.sum()), np.finfo(float).tiny)
    if standardised.shape[1] == 1:
        axes, share = np.hstack([axes, np.zeros((1, 1))]), np.array([share[0], 0.0])
    return standardised @ axes, np.clip(share, 0.0, 1.0)


def stars(
    standardised: FloatArray,
    labels: IntArray,
    *,
    height: int = 320,
    numbers: IntArray | None = None,
    marked: IntArray | None = None,
) -> go.Figure:
    """Draw the groups of one block.

    Parameters
    ----------
    standardised : (n, b) float64
        The block's attributes.
    labels : (n,) int64, groups 0…g−1
        Above 1,200 records whole groups are left out, evenly and always the same.
    height : int, pixels
    numbers : (n,) int64, optional
        Each record's number in the file, from 1; by default its place here.
    marked : (m,) int64, optional
        Places here of the records to ring.

    Returns
    -------
    plotly.graph_objects.Figure
        Traces: spokes, original, protected; selected, where records are marked.
    """
    scores, share = plane(standardised)
    sizes = np.bincount(labels)
    centres = np.stack([np.bincount(labels, weights=scores[:, j]) / sizes for j in (0, 1)], axis=1)
    kept = sampled(len(sizes), max(1, int(MOST / sizes.mean())))
    records = np.flatnonzero(np.isin(labels, kept))
    number = np.arange(1, len(scores) + 1) if numbers is None else numbers
    spokes = np.stack(
        [scores[records], centres[labels[records]], np.full((len(records), 2), np.nan)], axis=1
    ).reshape(-1, 2)
    layout = sheet(
        height, x=f"First component ({share[0]:.0%} of the variance)", y=f"Second ({share[1]:.0%})"
    )
    layout["xaxis"]["range"], layout["yaxis"]["range"] = span(scores[:, 0]), span(scores[:, 1])
    return drawn(
        [
            scatter(spokes[:, 0], spokes[:, 1], "spokes", mode="lines", line={"color": FAINT, "width": 1}),
            scatter(
                scores[records, 0],
                scores[records, 1],
                "original",
                mode="markers",
                marker={"color": ORIGINAL, "size": 4},
                customdata=np.stack([number[records], labels[records] + 1], axis=1),
                hovertemplate="record %{customdata[0]}, group %{customdata[1]}<extra></extra>",
            ),
            scatter(
                centres[kept, 0],
                centres[kept, 1],
                "protected",
                mode="markers",
                marker={"color": PROTECTED, "size": 7, "symbol": "diamond"},
                customdata=np.stack([kept + 1, sizes[kept]], axis=1),
                hovertemplate="group %{customdata[0]}: %{customdata[1]} records<extra></extra>",
            ),
            *([rings(scores[marked])] if marked is not None and len(marked) else []),
        ],
        layout,
    )
