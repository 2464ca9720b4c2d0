"""Two tables of Explore: what each attribute lost and gives away, and which records stand out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import streamlit as st

from microagg.assessment.assess import comparable
from microagg.figures.theme import LOSS, PROTECTED, RISK
from microagg.measures.anonymity import class_sizes
from microagg.measures.linkage import linked_records
from microagg.model.phrases import counted
from microagg.ui.components import display
from microagg.ui.results import selected_records
from microagg.ui.state import session

if TYPE_CHECKING:
    from microagg.assessment.assess import Assessment
    from microagg.kernels.compiled import FloatArray, IntArray
    from microagg.model.release import Release

MOST = 200


def attributes(release: Release, result: Assessment) -> None:
    """One row an attribute, with bars for loss and disclosure."""
    if not release.columns:
        st.info("No protected attribute is a number.", icon=":material/info:")
        return
    before, after = comparable(release)
    spread = before.std(axis=0)
    kept = np.divide(after.std(axis=0), spread, out=np.ones_like(spread), where=spread > 0)
    block_of = {name: number for number, block in enumerate(release.blocks, 1) for name in block}
    display.table(
        pd.DataFrame(
            {
                "attribute": release.columns,
                "block": [block_of[name] for name in release.columns],
                "loss": 100 * result.lost.squared.by_attribute,
                "interval": 100 * result.disclosed.intervals.by_attribute,
                "spread": 100 * kept,
                "distinct": [len(np.unique(column)) for column in before.T],
                "after": [len(np.unique(column)) for column in after.T],
            }
        ),
        "Loss and disclosure of each protected attribute; sort by a column with a click on its name.",
        "attributes",
        height=min(330, 36 + 35 * len(release.columns)),
        attribute="Attribute",
        distinct=st.column_config.NumberColumn("Distinct", help="Different values before."),
        after=st.column_config.NumberColumn("Distinct after", help="Different values after."),
        block=st.column_config.NumberColumn("Block", help="The attributes of a block are averaged together."),
        loss=display.share(
            "Variance lost", "Share of the attribute's variance that is gone. High: it became coarse.", LOSS
        ),
        interval=display.share(
            "Interval disclosure",
            "Share of values that lie within 1–10 % of ranks around the released one. High: easily guessed.",
            RISK,
        ),
        spread=display.share(
            "Spread kept",
            "Standard deviation after, in per cent of before. Low: extremes were flattened.",
            PROTECTED,
        ),
    )


def records(release: Release, result: Assessment) -> None:
    """The records most at risk: in the smallest classes, found again, moved least."""
    if not release.columns:
        st.info("No protected attribute is a number.", icon=":material/info:")
        return
    frame = session.memory().recall(
        ("records", release.data.fingerprint, release.plan), lambda: _risky(release), 40 * len(release.data)
    )
    chosen = selected_records.chosen(release)
    below = result.disclosed.anonymity.records_below_k
    if len(chosen):
        left, right = st.columns([5, 1], vertical_alignment="center")
        left.caption(f":orange[◯] The {counted(len(chosen), 'record')} selected in Pairs or Groups.")
        with right:
            selected_records.clear_button()
        _selected(release, frame, chosen)
        return
    frame = frame.head(MOST)
    display.table(
        frame,
        f"The {counted(len(frame), 'record')} most at risk if all protected attributes are known: fewest "
        f"alike first, then those found again, then those moved least. {counted(below, 'record')} below k.",
        "records",
        **_columns(),
    )


def _selected(release: Release, frame: pd.DataFrame, chosen: IntArray) -> None:
    """The selected records, riskiest first, with their values before and after."""
    found = frame[frame["record"].isin(chosen + 1)].head(MOST)
    rows = found["record"].to_numpy() - 1
    before, after = release.original_values[rows], release.protected_values[rows]
    pairs: dict[str, FloatArray] = {}
    for j, name in enumerate(release.columns):
        pairs |= {f"{name} before": before[:, j], f"{name} after": after[:, j]}
    display.table(
        found.assign(**pairs),
        "Fewest alike first; each attribute as it was and as it is released.",
        "selected",
        height=250,
        **_columns(),
    )


def _columns() -> dict[str, Any]:
    return {
        "record": st.column_config.NumberColumn("Record", help="Its place in the file, from 1."),
        "alike": st.column_config.NumberColumn(
            "Released alike", help="Records released exactly alike, this one included. Low: a small crowd."
        ),
        "linked": display.share(
            "Found again",
            "Chance that the nearest original is its own. High: whoever holds the originals finds it.",
            RISK,
        ),
        "nearer": st.column_config.NumberColumn(
            "Distance to nearest", format="%.3f", help="To the nearest original, in standard deviations."
        ),
        "moved": st.column_config.NumberColumn(
            "Distance to own",
            format="%.3f",
            help="To its own original, in standard deviations. Low: hardly changed.",
        ),
    }


def _risky(release: Release) -> pd.DataFrame:
    whole = np.flatnonzero(release.complete)
    links = linked_records(*comparable(release), tuple(range(len(release.columns))))
    frame = pd.DataFrame(
        {
            "record": whole + 1,
            "alike": class_sizes(release.protected_codes)[whole],
            "linked": 100 * links.credit,
            "moved": links.own,
            "nearer": links.nearest,
        }
    )
    order = ["alike", "linked", "moved", "record"]
    return frame.sort_values(order, ascending=[True, False, True, True]).reset_index(drop=True)
