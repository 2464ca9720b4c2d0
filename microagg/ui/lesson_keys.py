"""Keys of the lesson wherever the focus is: Streamlit's shortcuts rest while a radio or a slider has it.

The buttons' own shortcuts work with the focus anywhere else. Here only what they leave out is added: a key
pressed in an input that takes no text presses the button that carries it. In text inputs letters are text.
"""

from __future__ import annotations

import json

import streamlit as st

KEYS = {"f": "lesson_forward", "b": "lesson_back", "p": "lesson_play"}

_SCRIPT = """
const KEYS = %s;
const SILENT = ["radio", "checkbox", "range", "button", "submit", "reset", "file", "color"];
export default function () {
  const pressed = (event) => {
    const key = KEYS[event.key.toLowerCase()];
    const at = event.composedPath()[0];
    if (!key || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.repeat) return;
    if (at.tagName !== "INPUT" || !SILENT.includes(at.type)) return;
    const button = document.querySelector(`.st-key-${key} button`);
    if (button && !button.disabled) button.click();
  };
  document.addEventListener("keydown", pressed, true);
  return () => document.removeEventListener("keydown", pressed, true);
}
"""


def listen() -> None:
    """Listen while the page is open."""
    component = st.components.v2.component("lesson_keys", js=_SCRIPT % json.dumps(KEYS))
    component(key="lesson_keys", height=1)
