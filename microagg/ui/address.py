"""The address in the browser: how Back and Forward are known, and the button that copies it.

Streamlit makes an entry of the browser's history for a page that is opened, and a second one when the
script then says what is set; Back would stop at the first, which says nothing. So an entry without a query
is replaced by the next one of the same page.
"""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

_SCRIPT = """
export default function ({ parentElement }) {
  if (!window.history.replacesEmpty) {
    const push = window.history.pushState.bind(window.history);
    window.history.pushState = (state, title, url) => {
      const next = new URL(url ?? "", window.location.href);
      const empty = window.location.search === "" && next.pathname === window.location.pathname;
      (empty ? window.history.replaceState.bind(window.history) : push)(state, title, url);
    };
    window.history.replacesEmpty = true;
  }
  const button = parentElement.querySelector("button");
  button.onclick = async () => {
    await navigator.clipboard.writeText(window.location.href);
    button.textContent = "Link copied";
    window.setTimeout(() => { button.textContent = "Copy link"; }, 2000);
  };
}
"""
_STYLE = """
button { font: inherit; font-size: .82rem; color: var(--st-text-color); background: none; cursor: pointer;
  border: 1px solid var(--st-border-color); border-radius: .25rem; padding: .1rem .5rem; }
button:hover, button:focus-visible { border-color: var(--st-primary-color); color: var(--st-primary-color); }
"""
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
