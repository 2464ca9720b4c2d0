"""Protect and assess, each once for the same data and settings in a visit.

What a setting does not touch is not computed again: a release is kept by data and plan, so that another idea
of the intruder's knowledge does not partition again, and points of a λ curve are kept one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from microagg.assessment.assess import Assessment, disclosed, lost
from microagg.exploration.lambda_curve import lambda_curve
from microagg.measures.knowledge import DEFAULT
from microagg.protection.protect import protect
from microagg.ui.shell import warm_up
from microagg.ui.state import session

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from microagg.assessment.assess import Lost
    from microagg.measures.intervals import Width
    from microagg.measures.knowledge import Knowledge
    from microagg.measures.matching import Direction
    from microagg.model.microdata import Microdata
    from microagg.model.plan import Plan
    from microagg.model.release import Release
    from microagg.protection.refinement import Moment

STEPS = 10
_COPIES = 6  # a release and its assessment hold about so many copies of the protected columns


def release(data: Microdata, plan: Plan) -> Release:
    """Protect, or take what was protected before.

    Raises
    ------
    MicroaggError
        The plan cannot be carried out on these data.
    """

    def make() -> Release:
        warm_up.ready(plan.method)
        return protect(data, plan)

    size = 8 * len(data) * (len(data.attributes) + _COPIES)
    return session.memory().recall(("release", data.fingerprint, plan), make, size)


def known_release(data: Microdata, plan: Plan) -> Release | None:
    """The release, where it was made before."""
    return release(data, plan) if ("release", data.fingerprint, plan) in session.memory() else None


def keep_release(data: Microdata, plan: Plan, made: Release) -> None:
    """Hold a release that was made beside the page."""
    size = 8 * len(data) * (len(data.attributes) + _COPIES)
    session.memory().recall(("release", data.fingerprint, plan), lambda: made, size)


def keep_course(data: Microdata, plan: Plan, moments: Sequence[Moment]) -> None:
    """Hold how a refinement went."""
    held = list(moments)
    session.memory().recall(("course", data.fingerprint, plan), lambda: held, 100 * len(held))


def course(data: Microdata, plan: Plan) -> Sequence[Moment]:
    """How the refinement of a release went, where it was watched; nothing else."""
    key = ("course", data.fingerprint, plan)
    return session.memory().recall(key, list) if key in session.memory() else []


def assessed(protected: Release, knowledge: Knowledge) -> bool:
    """Whether the release was assessed before, under the usual direction and width."""
    lost_key, disclosed_key = _assessment_keys(protected, knowledge)
    return lost_key in session.memory() and disclosed_key in session.memory()


def known_loss(protected: Release | None) -> Lost | None:
    """What the release has lost, where that was measured before."""
    if protected is None:
        return None
    key, _ = _assessment_keys(protected, DEFAULT)
    return session.memory().recall(key, lambda: lost(protected)) if key in session.memory() else None


def keep_assessment(protected: Release, knowledge: Knowledge, found: Assessment) -> None:
    """Hold an assessment that was made beside the page."""
    held, size = session.memory(), 8 * len(protected.data)
    lost_key, disclosed_key = _assessment_keys(protected, knowledge)
    held.recall(lost_key, lambda: found.lost, size)
    held.recall(disclosed_key, lambda: found.disclosed, 4 * size)


def _assessment_keys(
    protected: Release,
    knowledge: Knowledge,
    direction: Direction = "protected to original",
    width: Width = "ranks",
) -> tuple[tuple[object, ...], tuple[object, ...]]:
    key = (protected.data.fingerprint, protected.plan)
    return ("lost", *key), ("disclosed", *key, knowledge, direction, width, session.settings().exact)


def assessment(
    protected: Release,
    knowledge: Knowledge,
    direction: Direction = "protected to original",
    width: Width = "ranks",
) -> Assessment:
    """Assess, or take what was assessed before; another knowledge measures only what depends on it."""
    lost_key, disclosed_key = _assessment_keys(protected, knowledge, direction, width)
    held, size, exact = session.memory(), 8 * len(protected.data), session.settings().exact
    return Assessment(
        held.recall(lost_key, lambda: lost(protected), size),
        held.recall(
            disclosed_key,
            lambda: disclosed(protected, knowledge, direction=direction, width=width, exact=exact),
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
