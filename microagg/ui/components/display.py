"""How things are shown, the same on every page: numbers with their sentence, charts with caption and table.

``number``  a figure, its one line, its help, its difference to the pin
``chart``   a Plotly figure, one line that says what it shows, and the table behind it (made only when opened)
``table``   rows with a line above; the table's own toolbar saves it as CSV
``trouble`` a sentence in place of a result; only `MicroaggError` is caught, everything else is a defect
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import streamlit as st

from microagg.errors import MicroaggError
from microagg.measures.secondary_catalogue import EVERY
from microagg.ui.components import chart_tools
from microagg.ui.components.words import LINES, change, plain, text
from microagg.ui.state import session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pandas as pd
    import plotly.graph_objects as go


def number(
    name: str,
    value: float,
    before: float | None = None,
    *,
    title: str = "",
    line: str = "",
    among: str = "",
    sentence: str = "",
) -> None:
    """Show a figure of the table of measures.

    Parameters
    ----------
    name : str
    value : float
    before : float, optional
        The pinned value; the difference, coloured by which way is better, then takes the line's place.
    title, line, sentence : str
        In place of the usual ones.
    among : str
        What alone is looked at, where a reader may take the figure for one of all: ends the line.
    """
    what = EVERY[name]
    difference = None if before is None else change(name, value, before)
    st.metric(
        title or what.title,
        text(name, value),
        " ".join(filter(None, ((line or LINES.get(name, "")) if difference is None else difference, among))),
        delta_color="off" if difference is None else "inverse" if what.better == "low" else "normal",
        delta_arrow="off" if difference is None else "auto",
        help=f"{sentence or what.sentence} ({what.reference})",
    )


def chart(
    figure: go.Figure,
    caption: str,
    key: str,
    rows: Callable[[], pd.DataFrame] | None = None,
    *,
    alt: str = "",
    clicked: Callable[[Any], None] | None = None,
    brushed: Callable[[], None] | None = None,
) -> None:
    """Show a figure, its caption and, on request, the table behind it and files of both.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
    caption : str
        One line, Markdown: what it shows and how to read it.
    key : str
        Unique on the page.
    rows : callable
        Makes the table; called only when it is opened. None: there is none yet.
    alt : str
        For those who cannot see it; the caption where empty.
    clicked : callable
        Called with the ``customdata`` of a point that was clicked.
    brushed : callable
        Callback when points were selected by click, box or lasso; they are in the session under the key.
    """
    picked: Any = {} if clicked is None else {"on_select": "rerun", "selection_mode": "points"}
    if brushed is not None:
        picked = {"on_select": brushed, "selection_mode": ("points", "box", "lasso")}
    caption = f"{session.said_on_figures()} {caption}".strip()
    event = st.plotly_chart(
        figure, key=key, config=chart_tools.tools(brush=brushed is not None), alt=alt or caption, **picked
    )
    with st.container(horizontal=True, wrap=False, vertical_alignment="top", gap="small", key=f"{key}-foot"):
        st.caption(caption, width="stretch")
        box = st.popover(
            "Table", disabled=rows is None, on_change="rerun", key=f"{key}-table", type="tertiary"
        )
    if box.open and rows is not None:
        with box:
            frame = rows()
            st.dataframe(frame, hide_index=True, height=320)
            chart_tools.files(figure, frame, key)
    if clicked is not None and event["selection"]["points"]:
        clicked(event["selection"]["points"][0]["customdata"])


def table(frame: pd.DataFrame, caption: str, key: str, *, height: int = 330, **columns: Any) -> None:
    """Show rows; ``columns`` are Streamlit column settings by name."""
    st.dataframe(frame, hide_index=True, height=height, key=key, column_config=columns)
    st.caption(f"{session.said_on_figures()} {caption}".strip())


def legend(*entries: tuple[str, str]) -> None:
    """Say what colours mean: ``legend((theme.ORIGINAL, "original"), …)``."""
    marks = "".join(f'<span style="color:{colour}">●</span> {word} &emsp;' for colour, word in entries)
    st.html(f'<div style="font-size:.86rem;opacity:.85">{marks}</div>')


@contextmanager
def trouble() -> Iterator[None]:
    """Show the sentence of a `MicroaggError` where the result would have been."""
    try:
        yield
    except MicroaggError as error:
        st.error(plain(str(error)), icon=":material/error:")


def share(title: str, help_text: str, colour: str) -> Any:
    """A table's column of bars for values in per cent, in a colour of `figures.theme`."""
    return st.column_config.ProgressColumn(
        title, help=help_text, format="%.1f %%", min_value=0.0, max_value=100.0, color=colour
    )
