"""Which data: one of the bundled sets, or a file of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from microagg.io.catalogue import CATALOGUE
from microagg.io.datasets import dataset_file
from microagg.io.download import download
from microagg.ui.components import display, widgets
from microagg.ui.components.words import plain
from microagg.ui.plan import controls
from microagg.ui.shell import uploads
from microagg.ui.state import session
from microagg.ui.state.settings import UPLOADED, Settings

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from microagg.model.microdata import Microdata


def select(label: str = "Data set", key: str = "data") -> None:
    """Draw the list of data sets; a set that is not on this machine is marked."""
    own = session.uploaded()
    names = [*CATALOGUE, *([UPLOADED + own] if own else [])]
    widgets.choice(widgets.Place(key, session.settings().data, _choose), label, names, words=_title)


def sidebar() -> DeltaGenerator:
    """Draw the list of data sets in the sidebar, and give the place below it for the page's controls."""
    with st.sidebar:
        select()
        return st.container()


def _title(name: str) -> str:
    if name.startswith(UPLOADED):
        return f"{name.removeprefix(UPLOADED)} (your file)"
    if name not in CATALOGUE:
        return name
    dataset = CATALOGUE[name]
    size = f"{dataset.rows:,} × {len(dataset.columns)}"
    return f"{dataset.title}, {size}" if dataset_file(name) else f"{dataset.title}, {size} (to download)"


def _choose(name: str) -> None:
    """Another file has other columns: what names columns starts afresh, k and λ stay."""
    now = session.settings()
    k = max(now.k, Settings.k) if name.startswith(UPLOADED) else now.k  # a smaller one may come from a link
    session.put(Settings(data=name, method=now.method, k=k, lam=now.lam, knowledge=now.knowledge))


def get() -> None:
    """Where the data in use are not here: say so, and offer the way to them."""
    name = session.settings().data
    if name.startswith(UPLOADED):
        kept = "the settings are kept" if session.offered() is None else "then you choose whether to use them"
        st.info(
            f"These settings belong to **{plain(name.removeprefix(UPLOADED))}**. Files of your own are held "
            f"only while the page is open, so please open it again; {kept}.",
            icon=":material/upload_file:",
        )
        uploads.ask("Open the file again", key="file_again")
        return
    dataset = CATALOGUE[name]
    st.info(
        f"{dataset.title} is not part of the program. It is downloaded once from its public home, "
        "checked, and kept on this computer.",
        icon=":material/cloud_download:",
    )
    if st.button(f"Download {dataset.title}", type="primary", key="download"):
        bar = st.progress(0.0, "Downloading…")
        with display.trouble():
            download(name, lambda done: show_progress(bar, done))
            st.rerun()
        bar.empty()


def show_progress(bar: DeltaGenerator, done: float) -> None:
    """Move a progress bar to a share between 0 and 1."""
    bar.progress(min(max(done, 0.0), 1.0), "Downloading…")


def about() -> None:
    """Say what the data in use are and whose, or how an own file was read."""
    name = session.settings().data
    if name in CATALOGUE:
        dataset = CATALOGUE[name]
        st.caption(f"{plain(dataset.description)} Source: {plain(dataset.source)}.")
    uploads.how()


def chosen(panel: DeltaGenerator) -> Microdata:
    """Give the data set of this visit and name it; where it is not here, ask for it and end the page."""
    if session.must_download() or session.must_upload():
        get()
        st.stop()
    data = session.data()
    panel.caption(controls.data_line(data))
    return data
