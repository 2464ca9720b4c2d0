"""The body of Papers: what was asked, when it was run, what differs, the cells and the figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from microagg.ui.components import display, jobs, widgets
from microagg.ui.components.page_choices import Choices, one_of
from microagg.ui.components.words import plain
from microagg.ui.papers import cells_table, measuring_job, paper_figures, table_choice

if TYPE_CHECKING:
    import pandas as pd

    from microagg.papers.experiment import Column
    from microagg.ui.papers.table_choice import Chosen
_CHOICES = Choices("papers", "paper_tab", "paper_group")


def body(chosen: Chosen) -> None:
    """Draw everything, again and again while rows come."""
    experiment = chosen.experiment
    st.markdown(f"**{plain(experiment.title)}.** {plain(experiment.about)}")
    table_choice.fetch(experiment)

    def draw() -> None:
        with display.trouble():
            measuring_job.status(chosen)
            st.caption(f":material/info: What is known to differ: {plain(experiment.differs)}")
            cells, _ = measuring_job.result(chosen)
            if cells is None:
                _nothing_yet(chosen)
            else:
                _results(chosen, cells)

    jobs.watch(lambda: [measuring_job.job()], draw, "paper", every=1.0)


def _nothing_yet(chosen: Chosen) -> None:
    if not chosen.experiment.missing():
        st.info(
            "Press **Run**: every printed figure is measured again here and put beside the published one. "
            "It runs "
            "beside the page, can be cancelled, and the result is kept for the next visit.",
            icon=":material/play_arrow:",
        )


def _results(chosen: Chosen, cells: pd.DataFrame) -> None:
    experiment = chosen.experiment
    columns = _columns(chosen)
    if not experiment.drawn and not experiment.compared:
        _table(chosen, columns, cells)
        return
    names = ["Figure", "Cells"] if experiment.drawn else ["Cells", "Measured against published"]
    tabs = widgets.tabs(_CHOICES.place("paper_tab", one_of(names), names[0]), names)
    figure, table = tabs if experiment.drawn else reversed(tabs)
    if table.open:
        with table:
            _table(chosen, columns, cells)
    if figure.open:
        with figure:
            paper_figures.draw(experiment, columns, cells)


def _table(chosen: Chosen, columns: tuple[Column, ...], cells: pd.DataFrame) -> None:
    if cells["published"].notna().any():
        cells_table.legend(ranked=chosen.experiment.ranked)
    whole = len(columns) == len(chosen.experiment.columns)
    cells_table.table(chosen.experiment, columns, cells, height=620 if whole else 560)
    cells_table.save(chosen.experiment, chosen.variant.name, cells)


def _columns(chosen: Chosen) -> tuple[Column, ...]:
    """Those of one data set, where a table prints two side by side."""
    columns = chosen.experiment.columns
    groups = list(dict.fromkeys(column.group for column in columns))
    if len(groups) == 1:
        return columns
    place = _CHOICES.place("paper_group", one_of(groups), groups[0])
    group = widgets.segments(place, "Data set", groups, label_visibility="collapsed")
    return tuple(column for column in columns if column.group == group)
