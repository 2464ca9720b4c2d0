"""What one visit remembers: the settings and those before, the pin, the trail, an uploaded file.

Widgets are copies: each is filled from the settings before it is drawn and writes back when it is moved,
because a widget's own state vanishes when its page is not drawn. The address follows the settings and is read
once, at the start of a visit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from microagg.errors import DataError
from microagg.io.catalogue import CATALOGUE
from microagg.io.datasets import dataset_file, load_dataset
from microagg.ui.memory import Memory
from microagg.ui.plans import with_letters
from microagg.ui.settings import UPLOADED, Settings, read_query

if TYPE_CHECKING:
    from collections.abc import Mapping

    from microagg.types import Microdata

PAST, TRAIL = 200, 200


@dataclass(frozen=True)
class Mark:
    """One setting that was looked at, with its figures.

    Parameters
    ----------
    key : (str, str, str)
        Fingerprint, plan and knowledge.
    name : str
        What to call it.
    figures : mapping of str to float
        As `Assessment.figures`.
    """

    key: tuple[str, str, str]
    name: str
    figures: Mapping[str, float]


def begin() -> None:
    """Start a visit from its address; nothing happens on later runs."""
    state = st.session_state
    if "settings" not in state:
        state.settings, state.complaints = read_query(st.query_params.to_dict())
        state.past, state.pin, state.trail, state.now = [], None, {}, None
        state.memory, state.upload = Memory(), None


def write_address() -> None:
    """Make the address say what is set; the browser is told only when it changes."""
    wanted = settings().query()
    if st.query_params.to_dict() != wanted:
        st.query_params.from_dict(wanted)


def settings() -> Settings:
    """What is set now."""
    now: Settings = st.session_state.settings
    return now


def change(**changes: Any) -> None:
    """Change settings; Undo comes back here."""
    put(settings().replace(**changes))


def put(new: Settings) -> None:
    """Take other settings altogether."""
    if new != settings():
        st.session_state.past = [*st.session_state.past[1 - PAST :], settings()]
        st.session_state.settings = new


def can_undo() -> bool:
    """Whether there is a setting to go back to."""
    return bool(st.session_state.past)


def undo() -> None:
    """Go back to the settings before."""
    if st.session_state.past:
        st.session_state.settings = st.session_state.past.pop()


def memory() -> Memory:
    """Results of this visit."""
    held: Memory = st.session_state.memory
    return held


def keep_upload(data: Microdata, file_name: str, notes: tuple[str, ...]) -> None:
    """Hold an uploaded file for this visit, and turn to it; settings made for a file of its name are kept."""
    st.session_state.upload = (file_name, data, notes)
    if settings().data == UPLOADED + file_name:
        return
    put(Settings(data=UPLOADED + file_name, k=min(settings().k, max(2, len(data) // 2))))


def uploaded() -> str | None:
    """Name of the file that was uploaded in this visit."""
    return None if st.session_state.upload is None else str(st.session_state.upload[0])


def upload_notes() -> tuple[str, ...]:
    """What was guessed when the file in use was read."""
    held = st.session_state.upload
    return held[2] if held is not None and settings().data == UPLOADED + held[0] else ()


def must_download() -> bool:
    """Whether the data set in use is one that is not yet on this machine."""
    name = settings().data
    return name in CATALOGUE and dataset_file(name) is None


def must_upload() -> bool:
    """Whether the settings belong to an uploaded file that this visit does not hold."""
    name = settings().data
    return name.startswith(UPLOADED) and uploaded() != name.removeprefix(UPLOADED)


def source() -> Microdata:
    """The chosen data with their own roles.

    Raises
    ------
    DataError
        A data set that is unknown or not on this machine, or an uploaded file that is no longer held.
    """
    name = settings().data
    if not name.startswith(UPLOADED):
        return memory().recall(("data", name), lambda: load_dataset(name))
    if must_upload():
        raise DataError(f"Please open {name.removeprefix(UPLOADED)} again.")
    data: Microdata = st.session_state.upload[1]
    return data


def data() -> Microdata:
    """The chosen data with the chosen roles."""
    own, roles = source(), settings().roles
    return memory().recall(("roles", own.fingerprint, roles), lambda: with_letters(own, roles))


def remember(mark: Mark) -> None:
    """Add a setting to the trail, as its newest point."""
    trail: dict[tuple[str, str, str], Mark] = st.session_state.trail
    trail.pop(mark.key, None)
    trail[mark.key] = st.session_state.now = mark
    while len(trail) > TRAIL:
        trail.pop(next(iter(trail)))


def now() -> Mark | None:
    """The setting that was looked at last."""
    mark: Mark | None = st.session_state.now
    return mark


def trail(like: Mark) -> list[Mark]:
    """The settings looked at that can be compared: same data, same intruder; oldest first."""
    marks: dict[tuple[str, str, str], Mark] = st.session_state.trail
    return [m for m in marks.values() if (m.key[0], m.key[2]) == (like.key[0], like.key[2])]


def complaints() -> list[str]:
    """What the address said that could not be used; told once."""
    told: list[str] = st.session_state.complaints
    st.session_state.complaints = []
    return told


def pin(mark: Mark | None) -> None:
    """Make a setting the one that others are compared with, or none."""
    st.session_state.pin = mark


def pinned(fingerprint: str) -> Mark | None:
    """The pinned setting, if it was of the data with this fingerprint."""
    mark: Mark | None = st.session_state.pin
    return mark if mark is not None and mark.key[0] == fingerprint else None
