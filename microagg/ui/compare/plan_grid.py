"""The grid of plans that Compare runs: methods × k × blocks × λ, chosen in the sidebar.

What a method cannot honour is left at its plain choice, as in Explore; plans that fall together are run
once.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import streamlit as st

from microagg.exploration.refined_twins import with_twins
from microagg.methods import METHODS
from microagg.model.phrases import counted
from microagg.preparation.blocks import parse
from microagg.ui.components import widgets
from microagg.ui.components.page_choices import Choices, some_of, span, switch, whole
from microagg.ui.plan import controls, policies
from microagg.ui.results.sweeps import Request
from microagg.ui.state import session
from microagg.ui.state.plan_settings import honoured, slider_end

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microagg.model.microdata import Microdata

MOST = 5000
ROUNDS = 50
"""Of refinement: most of what 300 gain, in a sixth of the time."""

_START = ("mdav", "vmdav", "pcp", "zscores", "sugeno")
_LAMBDAS = [step / 10 for step in range(11)]
_CHOICES = Choices(
    "compare",
    "grid_methods",
    "grid_k",
    "grid_step",
    "grid_blocks",
    "grid_lam",
    "grid_twins",
    "grid_rounds",
)


def panel(data: Microdata) -> tuple[Request, str]:
    """Draw the controls.

    Parameters
    ----------
    data : Microdata
        With the chosen roles.

    Returns
    -------
    The plans, and how their number comes about.
    """
    methods = widgets.several(
        _CHOICES.place("grid_methods", some_of(METHODS), _first()),
        "Methods",
        list(METHODS),
        words=lambda name: METHODS[name].title,
        help="Each with its default options; the one set in Explore keeps its own.",
    )
    ks = _sizes(methods, data)
    able = _rules(len(policies.protected(data)))
    rules = widgets.several(
        _CHOICES.place("grid_blocks", some_of(able), ("all",)),
        "Blocks of attributes",
        able,
        words=blocks_in_words,
        help="Each block is protected on its own: less is lost, and k counts inside a block only.",
    )
    lams = _lams(data)
    rounds = _twins()
    knowledge = controls.knowledge(data)
    asked = list(product(methods, ks, rules, lams))
    settings = session.settings().replace(stop_at=1.0)
    if rounds is not None:
        settings = settings.replace(refine=None)
    plans = dict.fromkeys(
        honoured(settings.replace(method=method, k=k, blocks=rule, lam=lam), data).plan
        for method, k, rule, lam in asked[:MOST]
    )
    count = _count(methods, ks, rules, lams, len(plans))
    if rounds is not None:
        twins = with_twins(plans, rounds)
        count += f", {len(twins) - len(plans):,} of them refined too"
        plans = dict.fromkeys(twins)
    return Request(data, tuple(plans), knowledge), count


def _first() -> tuple[str, ...]:
    """The methods to start with: quick ones of the papers, and the one in use."""
    chosen = {*_START, session.settings().method}
    return tuple(name for name in METHODS if name in chosen)


def _sizes(methods: Sequence[str], data: Microdata) -> list[int]:
    top = max(slider_end(METHODS[name], data) for name in methods or _START)
    ends, step = st.columns([3, 1.15], vertical_alignment="bottom")
    low, high = widgets.span(
        _CHOICES.place("grid_k", span(2, top), (3, min(12, top))),
        "k, smallest group",
        2,
        top,
        where=ends,
        help="Every k from the first to the last, by the step beside it.",
    )
    by = widgets.number(
        _CHOICES.place("grid_step", whole(1, max(50, top // 2)), 1),
        "Step of k",
        1,
        max(50, top // 2),
        1,
        where=step,
        label_visibility="collapsed",
        help="Step from one k to the next.",
    )
    return list(range(low, high + 1, by))


def _rules(p: int) -> list[str]:
    sizes = [size for size in (2, 3, 4, 5, 6) if size < p]
    sized = [f"{rule}:{size}" for rule in ("contiguous", "correlated", "apart") for size in sizes]
    return ["all", *(["single"] if p > 1 else []), *sized]


def _twins() -> int | None:
    """Rounds by which each plan is refined beside itself; None: it is not."""
    left, right = st.columns([3, 1.15], vertical_alignment="center")
    wanted = widgets.toggle(
        _CHOICES.place("grid_twins", switch(), default=False),
        "Refined beside",
        where=left,
        help="Runs every plan a second time with its groups refined, and shows what that gains in loss and "
        "costs in disclosure. Methods whose groups cannot be refined stay alone.",
    )
    rounds: int = widgets.number(
        _CHOICES.place("grid_rounds", whole(0, 100_000), ROUNDS),
        "Rounds of refinement",
        0,
        100_000,
        50,
        where=right,
        label_visibility="collapsed",
        disabled=not wanted,
        help="Rounds a group; more takes longer and loses less.",
    )
    return rounds if wanted else None


def blocks_in_words(rule: str) -> str:
    """A way of making blocks, shortly.

    Examples
    --------
    >>> blocks_in_words("correlated:3")
    'Correlated together, 3'
    """
    name, size = parse(rule)
    return f"{controls.BLOCKS[name]}, {size}" if size else controls.BLOCKS[name]


def _lams(data: Microdata) -> list[float]:
    reason = honoured(session.settings().replace(method="mdav"), data).reasons.get("lam")
    place = _CHOICES.place("grid_lam", some_of(_LAMBDAS), (0.0,))
    chosen = widgets.several(
        place if reason is None else place.showing((0.0,)),
        "λ, weight of the link to Y",
        _LAMBDAS,
        disabled=reason is not None,
        help=reason or "0 keeps the quasi-identifiers, 1 their link to the confidential attributes.",
    )
    return sorted(chosen)


def _count(
    methods: Sequence[str], ks: Sequence[int], rules: Sequence[str], lams: Sequence[float], plans: int
) -> str:
    asked = len(methods) * len(ks) * len(rules) * len(lams)
    text = (
        f"{counted(len(methods), 'method')} × {len(ks)} k × {counted(len(rules), 'way')} of making blocks "
        f"× {len(lams)} λ = {counted(asked, 'plan')}"
    )
    if asked > MOST:
        return f"{text}, of which the first {MOST:,} are taken; choose fewer"
    return text if plans == asked else f"{text}, {plans:,} of them different"
