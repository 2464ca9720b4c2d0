"""The frame around every page: how it looks, what is started once, and where an error is caught.

``app.py`` lists the pages and calls `run`. A page begins with `enter`: opened directly on a fresh server, a
file in ``pages/`` is run by Streamlit's own discovery, without ``app.py``; `enter` notices that and starts
over.
"""

from __future__ import annotations

import threading
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from microagg.ui.components import display, page_choices
from microagg.ui.components.words import plain
from microagg.ui.shell import link_offers, log_redaction, session_cleanup, warm_up
from microagg.ui.state import address, session

if TYPE_CHECKING:
    from streamlit.navigation.page import Page

_STYLE = "<style>" + files("microagg.ui.shell").joinpath("frame.css").read_text(encoding="utf-8") + "</style>"

_run = threading.local()  # a script run stays on its own thread


def run(page: Page) -> None:
    """Draw the frame, then the page that was asked for."""
    _run.framed = True
    st.html(_STYLE)
    warm_up.start()
    if session_cleanup.start() is not None:
        log_redaction.guard()
    name = page.url_path or "data"  # the first page has no path
    session.begin(name)
    session.write_address()
    address.draw()
    session.say_on_figures("")
    _complain()
    asking = session.offered() is not None and not session.must_upload()
    try:
        with display.trouble():
            link_offers.ask() if asking else page.run()
    except Exception as error:  # noqa: BLE001 - a defect; its text may quote a cell
        log_redaction.show(error)
    if warm_up.busy():
        st.sidebar.caption(
            ":material/hourglass_top: Methods are being made ready; a first run may take seconds."
        )
    if not asking:
        page_choices.drop_unknown(name)
    _complain()
    session.write_address()


def _complain() -> None:
    for complaint in session.complaints():
        st.toast(plain(complaint), icon=":material/link_off:", duration="long")


def enter(file: str) -> None:
    """First statement of every page, with its ``__file__``: make sure that it runs inside the frame."""
    if not getattr(_run, "framed", False):
        st.set_page_config("Microaggregation workbench", "🔒", layout="wide")
        files = sorted(Path(file).parent.glob("*.py"))
        pages = [st.Page(page, default=page.stem == "data") for page in files]  # as in app.py: it has no path
        st.navigation(pages, position="hidden")
        st.rerun()
