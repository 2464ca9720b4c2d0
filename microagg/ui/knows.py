"""What the intruder knows of each person: a family of sets of attributes, chosen in words.

The choice is written to the settings as `Knowledge` in its one-line form, attributes by position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from microagg.measures.knowledge import DEFAULT, LIMIT, Knowledge
from microagg.ui import session
from microagg.ui.widgets import fill
from microagg.ui.words import counted, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from microagg.types import Release

FORMS = {
    "up-to": "any few attributes",
    "all": "any attributes at all",
    "unions": "whole blocks, two or more",
    "one": "one set, picked by hand",
    "list": "the sets on a list",
    "sample": "any attributes, sampled",
}


def knowledge(release: Release) -> Knowledge:
    """Draw the choice, and return what is chosen."""
    names = release.columns
    known = Knowledge.parse(session.settings().knowledge)
    if any(column >= len(names) for listed in known.listed for column in listed):
        session.change(knowledge=str(DEFAULT))
        st.toast("The known attributes were chosen for other data; they are at their default again.")
        known = DEFAULT
    form = _form(known)
    fill("attack_form", form)
    st.selectbox(
        "The intruder knows",
        list(FORMS),
        key="attack_form",
        format_func=FORMS.__getitem__,
        on_change=_choose,
        args=(release,),
        help="What an intruder knows is uncertain, so risk is averaged over sets of protected "
        "attributes. Explore and Compare follow this choice.",
    )
    match form:
        case "up-to":
            _up_to(known, len(names))
        case "one":
            _one(known, names)
        case "list":
            _list(known, names)
        case "sample":
            _sample(known)
    count = known.count(len(names), block_places(release))
    st.caption(
        f"{counted(count, 'set')} of {counted(len(names), 'attribute')}"
        + (f", out of {2 ** len(names) - 1:,}" if known.kind == "sample" else "")
        + ("" if count <= LIMIT else ": too many."),
    )
    return known


def block_places(release: Release) -> list[list[int]]:
    """Each block's numbers by position among the protected ones; blocks without a number are left out."""
    place = {name: position for position, name in enumerate(release.columns)}
    blocks = [[place[name] for name in block if name in place] for block in release.blocks]
    return [block for block in blocks if block]


def _form(known: Knowledge) -> str:
    """The form that is shown: a list of one set is a set picked by hand, unless a list was asked for."""
    if known.kind != "sets":
        return known.kind
    asked = st.session_state.get("attack_form")
    return "list" if len(known.listed) > 1 or asked == "list" else "one"


def _choose(release: Release) -> None:
    p = len(release.columns)
    now = Knowledge.parse(session.settings().knowledge)
    first: dict[str, Knowledge] = {
        "up-to": Knowledge.up_to(min(3, p)),
        "all": Knowledge.every(),
        "unions": Knowledge.unions(),
        "one": Knowledge.of([now.listed[0] if now.listed else range(p)]),
        "list": now if now.listed else Knowledge.of(block_places(release)),
        "sample": Knowledge.sample(200),
    }
    _set(first[st.session_state.attack_form])


def _set(known: Knowledge) -> None:
    st.session_state.attack_wrong = ""
    session.change(knowledge=str(known))


def _up_to(known: Knowledge, p: int) -> None:
    fill("attack_size", known.size)
    st.number_input(
        "Attributes known, at most",
        1,
        max(p, known.size),
        key="attack_size",
        on_change=lambda: _set(Knowledge.up_to(st.session_state.attack_size)),
    )


def _one(known: Knowledge, names: Sequence[str]) -> None:
    fill("attack_set", [names[column] for column in known.listed[0] if column < len(names)])
    st.multiselect(
        "Attributes known",
        names,
        key="attack_set",
        on_change=_pick,
        args=(names,),
        help="The figures are for exactly these. At least one stays.",
    )


def _pick(names: Sequence[str]) -> None:
    chosen = st.session_state.attack_set
    if chosen:
        _set(Knowledge.of([[names.index(name) for name in chosen]]))


def _list(known: Knowledge, names: Sequence[str]) -> None:
    wrong = st.session_state.get("attack_wrong", "")
    if not wrong:
        fill("attack_list", _written(known.listed, names))
    st.text_area(
        "One set a line, attributes apart by commas",
        key="attack_list",
        height=110,
        on_change=_read,
        args=(names,),
        help=f"The attributes are {plain(', '.join(names))}.",
    )
    if wrong:
        st.caption(
            f":orange[:material/warning:] {plain(wrong)} The figures are still those of the list before."
        )


def _written(sets: Iterable[Iterable[int]], names: Sequence[str]) -> str:
    return "\n".join(", ".join(names[column] for column in known if column < len(names)) for known in sets)


def _read(names: Sequence[str]) -> None:
    lines = [
        [name.strip() for name in line.split(",") if name.strip()]
        for line in st.session_state.attack_list.splitlines()
    ]
    unknown = [name for line in lines for name in line if name not in names]
    if unknown:
        st.session_state.attack_wrong = f"There is no protected attribute {unknown[0]!r}."
    elif not any(lines):
        st.session_state.attack_wrong = "The list is empty."
    else:
        _set(Knowledge.of([[names.index(name) for name in line] for line in lines if line]))


def _sample(known: Knowledge) -> None:
    count, seed = st.columns(2, gap="small")
    fill("attack_count", known.size)
    fill("attack_seed", known.seed)

    def write() -> None:
        _set(Knowledge.sample(st.session_state.attack_count, st.session_state.attack_seed))

    count.number_input("Sets drawn", 1, LIMIT, key="attack_count", step=50, on_change=write)
    seed.number_input(
        "Seed", 0, key="attack_seed", on_change=write, help="The same seed draws the same sets."
    )
