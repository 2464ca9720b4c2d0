"""What a teacher sets: the lesson, k, its options, and which records to look at."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from microagg.io.catalogue import nouns
from microagg.lessons import LESSONS
from microagg.lessons.example import SEED, made_up
from microagg.lessons.lesson import MOST
from microagg.ui.components import widgets
from microagg.ui.components.page_choices import Choices, Kind, among, number, one_of, some_of, whole
from microagg.ui.components.widgets import Place
from microagg.ui.lessons import lesson_table
from microagg.ui.shell import data_chooser
from microagg.ui.state import session

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microagg.lessons import Lesson
    from microagg.lessons.lesson import Records
    from microagg.methods.method import Option
    from microagg.methods.option_values import OptionValue

MADE_UP, LOADED = "Made up", "From the data"
_WIDE = 5  # attributes of a file that are looked at first where a lesson can show more than two
_CHOICES = Choices(
    "lessons",
    "lesson",
    "lesson_k",
    "lesson_parts",
    "lesson_source",
    "lesson_seed",
    "lesson_count",
    "lesson_columns",
    "lesson_table",
    *(f"lesson_{name}_{option.name}" for name, row in LESSONS.items() for option in row.options),
)


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


def lesson() -> Lesson:
    """Draw the list of lessons; another one begins at its first step."""
    place = _CHOICES.place("lesson", one_of(LESSONS), "mdav")

    def take(name: str) -> None:
        place.take(name)
        session.choices().pop("lesson_step", None)

    names = list(LESSONS)
    return LESSONS[
        widgets.radio(replace(place, take=take), "Lesson", names, words=lambda name: LESSONS[name].title)
    ]


def at_most(place: Place[int], top: int) -> Place[int]:
    """The same place; what went too far, because there are fewer records now, goes as far as it can."""
    if place.now <= top:
        return place
    place.take(top)
    return place.showing(top)


def parameters(lesson: Lesson, records: Records | None) -> Chosen:
    """Draw k and the lesson's options; where records cannot be read, as for those before."""
    if records is not None:
        st.session_state.lesson_size = len(records), len(records.names)
    n, p = st.session_state.get("lesson_size", (16, 2))
    top = max(3, lesson.largest_k(n, p))
    name, what, first = "lesson_k", "k, smallest group", 3
    if lesson.counts_values:
        name, what, first = "lesson_parts", "k, values in a part", 8
    place = at_most(_CHOICES.place(name, whole(2, MOST * _WIDE), min(first, top)), top)
    off = lesson.name == "sugeno"
    helping = (
        "The integral of one record does not depend on k."
        if off
        else f"2 … {top}: with more, all of the records would be one group."
    )
    k = widgets.slider(replace(place, name="lesson_k"), what, 2, top, 1, help=helping, disabled=off)
    names = records.names if records is not None else ()
    options: dict[str, OptionValue] = {}
    for option in lesson.options:
        _option(f"lesson_{lesson.name}_{option.name}", option, options, names, n)
    return Chosen(lesson, k, options)


def _option(name: str, option: Option, chosen: dict[str, OptionValue], names: Sequence[str], n: int) -> None:
    """Draw an option, and add its value to those chosen."""
    helping = option.help
    if option.column:
        if names:
            place = _CHOICES.place(name, among(range(len(names))), 0)
            columns = range(len(names))
            column = widgets.choice(place, option.title, columns, words=names.__getitem__, help=helping)
            chosen[option.name] = names[column]
    elif option.choices:
        choice = _CHOICES.place(name, one_of(option.choices), str(option.default))
        chosen[option.name] = widgets.choice(choice, option.title, option.choices, help=helping)
    elif option.name == "record":
        record = at_most(_CHOICES.place(name, whole(1, MOST), int(option.default)), n)
        chosen[option.name] = widgets.number(record, option.title, 1, n, 1, help=helping)
    else:
        low, high = float(option.low or 0.0), float(option.high or 1.0)
        share = _CHOICES.place(name, number(low, high), float(option.default))
        off = option.name == "exponent" and chosen.get("quantifier", "identity") != "power"
        chosen[option.name] = widgets.number(share, option.title, low, high, 0.1, disabled=off, help=helping)


def origin(lesson: Lesson) -> tuple[Any, ...] | None:
    """Draw where the records come from; what identifies them, or None where the file is not here."""
    source = widgets.segments(
        _CHOICES.place("lesson_source", one_of((MADE_UP, LOADED)), MADE_UP),
        "Records",
        [MADE_UP, LOADED],
        help="Records that are made up, or any attributes of the loaded data; either can be edited below.",
    )
    if source == MADE_UP:
        return MADE_UP, *_how_many(), lesson.example
    data_chooser.select(key="lesson_data")
    if session.must_download() or session.must_upload():
        return None
    columns = _columns(lesson)
    return LOADED, session.data().fingerprint, columns, *_how_many()


def _how_many() -> tuple[int, int]:
    """Draw seed and number of the records."""
    left, right, other = st.columns([1, 1, 0.55], vertical_alignment="bottom")
    count = widgets.number(
        _CHOICES.place("lesson_count", whole(4, MOST), 16), "How many", 4, MOST, 1, where=left
    )
    place = _CHOICES.place("lesson_seed", whole(0), SEED)
    seed = widgets.number(
        place, "Seed", 0, None, 1, where=right, help="The same seed draws the same records."
    )

    def draw_others() -> None:
        place.take(place.now + 1)

    other.button(
        "", icon=":material/casino:", key="lesson_other", on_click=draw_others, help="Draw other records"
    )
    return seed, count


def _columns(lesson: Lesson) -> tuple[str, ...]:
    """The attributes of the loaded data that are looked at."""
    data = session.data()
    names = [a.name for a in data.attributes]
    able = [
        position
        for position, a in enumerate(data.attributes)
        if data.averages(a.name) and a.role != "identifier"
    ]
    least, most = lesson.attributes
    place = _CHOICES.place("lesson_columns", some_of(able), tuple(able[: min(_WIDE, most)]))
    columns = widgets.several(
        place.showing(place.now[:most]),
        "Attributes" if most > 2 else "Two attributes",
        able,
        words=names.__getitem__,
        max_selections=most,
        help=f"{least} to {most}" if most > least else "The first goes across; under λ it is X.",
    )
    return tuple(names[column] for column in columns)


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
    """Draw the table; what it holds now.

    An edited table stands in the address with a mark of the records it was made from, so that it is never
    taken for one of others; edits of an uploaded file stay in the visit.
    """
    start, mark = lesson_table.table_of(drawn), f"{zlib.crc32(repr(origin).encode()):08x}"
    edited: dict[str, str] = st.session_state.setdefault("lesson_tables", {})
    st.session_state.lesson_mark = mark
    private = origin[0] == LOADED and session.upload() is not None
    held = session.choices()
    if private or not held.get("lesson_table", mark).startswith(mark):
        held.pop("lesson_table", None)
    elif "lesson_table" in held:
        edited[mark] = held["lesson_table"]
    if mark in edited and not private:
        held["lesson_table"] = edited[mark]
    kind = _rows(mark, start)
    now = _CHOICES.place("lesson_table", kind, start).now
    if private and mark in edited:
        now = kind.read(edited[mark])

    def take(table: pd.DataFrame) -> None:
        session.choices().pop("lesson_table", None)
        edited.pop(mark, None)
        if not table.equals(start):
            edited[mark] = kind.write(table)

    table, beside = st.columns([2, 1], gap="medium")
    with table:
        widgets.table(
            Place("lesson_table", now, take),
            num_rows="dynamic",
            height=220,
            column_config={
                name: st.column_config.TextColumn(name, alignment="right") for name in drawn.names
            },
        )
    beside.caption(
        "Type into a cell, add a row at the end, or tick rows at the left and delete them: the trace follows."
    )
    beside.button(
        "Undo edits",
        icon=":material/undo:",
        key="lesson_undo",
        disabled=mark not in edited,
        on_click=take,
        args=(start,),
    )
    return now


def _rows(mark: str, start: pd.DataFrame) -> Kind[pd.DataFrame]:
    """A table's rows of texts, after the mark of the records that it was made from."""

    def read(text: str) -> pd.DataFrame:
        rows = json.loads(text.removeprefix(mark))
        if not isinstance(rows, list) or len(rows) > 2 * MOST:
            raise ValueError(text)
        for row in rows:
            if not isinstance(row, list) or len(row) != start.shape[1]:
                raise ValueError(text)
        cells = [[None if cell is None else str(cell) for cell in row] for row in rows]
        return pd.DataFrame(cells, columns=start.columns, dtype="object")

    def write(table: pd.DataFrame) -> str:
        cells = table.astype("object").where(table.notna(), None).to_numpy().tolist()
        return mark + json.dumps(cells, separators=(",", ":"))

    return Kind(read, write)
