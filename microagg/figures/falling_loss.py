"""The loss that falls while groups are refined, as a strip of 64 pixels in a line of text.

Drawn as SVG and not by Plotly: this one changes twice a second, and a Plotly chart is mounted anew with every
change, which flickers. It is an image, as Streamlit lets no other SVG through.
"""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING

import numpy as np

from microagg.figures.theme import LOSS, ORIGINAL

if TYPE_CHECKING:
    from collections.abc import Sequence

HEIGHT = 64
"""Pixels."""

_POINTS = 150


def percent(loss: float) -> str:
    """A loss as it is written, small ones with a place more.

    Examples
    --------
    >>> percent(0.0741), percent(0.00372)
    ('7.41 %', '0.372 %')
    """
    return f"{100 * loss:.2f} %" if loss >= 0.01 else f"{100 * loss:.3f} %"


def falling_loss(seconds: Sequence[float], loss: Sequence[float]) -> str:
    """Draw the best loss against time, as steps from the first to the last.

    Parameters
    ----------
    seconds : sequence of float, ascending
    loss : sequence of float, not ascending
        Ratios.

    Returns
    -------
    str
        HTML that takes the width it is given.
    """
    if len(seconds) < 2:
        return f'<div style="height:{HEIGHT}px"></div>'
    time, height = np.array(seconds), np.array(loss)
    fell = np.flatnonzero(np.diff(height, prepend=np.inf) < 0)
    shown = np.unique(
        [*fell[np.linspace(0, len(fell) - 1, min(len(fell), _POINTS)).astype(int)], len(time) - 1]
    )
    x = 100 * (time[shown] - time[0]) / max(float(time[-1] - time[0]), 1e-9)
    y = 100 * (height[0] - height[shown]) / max(float(height[0] - height[-1]), 1e-12)
    steps = " ".join(
        f"H{across:.2f} V{down:.2f}" for across, down in zip(x.tolist(), y.tolist(), strict=True)
    )
    first, last = percent(float(height[0])), percent(float(height[-1]))
    said = f"The loss falls from {first} to {last} in {time[-1]:.1f} seconds."
    line = 'vector-effect="non-scaling-stroke" fill="none"'
    picture = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -4 101 108" preserveAspectRatio="none" '
        'width="100%" height="100%">'
        f'<path d="M0 -4 V104 H101" stroke="{ORIGINAL}" stroke-opacity="0.5" {line}/>'
        f'<path d="M0 0 {steps}" stroke="{LOSS}" stroke-width="2" {line}/></svg>'
    )
    label = f"position:absolute;font-size:11px;line-height:13px;color:{ORIGINAL};white-space:nowrap"
    return (
        f'<div style="position:relative;height:{HEIGHT}px">'
        f'<img alt="{said}" src="data:image/svg+xml;base64,{b64encode(picture.encode()).decode()}" '
        'style="position:absolute;left:52px;top:3px;width:calc(100% - 108px);'
        f'height:{HEIGHT - 18}px">'
        f'<span style="{label};left:0;top:0;width:46px;text-align:right">{first}</span>'
        f'<span style="{label};right:0;bottom:12px;width:50px;color:{LOSS};font-weight:600">{last}</span>'
        f'<span style="{label};left:52px;bottom:0">0 s</span>'
        f'<span style="{label};right:56px;bottom:0">{time[-1]:.1f} s</span></div>'
    )
