"""The sidebar: everything that decides a release, always in the same order.

What does not apply to the chosen method is disabled, keeps its place, and says why. A control writes to the
settings when it is let go; the plan is made from the settings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from microagg.blocks import SIZED, parse
from microagg.measures.knowledge import LIMIT, Knowledge
from microagg.methods import METHODS
from microagg.ui import by_hand, options, policies, session
from microagg.ui.plans import Honoured, honoured, slider_end
from microagg.ui.widgets import fill, write
from microagg.ui.words import counted, listed, plain

if TYPE_CHECKING:
    from microagg.types import Microdata

_FAMILIES = ("multivariate", "projection", "one attribute", "other")
BLOCKS = {
    "all": "All together",
    "single": "One attribute each",
    "contiguous": "In the file's order",
    "correlated": "Correlated together",
    "apart": "Correlated apart",
    by_hand.DRAWN: "Drawn by hand",
}
K_TITLES = {"record": "k, smallest group", "value": "k, values in a part"}
K_HELP = {
    "record": "Fewest records of a group. Larger k: less risk, more loss. The verdict says who is hidden.",
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
    fill("method", now.name)
    st.selectbox(
        "Method",
        rows,
        key="method",
        format_func=lambda row: METHODS[row].title if row in METHODS else f"{row} —",
        on_change=_choose_method,
        help=f"{now.guarantees} Defined in: {now.reference}.",
    )
    st.caption(f"{now.family.capitalize()}. {now.summary}")


def _of(family: str) -> list[str]:
    return [name for name, row in METHODS.items() if row.family == family]


def _choose_method() -> None:
    """A heading stands for the first method below it."""
    chosen = st.session_state.method
    session.change(method=chosen if chosen in METHODS else _of(chosen.removeprefix("— "))[0])


def _k(data: Microdata) -> None:
    k, method = session.settings().k, METHODS[session.settings().method]
    top = slider_end(method, data)
    slider, box = st.columns([3, 1.15], vertical_alignment="bottom")
    fill("k", min(k, top))
    slider.slider(
        K_TITLES[method.counts],
        2,
        top,
        key="k",
        on_change=write,
        args=("k", "k"),
        help=K_HELP[method.counts],
    )
    fill("k_box", k)
    box.number_input(
        "k exactly",
        min_value=2,
        step=1,
        key="k_box",
        on_change=write,
        args=("k_box", "k"),
        label_visibility="collapsed",
    )


def _blocks(data: Microdata, wanted: Honoured) -> None:
    asked = session.settings().blocks
    reason = wanted.reasons.get("blocks")
    if reason is not None:
        asked = METHODS[wanted.plan.method].blocks or str(wanted.plan.blocks)
    rule, size = (by_hand.DRAWN, 0) if asked.startswith(by_hand.DRAWN) else parse(asked)
    left, right = st.columns([3, 1.15], vertical_alignment="bottom")
    fill("blocks", rule)
    left.selectbox(
        "Blocks of attributes",
        list(BLOCKS),
        key="blocks",
        format_func=BLOCKS.__getitem__,
        on_change=_choose_blocks,
        args=(data,),
        disabled=reason is not None,
        help=reason or "Each block is protected on its own: less is lost, and k counts inside a block only.",
    )
    if rule == by_hand.DRAWN and reason is None:
        if right.button("Draw", key="draw", width="stretch"):
            by_hand.dialog(data)
        return
    fill("size", max(size, 1))
    right.number_input(
        "Attributes a block",
        min_value=1,
        step=1,
        key="size",
        on_change=lambda: session.change(blocks=f"{rule}:{st.session_state.size}"),
        disabled=reason is not None or rule not in SIZED,
        label_visibility="collapsed",
        help=reason or "Attributes in a block.",
    )


def _choose_blocks(data: Microdata) -> None:
    rule = st.session_state.blocks
    if rule == by_hand.DRAWN:
        session.change(blocks=by_hand.start(data))
    else:
        session.change(blocks=f"{rule}:{max(2, st.session_state.get('size', 3))}" if rule in SIZED else rule)


def _lam(wanted: Honoured) -> None:
    reason = wanted.reasons.get("lam")
    fill("lam", session.settings().lam if reason is None else 0.0)
    st.slider(
        "λ, weight of the link to Y",
        0.0,
        1.0,
        step=0.05,
        key="lam",
        on_change=write,
        args=("lam", "lam"),
        disabled=reason is not None,
        help=reason
        or "0 groups records alike in the quasi-identifiers X; 1 those alike in the confidential ones, Y.",
    )
    st.html(
        '<div class="ends"><span>0 keeps X (D<sub>X</sub>)</span>'
        "<span>1 keeps the link (D<sub>Y</sub>)</span></div>"
    )


def knowledge(data: Microdata) -> Knowledge:
    """Ask what the intruder knows."""
    p, now = sum(map(data.averages, data.columns("quasi_identifier"))), session.settings().knowledge
    forms = ["up-to:1", "up-to:2", "up-to:3", "unions", "all", "sample:200:0"]
    forms += [now] if now not in forms else []
    fill("knowledge", now)
    st.selectbox(
        "The intruder knows",
        forms,
        key="knowledge",
        format_func=lambda form: _in_words(form, p),
        on_change=write,
        args=("knowledge", "knowledge"),
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
        f"{counted(len(data), 'record')}; {len(protected)} protected"
        + (f", {len(confidential)} confidential" if confidential else "")
        + f": {plain(listed(protected, 3))}"
    )
