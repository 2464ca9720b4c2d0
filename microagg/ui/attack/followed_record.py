"""One record followed: whom the intruder takes it for, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from microagg.assessment.assess import comparable
from microagg.figures.candidates import candidates
from microagg.kernels.scaling import deviations
from microagg.measures.linkage import nearest_candidates
from microagg.model.phrases import counted
from microagg.ui.components import display, widgets
from microagg.ui.components.page_choices import Choices, some_of

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from microagg.kernels.compiled import FloatArray, IntArray
    from microagg.ui.attack.attack import Attack
    from microagg.ui.components.widgets import Place

NEAREST = 50
TALL, ROW = 300, 30
_LOW = 212
_CHOICES = Choices("attack", "attack_known")


def follow(
    now: Attack,
    place: dict[int, int],
    record: Place[int],
    surest: tuple[int, ...] | None,
    left: DeltaGenerator,
    right: DeltaGenerator,
) -> None:
    """Draw one record: what is known of it, the intruder's conclusion, the candidates, its values.

    Parameters
    ----------
    now : Attack
    place : dict of int to int
        Position of each record among those that can be compared.
    record : Place of int
        Counted from 1.
    surest : tuple of int or None
        The set that links it most surely, if one does.
    left, right : DeltaGenerator
        Where its values and where the rest are drawn.
    """
    columns = now.release.columns
    first = now.who.one_set or surest or tuple(range(len(columns)))
    with right:
        number, chosen = st.columns([1, 3.4], gap="small")
        widgets.number(
            record, "Record", min(place), max(place), 1, where=number, help="Its place in the file, from 1."
        )
        known = list(
            widgets.several(
                _CHOICES.place("attack_known", some_of(range(len(columns))), tuple(first)),
                "The intruder knows of it",
                range(len(columns)),
                words=columns.__getitem__,
                where=chosen,
                help="At first the set that links it most surely.",
            )
        )
    if not known:
        right.info("Knowing nothing, every record is as likely.", icon=":material/help:")
        return
    sides = comparable(now.release)
    order, distances = nearest_candidates(*sides, known, place[record.now], direction=now.who.direction)
    numbers = np.flatnonzero(now.release.complete)[order] + 1
    own = int(np.flatnonzero(numbers == record.now)[0])
    with right:
        st.markdown(_verdict(now, record.now, numbers, distances, own))
        display.chart(
            candidates(numbers, distances, own, height=TALL - 62),
            "The nearest candidates; the right one orange, wherever it stands.",
            "attack-candidates",
            lambda: _candidates(now, known, numbers, distances, own, len(numbers)),
        )
    with left:
        _values(now, known, place[record.now])
    with right:
        st.dataframe(
            _candidates(now, known, numbers, distances, own, NEAREST),
            hide_index=True,
            row_height=ROW,
            height=_LOW,
        )


def _verdict(now: Attack, record: int, numbers: IntArray, distances: FloatArray, own: int) -> str:
    """What the intruder concludes, in one sentence."""
    ties = int((distances == distances[0]).sum())
    released = now.who.direction == "protected to original"
    who, whom = ("Released record", "original") if released else ("Original record", "released record")
    others = f" (one of {ties} that tie)" if ties > 1 else ""
    if distances[own] == distances[0]:
        chance = "**right**" if ties == 1 else f"right with chance **1/{ties}**"
        return f"{who} {record}: the nearest {whom} is its own{others}; the intruder is :orange[{chance}]."
    nearer = int((distances < distances[own]).sum())
    return (
        f"{who} {record}: the nearest {whom} is {numbers[0]}{others}; the intruder is **wrong**. "
        f"{counted(nearer, 'candidate')} {'is' if nearer == 1 else 'are'} nearer than the right one."
    )


def _values(now: Attack, known: list[int], position: int) -> None:
    """Draw the record's true and its released values."""
    before, after = comparable(now.release)
    spread = deviations(before)
    change = np.abs(after[position] - before[position])
    moved = np.divide(change, spread, out=np.zeros_like(change), where=spread > 0)
    st.dataframe(
        pd.DataFrame(
            {
                "known": [column in known for column in range(len(now.release.columns))],
                "attribute": now.release.columns,
                "true": before[position],
                "released": after[position],
                "moved": moved,
            }
        ),
        hide_index=True,
        row_height=ROW,
        height=_LOW,
        column_config={
            "known": st.column_config.CheckboxColumn("Known", width="small"),
            "attribute": "Attribute",
            "true": st.column_config.NumberColumn("True value", format="%.6g"),
            "released": st.column_config.NumberColumn("Released", format="%.6g"),
            "moved": st.column_config.NumberColumn(
                "Moved, sd", format="%.3f", help="In standard deviations of the original attribute."
            ),
        },
    )


def _candidates(
    now: Attack, known: list[int], numbers: IntArray, distances: FloatArray, own: int, most: int
) -> pd.DataFrame:
    """The nearest candidates with their values, and the right one if it is not among them."""
    before, after = comparable(now.release)
    values = before if now.who.direction == "protected to original" else after
    rows = np.arange(min(most, len(numbers)))
    rows = rows if own in rows else np.append(rows, own)
    place = np.searchsorted(np.flatnonzero(now.release.complete) + 1, numbers[rows])
    table = {
        "Place": rows + 1,
        "Record": numbers[rows],
        "Right": np.where(rows == own, "✓ right", ""),
        "Distance": distances[rows].round(4),
    }
    return pd.DataFrame(table | {now.release.columns[c]: values[place, c] for c in known})
