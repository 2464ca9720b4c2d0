"""Plans beside their refined twins: what refinement gains in loss, and what it costs in disclosure.

Groups of records more alike lose less and may give away more: a released value lies closer to the true one
and links better. A gain of refinement is therefore read from both sides at once.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pandas as pd

from microagg.measures.catalogue import MEASURES
from microagg.methods import METHODS
from microagg.methods.refine import LARGEST_K

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from microagg.exploration.sweep import Outcome
    from microagg.model.plan import Plan

COMPARED = ("l", "dld", "id", "dr", "score")
"""Low is better in all of them."""


def twin(plan: Plan, rounds: int) -> Plan | None:
    """The same plan with its groups refined; None where they cannot be, or are already.

    Parameters
    ----------
    plan : Plan
    rounds : int
        Of refinement, per group.

    Examples
    --------
    >>> from microagg.model.plan import Plan
    >>> twin(Plan("pcp"), 20) == Plan("pcp", refine=20), twin(Plan("optimal"), 20), twin(Plan("refined"), 20)
    (True, None, None)
    """
    method = METHODS.get(plan.method)
    refines_not = method is None or "refine" in method.limits(method.complete(plan.options))
    if refines_not or plan.refine is not None or plan.k > LARGEST_K:
        return None
    return plan.replace(refine=rounds)


def with_twins(plans: Iterable[Plan], rounds: int) -> list[Plan]:
    """Every plan, each followed by its twin where it has one."""
    return [each for plan in plans for each in (plan, twin(plan, rounds)) if each is not None]


def pairs(found: Sequence[Outcome]) -> list[tuple[int, int]]:
    """Positions of the outcomes of a plan and of its twin, both with figures, in the order of the plans."""
    place = {outcome.plan: position for position, outcome in enumerate(found) if outcome.figures}
    both = [
        (place.get(plan.replace(refine=None, stop_at=1.0)), position)
        for plan, position in place.items()
        if plan.refine is not None
    ]
    return sorted((plain, refined) for plain, refined in both if plain is not None)


def table(found: Sequence[Outcome]) -> pd.DataFrame:
    """One row a pair: each figure without and with refinement, and the difference.

    Parameters
    ----------
    found : sequence of Outcome

    Returns
    -------
    DataFrame
        Columns method, k, blocks, lam, refine (rounds), and for each of L, DLD, ID, DR and the score ``l``,
        ``l refined``, ``l change``; ratios ×100.
    """
    rows = []
    for one, other in pairs(found):
        plain, refined = found[one], found[other]
        row: dict[str, object] = {
            "method": plain.plan.method,
            "k": plain.plan.k,
            "blocks": plain.plan.blocks if isinstance(plain.plan.blocks, str) else "by hand",
            "lam": plain.plan.lam,
            "refine": refined.plan.refine,
        }
        for name in COMPARED:
            scale = 100.0 if MEASURES[name].percent else 1.0
            before, after = (scale * outcome.figures.get(name, math.nan) for outcome in (plain, refined))
            row |= {name: before, f"{name} refined": after, f"{name} change": after - before}
        rows.append(row)
    return pd.DataFrame(rows)
