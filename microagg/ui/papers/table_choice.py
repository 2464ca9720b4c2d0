"""Which paper, which of its tables or figures, and under which reading; kept for the visit.

Data sets come from the paper, not from the settings of the other pages, which stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from microagg.io.catalogue import CATALOGUE
from microagg.io.download import download
from microagg.model.phrases import counted
from microagg.papers import PAPERS, named
from microagg.ui.components import display, widgets
from microagg.ui.components.page_choices import Choices, one_of
from microagg.ui.components.words import plain
from microagg.ui.shell import data_chooser
from microagg.ui.state import session

if TYPE_CHECKING:
    from microagg.papers.experiment import Experiment, Variant
    from microagg.ui.components.widgets import Place
_CHOICES = Choices("papers", "paper", "paper_table", "paper_reading")


@dataclass(frozen=True)
class Chosen:
    """A table or figure, and a reading of it."""

    experiment: Experiment
    variant: Variant


def choose() -> Chosen:
    """Draw the controls."""
    papers = list(PAPERS)
    paper = widgets.choice(
        _freeing(_CHOICES.place("paper", one_of(papers), papers[-1]), "paper_table", "paper_reading"),
        "Paper",
        papers,
        words=_short,
    )
    st.caption(plain(PAPERS[paper]))
    tables = {experiment.name: experiment for experiment in named(paper)}
    name = widgets.choice(
        _freeing(_CHOICES.place("paper_table", one_of(tables), next(iter(tables))), "paper_reading"),
        "Table or figure",
        list(tables),
        words=lambda name: tables[name].title,
    )
    experiment = tables[name]
    variant = _variant(experiment)
    rows = counted(len(experiment.printed()), "row")
    data = ", ".join(CATALOGUE[name].title for name in experiment.datasets)
    st.caption(f"{rows} to measure, from {plain(data)}.")
    return Chosen(experiment, variant)


def _freeing(place: Place[str], *others: str) -> Place[str]:
    """The same place, whose change leaves others at their defaults: they were chosen under it."""

    def take(value: str) -> None:
        place.take(value)
        for name in (*others, "paper_tab", "paper_group"):
            session.choices().pop(name, None)

    return replace(place, take=take)


def _short(paper: str) -> str:
    return paper.replace("-", " ").title()


def _variant(experiment: Experiment) -> Variant:
    names = [variant.name for variant in experiment.variants]
    chosen = widgets.choice(
        _CHOICES.place("paper_reading", one_of(names), names[0]),
        "Reading",
        names,
        words=lambda name: name.replace("-", " ") + (" (default)" if name == names[0] else ""),
        disabled=len(names) == 1,
        help="Papers leave steps open: the order of attributes, the scale of values, what a width is per "
        "cent of. "
        "Each reading fills the gaps in one way. The default was chosen by looking: its figures, or its "
        "ranks, come near the printed ones.",
    )
    st.caption(plain(experiment.variant(chosen).sentence))
    return experiment.variant(chosen)


def fetch(experiment: Experiment) -> None:
    """Offer the data sets that are not on this machine."""
    for name in experiment.missing():
        title = CATALOGUE[name].title
        st.info(
            f"This needs **{plain(title)}**, which is not part of the program. It is downloaded once from "
            f"its "
            "public home, checked, and kept on this computer.",
            icon=":material/cloud_download:",
        )
        if st.button(f"Download {title}", type="primary", key=f"paper_get_{name}"):
            bar = st.progress(0.0, "Downloading…")
            with display.trouble():
                download(name, partial(data_chooser.show_progress, bar))
                st.rerun()
            bar.empty()
