"""The folded "Options": the method's own, drawn from its row in the table, and what all methods share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from microagg.methods import METHODS
from microagg.methods.refine import ROUNDS
from microagg.plan_fields import MOST_ROUNDS
from microagg.ui import policies, rows, session
from microagg.ui.widgets import fill, write

if TYPE_CHECKING:
    from microagg.methods.method import Option
    from microagg.types import Microdata
    from microagg.ui.plans import Honoured


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
        rows.ask(data, wanted)


def _draw(option: Option, value: str | float, data: Microdata) -> None:
    key = f"option-{session.settings().method}-{option.name}"
    fill(key, value)
    common: dict[str, Any] = {"key": key, "on_change": _write, "args": (key, option), "help": option.help}
    if option.column:
        protected = policies.protected(data)
        positions = {str(i): a.name for i, a in enumerate(data.attributes) if a.name in protected}
        st.selectbox(
            option.title, ["", *positions], format_func=lambda p: positions.get(p, "the first one"), **common
        )
    elif option.choices:
        st.selectbox(option.title, list(option.choices), **common)
    elif isinstance(option.default, str):
        st.text_input(option.title, **common)
    else:
        kind = type(option.default)
        low, high = (None if end is None else kind(end) for end in (option.low, option.high))
        st.number_input(option.title, min_value=low, max_value=high, step=1 if kind is int else 0.1, **common)


def _write(key: str, option: Option) -> None:
    chosen = dict(session.settings().options) | {option.name: st.session_state[key]}
    if chosen[option.name] == option.default:
        del chosen[option.name]
    session.change(options=tuple(sorted(chosen.items())))


def _aggregate(wanted: Honoured) -> None:
    reason = wanted.reasons.get("aggregate")
    fill("aggregate", session.settings().aggregate)
    st.selectbox(
        "A group is released as its",
        ["mean", "median"],
        key="aggregate",
        on_change=lambda: session.change(aggregate=st.session_state.aggregate),
        disabled=reason is not None,
        help=reason or "Means keep totals and averages exactly; medians resist a group's outliers.",
    )


def _seed(wanted: Honoured) -> None:
    reason = wanted.reasons.get("seed")
    fill("seed", session.settings().seed)
    st.number_input(
        "Seed",
        min_value=0,
        step=1,
        key="seed",
        on_change=lambda: session.change(seed=st.session_state.seed),
        disabled=reason is not None,
        help=reason or "The same seed gives the same release.",
    )


def _refine(wanted: Honoured) -> None:
    reason, now = wanted.reasons.get("refine"), session.settings().refine
    fill("refining", now is not None and reason is None)
    left, right = st.columns([1.3, 1], vertical_alignment="center")
    left.toggle(
        "Refine groups",
        key="refining",
        on_change=lambda: session.change(refine=ROUNDS if st.session_state.refining else None),
        disabled=reason is not None,
        help=reason or "Local search after the method: it loses less, for some seconds of work.",
    )
    fill("refine", ROUNDS if now is None else now)
    right.number_input(
        "Rounds of refinement",
        min_value=0,
        max_value=MOST_ROUNDS,
        step=100,
        key="refine",
        on_change=write,
        args=("refine", "refine"),
        disabled=now is None or reason is not None,
        label_visibility="collapsed",
        help="Rounds a group; more takes longer and loses less.",
    )


def _weighted(wanted: Honoured) -> None:
    reason = wanted.reasons.get("weighted")
    fill("weighted", session.settings().weighted and reason is None)
    st.toggle(
        "Weighted means",
        key="weighted",
        on_change=write,
        args=("weighted", "weighted"),
        disabled=reason is not None,
        help=reason
        or "Means weigh each record by its weight, which keeps weighted totals; k counts records.",
    )
