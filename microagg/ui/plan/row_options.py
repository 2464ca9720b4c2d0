"""What a plan says of the file's rows and whole numbers, asked alike on Explore and on Release."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from microagg.model.plan import SCHEMA
from microagg.protection.shuffle_seed import GUESSABLE, drawn_seed
from microagg.ui.components import widgets
from microagg.ui.components.widgets import Place, setting
from microagg.ui.state import session

if TYPE_CHECKING:
    from microagg.model.microdata import Microdata
    from microagg.ui.state.plan_settings import Honoured

ROUNDING = {
    "none": "averages as they are",
    "half even": "rounded, halves to even",
    "half up": "rounded, halves up",
}

LINK = "Copy link and the plan hold this seed, which undoes the shuffle: share them only in the house."


def ask(data: Microdata, wanted: Honoured) -> None:
    """Draw rounding, the order of the rows, and whether identifiers stay."""
    _rounding(wanted)
    _order()
    _identifiers(data)


def _rounding(wanted: Honoured) -> None:
    reason = wanted.reasons.get("rounding")
    place = setting("rounding")
    widgets.choice(
        place if reason is None else place.showing("none"),
        SCHEMA["rounding"].title,
        list(ROUNDING),
        words=ROUNDING.__getitem__,
        disabled=reason is not None,
        help=reason or SCHEMA["rounding"].help,
    )


def _order() -> None:
    now = session.settings()
    left, right = st.columns([1.3, 1], vertical_alignment="center")
    widgets.toggle(
        Place(
            "shuffled",
            now.shuffle is not None,
            lambda wanted: session.change(shuffle=drawn_seed() if wanted else None),
        ),
        SCHEMA["shuffle"].title,
        where=left,
        help=f"{SCHEMA['shuffle'].help} {LINK}",
    )
    widgets.number(
        setting("shuffle").showing(now.shuffle or 0),
        "Seed of the order",
        0,
        None,
        1,
        where=right,
        disabled=now.shuffle is None,
        label_visibility="collapsed",
        help=f"Seed of the random order, drawn at random; one below {GUESSABLE:,} can be guessed.",
    )
    if now.shuffle is not None:
        st.caption(LINK)


def _identifiers(data: Microdata) -> None:
    there = data.columns("identifier")
    place = setting("keep_identifiers")
    widgets.toggle(
        place if there else place.showing(value=False),
        SCHEMA["keep_identifiers"].title,
        disabled=not there,
        help=SCHEMA["keep_identifiers"].help if there else "No column has the role Identifier.",
    )
