"""A file of one's own: asked for, read, and read again where the guess of how it is written was wrong."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, cast

import streamlit as st

from microagg.errors import DataError
from microagg.io.dialect import DELIMITERS, ENCODINGS, THOUSANDS, mark_name
from microagg.io.formats import FORMATS
from microagg.io.reading import microdata_of, read_table
from microagg.ui.components import display, widgets
from microagg.ui.components.widgets import Place
from microagg.ui.components.words import plain
from microagg.ui.state import session
from microagg.ui.state.session import Upload

if TYPE_CHECKING:
    from microagg.io.dialect import Dialect, Parts

MOST = 200  # MB; as server.maxUploadSize says
VISIT_LIMIT = 400  # MB of all files of a visit that are open or waiting to be read
_ENDINGS = [suffix for row in FORMATS.values() for suffix in row.suffixes]
_DECIMALS = (".", ",")
_HEADERS = ("no line holds them", "the first line", "the first two lines")
_TITLES = 1000


def ask(label: str = "Or open your own file", key: str = "file") -> None:
    """Ask for a file, read it, and turn to it; it stays in memory and nothing is written to disk."""
    with display.trouble():
        widgets.file(
            key,
            label,
            lambda file: session.keep_upload(_read(file.name, file.getvalue(), {}, None, ())),
            type=_ENDINGS,
            max_upload_size=MOST,
            help=f"Text (CSV, TSV, …), Excel, Parquet, Feather, Stata, SPSS, SAS or R; at most {MOST} MB, "
            f"and {VISIT_LIMIT} MB together in one visit. The file stays in the memory of the computer that "
            "this dashboard runs on while the page is open.",
        )


def _read(name: str, content: bytes, parts: Parts, sheet: str | None, sheets: tuple[str, ...]) -> Upload:
    try:
        table = read_table(content, name=name, sheet=sheet, wanted=_still_here, **parts)
        data = microdata_of(table)
    except DataError as error:
        text = str(error)
        raise DataError(text if text.startswith(name) else f"{name}: {text}") from None
    return Upload(name, content, parts, sheets or table.sheets, table, data)


def _still_here() -> None:
    """Streamlit ends the run at a look at the state, where the visitor has left or wants something else."""
    _ = "settings" in st.session_state


def how() -> None:
    """Say in one line how the file in use was read, with the means to read it another way."""
    held = session.upload()
    if held is None:
        return
    dialect = held.table.dialect
    if dialect is not None:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(f"Read as: {plain(dialect.summary)}.", width="stretch")
            with st.popover("Change", type="tertiary", key="change_reading"):
                _parts(dialect, held.parts)
    elif len(held.sheets) > 1:
        widgets.choice(Place("sheet", held.table.sheets[0], partial(_again, "sheet")), "Sheet", held.sheets)
    else:
        st.caption(f"Read as: {FORMATS[held.table.format].title}.")
    if trouble := st.session_state.pop("reading_trouble", ""):
        st.error(plain(trouble), icon=":material/error:")
    for note in held.table.notes:
        st.caption(f":material/info: {plain(note)}")


def _parts(dialect: Dialect, parts: Parts) -> None:
    """The parts of the dialect, each of which can be told."""
    told: dict[str, tuple[str, tuple[str, ...], Any]] = {
        "delimiter": ("Between cells", DELIMITERS, mark_name),
        "decimal": ("Decimal mark", _DECIMALS, mark_name),
        "thousands": ("Between thousands", ("", *THOUSANDS), _thousands),
        "encoding": ("Letters (encoding)", tuple(ENCODINGS), lambda name: ENCODINGS.get(name, name)),
    }
    for name, (title, choices, words) in told.items():
        now = getattr(dialect, name)
        widgets.choice(Place(f"read_{name}", now, partial(_again, name)), title, choices, words=words)
    told_header = parts.get("header")
    lines = 2 if told_header == 2 else int(dialect.header)
    header = Place("read_header", lines, lambda said: _again("header", said if said == 2 else bool(said)))
    widgets.choice(header, "Names of the columns", range(3), words=_HEADERS.__getitem__)
    widgets.number(
        Place("read_skip", parts.get("skip"), partial(_again, "skip")),
        "Lines above the table",
        0,
        _TITLES,
        1,
        placeholder="as found",
        help="Titles and remarks above the names of the columns; looked for where the box is empty.",
    )


def _thousands(mark: str) -> str:
    names = {
        "": "nothing",
        "\u00a0": "no-break space",
        "\u202f": "narrow space",
        "\u2019": "curly apostrophe",
    }
    return names.get(mark) or mark_name(mark)


def _again(part: str, value: Any) -> None:
    """Read the same bytes with what was just told; what was told before still holds."""
    held = session.upload()
    if held is None:
        return
    parts: dict[str, Any] = dict(held.parts)
    sheet = value if part == "sheet" else None
    if sheet is None:
        parts[part] = value
    try:
        new = _read(held.file_name, held.content, cast("Parts", parts), sheet, held.sheets)
    except DataError as error:
        st.session_state.reading_trouble = f"{error} It is still read as before."
    else:
        session.keep_upload(new)
