"""Keys of the lesson wherever the focus is; in text inputs letters are text.

Streamlit's shortcuts rest while a radio or a slider has the focus, and of several presses of a button that
come before the server has taken up the first one counts. So keys are caught here before the shortcuts see
them, and wait until the step before was drawn.
"""

from __future__ import annotations

import json

import streamlit as st

KEYS = {"f": "lesson_forward", "b": "lesson_back", "p": "lesson_play"}
_PATIENCE = {"lesson_forward": 10_000, "lesson_back": 10_000, "lesson_play": 400}
"""Milliseconds after which the next key no longer waits for other words on the stage."""

_SCRIPT = """
const KEYS = %s;
const PATIENCE = %s;
const SILENT = ["radio", "checkbox", "range", "button", "submit", "reset", "file", "color"];
const waiting = [];
let busy = false;
const words = () => document.querySelector(".lesson-words")?.textContent ?? "";
const next = () => {
  if (busy || !waiting.length) return;
  const key = waiting.shift();
  const button = document.querySelector(`.st-key-${key} button`);
  if (!button || button.disabled) { waiting.length = 0; return; }
  const before = words(), since = Date.now();
  busy = true;
  button.click();
  const look = setInterval(() => {
    if (words() === before && Date.now() - since < PATIENCE[key]) return;
    clearInterval(look);
    busy = false;
    next();
  }, 20);
};
const takesText = (at) => at.isContentEditable || ["TEXTAREA", "SELECT"].includes(at.tagName)
  || (at.tagName === "INPUT" && !SILENT.includes(at.type));
export default function () {
  const pressed = (event) => {
    const key = KEYS[event.key.toLowerCase()];
    if (!key || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.repeat) return;
    if (takesText(event.composedPath()[0])) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    waiting.push(key);
    next();
  };
  window.addEventListener("keydown", pressed, true);
  return () => window.removeEventListener("keydown", pressed, true);
}
"""


def listen() -> None:
    """Listen while the page is open."""
    component = st.components.v2.component(
        "lesson_keys", js=_SCRIPT % (json.dumps(KEYS), json.dumps(_PATIENCE))
    )
    component(key="lesson_keys", height=1)
