"""What is decided before any method: missing values and small strata, and what that means for this file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from microagg.errors import MicroaggError
from microagg.methods import METHODS
from microagg.model.phrases import counted
from microagg.model.phrases import listed as in_a_row
from microagg.model.plan import EVERY_COLUMN, SCHEMA
from microagg.preparation import missing, strata
from microagg.preparation.missing import decoded
from microagg.preparation.prepare import able, prepare, settle
from microagg.ui.components import display, widgets
from microagg.ui.components.widgets import Place, setting
from microagg.ui.components.words import plain
from microagg.ui.state import session
from microagg.ui.state.column_codes import listed, read_codes, write_codes
from microagg.ui.state.plan_settings import honoured

if TYPE_CHECKING:
    from microagg.model.microdata import Microdata
    from microagg.model.plan import Plan

MISSING = {
    "refuse": "refused: nothing is released",
    "drop": "left out",
    "patterns": "protected among records that miss the same",
}
SMALL = {
    "refuse": "refused: nothing is released",
    "merge next": "merged with the next one",
    "merge together": "all merged together",
}


def plan(data: Microdata) -> Plan:
    """The plan that the settings make for these data."""
    return honoured(session.settings(), data).plan


def protected(data: Microdata) -> tuple[str, ...]:
    """The columns that the chosen method protects."""
    return able(data, METHODS[session.settings().method])


def known(data: Microdata, asked: Plan) -> Microdata:
    """The file with codes for "missing" taken for what they mean."""
    key = ("decoded", data.fingerprint, asked.method, tuple(asked.missing_codes.items()))
    return session.memory().recall(key, lambda: decoded(data, asked, protected(data)))


def gaps(data: Microdata) -> dict[str, int]:
    """Records that miss a value, for each column to protect that has gaps."""
    counts = {name: int(data.frame[name].isna().sum()) for name in protected(data)}
    return {name: count for name, count in counts.items() if count}


@dataclass(frozen=True)
class Prepared:
    """What will happen to the records.

    Parameters
    ----------
    notes : tuple of str
    records : int
        How many will be released.
    trouble : str
        Why nothing can be done; else empty.
    """

    notes: tuple[str, ...]
    records: int
    trouble: str = ""


def prepared(data: Microdata, asked: Plan) -> Prepared:
    """Look at what will happen to the records."""

    def look() -> Prepared:
        try:
            task = prepare(data, asked)
            return Prepared(task.division.notes, len(task.data))
        except MicroaggError as error:
            return Prepared((), 0, str(error))

    return session.memory().recall(("prepared", data.fingerprint, asked), look)


def to_release(data: Microdata, asked: Plan) -> str:
    """How many records will be released, and of how many where some are left out."""
    found = prepared(data, asked) if asked.missing != "refuse" else None  # else none is left out
    if found is None or found.trouble or found.records == len(data):
        return counted(len(data), "record")
    return f"{found.records:,} of {counted(len(data), 'record')}"


def untouched(data: Microdata, asked: Plan) -> tuple[str, ...]:
    """Sentences on columns that leave as they are and should be looked at; none where nothing can be done."""
    key = ("untouched", data.fingerprint, asked)
    return session.memory().recall(key, lambda: settle(data, asked).notes)


def row(data: Microdata) -> None:
    """Draw the choices in one row."""
    now, asked = session.settings(), plan(data)
    reason = honoured(now, data).reasons.get("small_strata")
    lacking, codes, small, k = st.columns([1.5, 1.2, 1.2, 0.6], gap="medium", vertical_alignment="bottom")
    widgets.choice(
        setting("missing"),
        SCHEMA["missing"].title,
        list(MISSING),
        words=MISSING.__getitem__,
        where=lacking,
        help=SCHEMA["missing"].help,
    )
    widgets.line(
        Place("codes", _everywhere(now.codes), _take_codes),
        SCHEMA["missing_codes"].title,
        where=codes,
        placeholder="none, such as -999",
        help=SCHEMA["missing_codes"].help,
    )
    widgets.choice(
        setting("small_strata").showing(asked.small_strata if reason else now.small_strata),
        SCHEMA["small_strata"].title,
        list(SMALL),
        words=SMALL.__getitem__,
        where=small,
        disabled=reason is not None,
        help=reason or SCHEMA["small_strata"].help,
    )
    widgets.number(
        replace(setting("k"), name="data_k"),
        "k",
        2,
        None,
        1,
        where=k,
        help="Smallest group; Explore has the same.",
    )


def _everywhere(codes: str) -> str:
    return ", ".join(map(str, read_codes(codes).get(EVERY_COLUMN, ())))


def _take_codes(typed: str) -> None:
    codes = read_codes(session.settings().codes)
    session.change(codes=write_codes({**codes, EVERY_COLUMN: listed(typed)}))


def gaps_table(data: Microdata) -> None:
    """Which attributes records miss together, most frequent first, and what happens to them."""
    asked = plan(data)
    names, k = protected(data), asked.k
    told = known(data, asked)
    counts = gaps(told)
    if not counts:
        st.caption("Every record has a value in every column to protect.")
        return
    left, right = st.columns([1, 1.6], gap="large")
    with right:
        found = missing.describe(told, names)
        full = found["pattern"] == "nothing missing"
        fate = {
            "refuse": np.where(full, "as usual", "refused"),
            "drop": np.where(full, "as usual", "left out"),
            "patterns": np.where(found["records"] >= k, "protected together", "left out: fewer than k"),
        }
        display.table(
            found.assign(fate=fate[asked.missing]),
            f"{counted(int(found.loc[~full, 'records'].sum()), 'record')} of {len(data):,} miss a value.",
            "gaps",
            height=_height(len(found)),
            pattern="Records with",
            records="Records",
            fate="Are",
        )
    with left:
        st.dataframe(
            {"Column": list(counts), "Records without a value": list(counts.values())},
            hide_index=True,
            height=_height(len(counts)),
        )


def _height(rows: int) -> int:
    """Pixels of a table that shows its rows and no empty ones."""
    return min(320, 37 + 35 * rows)


def strata_table(data: Microdata) -> None:
    """The strata before the run: their sizes, which are too small, and what they are merged with."""
    names = data.columns("stratum")
    if not names:
        st.caption(
            "Give one or several columns the role *Stratum*: groups then never reach across their values, so "
            "that what holds in the file also holds in each region, sex, year, …"
        )
        return
    asked = plan(data)
    told = known(data, asked)
    if asked.missing == "drop":
        columns = list(protected(data))
        told = told.records(np.flatnonzero(told.frame[columns].notna().all(axis=1)))
    with display.trouble():
        found = strata.describe(told, names, asked.k, asked.small_strata)
        small = int((found["records"] < asked.k).sum())
        short = int((~found["enough"]).sum())
        made = found["protected with"].nunique()
        display.table(
            found,
            f"{counted(len(found), 'stratum', 'strata')} of {plain(in_a_row(list(names), 6))}, {small} with "
            f"fewer than k = {asked.k} records; "
            + (
                f"{short} must be merged, or a lower k chosen."
                if short
                else f"protected in {counted(made, 'part')}."
            ),
            "strata",
            height=_height(len(found)),
            stratum="Stratum",
            records="Records",
            enough=st.column_config.CheckboxColumn("Enough", help="At least k records, once merged."),
            together=st.column_config.NumberColumn("Together", help="Records protected together."),
        )
