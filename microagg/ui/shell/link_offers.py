"""What a link would set on a file of one's own: listed in words, and used only where the visitor says so.

Whoever wrote the link may not be whoever opens the file, and cannot have seen what is in it. It may ask that
names be released, or that k be 2; none of it touches the file before it was read here.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import streamlit as st

from microagg.errors import MicroaggError
from microagg.methods import METHODS
from microagg.model.phrases import counted
from microagg.ui.components.role_labels import ROLES, SCALES
from microagg.ui.components.words import plain
from microagg.ui.state import session
from microagg.ui.state.accepted_findings import named
from microagg.ui.state.column_codes import read_codes, read_orders
from microagg.ui.state.plan_settings import with_letters
from microagg.ui.state.settings import SCALE_OF, Settings

if TYPE_CHECKING:
    from microagg.model.microdata import Attribute, Microdata
    from microagg.model.roles import Role

USE, LEAVE = "Use what the link says", "Start from the guessed roles"
_CARE: dict[Role, int] = {
    "identifier": 3,
    "unit": 3,
    "quasi_identifier": 2,
    "undecided": 2,
    "stratum": 1,
    "confidential": 1,
    "weight": 1,
    "other": 0,
}
"""How well a column is looked after in each role: left out, protected, watched, or not at all."""
_TITLES = {
    "method": "Method",
    "k": "k, the smallest group",
    "blocks": "Blocks",
    "lam": "λ",
    "aggregate": "Groups are released as their",
    "seed": "Seed",
    "refine": "Rounds of refinement",
    "stop_at": "Refinement stops at",
    "knowledge": "What the intruder knows",
    "options": "Options of the method",
    "orders": "Orders of categories",
    "missing": "Records that miss a value",
    "codes": "Codes that mean “missing”",
    "small_strata": "Strata of fewer than k records",
    "weighted": "Centroids are weighted",
    "rounding": "Rounding",
    "shuffle": "Seed of the shuffled rows",
    "keep_identifiers": "Identifiers stay in the released file",
    "accept": "Accepted of the verdict",
    "all_records": "A large file is looked at as a whole",
    "exact": "Linkage looks up every record",
}
_SHORT = 160


def ask() -> None:
    """Ask whether the link's settings are to be used, which until then are not."""
    link, own = session.offered(), session.source()
    if link is None:
        return
    weak, rest = told(own, link)
    st.subheader("Use what the link says?")
    st.markdown(
        f"The address asks for settings of **{plain(own.name)}**. A link may come from somebody else, "
        "and none of this is in force before you say so."
    )
    if weak:
        st.error(
            "**These protect less than a fresh start does:**\n" + _items(weak), icon=":material/warning:"
        )
    if rest:
        st.markdown(("**It also sets:**\n" if weak else "**It sets:**\n") + _items(rest))
    with st.container(horizontal=True):
        st.button(LEAVE, type="primary", key="offer_leave", on_click=session.decline)
        st.button(USE, key="offer_use", on_click=session.adopt)


def told(own: Microdata, link: Settings) -> tuple[list[str], list[str]]:
    """What a link would set on a file, in lines.

    Parameters
    ----------
    own : Microdata
        With the guessed roles.
    link : Settings

    Returns
    -------
    Lines on what protects less than a fresh start, and on the rest; roles first.
    """
    weak: list[str] = []
    rest: list[str] = []
    for line, weakens in [*_roles(own, link), *_scales(own, link), *_others(own, link)]:
        (weak if weakens else rest).append(line)
    return weak, rest


def _items(lines: list[str]) -> str:
    return "\n".join(f"- {plain(line)}" for line in lines)


def _roles(own: Microdata, link: Settings) -> list[tuple[str, bool]]:
    if not link.roles:
        return []
    if len(link.roles) != len(own.attributes):
        return [(_misfit("Roles", link.roles, own), False)]
    pairs = zip(own.attributes, with_letters(own, link.roles).attributes, strict=True)
    lines = [(_role(a, b.role), _less(a.role, b.role)) for a, b in pairs if a.role != b.role]
    return sorted(lines, key=lambda line: not line[1])


def _less(guessed: Role, asked: Role) -> bool:
    return _CARE[asked] < _CARE[guessed] or guessed == "unit"


def _role(column: Attribute, role: Role) -> str:
    becomes = {
        "identifier": "left out",
        "quasi_identifier": "protected",
        "confidential": "released as it is, as a secret",
    }.get(role, "released as it is")
    return f"Column {column.name}: {ROLES[role]} ({becomes}), guessed {ROLES[column.role]}"


def _scales(own: Microdata, link: Settings) -> list[tuple[str, bool]]:
    if not link.scales:
        return []
    if len(link.scales) != len(own.attributes):
        return [(_misfit("Scales", link.scales, own), False)]
    pairs = zip(own.attributes, map(SCALE_OF.__getitem__, link.scales), strict=True)
    return [
        (f"Column {a.name}: {SCALES[scale]}, guessed {SCALES[a.scale]}", False)
        for a, scale in pairs
        if a.scale != scale
    ]


def _misfit(what: str, letters: str, own: Microdata) -> str:
    return (
        f"{what} of {counted(len(letters), 'column')}, where this file has {len(own.attributes)}: "
        "they are left aside"
    )


def _others(own: Microdata, link: Settings) -> list[tuple[str, bool]]:
    lines = []
    for field in fields(Settings):
        name, value = field.name, getattr(link, field.name)
        if name in _TITLES and value != field.default:
            shown = _value(name, own, link)
            lines.append((f"{_TITLES[name]}: {shown}" if shown else _TITLES[name], _weakens(name, link)))
    return lines


def _value(name: str, own: Microdata, link: Settings) -> str:
    """The value of a setting in words; nothing for a switch that is on."""
    names = {str(position): a.name for position, a in enumerate(own.attributes)} | {"*": "every column"}
    value = getattr(link, name)
    try:
        match name:
            case "method":
                text = METHODS[link.method].title
            case "codes":
                text = "; ".join(
                    f"{names.get(c, c)}: {', '.join(map(str, v))}" for c, v in read_codes(value).items()
                )
            case "orders":
                orders = read_orders(value, own)
                text = "; ".join(f"{c}: {' < '.join(map(str, v))}" for c, v in orders.items())
            case "accept":
                text = "; ".join(f"{key} (“{reason}”)" for key, reason in named(value, own).items())
            case "options":
                text = ", ".join(f"{option} = {chosen}" for option, chosen in value)
            case _:
                text = "" if value is True else f"{value}"
    except MicroaggError as error:
        text = str(error)
    return text if len(text) <= _SHORT else f"{text[:_SHORT]}…"


def _weakens(name: str, link: Settings) -> bool:
    """Whether a setting that differs from the default protects less, or has less looked at."""
    if name == "k":
        return link.k < Settings().k
    if name == "method":
        return METHODS[link.method].kind != "partition"
    return name in ("keep_identifiers", "accept", "blocks", "knowledge")
