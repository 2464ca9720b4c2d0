"""What a teacher sets: the lesson, k, its options, and which records to look at.

All of it is kept for the visit in one place (``st.session_state.lessons``), because a widget's own state
vanishes when its page is not drawn, and because k's limit moves with the records.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from microagg.io.catalogue import nouns
from microagg.lessons import LESSONS
from microagg.lessons.example import SEED, made_up
from microagg.lessons.lesson import MOST
from microagg.ui import chooser, lesson_table, session
from microagg.ui.widgets import fill

if TYPE_CHECKING:
    import pandas as pd

    from microagg.lessons import Lesson
    from microagg.lessons.lesson import Records
    from microagg.methods.method import Option, OptionValue

MADE_UP, LOADED = "Made up", "From the data"
_WIDE = 5  # attributes of a file that are looked at first where a lesson can show more than two
_START: dict[str, Any] = {
    "lesson": "mdav",
    "k": 3,
    "k_values": 8,
    "options": {},
    "source": MADE_UP,
    "seed": SEED,
    "count": 16,
    "columns": {},
    "tables": {},
    "base": (None, None),
    "size": (16, 2),
}


@dataclass(frozen=True)
class Chosen:
    """A lesson that is to be given.

    Parameters
    ----------
    lesson : Lesson
    k : int
    options : dict
        By name, as `Lesson.walk` takes them.
    """

    lesson: Lesson
    k: int
    options: dict[str, OptionValue]


def state() -> dict[str, Any]:
    """What is set, by name."""
    held: dict[str, Any] = st.session_state.setdefault("lessons", deepcopy(_START))
    return held


def _keep(key: str, name: str) -> None:
    state()[name] = st.session_state[key]


def fill_range(key: str, value: int, top: int) -> None:
    """Make a widget show what is set, also where its range moved: that makes another one, at its least value.

    Nothing is set otherwise, because what the server sets overtakes keys that are pressed meanwhile.
    """
    held = st.session_state
    if held.get(key) != value or held.get(f"{key}_top") != top:
        held[key], held[f"{key}_top"] = value, top


def lesson() -> Lesson:
    """Draw the list of lessons."""
    fill("lesson", state()["lesson"])
    st.radio(
        "Lesson",
        list(LESSONS),
        key="lesson",
        format_func=lambda name: LESSONS[name].title,
        on_change=_keep,
        args=("lesson", "lesson"),
    )
    return LESSONS[state()["lesson"]]


def parameters(lesson: Lesson, records: Records | None) -> Chosen:
    """Draw k and the lesson's options; where records cannot be read, as for those before."""
    if records is not None:
        state()["size"] = len(records), len(records.names)
    n, p = state()["size"]
    top = max(3, lesson.largest_k(n, p))
    field = "k_values" if lesson.counts_values else "k"
    k = min(state()[field], top)
    fill_range("lesson_k", k, top)
    what = "k, values in a part" if lesson.counts_values else "k, smallest group"
    where = "lesson_k", field
    if lesson.name == "sugeno":
        helping = "The integral of one record does not depend on k."
    else:
        helping = f"2 … {top}: with more, all of the records would be one group."
    st.slider(
        what,
        2,
        top,
        key="lesson_k",
        on_change=_keep,
        args=where,
        help=helping,
        disabled=lesson.name == "sugeno",
    )
    options = state()["options"].setdefault(lesson.name, {})
    names = records.names if records is not None else ()
    for option in lesson.options:
        _option(lesson.name, option, options, names, n)
    return Chosen(lesson, k, dict(options))


def _option(name: str, option: Option, held: dict[str, Any], names: tuple[str, ...], n: int) -> None:
    key = f"lesson_{name}_{option.name}"
    value = held.get(option.name, option.default)
    common: dict[str, Any] = {
        "key": key,
        "help": option.help,
        "on_change": lambda: held.update({option.name: st.session_state[key]}),
    }
    if option.column:
        if not names:
            return
        fill(key, value if value in names else names[0])
        st.selectbox(option.title, names, **common)
    elif option.choices:
        fill(key, value)
        st.selectbox(option.title, option.choices, **common)
    elif option.name == "record":
        fill_range(key, min(int(value), n), n)
        st.number_input(option.title, 1, n, step=1, **common)
    else:
        fill(key, value)
        off = option.name == "exponent" and held.get("quantifier", "identity") != "power"
        low, high = float(option.low or 0.0), float(option.high or 1.0)
        st.number_input(option.title, low, high, step=0.1, disabled=off, **common)


def origin(lesson: Lesson) -> tuple[Any, ...] | None:
    """Draw where the records come from; what identifies them, or None where the file is not here."""
    fill("lesson_source", state()["source"])
    st.segmented_control(
        "Records",
        [MADE_UP, LOADED],
        key="lesson_source",
        required=True,
        on_change=_keep,
        args=("lesson_source", "source"),
        help="Records that are made up, or any attributes of the loaded data; either can be edited below.",
    )
    if state()["source"] == MADE_UP:
        _how_many()
        return MADE_UP, state()["seed"], state()["count"], lesson.example
    chooser.select(key="lesson_data")
    if session.must_download() or session.must_upload():
        return None
    columns = _columns(lesson)
    _how_many()
    return LOADED, session.data().fingerprint, columns, state()["seed"], state()["count"]


def _how_many() -> None:
    count, seed, other = st.columns([1, 1, 0.55], vertical_alignment="bottom")
    fill("lesson_count", state()["count"])
    count.number_input(
        "How many", 4, MOST, step=1, key="lesson_count", on_change=_keep, args=("lesson_count", "count")
    )
    fill("lesson_seed", state()["seed"])
    seed.number_input(
        "Seed",
        0,
        step=1,
        key="lesson_seed",
        on_change=_keep,
        args=("lesson_seed", "seed"),
        help="The same seed draws the same records.",
    )
    other.button(
        "", icon=":material/casino:", key="lesson_other", on_click=_another, help="Draw other records"
    )


def _another() -> None:
    state()["seed"] += 1


def _columns(lesson: Lesson) -> tuple[str, ...]:
    """The attributes of the loaded data that are looked at."""
    data = session.data()
    able = [a.name for a in data.attributes if data.averages(a.name) and a.role != "identifier"]
    least, most = lesson.attributes
    held = state()["columns"].get((data.fingerprint, most), able[: min(_WIDE, most)])
    fill("lesson_columns", [name for name in held if name in able])
    st.multiselect(
        "Attributes" if most > 2 else "Two attributes",
        able,
        key="lesson_columns",
        max_selections=most,
        on_change=lambda: state()["columns"].update(
            {(data.fingerprint, most): st.session_state.lesson_columns}
        ),
        help=f"{least} to {most}" if most > least else "The first goes across; under λ it is X.",
    )
    return tuple(st.session_state.lesson_columns)


def fresh(lesson: Lesson, origin: tuple[Any, ...]) -> Records | None:
    """The records as drawn, before any edit; None where too few attributes are chosen."""
    if origin[0] == MADE_UP:
        return made_up(*origin[1:])
    _, _, columns, seed, count = origin
    if len(columns) < lesson.attributes[0]:
        return None
    drawn = lesson_table.sampled(session.data().frame, columns, count, seed)
    return replace(drawn, nouns=nouns(session.data())[1])


def editor(drawn: Records, origin: tuple[Any, ...]) -> pd.DataFrame:
    """Draw the table; what it holds now."""
    tables, key = state()["tables"], f"lesson_table_{abs(hash(origin))}"
    if state()["base"][0] != origin or key not in st.session_state:
        state()["base"] = origin, tables.get(origin, lesson_table.table_of(drawn))
    table, beside = st.columns([2, 1], gap="medium")
    with table:
        shown: pd.DataFrame = st.data_editor(
            state()["base"][1],
            key=key,
            num_rows="dynamic",
            height=220,
            column_config={
                name: st.column_config.TextColumn(name, alignment="right") for name in drawn.names
            },
        )
    if not shown.equals(lesson_table.table_of(drawn)):
        tables[origin] = shown
    beside.caption(
        "Type into a cell, add a row at the end, or tick rows at the left and delete them: the trace follows."
    )
    beside.button(
        "Undo edits",
        icon=":material/undo:",
        key="lesson_undo",
        disabled=origin not in tables,
        on_click=_forget,
        args=(origin, key),
    )
    return shown


def _forget(origin: tuple[Any, ...], key: str) -> None:
    """Take the records as they were drawn."""
    state()["tables"].pop(origin, None)
    state()["base"] = (None, None)
    st.session_state.pop(key, None)
