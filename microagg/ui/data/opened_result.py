"""The result of a distributed run: what the operator opened with ``microagg app --result FOLDER``.

Only whoever starts the dashboard says which folder that is, so that visitors cannot read about the server's
disk. Nothing is computed here: a sample of the protected file is shown beside the figures that were measured
where the file was made, and both are marked as such.
"""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from microagg.distributed.result_folder import RESULT, SUCCESS, Result, opened_result
from microagg.model.phrases import counted
from microagg.ui.components import display
from microagg.ui.components.words import plain

if TYPE_CHECKING:
    import pandas as pd

RECORDS = 200
FIGURES = ("l", "il", "id", "dld", "dr", "ell_average", "k_prime", "smallest_class", "score")


def show() -> None:
    """Show the result above the choice of data, if one was opened."""
    folder = os.environ.get(RESULT, "")
    if not folder:
        return
    with display.trouble():
        mark = Path(folder) / SUCCESS
        result, sample = _read(folder, mark.stat().st_mtime if mark.exists() else 0.0)
        title = f"Result of a distributed run: {plain(result.name)}"
        with st.expander(title, expanded=True, icon=":material/hub:"):
            _contents(result, sample)


@st.cache_data(show_spinner=False, max_entries=1)
def _read(folder: str, _finished: float) -> tuple[Result, pd.DataFrame]:
    result = opened_result(folder)
    return result, result.sample(RECORDS)


def _contents(result: Result, sample: pd.DataFrame) -> None:
    measures, run = result.measures, result.run
    parts, method = run.get("parts", []), result.plan.method
    st.caption(
        f"{counted(int(measures['records']), 'record')} protected by {plain(method)}, k = {result.plan.k}, "
        f"in {' and '.join(map(str, parts))} parts on Dask. Figures were measured there, on the whole file, "
        f"and are not computed here; the table is **a sample** of {len(sample)} protected records. The pages "
        "that follow work on the data set chosen below, not on this file."
    )
    left, right = st.columns([1, 1.25], gap="large")
    with left:
        for names in (FIGURES[:3], FIGURES[3:6], FIGURES[6:]):
            for column, name in zip(st.columns(3), names, strict=True):
                with column:
                    display.number(name, _value(measures, name), line=_line(measures, name))
        st.caption(
            "ID lies between the two numbers below it, as ranks are approximate. DLD is that of "
            f"{counted(int(measures['dld_records']), 'record')} looked up among all, ± its standard error."
        )
        for note in run.get("notes", []):
            st.caption(plain(str(note)))
    with right:
        st.dataframe(sample, height=330, hide_index=True, key="result_sample")


def _value(measures: dict[str, Any], name: str) -> float:
    value = measures.get(name)
    return math.nan if value is None else float(value)


def _line(measures: dict[str, Any], name: str) -> str:
    """How far a figure may be off, where it is an estimate."""
    if name == "id":
        return f"{100 * measures['id_low']:.1f}…{100 * measures['id_high']:.1f} %"
    if name == "dld" and measures.get("dld_error") is not None:
        return f"± {100 * measures['dld_error']:.1f} %"
    return ""
