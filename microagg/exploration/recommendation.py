"""Which plan to take: the one that loses least among those that meet the owner's limits, and why.

The data owner sets what must not be passed (real anonymity, disclosure risk, linkage); what is left is a
question of loss alone. Where no plan meets all limits, the nearest is named with what it misses: each limit's
shortfall counts as a share (of the k′ asked for; of the whole range of DR and DLD), and the shares add up.
Ties go to the smaller loss, then to the plan that comes first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from microagg.measures.catalogue import MEASURES
from microagg.measures.risk import RiskWeights, disclosure_risk, score

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from microagg.exploration.sweep import Outcome


@dataclass(frozen=True)
class Weights:
    """What counts how much in the score.

    Parameters
    ----------
    loss : float in [0, 1]
        Share of information loss in the score; the rest is disclosure risk.
    linkage : float in [0, 1]
        Share of record linkage in disclosure risk; the rest is interval disclosure.
    """

    loss: float = 0.5
    linkage: float = 0.5


def weighed(found: Outcome, weights: Weights) -> Outcome:
    """The same outcome with DR and score under other weights.

    Parameters
    ----------
    found : Outcome
    weights : Weights

    Returns
    -------
    Outcome

    Examples
    --------
    >>> from microagg.exploration.sweep import Outcome
    >>> from microagg.model.plan import Plan
    >>> found = Outcome(Plan(), {"il": 20.0, "dld": 0.1, "id": 0.5, "dr": 30.0, "score": 25.0})
    >>> weighed(found, Weights(loss=0.25, linkage=1.0)).figures["score"]
    12.5
    """
    if not found.figures:
        return found
    shares = RiskWeights(weights.linkage, 0.0, 1 - weights.linkage)
    dr = disclosure_risk(found.figures["dld"], math.nan, found.figures["id"], shares)
    changed = {"dr": dr, "score": score(found.figures["il"], dr, weights.loss)}
    return replace(found, figures=found.figures | changed)


@dataclass(frozen=True)
class Limits:
    """What a release must not pass; None asks for nothing.

    Parameters
    ----------
    k_prime : float, optional
        Real anonymity, at least.
    dr : float, optional
        Disclosure risk, at most, 0…100.
    dld : float, optional
        Record linkage, at most, a ratio.
    """

    k_prime: float | None = None
    dr: float | None = None
    dld: float | None = None

    def asked(self) -> dict[str, float]:
        """The limits that are set, by the measure's name."""
        every = {"k_prime": self.k_prime, "dr": self.dr, "dld": self.dld}
        return {name: limit for name, limit in every.items() if limit is not None}

    def missed(self, figures: Mapping[str, float]) -> dict[str, float]:
        """Share by which each limit that is not met is missed; an undefined figure misses wholly.

        Parameters
        ----------
        figures : mapping of str to float
            As `Assessment.figures`.

        Returns
        -------
        dict of str to float, each in (0, 1]

        Examples
        --------
        >>> Limits(k_prime=4, dr=30).missed({"k_prime": 3.0, "dr": 20.0})
        {'k_prime': 0.25}
        """
        shares = {}
        for name, limit in self.asked().items():
            what, value = MEASURES[name], figures.get(name, math.nan)
            short = limit - value if what.better == "high" else value - limit
            share = 1.0 if math.isnan(short) else short / (limit if what.better == "high" else what.high)
            if share > 1e-12:
                shares[name] = share
        return shares

    def __str__(self) -> str:
        parts = [_bound(name, limit) for name, limit in self.asked().items()]
        return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _bound(name: str, limit: float) -> str:
    what = MEASURES[name]
    return f"{what.title} {'≥' if what.better == 'high' else '≤'} {_shown(name, limit)}"


def _shown(name: str, value: float) -> str:
    what = MEASURES[name]
    return f"{100 * value:.3g} %" if what.percent else f"{value:.4g}"


@dataclass(frozen=True)
class Choice:
    """The plan to take.

    Parameters
    ----------
    found : Outcome
    meets : bool
        Whether it meets all limits.
    reason : str
        Why this one, to stand after the plan's name.
    """

    found: Outcome
    meets: bool
    reason: str


def choose(found: Iterable[Outcome], limits: Limits, *, loss: str = "il") -> Choice | None:
    """Take the plan that loses least among those that meet the limits, or the one nearest to meeting them.

    Parameters
    ----------
    found : iterable of Outcome
    limits : Limits
    loss : str
        The measure of loss (`microagg.MEASURES`) to be low.

    Returns
    -------
    Choice, or None where no plan has that figure

    Examples
    --------
    >>> from microagg.exploration.sweep import Outcome
    >>> from microagg.model.plan import Plan
    >>> tried = [Outcome(Plan(k=k), {"il": 4.0 * k, "dr": 60.0 - 5 * k}) for k in (3, 5, 7)]
    >>> choose(tried, Limits(dr=40)).reason
    'of the 2 plans of 3 that keep DR ≤ 40, it loses least: IL 20, the next one 28.'
    """
    rated = [(limits.missed(o.figures), o) for o in found if not math.isnan(o.figures.get(loss, math.nan))]
    if not rated:
        return None
    rated.sort(key=lambda pair: (sum(pair[0].values()), pair[1].figures[loss]))
    missed, best = rated[0]
    meeting = [o for shares, o in rated if not shares]
    if not meeting:
        return Choice(best, meets=False, reason=_nearest(best, missed, limits, loss))
    return Choice(best, meets=True, reason=_least(meeting, len(rated), limits, loss))


def _least(meeting: Sequence[Outcome], count: int, limits: Limits, loss: str) -> str:
    title, values = MEASURES[loss].title, [_shown(loss, o.figures[loss]) for o in meeting[:2]]
    next_one = f", the next one {values[1]}" if len(values) > 1 else ""
    if not limits.asked():
        among = f"of the {count} plans, with no limit set" if count > 1 else "of one plan"
    elif len(meeting) > 1:
        among = f"of the {len(meeting)} plans of {count} that keep {limits}"
    else:
        return f"it alone of {count} keeps {limits}: {title} {values[0]}."
    return f"{among}, it loses least: {title} {values[0]}{next_one}."


def _nearest(best: Outcome, missed: Mapping[str, float], limits: Limits, loss: str) -> str:
    asked = limits.asked()
    misses = ", ".join(
        f"{MEASURES[name].title} {_shown(name, best.figures.get(name, math.nan))} instead of "
        f"{'≥' if MEASURES[name].better == 'high' else '≤'} {_shown(name, asked[name])}"
        for name in missed
    )
    return (
        f"no plan keeps {limits}; this one comes nearest, with {misses}. "
        f"Its loss: {MEASURES[loss].title} {_shown(loss, best.figures[loss])}."
    )
