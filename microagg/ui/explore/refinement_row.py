"""The row above Explore's figures that tells how a refinement goes, and afterwards how it went.

It is as high before as after, so that nothing below it moves when a run ends.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import streamlit as st

from microagg.figures.falling_loss import HEIGHT, falling_loss, percent
from microagg.preparation.refinement_rounds import rounds_asked
from microagg.ui.components import jobs
from microagg.ui.explore import runs
from microagg.ui.results import cached_results
from microagg.ui.state import session

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from streamlit.delta_generator import DeltaGenerator

    from microagg.model.microdata import Microdata
    from microagg.model.plan import Plan
    from microagg.protection.refinement import Moment

_COLUMNS = [3.9, 2.4, 2.3]
_MEANS = (
    "Squared distances of records to their group's mean, as a share of all squares: L, where groups are "
    "released as their means; with λ, of the quasi-identifiers and the link to Y together, as D weighs them."
)


def row(data: Microdata, plan: Plan, *, done: bool, below: bool) -> None:
    """Draw the row of a plan that refines.

    Parameters
    ----------
    data : Microdata
        As looked at.
    plan : Plan
    done : bool
        Whether its release is shown.
    below : bool
        Whether anything is shown below.
    """
    rounds = rounds_asked(plan) or 0
    with st.container(key="refinement", height=HEIGHT + 8, border=False):
        if done:
            _went(cached_results.course(data, plan), plan, rounds)
        else:
            runs.waiting(lambda held: _goes(held, rounds), below=below)


def _drawn(moments: Sequence[Moment], say: Callable[[], None]) -> DeltaGenerator:
    """Draw what is said and the curve; return the place of the button."""
    line, curve, button = st.columns(_COLUMNS, vertical_alignment="center")
    with line:
        say()
    curve.html(falling_loss([m.seconds for m in moments], [m.loss for m in moments]))
    return button


def _goes(held: runs.Run, rounds: int) -> None:
    moments = list(held.told.moments)

    def say() -> None:
        left = "" if math.isnan(held.left) else f", {jobs.about(held.left)} left"
        what = (
            f"Refining, round {moments[-1].rounds:,.0f} of {rounds:,}{left}" if held.refining else held.doing
        )
        st.progress(held.shown, f"{what}.")
        st.caption(_loss(moments) or "Groups are formed first; then the loss falls.", help=_MEANS)

    button = _drawn(moments, say)
    if held.refining:
        button.button(
            "Stop and keep the best",
            key="run_keep",
            icon=":material/stop:",
            on_click=held.keep_the_best,
            width="stretch",
            help="Ends here with the best groups so far. The plan remembers where, so that it gives the same "
            "file again.",
        )
    else:
        button.button(
            "Cancel", key="run_cancel", icon=":material/stop:", on_click=held.cancel, width="stretch"
        )


def _went(moments: Sequence[Moment], plan: Plan, rounds: int) -> None:
    stopped = plan.stop_at < 1
    last = moments[-1] if moments else None

    def say() -> None:
        if not stopped:
            took = "" if last is None else f" in {last.seconds:.1f} s"
            st.caption(f":green[:material/trending_down:] **Refined** for {rounds:,} rounds{took}.")
        elif last is None:
            st.caption(
                f":orange[:material/stop_circle:] **Stopped** after {plan.stop_at:.1%} of its work, not at "
                "its end. The plan repeats it exactly."
            )
        else:
            st.caption(
                f":orange[:material/stop_circle:] **Stopped after {last.seconds:.1f} s**, not at its end: "
                f"round {last.rounds:,.0f} of {rounds:,}. The plan repeats it exactly."
            )
        st.caption(_loss(moments), help=_MEANS)

    button = _drawn(moments, say)
    if stopped:
        button.button(
            "Run to its end",
            key="run_on",
            icon=":material/play_arrow:",
            on_click=lambda: session.change(stop_at=1.0),
            width="stretch",
        )


def _loss(moments: Sequence[Moment]) -> str:
    """What the loss was and is, in words; nothing before it is known."""
    if not moments:
        return ""
    before, now = moments[-1].before, moments[-1].loss
    gain = f", {1 - now / before:.1%} less" if before > 0 else ""
    return f"Loss was **{percent(before)}**, now **{percent(now)}**{gain}."
