"""How the release leaves: format, rounding, order of rows, identifiers; and where the original came from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from microagg.io.formats import FORMATS
from microagg.io.table import Labels
from microagg.io.writing import formula_cells
from microagg.outgoing import Outgoing
from microagg.reproduce import Source
from microagg.ui import session
from microagg.ui.plans import honoured
from microagg.ui.widgets import fill, write
from microagg.ui.words import counted

if TYPE_CHECKING:
    from microagg.types import Microdata, Release

ROUNDING = {"none": "as they are", "half even": "rounded, halves to even", "half up": "rounded, halves up"}


def rows(data: Microdata) -> None:
    """Draw what decides the rows and values of the file; it belongs to the plan."""
    now, reason = session.settings(), honoured(session.settings(), data).reasons.get("rounding")
    fill("leave_rounding", "none" if reason else now.rounding)
    st.selectbox(
        "Averages of whole numbers",
        list(ROUNDING),
        key="leave_rounding",
        format_func=ROUNDING.__getitem__,
        on_change=write,
        args=("leave_rounding", "rounding"),
        disabled=reason is not None,
        help=reason or "Rounded, they look like the originals; what that does to totals is shown beside.",
    )
    fill("leave_shuffled", now.shuffle is not None)
    left, right = st.columns([1.6, 1], vertical_alignment="center")
    left.toggle(
        "Shuffle rows",
        key="leave_shuffled",
        on_change=lambda: session.change(shuffle=1 if st.session_state.leave_shuffled else None),
        help="The order of a file can tell who is who. Whoever knows the seed can undo it: keep seed and "
        "plan to yourself.",
    )
    fill("leave_shuffle", now.shuffle or 0)
    right.number_input(
        "Seed of the order",
        min_value=0,
        step=1,
        key="leave_shuffle",
        on_change=write,
        args=("leave_shuffle", "shuffle"),
        disabled=now.shuffle is None,
        label_visibility="collapsed",
        help="Seed of the random order.",
    )
    fill("leave_identifiers", now.keep_identifiers)
    st.toggle(
        "Keep identifiers",
        key="leave_identifiers",
        on_change=write,
        args=("leave_identifiers", "keep_identifiers"),
        disabled=not data.columns("identifier"),
        help="Off, columns that name people are left out. No column has that role."
        if not data.columns("identifier")
        else "Off, the columns that name people are left out.",
    )


def outgoing(release: Release) -> Outgoing:
    """Draw what decides the file alone, and give the release as it is written."""
    held = session.upload()
    titles = {row.name: f"{row.title} ({row.suffixes[0]})" for row in FORMATS.values() if row.write}
    if session.dialect() is not None:
        titles["csv"] = f"{FORMATS['csv'].title}, as it came"
    kind = st.selectbox(
        "Format",
        list(titles),
        key="leave_format",
        format_func=titles.__getitem__,
        persist_state="session",
        help="Text leaves in the dialect and encoding it came in; labels of columns and codes stay where the "
        "format has a place for them.",
    )
    cells = formula_cells(release.protected)
    neutralised = st.toggle(
        "Neutralise formula cells",
        key="leave_neutralise",
        persist_state="session",
        disabled=not cells,
        help=f"{counted(cells, 'cell')} or names begin like a formula; an apostrophe before them keeps a "
        "spreadsheet from running them, and changes the text."
        if cells
        else "No cell begins like a formula.",
    )
    return Outgoing(
        release,
        kind or "csv",
        session.dialect(),
        Labels() if held is None else held.table.labels,
        bool(neutralised and cells),
    )


def source() -> Source:
    """Where the data in use came from, and how they were read."""
    held = session.upload()
    if held is None:
        return Source(session.settings().data)
    parts = {name: value for name, value in held.parts.items() if isinstance(value, str | bool)}
    if len(held.sheets) > 1 and held.table.sheets:
        parts["sheet"] = held.table.sheets[0]
    return Source(held.file_name, parts)
