"""Keys of the lesson wherever the focus is; in text inputs letters are text.

Streamlit's shortcuts rest while a radio or a slider has the focus, and of several presses of a button that
come before the server has taken up the first one counts. So keys are caught here before the shortcuts see
them, and wait until the step before was drawn.
"""

from __future__ import annotations

import json
from importlib.resources import files

import streamlit as st

KEYS = {"f": "lesson_forward", "b": "lesson_back", "p": "lesson_play"}
_PATIENCE = {"lesson_forward": 10_000, "lesson_back": 10_000, "lesson_play": 400}
"""Milliseconds after which the next key no longer waits for other words on the stage."""

_SCRIPT = files("microagg.ui.lessons").joinpath("lesson_keys.js").read_text(encoding="utf-8")


def listen() -> None:
    """Listen while the page is open."""
    component = st.components.v2.component(
        "lesson_keys",
        js=f"const KEYS = {json.dumps(KEYS)};\nconst PATIENCE = {json.dumps(_PATIENCE)};\n{_SCRIPT}",
    )
    component(key="lesson_keys", height=1)
