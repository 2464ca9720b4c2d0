"""Sweeps beside a plain loop over the same plans: ``python -m tests.benchmarks.tradeoffs``.

The loop protects and assesses one plan after the other; the sweep runs them side by side, as the pages do.
Both must find the same figures. Last, the same points again as a page takes them: from the visit's memory.
"""

from __future__ import annotations

import time
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, TypeVar

import microagg as ma
from microagg.exploration.sweep import Outcome, outcomes
from microagg.measures.knowledge import DEFAULT
from microagg.model.plan import Plan
from microagg.ui.state.result_cache import Memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from microagg.model.microdata import Microdata

Value = TypeVar("Value")
ALL_SIX = ma.Knowledge.of([range(6)])
CURVES = [Plan(k=k, lam=step / 10) for k in (5, 10, 20, 50, 100) for step in range(11)]
GRID = [
    Plan(method=method, k=k, blocks=blocks)
    for method, k, blocks in product(
        ("mdav", "vmdav", "pcp", "zscores", "sugeno"),
        range(3, 13),
        ("all", "contiguous:2", "contiguous:3", "correlated:3"),
    )
]


def looped(data: Microdata, plans: list[Plan], knowledge: ma.Knowledge) -> list[dict[str, float]]:
    """One after the other."""
    return [ma.assess(ma.protect(data, plan), knowledge=knowledge).figures() for plan in plans]


def swept(data: Microdata, plans: list[Plan], knowledge: ma.Knowledge) -> list[Outcome]:
    """Side by side, in the order of the plans."""
    found = dict(outcomes(data, plans, knowledge=knowledge))
    return [found[position] for position in range(len(plans))]


def remembered(
    held: Memory, data: Microdata, plans: list[Plan], found: list[Outcome]
) -> Callable[[], object]:
    """Put outcomes into a visit's memory, and return what takes them out again as a page does."""
    for plan, outcome in zip(plans, found, strict=True):
        held.recall((data.fingerprint, plan.to_json()), partial(lambda outcome: outcome, outcome))

    def again() -> list[Outcome]:
        return [held.recall((data.fingerprint, plan.to_json()), Outcome) for plan in plans]

    return again


def timed(run: Callable[[], Value]) -> tuple[float, Value]:
    """Seconds and result."""
    began = time.perf_counter()
    value = run()
    return time.perf_counter() - began, value


def main() -> None:
    """Print one line a case."""
    cases = (
        ("Census, MDAV, 5 k × 11 λ, DLD", ma.load_dataset("census"), CURVES, ALL_SIX),
        ("Tarragona, 5 methods × 10 k × 4 blocks", ma.load_dataset("tarragona"), GRID, DEFAULT),
    )
    print(f"{'':42}{'plans':>6}{'sweep':>9}{'loop':>9}{'ratio':>7}{'again':>9}   seconds")
    for name, data, plans, knowledge in cases:
        swept(data, plans[::9], knowledge)
        fast, found = timed(partial(swept, data, plans, knowledge))
        slow, expected = timed(partial(looped, data, plans, knowledge))
        again, _ = timed(remembered(Memory(), data, plans, found))
        same = all(repr(o.figures) == repr(figures) for o, figures in zip(found, expected, strict=True))
        verdict = "same figures" if same else "DIFFERENT FIGURES"
        print(f"{name:42}{len(plans):>6}{fast:>9.2f}{slow:>9.2f}{slow / fast:>7.2f}{again:>9.4f}   {verdict}")


if __name__ == "__main__":
    main()
