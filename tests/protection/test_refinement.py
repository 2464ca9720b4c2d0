"""A refinement that was left early is released, measured and repeated like any other."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

from microagg.assessment.assess import assess
from microagg.errors import Cancelled, PlanError
from microagg.kernels.scaling import standardise
from microagg.methods.mdav import mdav
from microagg.methods.refine import Refinement, refine
from microagg.model.microdata import Microdata
from microagg.model.plan import Plan
from microagg.protection.protect import protect
from microagg.protection.refinement import Moment, refine_all

if TYPE_CHECKING:
    from collections.abc import Callable


def people(n: int = 400) -> Microdata:
    """Skewed numbers in three regions, one column of them with gaps, and a confidential wage."""
    random = np.random.default_rng(3)
    frame = pd.DataFrame(np.exp(random.normal(size=(n, 4))), columns=["a", "b", "c", "wage"])
    frame["d"] = np.where(random.uniform(size=n) < 0.2, np.nan, random.normal(size=n))
    frame["region"] = random.choice(["north", "south", "west"], n, p=[0.6, 0.37, 0.03])
    roles: Any = dict.fromkeys("abcd", "quasi_identifier") | {"wage": "confidential", "region": "stratum"}
    return Microdata.from_frame(frame, roles=roles)


SETTINGS: dict[str, dict[str, Any]] = {
    "the method": {"method": "refined", "options": {"rounds": 40}, "columns": ("a", "b", "c"), "strata": ()},
    "the option": {"method": "pcp", "refine": 40, "columns": ("a", "b", "c"), "strata": ()},
    "blocks": {"refine": 40, "columns": ("a", "b", "c"), "blocks": "contiguous:2", "strata": ()},
    "strata, gaps and λ": {"refine": 40, "missing": "patterns", "lam": 0.4, "small_strata": "merge next"},
}


def at_share(share: float) -> Callable[[Moment], bool]:
    return lambda now: now.share >= share


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize("share", [0.0, 0.004, 0.3, 0.8])
def test_the_plan_of_a_stopped_run_gives_the_same_bytes(setting: dict[str, Any], share: float) -> None:
    data, plan = people(), Plan(k=3, seed=5, **setting)
    stopped = protect(data, plan, watch=at_share(share))
    assert stopped.plan is not None
    assert share <= stopped.plan.stop_at < 1
    assert stopped.notes[-1].startswith(f"Refinement was stopped after {stopped.plan.stop_at:.1%}")
    again = protect(data, Plan.from_json(stopped.plan.to_json()))
    assert again.plan == stopped.plan
    assert again.protected.to_csv() == stopped.protected.to_csv()
    assert again.partitions == stopped.partitions
    assert assess(again).figures() == pytest.approx(assess(stopped).figures(), nan_ok=True)


def test_a_run_that_is_only_watched_is_the_run_itself() -> None:
    data, plan = people(), Plan(k=3, seed=5, **SETTINGS["blocks"])
    seen: list[Moment] = []

    def watch(now: Moment) -> bool:
        seen.append(now)
        return False

    watched = protect(data, plan, watch=watch)
    assert watched.plan == plan
    assert watched.protected.equals(protect(data, plan).protected)
    assert [seen[0].share, seen[-1].share] == [0, 1]
    assert all(one.share < other.share for one, other in pairwise(seen))
    assert all(one.loss >= other.loss for one, other in pairwise(seen))
    assert seen[-1].rounds == pytest.approx(40, abs=1)


@pytest.mark.parametrize("setting", ["the method", "the option", "blocks"])
def test_the_loss_that_is_told_is_that_of_the_release(setting: str) -> None:
    data, plan = people(), Plan(k=3, **SETTINGS[setting])
    seen: list[Moment] = []

    def watch(now: Moment) -> bool:
        seen.append(now)
        return now.share > 0.5

    found = assess(protect(data, plan, watch=watch)).lost.squared.total
    assert seen[-1].loss == pytest.approx(found)
    start = protect(
        data, plan.replace(refine=None) if plan.refine else Plan(k=3, columns=("a", "b", "c"), strata=())
    )
    assert seen[0].before == pytest.approx(assess(start).lost.squared.total)


def test_with_a_lambda_it_is_the_distortion_of_both() -> None:
    data = people()
    plan = Plan(k=3, refine=10, lam=0.4, columns=("a", "b", "c"), strata=())
    seen: list[Moment] = []
    release = protect(data, plan, watch=lambda now: seen.append(now) or False)
    assert seen[-1].loss == pytest.approx(assess(release).lost.dependence.d)


def test_one_part_alone_ends_as_the_solver_does() -> None:
    points = standardise(np.random.default_rng(1).normal(size=(200, 3)))
    start = mdav(points, 4)
    part = Refinement(points, 4, start, rounds=20, seed=2)
    refine_all([part], 0.0, 1.0)
    assert np.array_equal(part.labels, refine(points, 4, start, rounds=20, seed=2))


def test_no_part_runs_ahead_of_the_others() -> None:
    random = np.random.default_rng(1)
    parts = []
    for n in (60, 300, 900):
        points = random.normal(size=(n, 2))
        parts.append(Refinement(points, 3, mdav(points, 3), rounds=100))
    refine_all(parts, 0.0, 1.0, stop_at=0.5)
    shares = [part.done / part.work for part in parts]
    assert max(shares) - min(shares) < 0.05
    assert all(part.rounds > 20 for part in parts)


def test_progress_rises_to_one_and_may_end_it_without_a_result() -> None:
    data, plan, shares = people(), Plan(k=3, **SETTINGS["strata, gaps and λ"]), []
    protect(data, plan, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1

    def stop(_share: float) -> None:
        raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        protect(data, plan, progress=stop)


def test_where_to_stop_is_refused_where_nothing_is_refined() -> None:
    with pytest.raises(PlanError, match="refines nothing"):
        protect(people(), Plan(stop_at=0.5, columns=("a", "b")))


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan"), True, "half"])
def test_where_to_stop_is_a_share(share: Any) -> None:
    with pytest.raises(PlanError, match="stop_at"):
        Plan(refine=1, stop_at=share)
