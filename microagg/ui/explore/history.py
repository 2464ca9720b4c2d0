"""The settings of this visit: named, gone back to, and two of them pinned side by side."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from microagg.assessment.assess import comparable
from microagg.figures.distributions import distributions
from microagg.measures.secondary_catalogue import EVERY
from microagg.model.plan import Plan
from microagg.ui.components import display, widgets
from microagg.ui.components.words import change, plain, text
from microagg.ui.results import cached_results
from microagg.ui.state import session

if TYPE_CHECKING:
    from microagg.model.release import Release
    from microagg.ui.state.session import Mark

_FIGURES = ("il", "dr", "score", "l", "d_x", "d_y", "k_prime", "smallest_class", "dld", "id")
_MOST = 100


def tab(now: Mark) -> None:
    """Draw the table of settings and, beside it, the two that are compared."""
    marks = [mark for mark in session.marks() if mark.key[0] == now.key[0]][::-1][:_MOST]
    left, right = st.columns([1.5, 1], gap="medium")
    with left:
        _table(marks, now)
        st.caption("Newest first. Click a name to change it; tick two settings to see them side by side.")
    with right:
        pins = session.pins()
        one, other = (pins[0], pins[1]) if len(pins) == 2 else (pins[0] if pins else None, now)
        if one is None or one.key == other.key:
            st.info(
                "Pin a setting, here or in the sidebar, to see it beside another.", icon=":material/keep:"
            )
        else:
            _side_by_side(one, other)
    if one is not None and one.key != other.key:
        _pictures(one, other)


def _table(marks: list[Mark], now: Mark) -> None:
    pinned = {mark.key for mark in session.pins()}
    rows = pd.DataFrame(
        {
            "pinned": [mark.key in pinned for mark in marks],
            "back": [mark.key == now.key for mark in marks],
            "name": [mark.name for mark in marks],
            **{name: [mark.figures[name] for mark in marks] for name in ("il", "dr", "score", "k_prime")},
        }
    )
    widgets.table(
        widgets.Place("history", rows, partial(_take, marks, rows)),
        hide_index=True,
        height=_height(rows),
        disabled=["il", "dr", "score", "k_prime"],
        column_config={
            "pinned": st.column_config.CheckboxColumn("Pin", width=50),
            "back": st.column_config.CheckboxColumn("Show", width=60, help="Go back to this setting."),
            "name": st.column_config.TextColumn("Name", width="medium", required=True),
            **{
                name: st.column_config.NumberColumn(
                    EVERY[name].title, format="%.2f", help=EVERY[name].sentence
                )
                for name in ("il", "dr", "score", "k_prime")
            },
        },
    )


def _take(marks: list[Mark], before: pd.DataFrame, after: pd.DataFrame) -> None:
    """What was changed in the table: names, pins, and the way back."""
    for mark, was, row in zip(marks, before.to_dict("records"), after.to_dict("records"), strict=True):
        if row["name"] and row["name"] != was["name"]:
            session.rename(mark, row["name"])
        if row["pinned"] != was["pinned"]:
            pins = [pin for pin in session.pins() if pin.key != mark.key]
            session.pin(*([*pins, mark][-2:] if row["pinned"] else pins))
        if row["back"] and not was["back"] and mark.settings is not None:
            session.put(mark.settings)


def _side_by_side(one: Mark, other: Mark) -> None:
    names = {"Figure": [EVERY[name].title for name in _FIGURES]}
    first, second = ([text(name, mark.figures[name]) for name in _FIGURES] for mark in (one, other))
    differences = [change(name, other.figures[name], one.figures[name]) or "" for name in _FIGURES]
    st.caption(f"**A** {plain(one.name)} &emsp; **B** {plain(other.name)}")
    left, right = st.columns([1.25, 1], gap="small")
    both = pd.DataFrame({**names, "A": first, "B": second, "B − A": differences})
    left.dataframe(both, hide_index=True, height=_height(both), row_height=28)
    with right:
        rows = differing(one.key[1], other.key[1])
        if rows.empty:
            st.caption("The plans are the same.")
        else:
            st.dataframe(rows, hide_index=True, height=_height(rows), row_height=28)


def _pictures(one: Mark, other: Mark) -> None:
    """Draw every attribute before and after, under both settings."""
    data = session.data()
    for letter, mark, side in zip("AB", (one, other), st.columns(2, gap="medium"), strict=True):
        with side:
            if mark.key[0] != data.fingerprint:
                st.caption(f"**{letter}** was seen on a sample; its picture is not kept.")
                continue
            release = cached_results.release(data, Plan.from_json(mark.key[1]))
            display.chart(
                distributions(*comparable(release), release.columns, row=110, most=3),
                f"**{letter}**, {plain(mark.name)}: share by value, before (grey) and after (blue).",
                f"pin-{letter}",
                partial(_moments, release),
            )


def _moments(release: Release) -> pd.DataFrame:
    """The table behind a picture."""
    before, after = (pd.DataFrame(values, columns=list(release.columns)) for values in comparable(release))
    parts = {"mean": before.mean(), "mean after": after.mean(), "sd": before.std(), "sd after": after.std()}
    return pd.DataFrame(parts).rename_axis("attribute").reset_index()


def _height(rows: pd.DataFrame) -> int:
    """Pixels of a table that shows its rows and no empty ones."""
    return min(320, 37 + 35 * len(rows))


def differing(one: str, other: str) -> pd.DataFrame:
    """What differs between two plans as JSON, one row a part.

    Examples
    --------
    >>> differing('{"method": "mdav", "k": 5}', '{"method": "mdav", "k": 9, "lam": 0.5}').values.tolist()
    [['k', '5', '9'], ['lam', '–', '0.5']]
    """
    first, second = json.loads(one), json.loads(other)
    rows = [
        (name, _words(first.get(name)), _words(second.get(name)))
        for name in {**first, **second}
        if first.get(name) != second.get(name)
    ]
    return pd.DataFrame(rows, columns=["Plan", "A", "B"])


def _words(value: object) -> str:
    return (
        "–" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    )
