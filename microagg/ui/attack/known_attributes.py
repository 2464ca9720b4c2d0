"""What the intruder knows of each person: a family of sets of attributes, chosen in words.

The choice is written to the settings as `Knowledge` in its one-line form, attributes by position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from microagg.measures.knowledge import DEFAULT, LIMIT, Knowledge
from microagg.model.phrases import counted
from microagg.ui.components import widgets
from microagg.ui.components.page_choices import Choices, one_of
from microagg.ui.components.widgets import Place
from microagg.ui.components.words import plain
from microagg.ui.state import session

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from microagg.model.release import Release

FORMS = {
    "up-to": "any few attributes",
    "all": "any attributes at all",
    "unions": "whole blocks, two or more",
    "one": "one set, picked by hand",
    "list": "the sets on a list",
    "sample": "any attributes, sampled",
}
_CHOICES = Choices("attack", "attack_written")


def knowledge(release: Release) -> Knowledge:
    """Draw the choice, and return what is chosen."""
    names = release.columns
    known = Knowledge.parse(session.settings().knowledge)
    if any(column >= len(names) for listed in known.listed for column in listed):
        session.change(knowledge=str(DEFAULT))
        st.toast("The known attributes were chosen for other data; they are at their default again.")
        known = DEFAULT
    form = _form(known)
    widgets.choice(
        Place("attack_form", form, lambda chosen: _choose(chosen, release)),
        "The intruder knows",
        list(FORMS),
        words=FORMS.__getitem__,
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


def block_places(release: Release) -> list[tuple[int, ...]]:
    """The blocks that have a number, by positions among the protected ones."""
    return [block for block in release.block_positions if block]


def _form(known: Knowledge) -> str:
    """The form that is shown: a list of one set is a set picked by hand, unless a list was asked for."""
    if known.kind != "sets":
        return known.kind
    return "list" if len(known.listed) > 1 or _as_list().now == "list" else "one"


def _as_list() -> Place[str]:
    """Whether sets are written as a list, though it is only one."""
    return _CHOICES.place("attack_written", one_of(("one", "list")), "one")


def _choose(form: str, release: Release) -> None:
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
    _as_list().take("list" if form == "list" else "one")
    _set(first[form])


def _set(known: Knowledge) -> None:
    st.session_state.attack_wrong = ""
    session.change(knowledge=str(known))


def _up_to(known: Knowledge, p: int) -> None:
    widgets.number(
        Place("attack_size", known.size, lambda size: _set(Knowledge.up_to(size))),
        "Attributes known, at most",
        1,
        p,
        1,
    )


def _one(known: Knowledge, names: Sequence[str]) -> None:
    widgets.several(
        Place("attack_set", tuple(known.listed[0]), _pick),
        "Attributes known",
        range(len(names)),
        words=names.__getitem__,
        help="The figures are for exactly these. At least one stays.",
    )


def _pick(columns: tuple[int, ...]) -> None:
    if columns:
        _set(Knowledge.of([columns]))


def _list(known: Knowledge, names: Sequence[str]) -> None:
    wrong = st.session_state.get("attack_wrong", "")
    written, typed = _written(known.listed, names), st.session_state.get("attack_typed", "")
    widgets.lines(
        Place("attack_list", typed if wrong else written, lambda text: _read(text, names)),
        "One set a line, attributes apart by commas",
        height=110,
        help=f"The attributes are {plain(', '.join(names))}.",
    )
    if wrong:
        st.caption(
            f":orange[:material/warning:] {plain(wrong)} The figures are still those of the list before."
        )


def _written(sets: Iterable[Iterable[int]], names: Sequence[str]) -> str:
    return "\n".join(", ".join(names[column] for column in known if column < len(names)) for known in sets)


def _read(text: str, names: Sequence[str]) -> None:
    """Take a list; a wrong one stays as it was typed, beside what is wrong with it."""
    lines = [[name.strip() for name in line.split(",") if name.strip()] for line in text.splitlines()]
    st.session_state.attack_typed = text
    unknown = [name for line in lines for name in line if name not in names]
    if unknown:
        st.session_state.attack_wrong = f"There is no protected attribute {unknown[0]!r}."
    elif not any(lines):
        st.session_state.attack_wrong = "The list is empty."
    else:
        _set(Knowledge.of([[names.index(name) for name in line] for line in lines if line]))


def _sample(known: Knowledge) -> None:
    count, seed = st.columns(2, gap="small")
    widgets.number(
        Place("attack_count", known.size, lambda size: _sampled(size=size)),
        "Sets drawn",
        1,
        LIMIT,
        50,
        where=count,
    )
    widgets.number(
        Place("attack_seed", known.seed, lambda drawn: _sampled(seed=drawn)),
        "Seed",
        0,
        None,
        1,
        where=seed,
        help="The same seed draws the same sets.",
    )


def _sampled(**change: int) -> None:
    """Take the size or the seed of a sample; the other stays."""
    known = Knowledge.parse(session.settings().knowledge)
    if known.kind == "sample":
        _set(Knowledge.sample(**{"size": known.size, "seed": known.seed} | change))
