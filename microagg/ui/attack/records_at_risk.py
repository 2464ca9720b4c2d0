"""The records most at risk: how often each is linked, by which knowledge, among how many that tie."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from microagg.figures.theme import RISK
from microagg.measures.anonymity import class_sizes
from microagg.model.phrases import counted
from microagg.ui.attack.followed_record import ROW, TALL, follow
from microagg.ui.components import display, widgets
from microagg.ui.components.page_choices import Choices, among
from microagg.ui.state import session

if TYPE_CHECKING:
    from microagg.kernels.compiled import IntArray
    from microagg.measures.record_risk import RecordRisk
    from microagg.ui.attack.attack import Attack

MOST = 200
_CHOICES = Choices("attack", "attack_record")


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
    place = {int(record) + 1: position for position, record in enumerate(rows)}
    order = np.lexsort((rows, -risk.highest, -risk.mean))[:MOST]
    numbers = (rows[order] + 1).tolist()
    kept = _CHOICES.place("attack_record", among(place), numbers[0])
    record = widgets.Place("attack_follow", kept.now, lambda chosen: _follow(kept, chosen))
    ticked = widgets.Place(
        "attack_records",
        numbers.index(record.now) if record.now in numbers else None,
        lambda row: None if row is None else record.take(numbers[row]),
    )
    with left:
        _table(now, rows, risk, order, ticked)
    surest = int(risk.surest[place[record.now]])
    follow(now, place, record, now.sets[surest] if surest >= 0 else None, left, right)


def _follow(kept: widgets.Place[int], record: int) -> None:
    """Turn to a record; what is known of the one before goes with it."""
    kept.take(record)
    session.choices().pop("attack_known", None)


def _table(
    now: Attack, rows: IntArray, risk: RecordRisk, order: IntArray, ticked: widgets.Place[int | None]
) -> None:
    columns = now.release.columns
    alike = class_sizes(now.release.protected_codes)[rows]
    sets = [now.sets[i] if i >= 0 else () for i in risk.surest[order]]
    ties = [round(1 / credit) if credit else None for credit in risk.highest[order]]
    widgets.picked(
        ticked,
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
        column_config={
            "record": st.column_config.NumberColumn("Record", help="Its place in the file, from 1."),
            "mean": display.share(
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
