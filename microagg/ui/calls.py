"""Protect and assess, each once for the same data and settings in a visit.

What a setting does not touch is not computed again: a release is kept by data and plan, so that another idea
of the intruder's knowledge does not partition again, and points of a λ curve are kept one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from microagg.assess import Assessment, disclosed, lost
from microagg.lambda_curve import lambda_curve
from microagg.protect import protect
from microagg.ui import session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from microagg.measures.intervals import Width
    from microagg.measures.knowledge import Knowledge
    from microagg.measures.matching import Direction
    from microagg.types import Microdata, Plan, Release

STEPS = 10
_COPIES = 6  # a release and its assessment hold about so many copies of the protected columns


def release(data: Microdata, plan: Plan) -> Release:
    """Protect, or take what was protected before.

    Raises
    ------
    MicroaggError
        The plan cannot be carried out on these data.
    """
    size = 8 * len(data) * (len(data.attributes) + _COPIES)
    return session.memory().recall(("release", data.fingerprint, plan), lambda: protect(data, plan), size)


def assessment(
    protected: Release,
    knowledge: Knowledge,
    direction: Direction = "protected to original",
    width: Width = "ranks",
) -> Assessment:
    """Assess, or take what was assessed before; another knowledge measures only what depends on it."""
    key, size = (protected.data.fingerprint, protected.plan), 8 * len(protected.data)
    held, how = session.memory(), (knowledge, direction, width)
    return Assessment(
        held.recall(("lost", *key), lambda: lost(protected), size),
        held.recall(
            ("disclosed", *key, *how),
            lambda: disclosed(protected, knowledge, direction=direction, width=width),
            4 * size,
        ),
    )


def curve(drawn: Release) -> Iterator[tuple[float, float, float]]:
    """Points (λ, D_X, D_Y) for λ = 0, 0.1, …, 1, all else as in this release."""
    if drawn.plan is None:
        return iter(())
    data, plan = drawn.data, drawn.plan
    points = session.memory().recall(
        _curve_key(drawn), lambda: list(lambda_curve(data, plan, (step / STEPS for step in range(STEPS + 1))))
    )
    return iter([(point.lam, point.d_x, point.d_y) for point in points])


def curve_known(drawn: Release) -> bool:
    """Whether the whole curve can be drawn without computing."""
    return _curve_key(drawn) in session.memory()


def _curve_key(drawn: Release) -> tuple[object, ...]:
    return "curve", drawn.data.fingerprint, None if drawn.plan is None else drawn.plan.replace(lam=0.0)
