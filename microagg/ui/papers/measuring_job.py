"""A table measured again beside the page: one job a visit, rows as they come, the last run kept on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from microagg.errors import DataError
from microagg.papers.result_store import Stored, keep, last
from microagg.ui.components import jobs
from microagg.ui.components.jobs import Job

if TYPE_CHECKING:
    from collections.abc import Iterator
    from threading import Event

    from microagg.ui.papers.table_choice import Chosen


def start(chosen: Chosen) -> None:
    """Measure the chosen table in the background; whatever else runs is stopped."""
    stop()

    def work(event: Event) -> Iterator[pd.DataFrame]:
        for cells in chosen.experiment.rows(chosen.variant.name):
            if event.is_set():
                return
            yield cells

    st.session_state.paper_job = Job(work, len(chosen.experiment.printed()))
    st.session_state.paper_running = chosen
    st.session_state.paper_cells = []


def stop() -> None:
    """Stop what runs; a run that is not finished is not kept."""
    found = job()
    if found is not None:
        found.cancel()


def job() -> Job[pd.DataFrame] | None:
    """The job, after its new rows were taken; a run that is finished is put on disk."""
    found: Job[pd.DataFrame] | None = st.session_state.get("paper_job")
    if found is None:
        return None
    try:
        fresh = found.take()
    except Exception:
        st.session_state.paper_job = None  # said once, and the page is free for the next run
        raise
    cells = st.session_state.paper_cells
    cells += fresh
    if fresh and len(cells) == found.total:
        chosen = st.session_state.paper_running
        st.session_state.setdefault("paper_runs", {})[_key(chosen)] = _put(chosen, pd.concat(cells))
    return found


def _put(chosen: Chosen, cells: pd.DataFrame) -> Stored:
    """Keep a run; where the cache folder refuses, only for this visit, and say so."""
    cells = cells.reset_index(drop=True)
    try:
        return keep(chosen.experiment, chosen.variant.name, cells)
    except DataError as error:
        st.toast(str(error), icon=":material/save:")
        return Stored(cells, "just now", "")


def _key(chosen: Chosen) -> tuple[str, str]:
    return chosen.experiment.name, chosen.variant.name


def here(chosen: Chosen) -> bool:
    """Whether the running job, if any, measures what is chosen."""
    running = st.session_state.get("paper_running")
    return running is not None and _key(running) == _key(chosen)


def result(chosen: Chosen) -> tuple[pd.DataFrame | None, Stored | None]:
    """Cells to show: those of the run that is at work, else of the last run; and that run.

    Parameters
    ----------
    chosen : Chosen

    Returns
    -------
    cells : DataFrame or None
    stored : Stored or None
        None while rows are still coming.
    """
    found = job()
    if found is not None and found.running and here(chosen):
        rows = st.session_state.paper_cells
        return (pd.concat(rows, ignore_index=True) if rows else None), None
    stored = st.session_state.get("paper_runs", {}).get(_key(chosen)) or last(
        chosen.experiment, chosen.variant.name
    )
    return (stored.cells, stored) if stored is not None else (None, None)


def status(chosen: Chosen) -> None:
    """One line: when it was run last and the button; or how far it is, and Cancel."""
    found = job()
    if found is not None and found.running:
        what = "rows" if here(chosen) else f"rows of {st.session_state.paper_running.experiment.title}"
        jobs.bar(found, what, "paper_cancel", note="getting ready")
        return
    _, stored = result(chosen)
    line, button = st.columns([6, 1], vertical_alignment="center")
    if found is not None and found.cancelled and here(chosen):
        line.caption("Stopped; a run that is not finished is not kept.")
    elif stored is None:
        line.caption("Not run yet on this computer.")
    else:
        by = f" with version {stored.version}" if stored.version else ""
        line.caption(f"Run {stored.date}{by}; kept on this computer until it is run again.")
    button.button(
        "Run" if stored is None else "Run again",
        type="primary",
        icon=":material/play_arrow:",
        key="paper_run",
        on_click=start,
        args=(chosen,),
        disabled=bool(chosen.experiment.missing()),
        width="stretch",
    )
