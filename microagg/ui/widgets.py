"""How a widget and the settings stay the same: filled before it is drawn, written back when it is moved."""

from __future__ import annotations

from typing import Any

import streamlit as st

from microagg.ui import session


def fill(key: str, value: Any) -> None:
    """Before a widget is drawn: make it show what is set."""
    if st.session_state.get(key) != value:
        st.session_state[key] = value


def write(key: str, field: str) -> None:
    """Callback of a widget: its value goes to the settings."""
    session.change(**{field: st.session_state[key]})
