"""What reads packed files and every method is made ready before the first file comes or slider is moved.

A background thread does it, once for the server. The page is usable meanwhile; it says so while it lasts,
because the first run of a method then takes seconds.
"""

from __future__ import annotations

import threading

import streamlit as st

from microagg.exploration.warm_up import is_ready, ready, ready_for_large_files
from microagg.io.child_reader import prepare
from microagg.methods import METHODS

__all__ = ["busy", "is_ready", "ready", "start"]


@st.cache_resource(show_spinner=False)
def start() -> threading.Thread:
    """Start warming, once; the thread ends when every method has run."""
    thread = threading.Thread(target=_run_all, name="warm", daemon=True)
    thread.start()
    return thread


def busy() -> bool:
    """Whether methods are still being made ready."""
    return start().is_alive()


def _run_all() -> None:
    try:
        prepare()
        for method in sorted(METHODS, key=lambda name: name != "mdav"):
            ready(method)
        ready_for_large_files()
    except RuntimeError:
        return  # the server is stopping and starts no more threads
