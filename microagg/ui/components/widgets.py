"""The controls of the pages. Each shows what is in force, and nothing that is not.

A value has one owner: the settings, or the page's choices. Streamlit's own widgets have a state of their
own, and that of the browser is ahead of the server's while keys are pressed. So nothing is ever written to a
widget: it gets the value that is in force as its default when it is made, under a key with a number, and what
it shows since is what it has sent. Where that differs from what is in force (something else changed it, or a
choice was refused), where its range or its list is another, and after a change of page, the number rises:
another widget is made, which shows what is in force. The control that is being moved keeps its key.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import pandas as pd
import streamlit as st

from microagg.ui.state import session

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from streamlit.delta_generator import DeltaGenerator
    from streamlit.elements.lib.mutable_tab_container import TabContainer
    from streamlit.runtime.uploaded_file_manager import UploadedFile

T = TypeVar("T")
N = TypeVar("N", int, float)


@dataclass(frozen=True)
class Place(Generic[T]):
    """Where the value of a control lives.

    Parameters
    ----------
    name : str
        Of the control, unique on a page.
    now : object
        What is in force.
    take : callable
        Sets another value.
    """

    name: str
    now: T
    take: Callable[[T], object]

    def showing(self, value: T) -> Place[T]:
        """The same, where something else than what was asked for is in force."""
        return replace(self, now=value)


@dataclass
class _Held:
    """One widget: its key, what it was made with, what it has shown since."""

    key: str
    made: tuple[Hashable, ...]
    first: Any
    shown: Any


@dataclass
class _Controls:
    """All widgets of a visit, by the name of their control."""

    held: dict[str, _Held] = field(default_factory=dict)
    made: int = 0
    reach: dict[str, tuple[Hashable, int]] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)


def _controls() -> _Controls:
    controls: _Controls = st.session_state.setdefault("controls", _Controls())
    return controls


def setting(name: str) -> Place[Any]:
    """The place of a field of the settings."""
    return Place(name, getattr(session.settings(), name), lambda value: session.change(**{name: value}))


def _hold(name: str, now: Any, *made: Hashable) -> _Held:
    """The widget that shows what is in force: the one that is there, or another."""
    controls, made = _controls(), (session.opened(), *made)
    held = controls.held.get(name)
    if held is None or held.made != made or not _same(held.shown, now):
        controls.made += 1
        held = controls.held[name] = _Held(f"{name}-{controls.made}", made, now, now)
    return held


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, pd.DataFrame):
        return _cells(one).equals(_cells(other))
    return bool(one == other)


def _cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Values alone: an empty cell is an empty cell, of whatever type its column is."""
    return frame.astype("object").where(frame.notna(), None).reset_index(drop=True)


def _taken(place: Place[Any], held: _Held, read: Callable[[Any], Any]) -> None:
    """Callback of a widget: what it shows now is taken.

    A browser that gets widgets quickly after each other also sends what they were made with, even of those
    replaced meanwhile, and Streamlit takes that for a change: it is none.
    """
    value = read(st.session_state[held.key])
    if not _same(held.shown, value):
        held.shown = value
        place.take(value)


def _as_is(value: Any) -> Any:
    return value


def _call(place: Place[Any], held: _Held, read: Callable[[Any], Any] = _as_is) -> dict[str, Any]:
    return {"key": held.key, "on_change": partial(_taken, place, held, read)}


def slider(
    place: Place[N], label: str, low: N, high: N, step: N, *, where: DeltaGenerator | None = None, **look: Any
) -> N:
    """Draw a slider; it reaches as far as what is in force."""
    low, high = min(low, place.now), max(high, place.now)
    held = _hold(place.name, place.now, low, high, step)
    (where or st).slider(label, low, high, held.first, step, **_call(place, held), **look)
    return place.now


def span(
    place: Place[tuple[int, int]],
    label: str,
    low: int,
    high: int,
    *,
    where: DeltaGenerator | None = None,
    **look: Any,
) -> tuple[int, int]:
    """Draw a slider with two ends."""
    low, high = min(low, place.now[0]), max(high, place.now[1])
    held = _hold(place.name, place.now, low, high)
    (where or st).slider(label, low, high, held.first, **_call(place, held, tuple), **look)
    return place.now


def number(
    place: Place[Any],
    label: str,
    low: Any,
    high: Any,
    step: Any,
    *,
    where: DeltaGenerator | None = None,
    **look: Any,
) -> Any:
    """Draw a box for a number; None stands for an empty box, or for no limit."""
    if place.now is not None:
        low = low if low is None else min(low, place.now)
        high = high if high is None else max(high, place.now)
    held = _hold(place.name, place.now, low, high, step)
    (where or st).number_input(label, low, high, held.first, step, **_call(place, held), **look)
    return place.now


def slider_and_box(
    place: Place[int], label: str, low: int, usual: int, most: int, *, exactly: str, **look: Any
) -> int:
    """Draw a slider and, beside it, a box for the same whole number.

    Parameters
    ----------
    place : Place of int
    label : str
    low, usual : int
        Ends of the slider.
    most : int
        Its upper end once a number above the usual one was in force on this page.
    exactly : str
        Name of the box, for those who cannot see where it stands.
    **look
        As of Streamlit's slider.
    """
    left, right = st.columns([3, 1.15], vertical_alignment="bottom")
    slider(place, label, low, _reach(place, low, usual, most), 1, where=left, **look)
    box = replace(place, name=f"{place.name}_box")
    disabled = look.get("disabled", False)
    number(box, exactly, low, None, 1, where=right, label_visibility="collapsed", disabled=disabled)
    return place.now


def _reach(place: Place[int], low: int, usual: int, most: int) -> int:
    """Upper end of a slider: it does not shrink while its handle is moved down."""
    ends, key = _controls().reach, (session.opened(), low, usual, most)
    before, end = ends.get(place.name, (key, usual))
    if before != key or end < place.now:
        end = usual if place.now <= usual else max(most, place.now)
    ends[place.name] = (key, end)
    return end


def toggle(place: Place[bool], label: str, *, where: DeltaGenerator | None = None, **look: Any) -> bool:
    """Draw a switch."""
    held = _hold(place.name, place.now)
    (where or st).toggle(label, held.first, **_call(place, held), **look)
    return place.now


def choice(
    place: Place[T],
    label: str,
    options: Sequence[T],
    *,
    words: Callable[[Any], str] = str,
    where: DeltaGenerator | None = None,
    **look: Any,
) -> T:
    """Draw a list to choose one from; what is in force is always in it."""
    options = [*options] if place.now in options else [*options, place.now]
    held = _hold(place.name, place.now, *map(words, options))
    (where or st).selectbox(label, options, options.index(held.first), words, **_call(place, held), **look)
    return place.now


def radio(
    place: Place[T], label: str, options: Sequence[T], *, words: Callable[[Any], str] = str, **look: Any
) -> T:
    """Draw all of a few to choose one from; None: none yet."""
    held = _hold(place.name, place.now, *map(words, options))
    index = None if held.first is None else list(options).index(held.first)
    st.radio(label, options, index, words, **_call(place, held), **look)
    return place.now


def segments(
    place: Place[T],
    label: str,
    options: Sequence[T],
    *,
    words: Callable[[Any], str] = str,
    where: DeltaGenerator | None = None,
    **look: Any,
) -> T:
    """Draw a few in a row to choose one from."""
    held = _hold(place.name, place.now, *map(words, options))
    (where or st).segmented_control(
        label, options, default=held.first, required=True, format_func=words, **_call(place, held), **look
    )
    return place.now


def several(
    place: Place[tuple[T, ...]],
    label: str,
    options: Sequence[T],
    *,
    words: Callable[[Any], str] = str,
    where: DeltaGenerator | None = None,
    **look: Any,
) -> tuple[T, ...]:
    """Draw a list to choose some from."""
    options = [*options, *(one for one in place.now if one not in options)]
    held = _hold(place.name, place.now, *map(words, options))
    (where or st).multiselect(label, options, list(held.first), words, **_call(place, held, tuple), **look)
    return place.now


def line(place: Place[str], label: str, *, where: DeltaGenerator | None = None, **look: Any) -> str:
    """Draw a line to write on."""
    held = _hold(place.name, place.now)
    (where or st).text_input(label, held.first, **_call(place, held), **look)
    return place.now


def lines(place: Place[str], label: str, *, where: DeltaGenerator | None = None, **look: Any) -> str:
    """Draw a field for several lines."""
    held = _hold(place.name, place.now)
    (where or st).text_area(label, held.first, **_call(place, held), **look)
    return place.now


def tabs(place: Place[str], labels: Sequence[str]) -> Sequence[TabContainer]:
    """Draw tabs; only the open one need be drawn."""
    held = _hold(place.name, place.now, *labels)
    return st.tabs(labels, default=held.first, **_call(place, held))


def table(place: Place[pd.DataFrame], *, style: Callable[[pd.DataFrame], Any] = _as_is, **look: Any) -> None:
    """Draw a table whose cells can be changed; all of it is taken when one is."""
    held = _hold(place.name, place.now)
    read = partial(_edited, held.first)
    st.data_editor(style(held.first), **_call(place, held, read), **look)


def _edited(frame: pd.DataFrame, edits: dict[str, Any]) -> pd.DataFrame:
    """A table with what was typed, added and deleted in it."""
    frame = frame.astype("object")
    for row, cells in edits["edited_rows"].items():
        for column, value in cells.items():
            frame.loc[frame.index[int(row)], column] = value
    frame = frame.drop(index=frame.index[edits["deleted_rows"]])
    added = pd.DataFrame(edits["added_rows"], columns=frame.columns, dtype="object")
    return pd.concat([frame, added], ignore_index=True) if len(added) else frame


def form(frame: pd.DataFrame, key: str, **look: Any) -> pd.DataFrame:
    """Draw a table to fill in, which counts for nothing until a button beside it says so."""
    filled: pd.DataFrame = st.data_editor(frame, key=key, **look)
    return filled


def picked(place: Place[int | None], frame: pd.DataFrame, **look: Any) -> None:
    """Draw rows, one of which can be ticked: its position, or None."""
    held = _hold(place.name, place.now)
    rows = [] if held.first is None else [held.first]
    st.dataframe(
        frame,
        key=held.key,
        on_select=partial(_taken, place, held, _row),
        selection_mode="single-row",
        selection_default={"selection": {"rows": rows}},
        **look,
    )


def _row(event: Any) -> int | None:
    rows = event["selection"]["rows"]
    return int(rows[0]) if rows else None


def file(name: str, label: str, take: Callable[[UploadedFile], object], **look: Any) -> None:
    """Ask for a file; once it is taken, the field is empty for the next one.

    Parameters
    ----------
    name : str
        Of the control, unique on a page.
    label : str
    take : callable
        Takes the file, or raises a `MicroaggError`: then the field keeps it.
    **look
        As of Streamlit's field.
    """
    taken = _controls().taken
    number = taken.get(name, 0)
    given = st.file_uploader(label, key=f"{name}-{number}", **look)
    if given is not None:
        take(given)
        taken[name] = number + 1
        st.rerun()
