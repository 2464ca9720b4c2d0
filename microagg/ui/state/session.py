"""What one visit remembers: settings and those before, each page's choices, the pin, the trail, an upload.

State is kept here, once. `widgets` shows it and takes changes to it; the address is written from it at every
run, and read where the browser came with another one: at the start of a visit, and by Back and Forward.
What an address says of a file of one's own is only offered (`link_offers`), unless this visit had set it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from microagg.errors import DataError
from microagg.io.catalogue import CATALOGUE
from microagg.io.datasets import dataset_file, load_dataset
from microagg.model.safe_repr import discreet
from microagg.ui.state import address
from microagg.ui.state.plan_settings import typed
from microagg.ui.state.result_cache import Memory
from microagg.ui.state.settings import UPLOADED, Settings, is_setting, read_query

if TYPE_CHECKING:
    from collections.abc import Mapping

    from microagg.io.dialect import Dialect, Parts
    from microagg.io.table import Table
    from microagg.model.microdata import Microdata

PAST, TRAIL = 200, 200


@dataclass(frozen=True, eq=False)
class Upload:
    """A file of the visitor's own; it is held for the visit and nowhere written.

    Parameters
    ----------
    file_name : str
    content : bytes
        As uploaded, to read it again in another way.
    parts : dict
        What the visitor said of how it is written, where the guess was wrong.
    sheets : tuple of str
        The sheets or objects it offers, in its own order.
    table : Table
        As read.
    data : Microdata
        With the roles that were guessed.
    """

    file_name: str
    content: bytes
    parts: Parts
    sheets: tuple[str, ...]
    table: Table
    data: Microdata

    __repr__ = discreet


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
    settings : Settings, optional
        What to set to come back to it.
    """

    key: tuple[str, str, str]
    name: str
    figures: Mapping[str, float]
    settings: Settings | None = None


def begin(page: str) -> None:
    """Start a run: a visit from its address, another page, or what Back and Forward brought.

    Parameters
    ----------
    page : str
        The page's part of the address.
    """
    state, query = st.session_state, st.query_params.to_dict()
    first = "settings" not in state
    if first:
        state.settings, state.choices, state.complaints = Settings(), {}, []
        state.past, state.future, state.pins, state.trail, state.now = [], [], (), {}, None
        state.memory, state.upload, state.offered = Memory(), None, None
        state.page, state.opened = page, 0
    if state.page != page:
        state.page, state.opened = page, state.opened + 1
    if first or (query and address.went()):
        read, complaints = read_query(query)
        state.complaints += complaints
        state.choices[page] = {name: text for name, text in query.items() if not is_setting(name)}
        _come(read)
        state.past = [] if first else state.past


def _come(read: Settings) -> None:
    """Take what an address says; what it says of an own file is set aside, as anybody may have written it."""
    state, bare = st.session_state, Settings(data=read.data)
    mine = read in (bare, settings(), *state.past, *state.future)
    asked = read.data.startswith(UPLOADED) and not mine
    state.offered = read if asked else None
    put(bare if asked else read)


def offered() -> Settings | None:
    """What the address would set on the file of one's own that is in use, or asked for; None: nothing."""
    held: Settings | None = st.session_state.offered
    return held if held is not None and held.data == settings().data else None


def adopt() -> None:
    """Set what the address offers."""
    link, st.session_state.offered = offered(), None
    if link is not None:
        put(link)


def decline() -> None:
    """Leave aside what the address offers."""
    st.session_state.offered = None


def write_address() -> None:
    """Make the address say what is set, or is offered.

    It is told to the browser each time: what a run has told is dropped where another run follows at once, and
    the server takes it for told. Where it is the same, the browser makes no entry of its history.
    """
    st.query_params.from_dict((offered() or settings()).query() | choices())


def choices() -> dict[str, str]:
    """What was chosen on this page beside the settings, as the address says it; the default is not there."""
    held: dict[str, str] = st.session_state.choices.setdefault(st.session_state.page, {})
    return held


def opened() -> int:
    """A number that is another one on each visit to a page."""
    number: int = st.session_state.opened
    return number


def settings() -> Settings:
    """What is set now."""
    now: Settings = st.session_state.settings
    return now


def change(**changes: Any) -> None:
    """Change settings; Undo comes back here."""
    before = settings()
    put(before.replace(**changes))
    if "accept" not in changes and settings().accept != before.accept:
        complain(
            f"What was accepted of the verdict was given for {before.method}, k = {before.k}, as it was set; "
            "type the reason again, or Undo."
        )


def put(new: Settings) -> None:
    """Take other settings altogether."""
    if new != settings():
        st.session_state.past = [*st.session_state.past[1 - PAST :], settings()]
        st.session_state.settings, st.session_state.future = new, []


def can_undo() -> bool:
    """Whether there is a setting to go back to."""
    return bool(st.session_state.past)


def undo() -> None:
    """Go back to the settings before."""
    if st.session_state.past:
        st.session_state.future.append(settings())
        st.session_state.settings = st.session_state.past.pop()


def can_redo() -> bool:
    """Whether something was undone and nothing set since."""
    return bool(st.session_state.future)


def redo() -> None:
    """Take back an undo."""
    if st.session_state.future:
        st.session_state.past.append(settings())
        st.session_state.settings = st.session_state.future.pop()


def memory() -> Memory:
    """Results of this visit."""
    held: Memory = st.session_state.memory
    return held


def keep_upload(new: Upload) -> None:
    """Hold an uploaded file for this visit, and turn to it; settings made for a file of its name are kept."""
    held: Upload | None = st.session_state.upload
    again = held is not None and held.content == new.content
    same = not again or held is None or list(held.data.frame.columns) == list(new.data.frame.columns)
    st.session_state.upload = new
    if settings().data == UPLOADED + new.file_name and same and offered() is None:
        return
    k = max(settings().k, Settings.k)  # a smaller one may come from a link
    put(Settings(data=UPLOADED + new.file_name, k=min(k, max(2, len(new.data) // 2))))


def uploaded() -> str | None:
    """Name of the file that was uploaded in this visit."""
    return None if st.session_state.upload is None else str(st.session_state.upload.file_name)


def upload() -> Upload | None:
    """The uploaded file, where it is the one in use."""
    held: Upload | None = st.session_state.upload
    return held if held is not None and settings().data == UPLOADED + held.file_name else None


def dialect() -> Dialect | None:
    """How the file in use was written down, so that what is saved is written alike; None: plain CSV."""
    held = upload()
    return None if held is None else held.table.dialect


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
    held: Upload = st.session_state.upload
    return held.data


def data() -> Microdata:
    """The chosen data with the chosen roles, scales and orders."""
    own, now = source(), settings()
    key = ("roles", own.fingerprint, now.roles, now.scales, now.orders)
    return memory().recall(key, lambda: typed(own, now))


def remember(mark: Mark) -> None:
    """Add a setting to the trail, as its newest point; a name that it was given stays."""
    trail: dict[tuple[str, str, str], Mark] = st.session_state.trail
    before = trail.pop(mark.key, None)
    mark = mark if before is None else replace(mark, name=before.name)
    trail[mark.key] = st.session_state.now = mark
    while len(trail) > TRAIL:
        trail.pop(next(iter(trail)))


def now() -> Mark | None:
    """The setting that was looked at last."""
    mark: Mark | None = st.session_state.now
    return mark


def marks() -> list[Mark]:
    """All settings that were looked at, oldest first."""
    held: dict[tuple[str, str, str], Mark] = st.session_state.trail
    return list(held.values())


def trail(like: Mark) -> list[Mark]:
    """The settings looked at that can be compared: same data, same intruder; oldest first."""
    return [m for m in marks() if (m.key[0], m.key[2]) == (like.key[0], like.key[2])]


def rename(mark: Mark, name: str) -> None:
    """Give a setting another name, wherever it is held."""
    new, state = replace(mark, name=name), st.session_state
    state.trail[mark.key] = new
    state.pins = tuple(new if held.key == mark.key else held for held in state.pins)


def say_on_figures(note: str) -> None:
    """Put a sentence before the caption of every figure and table of this run."""
    st.session_state.said_on_figures = note


def said_on_figures() -> str:
    """The sentence that every figure of this run carries, or nothing."""
    return str(st.session_state.get("said_on_figures", ""))


def complain(sentence: str) -> None:
    """Have something said that was asked for and cannot be had."""
    if sentence not in st.session_state.complaints:
        st.session_state.complaints.append(sentence)


def complaints() -> list[str]:
    """What the address said that could not be used; told once."""
    told: list[str] = st.session_state.complaints
    st.session_state.complaints = []
    return told


def pin(*marks: Mark) -> None:
    """Make one setting that which others are compared with, or two that stand side by side, or none."""
    st.session_state.pins = marks


def pins() -> tuple[Mark, ...]:
    """The pinned settings, two at most; the first is that which others are compared with."""
    held: tuple[Mark, ...] = st.session_state.pins
    return held


def pinned(fingerprint: str) -> Mark | None:
    """The first pinned setting, if it was of the data with this fingerprint."""
    held = pins()
    return held[0] if held and held[0].key[0] == fingerprint else None
