"""The plans of the Dependence page: curves along λ for methods × k, and for several ways of making blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from microagg.measures.knowledge import Knowledge
from microagg.methods import METHODS
from microagg.ui.components import widgets
from microagg.ui.components.page_choices import Choices, some_of, switch, whole
from microagg.ui.plan import controls, policies
from microagg.ui.results.sweeps import Request
from microagg.ui.state import session
from microagg.ui.state.plan_settings import honoured

if TYPE_CHECKING:
    from microagg.model.microdata import Microdata
    from microagg.model.plan import Plan

_KS = (5, 10, 20, 50, 100)
_KS_MORE = (150, 200, 300, 500)
_CHOICES = Choices("dependence", "along_methods", "along_k", "along_steps", "along_sizes", "along_whole")


@dataclass(frozen=True)
class Wanted:
    """What is to be drawn.

    Parameters
    ----------
    request : Request
        All plans.
    curves : dict
        (method, k) → plans by ascending λ, blocks as set in Explore.
    by_size : dict
        Attributes a block → plans by ascending λ, method and k as set in Explore; 0 stands for one block.
    now : Plan
        The current settings.
    """

    request: Request
    curves: dict[tuple[str, int], tuple[Plan, ...]]
    by_size: dict[int, tuple[Plan, ...]]
    now: Plan


def possible(data: Microdata) -> bool:
    """Whether there is a link to keep: a complete confidential number beside protected attributes."""
    protected = set(data.columns("quasi_identifier"))
    return bool(protected) and bool(set(data.confidential_numbers) - protected)


def panel(data: Microdata) -> Wanted:
    """Draw the controls.

    Parameters
    ----------
    data : Microdata
        With the chosen roles.
    """
    settings, p, n = session.settings(), len(policies.protected(data)), len(data)
    able = [name for name, row in METHODS.items() if "lam" not in row.limits(row.complete({}))]
    first = settings.method if settings.method in able else "mdav"
    methods = widgets.several(
        _CHOICES.place("along_methods", some_of(able), (first,)),
        "Methods, laid over each other",
        able,
        words=lambda name: METHODS[name].title,
        help="Every method that can weigh λ.",
    )
    able_ks = [*range(2, min(100, n) + 1), *(k for k in _KS_MORE if k <= n)]
    ks = widgets.several(
        _CHOICES.place("along_k", some_of(able_ks), tuple(k for k in _KS if k <= n)),
        "k, smallest group",
        able_ks,
        help="One curve for each. The paper draws 5, 10, 20, 50 and 100.",
    )
    steps = widgets.slider(
        _CHOICES.place("along_steps", whole(5, 100), 10),
        "Steps of λ",
        5,
        100,
        5,
        help="λ = 0, 1/N, 2/N, …, 1. More steps show more points that a heuristic leaves above the envelope.",
    )
    able_sizes = [0, *range(1, p)]
    sizes = widgets.several(
        _CHOICES.place(
            "along_sizes", some_of(able_sizes), tuple(size for size in (0, 3, 2) if size < max(p, 1))
        ),
        "Attributes a block",
        able_sizes,
        words=lambda size: str(size) if size else "all",
        help="For the tab Blocks: blocks in the file's order, for the method and k that are set in Explore.",
    )
    knowledge = _knowledge(data, p)
    lams = [step / steps for step in range(steps + 1)]
    with_blocks = settings.replace(method=first)
    curves = {
        (method, k): tuple(honoured(settings.replace(method=method, k=k, lam=lam), data).plan for lam in lams)
        for method in methods
        for k in sorted(ks)
    }
    by_size = {
        size: tuple(
            honoured(with_blocks.replace(lam=lam, blocks=f"contiguous:{size}" if size else "all"), data).plan
            for lam in lams
        )
        for size in sorted(sizes, key=lambda size: size or p, reverse=True)
    }
    now = honoured(with_blocks, data).plan
    every = [plan for plans in (*curves.values(), *by_size.values()) for plan in plans]
    return Wanted(Request(data, tuple(dict.fromkeys([now, *every])), knowledge), curves, by_size, now)


def _knowledge(data: Microdata, p: int) -> Knowledge:
    everything = widgets.toggle(
        _CHOICES.place("along_whole", switch(), default=True),
        "The intruder knows all of them",
        help="For DLD, as in the paper: all protected attributes are known. Off: what is chosen in Explore.",
    )
    return Knowledge.of([range(p)]) if everything or not p else controls.knowledge(data)
