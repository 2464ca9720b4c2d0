"""The order of an ordinal column's categories, where the values do not say it themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from microagg.ui.components import widgets
from microagg.ui.components.words import plain
from microagg.ui.state import session
from microagg.ui.state.column_codes import categories, read_orders, write_orders

if TYPE_CHECKING:
    from microagg.model.microdata import Microdata

MOST = 200  # categories; more are no scale that anybody puts in order by hand


def buttons(data: Microdata) -> None:
    """A button for each column to protect that is ordinal and no number."""
    wanting = [
        a
        for a in data.attributes
        if a.scale == "ordinal" and a.role == "quasi_identifier" and not _known(a.name, data)
    ]
    if not wanting:
        return
    with st.container(horizontal=True):
        for a in wanting:
            if st.button(
                f"Order of {plain(a.name)}",
                icon=":material/sort:",
                key=f"order-{a.name}",
                type="secondary" if a.order else "primary",
            ):
                dialog(data, a.name)


def _known(name: str, data: Microdata) -> bool:
    """Whether the values are in an order by themselves."""
    return data.numeric(name) or (bool(data.order(name)) and not data[name].order)


@st.dialog("Put the categories in order")
def dialog(data: Microdata, name: str) -> None:
    """Ask for the rank of each category."""
    known = categories(data, name)
    if not 1 < len(known) <= MOST:
        st.caption(f"{len(known):,} different values are no scale; call the column nominal.")
        return
    now = list(data[name].order)
    ranks = [now.index(value) + 1 if value in now else place for place, value in enumerate(known, 1)]
    st.caption(f"**{plain(name)}**: 1 is the lowest.")
    table = widgets.form(
        pd.DataFrame({"category": [str(value) for value in known], "rank": ranks}),
        f"ranks-{name}",
        hide_index=True,
        disabled=["category"],
        column_config={
            "category": "Category",
            "rank": st.column_config.NumberColumn("Rank", min_value=1, max_value=len(known), required=True),
        },
    )
    twice = table["rank"].duplicated().any()
    if twice:
        st.caption("Each rank is to be given once.")
    if st.button("Use this order", type="primary", disabled=bool(twice)):
        order = tuple(
            value for _, value in sorted(zip(table["rank"], known, strict=True), key=lambda p: p[0])
        )
        orders = read_orders(session.settings().orders, data) | {name: order}
        session.change(orders=write_orders(orders, data))
        st.rerun()
