"""The middle of Explore: where this λ stands on its curve, and this setting among those tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from microagg.figures.dependence_curve import dependence_curve
from microagg.figures.risk_map import risk_utility
from microagg.ui.components import display
from microagg.ui.results import cached_results
from microagg.ui.state import session

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from microagg.assessment.assess import Assessment
    from microagg.model.release import Release

HEIGHT = 268
_TOO_LONG = 4.0  # seconds of a curve that the page does not wait for
_AT_ONCE = 0.12  # seconds a curve may take to be drawn with the rest, not after it


def risk_map(now: session.Mark) -> None:
    """Draw the trail of settings that were looked at."""
    marks = session.trail(now)
    before = session.pinned(now.key[0])
    pinned = next((i for i, m in enumerate(marks) if before and m.key == before.key != now.key), None)
    loss, risk = (np.array([m.figures[name] for m in marks]) for name in ("il", "dr"))
    display.chart(
        risk_utility(loss, risk, [m.name for m in marks], pinned=pinned, height=HEIGHT),
        "Settings tried in this visit, the current one blue; dotted: equal score.",
        "map",
        lambda: pd.DataFrame([{"setting": m.name, **m.figures} for m in marks]),
    )


def dependence(slot: DeltaGenerator, release: Release, result: Assessment, reason: str | None) -> bool:
    """Draw the curve if it is known or quick, else the current point alone.

    Parameters
    ----------
    slot : DeltaGenerator
        Where the curve stands.
    release, result
    reason : str, optional
        Why λ does not apply; it is shown in place of the curve.

    Returns
    -------
    bool
        Whether `finish` has to draw the curve when all else is on the page.
    """
    if reason is not None:
        with slot.container(
            height=HEIGHT + 29, border=True, vertical_alignment="center", horizontal_alignment="center"
        ):
            st.caption(
                "**D_X–D_Y curve**: what keeping the link to confidential attributes costs.", width="content"
            )
            st.caption(reason, width="content")
            if not release.confidential_values.size:
                st.page_link("pages/data.py", label="Choose one on the Data page", icon=":material/table:")
        return False
    if not cached_results.curve_known(release) and cached_results.STEPS * release.seconds > _TOO_LONG:
        _curve(slot, release, result, [], pending=False)
        return False
    quick = cached_results.curve_known(release) or cached_results.STEPS * release.seconds < _AT_ONCE
    _curve(slot, release, result, list(cached_results.curve(release)) if quick else [], pending=not quick)
    return not quick


def finish(slot: DeltaGenerator, release: Release, result: Assessment) -> None:
    """Compute the rest of the curve and put it in the place of the single point."""
    _curve(slot, release, result, list(cached_results.curve(release)), pending=False)


def _curve(
    slot: DeltaGenerator,
    release: Release,
    result: Assessment,
    points: list[tuple[float, float, float]],
    *,
    pending: bool,
) -> None:
    now = result.lost.dependence
    drawn = bool(points) or pending
    with slot.container():
        display.chart(
            dependence_curve(points, (now.lam, now.d_x, now.d_y), height=HEIGHT, pending=pending),
            "All λ for this method, k and blocks; the current one blue."
            if drawn
            else "The current λ; the others take long here, and Dependence draws them beside the page.",
            "curve-pending" if pending else "curve",
            None
            if not points
            else lambda: pd.DataFrame(list(cached_results.curve(release)), columns=["λ", "D_X", "D_Y"]),
        )
