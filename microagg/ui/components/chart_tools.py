"""A chart taken home: its table as CSV, itself as a page, or as a picture by the camera above it.

All of it is made here or in the browser, so it needs no internet: the page carries the drawing library (5
MB).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from microagg.io.writing import csv_bytes, neutralise
from microagg.ui.components import widgets

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd
    import plotly.graph_objects as go

_FORMATS = {"svg": "SVG", "png": "PNG"}
_UNUSED = ["select2d", "lasso2d", "autoScale2d", "zoomIn2d", "zoomOut2d"]


def tools(*, brush: bool = False) -> dict[str, Any]:
    """Settings of every chart's tool bar; its camera saves in the format that was chosen.

    Parameters
    ----------
    brush : bool
        Whether records can be selected in it by box and lasso.
    """
    chosen = _format()
    picture = {"format": chosen, "scale": 1 if chosen == "svg" else 3}
    return {
        "displaylogo": False,
        "modeBarButtonsToRemove": _UNUSED[2 * brush :],
        "toImageButtonOptions": picture,
    }


def save_rows(
    label: str, rows: Callable[[], pd.DataFrame], name: str, key: str, *, icon: str | None = None
) -> None:
    """Offer rows as CSV, in which no cell runs as a formula."""
    st.download_button(
        label,
        lambda: csv_bytes(neutralise(rows())),
        f"{name}.csv",
        "text/csv",
        icon=icon,
        key=key,
        on_click="ignore",
    )


def files(figure: go.Figure, frame: pd.DataFrame, key: str) -> None:
    """Draw the ways to save a chart and its table."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        save_rows("Save as CSV", lambda: frame, key, f"{key}-csv")
        st.download_button(
            "Chart as HTML",
            lambda: figure.to_html(include_plotlyjs=True, config=tools()),
            f"{key}.html",
            "text/html",
            key=f"{key}-html",
            on_click="ignore",
            help="A page of its own that needs no internet; the chart can still be zoomed and read.",
        )
        widgets.segments(
            widgets.Place(f"{key}-picture", _format(), _choose),
            "The chart's camera saves",
            list(_FORMATS),
            words=_FORMATS.__getitem__,
        )


def _format() -> str:
    """The kind of picture that the camera saves, of every chart of a visit."""
    return str(st.session_state.get("picture", "svg"))


def _choose(name: str) -> None:
    st.session_state.picture = name
