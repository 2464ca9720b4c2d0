"""Small figures as SVG text: bars and steps, with no library behind them and no request in front.

Colours come from the page's style sheet by class (original, protected, loss, risk), and so follow light, dark
and print. All text is escaped by `Markup.format`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from markupsafe import Markup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microagg.kernels.compiled import FloatArray

WIDTH, LABEL, ROW, BAR = 720, 190, 16, 11
_CHART = Markup('<svg viewBox="0 0 {w} {h}" role="img" aria-label="{alt}">{parts}</svg>')
_TEXT = Markup('<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{text}</text>')
_RECT = Markup('<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" class="{kind}"/>')
_PATH = Markup('<path d="{d}" class="{kind}"/>')


def bars(
    rows: Sequence[tuple[str, Sequence[float]]], kinds: Sequence[str], alt: str, *, percent: bool = True
) -> Markup:
    """Horizontal bars, one or several a row, each with its value.

    Parameters
    ----------
    rows : sequence of (label, values)
        One value for each of ``kinds``; nan is drawn as a dash.
    kinds : sequence of str
        Colour classes.
    alt : str
        For those who cannot see it.
    percent : bool
        Whether values are ratios, written ×100.

    Returns
    -------
    Markup
    """
    known = [value for _, values in rows for value in values if np.isfinite(value)]
    most = max(known, default=0.0) or 1.0
    room = WIDTH - LABEL - 70
    step = ROW * len(kinds) + (6 if len(kinds) > 1 else 4)
    parts = []
    for i, (label, values) in enumerate(rows):
        top = i * step
        parts.append(_TEXT.format(x=LABEL - 8, y=top + step / 2 + 2, kind="label", text=_short(label)))
        for j, (value, kind) in enumerate(zip(values, kinds, strict=True)):
            length = room * max(value, 0) / most if np.isfinite(value) else 0.0
            y = top + j * ROW + 1
            parts.append(_RECT.format(x=LABEL, y=y, w=length, h=BAR, kind=kind))
            text = "–" if not np.isfinite(value) else f"{100 * value:.1f} %" if percent else f"{value:,.0f}"
            parts.append(_TEXT.format(x=LABEL + length + 5, y=y + 9.5, kind="value", text=text))
    return _CHART.format(w=WIDTH, h=len(rows) * step + 2, alt=alt, parts=Markup("").join(parts))


def distributions(
    names: Sequence[str], before: FloatArray, after: FloatArray, alt: str, *, bins: int = 24
) -> Markup:
    """Share of records by value, before filled and after as a line, a small panel for each attribute.

    Parameters
    ----------
    names : sequence of str, p of them
    before, after : (n, p) float64, nan where missing
    alt : str
    bins : int
        Of equal width between the original's 1st and 99th percentile; the end ones hold what lies beyond.

    Returns
    -------
    Markup
    """
    across, wide, high = 4, 172, 96
    parts = []
    for i, (name, one, other) in enumerate(zip(names, before.T, after.T, strict=True)):
        x, y = (i % across) * (wide + 10), (i // across) * (high + 10)
        parts.append(_TEXT.format(x=x, y=y + 11, kind="title", text=_short(name, 24)))
        shares = _shares(one, other, bins)
        if shares is None:
            parts.append(_TEXT.format(x=x, y=y + 50, kind="note", text="one value only"))
            continue
        tallest = max(share.max() for share in shares)
        for share, kind in zip(shares, ("original", "line"), strict=True):
            heights = y + high - (high - 20) * share / tallest
            edges = x + np.linspace(0, wide, bins + 1)
            steps = "".join(
                f"L{edges[b]:.1f} {heights[b]:.1f}L{edges[b + 1]:.1f} {heights[b]:.1f}" for b in range(bins)
            )
            d = f"M{x:.1f} {y + high:.1f}{steps}L{x + wide:.1f} {y + high:.1f}"
            parts.append(_PATH.format(d=d, kind=kind))
    rows = -(-len(names) // across)
    return _CHART.format(w=WIDTH, h=rows * (high + 10), alt=alt, parts=Markup("").join(parts))


def _shares(before: FloatArray, after: FloatArray, bins: int) -> tuple[FloatArray, FloatArray] | None:
    present = before[np.isfinite(before)]
    if not len(present):
        return None
    low, high = np.percentile(present, [1, 99])
    if low == high:
        low, high = float(present.min()), float(present.max())
    if low == high:
        return None
    edges = np.linspace(low, high, bins + 1)
    counted = [
        np.histogram(np.clip(values[np.isfinite(values)], low, high), edges)[0] for values in (before, after)
    ]
    one, other = (counts / max(counts.sum(), 1) for counts in counted)
    return one, other


def _short(text: str, most: int = 28) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
