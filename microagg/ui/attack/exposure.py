"""Two more looks at an attack: the sets of known attributes one by one, and the attributes one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import streamlit as st

from microagg.assessment.assess import comparable
from microagg.figures.known_sets import by_size
from microagg.figures.theme import RISK
from microagg.measures.linkage import distance_linkage
from microagg.measures.secondary_catalogue import EVERY
from microagg.model.phrases import counted
from microagg.ui.components import display
from microagg.ui.state import session

if TYPE_CHECKING:
    from microagg.ui.attack.attack import Attack

_TALL, _HEAD, _ROW = 480, 34, 31


def sets(now: Attack) -> None:
    """Draw linkage under each set, as a figure and as a table."""
    columns = now.release.columns
    by_set = now.result.disclosed.linkage.by_set
    if not len(by_set):
        st.info("No protected attribute is a number.", icon=":material/info:")
        return
    each = now.result.disclosed.intervals.by_attribute
    names = [", ".join(columns[c] for c in known) for known in now.sets]
    sizes = np.array([len(known) for known in now.sets], dtype=np.int64)
    order = np.lexsort((np.arange(len(sizes)), sizes, -by_set))
    frame = pd.DataFrame(
        {
            "known": names,
            "size": sizes,
            "dld": 100 * by_set,
            **({} if now.looked is None else {"pld": 100 * now.looked.pld.by_set}),
            "id": [100 * each[list(known)].mean() for known in now.sets],
        }
    ).iloc[order]
    left, right = st.columns([1, 1.2], gap="medium")
    with left:
        display.chart(
            by_size(sizes, 100 * by_set, names, height=_TALL),
            "Each dot is a set of known attributes; orange: the mean for that many known.",
            "attack-sets",
            lambda: frame,
        )
    with right:
        display.table(
            frame,
            f"{counted(len(frame), 'set')}, the most dangerous first.",
            "attack_sets_table",
            height=_TALL,
            known=st.column_config.TextColumn("Known", width=290),
            size=st.column_config.NumberColumn("Size", width=50, help="Attributes in the set."),
            **{name: _percent(name) for name in ("dld", "pld", "id")},
        )


def attributes(now: Attack) -> None:
    """Draw what each protected attribute gives away, and how varied each confidential one is."""
    left, right = st.columns([1.3, 1], gap="medium")
    with left:
        _protected(now)
    with right:
        _confidential(now)


def _protected(now: Attack) -> None:
    release, direction = now.release, now.who.direction
    alone = session.memory().recall(
        ("alone", release.data.fingerprint, release.plan, direction),
        lambda: (
            distance_linkage(
                *comparable(release), tuple((c,) for c in range(len(release.columns))), direction=direction
            ).by_set
            if release.columns and release.complete.any()
            else np.full(len(release.columns), np.nan)
        ),
    )
    block_of = {name: number for number, block in enumerate(release.blocks, 1) for name in block}
    display.table(
        pd.DataFrame(
            {
                "attribute": release.columns,
                "block": [block_of[name] for name in release.columns],
                "id": 100 * now.result.disclosed.intervals.by_attribute,
                "dld": 100 * alone,
            }
        ),
        "How closely each released value is known, and how many records it links when it alone is known.",
        "attack_attributes",
        height=min(_TALL, _HEAD + _ROW * len(release.columns)),
        attribute="Protected attribute",
        block=st.column_config.NumberColumn("Block", width="small"),
        id=display.share("Interval disclosure", EVERY["id"].sentence, RISK),
        dld=display.share("DLD, known alone", EVERY["dld"].sentence, RISK),
    )


def _confidential(now: Attack) -> None:
    if not now.distinct:
        st.info(
            "No column is confidential, so nothing is learned beyond the records themselves.",
            icon=":material/info:",
        )
        st.page_link("pages/data.py", label="Choose roles on the Data page", icon=":material/table:")
        return
    emd, others = now.diversity.emd, len(now.distinct) - len(now.confidential)
    number = st.column_config.NumberColumn
    display.table(
        pd.DataFrame(
            {
                "attribute": list(now.distinct),
                "distinct_l": list(now.distinct.values()),
                "t_closeness": [*emd.max(axis=0, initial=0.0), *[np.nan] * others],
                "t_mean": [*emd.mean(axis=0), *[np.nan] * others],
            }
        ),
        "What belonging to a group of records released alike tells of the confidential values.",
        "attack_confidential",
        height=min(_TALL, _HEAD + _ROW * len(now.distinct)),
        attribute="Confidential attribute",
        distinct_l=number(EVERY["distinct_l"].title, help=EVERY["distinct_l"].sentence),
        t_closeness=number(EVERY["t_closeness"].title, help=EVERY["t_closeness"].sentence, format="%.3f"),
        t_mean=number(EVERY["t_mean"].title, help=EVERY["t_mean"].sentence, format="%.3f"),
    )


def _percent(name: str) -> Any:
    return st.column_config.NumberColumn(
        EVERY[name].title, help=EVERY[name].sentence, format="%.2f %%", width=70
    )
