"""Undo, Pin, and what is taken home: the protected file and the plan that made it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from microagg.handover.reproduction import plan_text
from microagg.io.writing import csv_bytes, formula_cells
from microagg.model.phrases import counted
from microagg.model.plan import Plan
from microagg.ui.components import display, widgets
from microagg.ui.results import verdict
from microagg.ui.state import session
from microagg.ui.state.plan_settings import from_plan

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

    from microagg.model.microdata import Microdata
    from microagg.model.release import Release


def undo_and_pin() -> None:
    """Draw the three buttons."""
    now, pins = session.now(), session.pins()
    undo, redo, pin = st.columns([1, 1, 1], gap="small")
    undo.button(
        "Undo",
        key="undo_button",
        on_click=session.undo,
        disabled=not session.can_undo(),
        width="stretch",
        help="Back to the settings before. The trail on the map stays; History has all of them.",
    )
    redo.button(
        "Redo", key="redo_button", on_click=session.redo, disabled=not session.can_redo(), width="stretch"
    )
    if now is not None and any(held.key == now.key for held in pins):
        others = tuple(held for held in pins if held.key != now.key)
        pin.button("Unpin", key="pin_button", on_click=session.pin, args=others, width="stretch")
    else:
        pin.button(
            "Pin",
            key="pin_button",
            on_click=_pin,
            width="stretch",
            help="Compare every later setting with this one; a second pin stands beside it in History.",
        )


def _pin() -> None:
    now = session.now()
    if now is not None:
        session.pin(*session.pins()[:1], now)


def save(release: Release | None) -> None:
    """Draw the ways out: protected file, plan; and the way back in for a plan."""
    left, right = st.columns(2)
    if release is None or release.plan is None:
        left.button(
            "Save file",
            icon=":material/download:",
            disabled=True,
            help="There is a file to save once all records are protected.",
            width="stretch",
        )
        right.button("Save plan", icon=":material/description:", disabled=True, width="stretch")
        return
    name, dialect = release.data.name, session.dialect()
    left.download_button(
        "Save file",
        lambda: csv_bytes(release.protected, dialect),
        f"{name}_protected.csv",
        "text/csv",
        icon=":material/download:",
        key="save_file",
        on_click="ignore",
        width="stretch",
        help=_what_is_saved(release),
    )
    right.download_button(
        "Save plan",
        plan_text(verdict.accepting_too(release)),
        f"{name}_plan.json",
        "application/json",
        icon=":material/description:",
        key="save_plan",
        on_click="ignore",
        width="stretch",
        help="Every setting and role. The command line makes the same file from it: "
        "`microagg protect FILE --plan PLAN.json --out OUT.csv`.",
    )


def _what_is_saved(release: Release) -> str:
    held = session.dialect()
    kept = release.plan is not None and release.plan.keep_identifiers
    left_out = () if kept else release.data.columns("identifier")
    cells = formula_cells(release.protected)
    return (
        ("The protected file as CSV" if held is None else f"The protected file, {held.summary}")
        + ": "
        + ("the same rows in the same order" if release.order is None else "rows in a random order")
        + (f", without {counted(len(left_out), 'identifier')}." if left_out else ".")
        + (
            f" {counted(cells, 'cell')} would run as formulas in a spreadsheet; they are kept as text."
            if cells
            else ""
        )
    )


def open_plan(data: Microdata) -> None:
    """Take the settings from a plan that was saved."""

    def take(file: UploadedFile) -> None:
        plan = Plan.from_json(file.getvalue().decode("utf-8", "replace"))
        session.put(from_plan(plan, data, session.settings()))

    with display.trouble():
        widgets.file(
            "plan_file", "Open a plan", take, type="json", max_upload_size=1, help="A plan saved here."
        )
