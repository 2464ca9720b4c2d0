"""The sentence beside the promise: the lowest possible loss, found once for data, blocks and k.

It comes when all else is drawn: at once for some thousand records, and from beside the page for more.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import streamlit as st

from microagg.exploration.least_loss import least_loss
from microagg.figures.falling_loss import percent
from microagg.ui.components import jobs
from microagg.ui.state import session

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from microagg.model.release import Release

AT_ONCE = 0.3
"""Seconds that the page waits for it."""

_HELP = (
    "No groups of k or more have a smaller L. This is a bound, not a target: a group loses at least what the "
    "nearest neighbours of its records make it lose, and all groups together at least what the best cuts of "
    "each axis alone do; the larger of the two is shown. The best possible partition lies between it and L."
)


def line(release: Release) -> None:
    """Draw the sentence, now or when it is known."""
    key = ("least loss", release.data.fingerprint, release.plan and _decides(release))
    held: tuple[Hashable, jobs.Job[float]] | None = st.session_state.get("least")
    if key not in session.memory() and (held is None or held[0] != key):

        def work(_stop: object) -> Iterator[float]:
            yield least_loss(release)

        held = st.session_state.least = (key, jobs.Job(work, 1))
        held[1].wait(AT_ONCE)

    def draw() -> None:
        if held is not None and held[0] == key and (found := held[1].take()):
            session.memory().recall(key, lambda: found[0])
        if key in session.memory():
            _say(session.memory().recall(key, lambda: math.nan), release.k)
        else:
            st.caption("Looking for what must be lost at least…")

    jobs.watch(lambda: [] if held is None else [held[1]], draw, "least_loss")


def _decides(release: Release) -> tuple[object, ...]:
    """What the bound depends on besides the data."""
    return release.k, release.blocks, release.columns, bool(release.partitions)


def _say(least: float, k: int) -> None:
    if math.isfinite(least):
        figure = percent(least).replace(" ", "\N{NO-BREAK SPACE}")
        st.caption(f"Lowest possible loss at k = {k}: **{figure}**", help=_HELP)
