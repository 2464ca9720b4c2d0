"""The address in the browser: how Back and Forward are known, and the button that copies it.

Streamlit makes an entry of the browser's history for a page that is opened, and a second one when the
script then says what is set; Back would stop at the first, which says nothing. So an entry without a query
is replaced by the next one of the same page.
"""

from __future__ import annotations

from importlib.resources import files

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

_SCRIPT = files("microagg.ui.state").joinpath("address.js").read_text(encoding="utf-8")
_STYLE = files("microagg.ui.state").joinpath("address.css").read_text(encoding="utf-8")
_component = st.components.v2.component(
    "microagg_address",
    html='<button type="button" title="Copies the address: it holds all that is set on this page">'
    "Copy link</button>",
    css=_STYLE,
    js=_SCRIPT,
)


def draw() -> None:
    """Draw the button that copies the address of what is set."""
    _component(key="address", width="content")


def went() -> bool:
    """Whether this run comes from the browser's Back or Forward."""
    context = get_script_run_ctx()
    return context is not None and bool(getattr(context, "is_history_navigation", False))
