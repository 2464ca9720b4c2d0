"""The sidebar: everything that decides a release, always in the same order.

What does not apply to the chosen method is disabled, keeps its place, and says why. A control writes to the
settings when it is let go; the plan is made from the settings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from microagg.measures.knowledge import LIMIT, Knowledge
from microagg.methods import METHODS
from microagg.model.phrases import counted, listed
from microagg.model.plan import SCHEMA
from microagg.preparation.blocks import SIZED, parse
from microagg.ui.components import widgets
from microagg.ui.components.widgets import Place, setting
from microagg.ui.components.words import plain
from microagg.ui.plan import blocks_by_hand, options, policies
from microagg.ui.state import session
from microagg.ui.state.plan_settings import Honoured, honoured, slider_end

if TYPE_CHECKING:
    from microagg.model.microdata import Microdata

_SIZE = "3"  # attributes a block, to begin with
_FAMILIES = ("multivariate", "projection", "one attribute", "other")
BLOCKS = {
    "all": "All together",
    "single": "One attribute each",
    "contiguous": "In the file's order",
    "correlated": "Correlated together",
    "apart": "Correlated apart",
    blocks_by_hand.DRAWN: "Drawn by hand",
}
K_TITLES = {"record": SCHEMA["k"].title, "value": "k, values in a part"}
K_HELP = {
    "record": SCHEMA["k"].help,
    "value": "So many values, not records, are averaged at a time. Larger k: less risk, more loss.",
}


def sidebar(data: Microdata) -> tuple[Honoured, Knowledge]:
    """Draw the controls.

    Parameters
    ----------
    data : Microdata
        With the chosen roles.

    Returns
    -------
    The plan that can be honoured, and the intruder's knowledge.

    Raises
    ------
    PlanError
        A link that does not fit the data.
    """
    wanted = honoured(session.settings(), data)
    _method()
    _k(data)
    _blocks(data, wanted)
    _lam(wanted)
    options.panel(data, wanted)
    return wanted, knowledge(data)


def _method() -> None:
    rows = [row for family in _FAMILIES for row in (f"— {family}", *_of(family)) if _of(family)]
    now = METHODS[session.settings().method]
    widgets.choice(
        Place("method", now.name, _choose_method),
        SCHEMA["method"].title,
        rows,
        words=lambda row: METHODS[row].title if row in METHODS else f"{row} —",
        help=f"{now.guarantees} Defined in: {now.reference}.",
    )
    st.caption(f"{now.family.capitalize()}. {now.summary}")


def _of(family: str) -> list[str]:
    return [name for name, row in METHODS.items() if row.family == family]


def _choose_method(chosen: str) -> None:
    """A heading stands for the first method below it."""
    session.change(method=chosen if chosen in METHODS else _of(chosen.removeprefix("— "))[0])


def _k(data: Microdata) -> None:
    method = METHODS[session.settings().method]
    usual = slider_end(method, data)
    widgets.slider_and_box(
        setting("k"),
        K_TITLES[method.counts],
        2,
        usual,
        max(usual, len(data)),
        exactly="k exactly",
        help=K_HELP[method.counts],
    )


def _blocks(data: Microdata, wanted: Honoured) -> None:
    asked = session.settings().blocks
    reason = wanted.reasons.get("blocks")
    if reason is not None:
        asked = METHODS[wanted.plan.method].blocks or str(wanted.plan.blocks)
    rule, size = (blocks_by_hand.DRAWN, 0) if asked.startswith(blocks_by_hand.DRAWN) else parse(asked)
    left, right = st.columns([3, 1.15], vertical_alignment="bottom")
    widgets.choice(
        Place("blocks", rule, lambda chosen: _choose_blocks(chosen, data)),
        SCHEMA["blocks"].title,
        list(BLOCKS),
        words=BLOCKS.__getitem__,
        where=left,
        disabled=reason is not None,
        help=reason or SCHEMA["blocks"].help,
    )
    if rule == blocks_by_hand.DRAWN and reason is None:
        if right.button("Draw", key="draw", width="stretch"):
            blocks_by_hand.dialog(data)
        return
    widgets.number(
        Place("size", max(size, 1), _choose_size),
        "Attributes a block",
        1,
        None,
        1,
        where=right,
        disabled=reason is not None or rule not in SIZED,
        label_visibility="collapsed",
        help=reason or "Attributes in a block.",
    )


def _choose_blocks(rule: str, data: Microdata) -> None:
    if rule == blocks_by_hand.DRAWN:
        session.change(blocks=blocks_by_hand.start(data))
    else:
        _, _, size = session.settings().blocks.partition(":")
        size = size if size.isdigit() else _SIZE
        session.change(blocks=f"{rule}:{size}" if rule in SIZED else rule)


def _choose_size(size: int) -> None:
    rule, _, _ = session.settings().blocks.partition(":")
    if rule in SIZED:
        session.change(blocks=f"{rule}:{size}")


def _lam(wanted: Honoured) -> None:
    reason = wanted.reasons.get("lam")
    place = setting("lam")
    widgets.slider(
        place if reason is None else place.showing(0.0),
        SCHEMA["lam"].title,
        0.0,
        1.0,
        0.05,
        disabled=reason is not None,
        help=reason or SCHEMA["lam"].help,
    )
    st.html(
        '<div class="ends"><span>0 keeps X (D<sub>X</sub>)</span>'
        "<span>1 keeps the link (D<sub>Y</sub>)</span></div>"
    )


def knowledge(data: Microdata) -> Knowledge:
    """Ask what the intruder knows."""
    p = sum(map(data.averages, data.columns("quasi_identifier")))
    now: str = widgets.choice(
        setting("knowledge"),
        "The intruder knows",
        ["up-to:1", "up-to:2", "up-to:3", "unions", "all", "sample:200:0"],
        words=lambda form: _in_words(form, p),
        help="Risk is averaged over the sets of protected attributes an intruder may hold of a person. "
        "More known attributes mean more risk, and more to compute.",
    )
    return Knowledge.parse(now)


def _in_words(form: str, p: int) -> str:
    known = Knowledge.parse(form)
    match known.kind:
        case "up-to":
            what = "any one attribute" if known.size == 1 else f"up to {known.size} attributes"
        case "all":
            what = "any set of attributes"
        case "unions":
            return "whole blocks, two or more"
        case "sample":
            what = f"any set, sample of {known.size}"
        case _:
            return f"a list of {counted(len(known.listed), 'set')}"
    count = known.count(p)
    return f"{what} ({count:,})" if count <= LIMIT else f"{what} (too many: {count:,})"


def data_line(data: Microdata) -> str:
    """The size of the data in one line."""
    protected, confidential = policies.protected(data), data.columns("confidential")
    return (
        f"{policies.to_release(data, policies.plan(data))}; {len(protected)} protected"
        + (f", {len(confidential)} confidential" if confidential else "")
        + f": {plain(listed(protected, 3))}"
    )
