"""Records that were selected in one figure: marked in the others, and listed under Records.

A selection outlives the figure it was made in, because a figure is mounted anew when it changes and then
forgets; it is cleared by its button, or by other data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from microagg.model.phrases import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from microagg.kernels.compiled import IntArray
    from microagg.model.release import Release


def chosen(release: Release) -> IntArray:
    """Positions of the selected records, ascending; none where they belong to other data."""
    fingerprint, rows = st.session_state.get("brush", ("", np.empty(0, dtype=np.int64)))
    kept: IntArray = rows if fingerprint == release.data.fingerprint else np.empty(0, dtype=np.int64)
    return kept


def take(release: Release, key: str, traces: tuple[int, ...]) -> Callable[[], None]:
    """Callback of a figure, the points of whose ``traces`` carry their record's number first: hold those."""

    def hold() -> None:
        points = st.session_state[key]["selection"]["points"]
        numbers = [np.ravel(point["customdata"])[0] for point in points if point["curve_number"] in traces]
        rows = np.unique(np.array(numbers, dtype=np.int64)) - 1
        if len(rows):
            st.session_state.brush = (release.data.fingerprint, rows)

    return hold


def line(release: Release) -> None:
    """Say how many records are selected, with the button that clears them; or how to select some."""
    rows = chosen(release)
    if not len(rows):
        st.caption("Drag a box or lasso around records to mark them in every figure and list them.")
        return
    st.caption(f":orange[◯] {counted(len(rows), 'record')} selected; Records lists them.")
    clear_button()


def clear_button() -> None:
    """Draw the button that ends the selection."""
    st.button("Clear", key="brush_clear", icon=":material/close:", on_click=_clear, type="tertiary")


def _clear() -> None:
    st.session_state.pop("brush", None)
