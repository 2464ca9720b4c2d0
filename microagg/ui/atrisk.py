"""The records most at risk: how often each is linked, by which knowledge, among how many that tie."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from microagg.figures.theme import RISK
from microagg.measures.anonymity import class_sizes
from microagg.ui import shown
from microagg.ui.followed import ROW, TALL, follow
from microagg.ui.words import counted

if TYPE_CHECKING:
    from microagg.compiled import IntArray
    from microagg.measures.records import RecordRisk
    from microagg.ui.attack import Attack

MOST = 200


def records(now: Attack) -> None:
    """Draw the table, and the record that is ticked in it."""
    rows = np.flatnonzero(now.release.complete)
    if not len(rows) or not now.release.columns:
        st.info("Linkage compares numbers, and no record has them complete.", icon=":material/info:")
        return
    if now.looked is None:
        st.caption("The records most at risk are listed here once every set has been tried.")
        return
    risk = now.looked.records
    left, right = st.columns([1, 1.12], gap="medium")
    with left:
        _table(now, rows, risk)
    place = {int(record) + 1: position for position, record in enumerate(rows)}
    record = st.session_state.get("attack_chosen")
    if record not in place:
        record = st.session_state.attack_order[0]
    surest = int(risk.surest[place[record]])
    follow(now, place, record, now.sets[surest] if surest >= 0 else None, left, right)


def _table(now: Attack, rows: IntArray, risk: RecordRisk) -> None:
    columns = now.release.columns
    alike = class_sizes(now.release.protected_codes)[rows]
    order = np.lexsort((rows, -risk.highest, -risk.mean))[:MOST]
    sets = [now.sets[i] if i >= 0 else () for i in risk.surest[order]]
    ties = [round(1 / credit) if credit else None for credit in risk.highest[order]]
    st.session_state.attack_order = (rows[order] + 1).tolist()
    st.dataframe(
        pd.DataFrame(
            {
                "record": rows[order] + 1,
                "mean": 100 * risk.mean[order],
                "linked": risk.linked[order],
                "ties": pd.array(ties, dtype="Int64"),
                "alike": alike[order],
                "surest": [", ".join(columns[c] for c in known) for known in sets],
            }
        ),
        hide_index=True,
        row_height=ROW,
        height=TALL,
        key="attack_records",
        on_select=_take,
        selection_mode="single-row",
        column_config={
            "record": st.column_config.NumberColumn("Record", help="Its place in the file, from 1."),
            "mean": shown.share(
                "How often",
                "Chance to link it, averaged over the sets of attributes. High: found whatever is known.",
                RISK,
            ),
            "linked": st.column_config.NumberColumn(
                "Sets", help=f"Sets that link it, of {len(now.sets):,}. High: it is found whatever is known."
            ),
            "ties": st.column_config.NumberColumn(
                "Tie", help="Candidates that tie under the surest set; 1: the intruder is certain."
            ),
            "surest": st.column_config.TextColumn(
                "Surest knowledge", help="The first set of known attributes that links it most surely."
            ),
            "alike": st.column_config.NumberColumn(
                "Alike", help="Records released exactly alike over all protected attributes."
            ),
        },
    )
    never = int((risk.linked == 0).sum())
    st.caption(
        f"{counted(len(order), 'record')} most at risk; tick one to follow it. "
        f"{never:,} of {counted(len(rows), 'record')} {'was' if never == 1 else 'were'} never linked."
    )


def _take() -> None:
    """Callback of the table: the ticked record is followed."""
    ticked = st.session_state.attack_records["selection"]["rows"]
    if ticked:
        st.session_state.attack_chosen = st.session_state.attack_order[ticked[0]]
