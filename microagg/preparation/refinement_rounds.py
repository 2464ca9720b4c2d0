"""What a plan asks of refinement: its rounds, and where it was stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microagg.methods import METHODS

if TYPE_CHECKING:
    from microagg.model.plan import Plan


def rounds_asked(plan: Plan) -> int | None:
    """Rounds of refinement that a plan asks for; None: it refines nothing.

    Examples
    --------
    >>> from microagg.model.plan import Plan
    >>> rounds_asked(Plan("refined", 5)), rounds_asked(Plan("pcp", 5, refine=20)), rounds_asked(Plan())
    (300, 20, None)
    """
    method = METHODS[plan.method]
    return method.complete(plan.options)["rounds"] if method.starts_from else plan.refine


def stop_told(plan: Plan) -> tuple[str, ...]:
    """What a reader should know of a release whose refinement was stopped: a sentence, or none."""
    if plan.stop_at == 1:
        return ()
    return (f"Refinement was stopped after {plan.stop_at:.1%} of its work; this plan stops there again.",)
