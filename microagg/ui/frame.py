"""The frame around every page: how it looks, what is started once, and where an error is caught.

``app.py`` lists the pages and calls `run`. A page begins with `enter`: opened directly on a fresh server, a
file in ``pages/`` is run by Streamlit's own discovery, without ``app.py``; `enter` notices that and starts
over.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from microagg.ui import address, choices, departures, discreet, offers, session, shown, warm
from microagg.ui.words import plain

if TYPE_CHECKING:
    from streamlit.navigation.page import Page

_STYLE = """<style>
section[data-testid="stSidebar"] { width: 320px !important; min-width: 320px; }
[data-testid="stSidebarHeader"] { height: 1.25rem; min-height: 1.25rem; padding-block: 0; margin-bottom: 0; }
[data-testid="stSidebarNavItems"] { padding-top: 0; }
[data-testid="stSidebarNavLink"] { margin-block: 0; padding-block: 0; min-height: 1.5rem; height: 1.5rem; }
[data-testid="stSidebarUserContent"] { padding-top: .5rem; padding-bottom: .5rem; }
[data-testid="stSidebarUserContent"] [data-testid="stVerticalBlock"] { gap: .35rem; }
[data-testid="stMainBlockContainer"] { padding: 2.2rem 1.5rem 1rem; max-width: none; }
[data-testid="stMainBlockContainer"] [data-testid="stVerticalBlock"] { gap: .4rem; }
[data-testid="stMetricLabel"] p { font-size: .84rem; }
[data-testid="stMetricDelta"] { font-size: .8rem; }
.st-key-figures :is([data-testid="stMetricLabel"], [data-testid="stMetricDelta"]),
.st-key-figures :is([data-testid="stMetricLabel"], [data-testid="stMetricDelta"]) *,
[data-testid="stCheckbox"] [data-testid="stWidgetLabel"] p {
  white-space: normal; text-overflow: clip; overflow: visible; }
[data-testid="stCaptionContainer"] p { font-size: .86rem; line-height: 1.3; }
.st-key-figures [data-testid="stHorizontalBlock"] { display: grid; grid-template-columns: repeat(7, 1fr); }
.st-key-figures [data-testid="stColumn"] { width: 100% !important; min-width: 0; }
.st-key-sampling { padding-top: .5rem; }
.st-key-address { position: fixed; top: .35rem; right: 4rem; z-index: 999991; }
.st-key-stale { opacity: .45; filter: grayscale(.8); }
[data-testid="stLayoutWrapper"]:has(> .st-key-renewal) { display: none; }
.st-key-promise { min-height: 2.4rem; }
@media (max-width: 1250px) {
  section[data-testid="stSidebar"] { width: 280px !important; min-width: 280px; }
  [data-testid="stMainBlockContainer"] { padding-inline: .9rem; }
  .st-key-figures [data-testid="stHorizontalBlock"] { gap: .3rem; }
  .st-key-figures [data-testid="stMetricValue"] { font-size: 1.1rem; }
  .st-key-figures [data-testid="stMetricDelta"] { font-size: .72rem; padding-inline: .3rem; }
  .st-key-figures [data-testid="stMetricLabel"] p { font-size: .78rem; }
}
.ends { display: flex; justify-content: space-between; font-size: .8rem; opacity: .75; margin-top: -.6rem; }
[class*="-foot"] button { min-height: 1.4rem; padding: 0 .25rem; }
header[data-testid="stHeader"] { height: 2.25rem; min-height: 2.25rem; }
</style>"""

_run = threading.local()  # a script run stays on its own thread


def run(page: Page) -> None:
    """Draw the frame, then the page that was asked for."""
    _run.framed = True
    st.html(_STYLE)
    warm.start()
    if departures.start() is not None:
        discreet.guard()
    name = page.url_path or "data"  # the first page has no path
    session.begin(name)
    session.write_address()
    address.draw()
    session.say_on_figures("")
    _complain()
    asking = session.offered() is not None and not session.must_upload()
    try:
        with shown.trouble():
            offers.ask() if asking else page.run()
    except Exception as error:  # noqa: BLE001 - a defect; its text may quote a cell
        discreet.show(error)
    if warm.busy():
        st.sidebar.caption(
            ":material/hourglass_top: Methods are being made ready; a first run may take seconds."
        )
    if not asking:
        choices.drop_unknown(name)
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
