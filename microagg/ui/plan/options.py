"""The folded "Options": the method's own, drawn from its row in the table, and what all methods share."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from microagg.methods import METHODS
from microagg.methods.refine import ROUNDS
from microagg.model.plan import SCHEMA
from microagg.model.plan_fields import MOST_ROUNDS
from microagg.ui.components import widgets
from microagg.ui.components.widgets import Place, setting
from microagg.ui.plan import policies, row_options
from microagg.ui.state import session

if TYPE_CHECKING:
    from microagg.methods.method import Option
    from microagg.model.microdata import Microdata
    from microagg.ui.state.plan_settings import Honoured


def panel(data: Microdata, wanted: Honoured) -> None:
    """Draw the options of the chosen method."""
    settings = session.settings()
    chosen = dict(settings.options)
    title = f"Options ({len(chosen)} changed)" if chosen else "Options"
    with st.expander(title, key="options"):
        for option in METHODS[settings.method].options:
            _draw(option, chosen.get(option.name, option.default), data)
        _aggregate(wanted)
        _seed(wanted)
        _weighted(wanted)
        _refine(wanted)
        row_options.ask(data, wanted)


def _draw(option: Option, value: str | float, data: Microdata) -> None:
    name = f"option-{session.settings().method}-{option.name}"
    place: Place[Any] = Place(name, value, lambda chosen: _choose(option, chosen))
    if option.column:
        protected = policies.protected(data)
        positions = {str(i): a.name for i, a in enumerate(data.attributes) if a.name in protected}
        widgets.choice(
            place,
            option.title,
            ["", *positions],
            words=lambda p: positions.get(p, "the first one"),
            help=option.help,
        )
    elif option.choices:
        widgets.choice(place, option.title, list(option.choices), help=option.help)
    elif isinstance(option.default, str):
        widgets.line(place, option.title, help=option.help)
    else:
        kind = type(option.default)
        low, high = (None if end is None else kind(end) for end in (option.low, option.high))
        step = 1 if kind is int else 0.1
        widgets.number(replace(place, now=kind(value)), option.title, low, high, step, help=option.help)


def _choose(option: Option, value: str | float) -> None:
    if option not in METHODS[session.settings().method].options:
        return  # of the method before
    chosen = dict(session.settings().options) | {option.name: value}
    if chosen[option.name] == option.default:
        del chosen[option.name]
    session.change(options=tuple(sorted(chosen.items())))


def _aggregate(wanted: Honoured) -> None:
    reason = wanted.reasons.get("aggregate")
    place = setting("aggregate")
    widgets.choice(
        place if reason is None else place.showing("mean"),
        SCHEMA["aggregate"].title,
        ["mean", "median"],
        disabled=reason is not None,
        help=reason or SCHEMA["aggregate"].help,
    )


def _seed(wanted: Honoured) -> None:
    reason = wanted.reasons.get("seed")
    place = setting("seed")
    widgets.number(
        place if reason is None else place.showing(0),
        SCHEMA["seed"].title,
        0,
        None,
        1,
        disabled=reason is not None,
        help=reason or SCHEMA["seed"].help,
    )


def _refine(wanted: Honoured) -> None:
    reason, now = wanted.reasons.get("refine"), session.settings().refine
    left, right = st.columns([1.3, 1], vertical_alignment="center")
    widgets.toggle(
        Place(
            "refining",
            now is not None and reason is None,
            lambda wanted: session.change(refine=ROUNDS if wanted else None),
        ),
        SCHEMA["refine"].title,
        where=left,
        disabled=reason is not None,
        help=reason or SCHEMA["refine"].help,
    )
    widgets.number(
        setting("refine").showing(ROUNDS if now is None else now),
        "Rounds of refinement",
        0,
        MOST_ROUNDS,
        100,
        where=right,
        disabled=now is None or reason is not None,
        label_visibility="collapsed",
        help="Rounds a group; more takes longer and loses less.",
    )


def _weighted(wanted: Honoured) -> None:
    reason = wanted.reasons.get("weighted")
    place = setting("weighted")
    widgets.toggle(
        place if reason is None else place.showing(value=False),
        SCHEMA["weighted"].title,
        disabled=reason is not None,
        help=reason or SCHEMA["weighted"].help,
    )
