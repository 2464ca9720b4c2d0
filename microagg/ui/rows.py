"""What a plan says of the file's rows and whole numbers, asked alike on Explore and on Release."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from microagg.ui import session
from microagg.ui.widgets import fill, write

if TYPE_CHECKING:
    from microagg.types import Microdata
    from microagg.ui.plans import Honoured

ROUNDING = {
    "none": "averages as they are",
    "half even": "rounded, halves to even",
    "half up": "rounded, halves up",
}


def ask(data: Microdata, wanted: Honoured) -> None:
    """Draw rounding, the order of the rows, and whether identifiers stay."""
    _rounding(wanted)
    _order()
    _identifiers(data)


def _rounding(wanted: Honoured) -> None:
    reason = wanted.reasons.get("rounding")
    fill("rounding", "none" if reason else session.settings().rounding)
    st.selectbox(
        "Columns of whole numbers",
        list(ROUNDING),
        key="rounding",
        format_func=ROUNDING.__getitem__,
        on_change=write,
        args=("rounding", "rounding"),
        disabled=reason is not None,
        help=reason or "Rounded averages look like the originals; totals are then no longer kept exactly.",
    )


def _order() -> None:
    now = session.settings()
    fill("shuffled", now.shuffle is not None)
    left, right = st.columns([1.3, 1], vertical_alignment="center")
    left.toggle(
        "Shuffle rows",
        key="shuffled",
        on_change=lambda: session.change(shuffle=1 if st.session_state.shuffled else None),
        help="The order of a file can tell who is who. Whoever knows the seed can undo it: keep seed and "
        "plan to yourself.",
    )
    fill("shuffle", now.shuffle or 0)
    right.number_input(
        "Seed of the order",
        min_value=0,
        step=1,
        key="shuffle",
        on_change=write,
        args=("shuffle", "shuffle"),
        disabled=now.shuffle is None,
        label_visibility="collapsed",
        help="Seed of the random order.",
    )


def _identifiers(data: Microdata) -> None:
    there = data.columns("identifier")
    fill("keep_identifiers", session.settings().keep_identifiers)
    st.toggle(
        "Keep identifiers",
        key="keep_identifiers",
        on_change=write,
        args=("keep_identifiers", "keep_identifiers"),
        disabled=not there,
        help="Off, the columns that name people are left out of the file."
        if there
        else "No column has the role Identifier.",
    )
