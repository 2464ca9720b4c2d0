"""The body of Compare: what runs, the recommendation, the map; the table and the scores are in `ranking`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import streamlit as st

from microagg.assessment.audit import audit
from microagg.exploration.recommendation import Choice, choose, weighed
from microagg.exploration.refined_twins import pairs
from microagg.exploration.sweep import pareto_front
from microagg.figures.plan_map import Points, plan_map
from microagg.measures.catalogue import MEASURES
from microagg.model.phrases import counted
from microagg.ui.compare import ranking, twins_table
from microagg.ui.components import display, jobs, widgets
from microagg.ui.components.page_choices import Choices, one_of
from microagg.ui.components.words import plain
from microagg.ui.results import cached_results, sweeps, verdict
from microagg.ui.results.headline import plan_name
from microagg.ui.state import session
from microagg.ui.state.plan_settings import from_plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microagg.exploration.sweep import Outcome
    from microagg.kernels.compiled import FloatArray
    from microagg.model.microdata import Microdata
    from microagg.model.plan import Plan
    from microagg.ui.compare.owner_limits import Wishes
    from microagg.ui.results.sweeps import Request

PROTECTED_HERE = 2.0
"""Seconds up to which the recommended plan is carried out, to audit it."""
JOB, QUICK = "compare", "compare-quick"
_CHOICES = Choices("compare", "map_loss", "map_risk", "compare_tables")


def body(request: Request, count: str, wishes: Wishes) -> None:
    """Draw everything that follows from the plans, again and again while something runs.

    What is quickly drawn is drawn often and on its own, so that Cancel answers while charts are being drawn.
    """
    if not sweeps.running(JOB):
        sweeps.forecast(QUICK, request)

    def status() -> None:
        with display.trouble():
            _status(request, count)

    def results() -> None:
        with display.trouble():
            found = [weighed(outcome, wishes.weights) for outcome in request.known()]
            if any(outcome.figures for outcome in found):
                _results(request.data, found, wishes)
            else:
                _nothing_yet(request, found)
        _turn()

    jobs.watch(lambda: [sweeps.job(JOB), sweeps.job(QUICK)], status, "compare_status")
    jobs.watch(lambda: [sweeps.job(JOB)], results, "comparison", every=jobs.CHARTS)


def _status(request: Request, count: str) -> None:
    """One line: how many plans, how long they will take, and the button; or how far they are, and Cancel."""
    job = sweeps.job(JOB)
    if job is not None and job.running:
        jobs.bar(job, "plans", "compare_cancel", note="getting ready")
        return
    missing = len(request.missing().plans)
    line, button = st.columns([6, 1.3], vertical_alignment="center")
    if not missing:
        line.caption(
            f"{count}; all are computed." if request.plans else "Choose at least one of each at the left."
        )
    else:
        foretold = sweeps.forecast(QUICK, request)
        time = (
            "estimating the time…"
            if foretold is None
            else ""
            if math.isnan(foretold)
            else jobs.about(foretold)
        )
        rest = f"; {missing:,} are still to be computed" if missing < len(request.plans) else ""
        line.caption(f"{count}{rest}{': ' if time else '.'}{time}")
    button.button(
        f"Compute {missing:,}" if missing else "Compute",
        type="primary",
        icon=":material/play_arrow:",
        key="compare_start",
        on_click=sweeps.start,
        args=(JOB, request),
        disabled=not missing,
        width="stretch",
        help="Runs in processes beside the page. What is done is kept, also when you cancel.",
    )


def _nothing_yet(request: Request, found: Sequence[Outcome]) -> None:
    if found:
        st.warning(
            f"None of the plans can be carried out on these data. The first one: {plain(found[0].reason)}",
            icon=":material/block:",
        )
    elif request.plans:
        st.info(
            "Nothing is computed yet. Choose methods, group sizes and blocks at the left, then press "
            "**Compute**: each plan becomes a point on a map of what it loses and what it still discloses.",
            icon=":material/scatter_plot:",
        )


def _results(data: Microdata, found: Sequence[Outcome], wishes: Wishes) -> None:
    good = [outcome for outcome in found if outcome.figures]
    top = st.container()
    left, right = st.columns([1.12, 1], gap="medium")
    with left:
        across, up = st.columns(2)
        loss, risk = _axis(across, "loss", "Loss", "il", good), _axis(up, "risk", "Risk", "dr", good)
        choice = choose(good, wishes.limits, loss=loss)
        _map(data, good, choice, (loss, risk))
    with top:
        _recommendation(choice, data)
        if left_out := ranking.left_as_they_are(good):
            st.markdown(left_out)
    with right:
        ranking.scores(good)
    if not pairs(good):
        ranking.table(data, found, _take)
        return
    names = ["Refined beside unrefined", "All plans"]
    refined, every = widgets.tabs(_CHOICES.place("compare_tables", one_of(names), names[0]), names)
    if refined.open:
        with refined:
            twins_table.table(data, good)
    if every.open:
        with every:
            ranking.table(data, found, _take)


def _recommendation(choice: Choice | None, data: Microdata) -> None:
    if choice is None:
        return
    plan, room = choice.found.plan, st.container()
    line, button = room.columns([6, 1.3], vertical_alignment="center")
    quick = choice.found.seconds <= PROTECTED_HERE
    with st.container(key="recommended_verdict"), display.trouble():
        if quick:
            findings = audit(cached_results.release(data, plan))
            verdict.draw(findings, data, what="Verdict on it", answerable=False)
        else:
            findings = verdict.draw_forecast(data, plan, answerable=False)
    sure = choice.meets and quick and findings.status == "green"
    sign = ":green[:material/recommend:]" if sure else ":orange[:material/recommend:]"
    line.markdown(f"{sign} **{plain(plan_name(choice.found.plan))}**: {plain(choice.reason)}")
    button.button(
        "Open in Explore",
        key="open_recommended",
        on_click=_take,
        args=(choice.found.plan, data),
        width="stretch",
    )


def _axis(where: Any, side: str, label: str, first: str, good: Sequence[Outcome]) -> str:
    """Choose a measure of one side among those that some plan has a figure for."""
    names = [
        name
        for name, what in MEASURES.items()
        if what.side == side and any(math.isfinite(o.figures.get(name, math.nan)) for o in good)
    ]
    place = _CHOICES.place(f"map_{side}", one_of(names), first)
    return widgets.choice(
        place,
        label,
        names,
        words=lambda name: f"{label}: {MEASURES[name].title}",
        where=where,
        label_visibility="collapsed",
        help=MEASURES[place.now].sentence,
    )


def _map(data: Microdata, good: Sequence[Outcome], choice: Choice | None, measures: tuple[str, str]) -> None:
    loss, risk = (_values(good, name) for name in measures)
    signs = [1.0 if MEASURES[name].better == "low" else -1.0 for name in measures]
    front = pareto_front((signs[0] * loss).tolist(), (signs[1] * risk).tolist())
    plans = [outcome.plan for outcome in good]
    points = Points(
        loss,
        risk,
        np.array([plan.k for plan in plans], dtype=np.int64),
        [plan.method for plan in plans],
        [plan_name(plan) for plan in plans],
        front,
        pairs(good),
    )
    lines = ", hollow once refined" if points.refined else ""
    chosen = None if choice is None else next(i for i, o in enumerate(good) if o is choice.found)
    display.chart(
        plan_map(points, measures, chosen=chosen),
        f"Each point a plan, larger for larger k{lines}; dotted and outlined: the "
        f"{counted(int(front.sum()), 'plan')} that no other beats on both axes. A click opens it in Explore.",
        "plan-map",
        lambda: pd.DataFrame(
            {
                "plan": points.name,
                **{MEASURES[m].title: v for m, v in zip(measures, (loss, risk), strict=True)},
            }
            | {"on the front": front}
        ),
        clicked=lambda position: _take(plans[int(np.ravel(position)[0])], data),
    )


def _values(good: Sequence[Outcome], name: str) -> FloatArray:
    """A measure of each plan as it is shown: ratios ×100."""
    scale = 100.0 if MEASURES[name].percent else 1.0
    return np.array([scale * outcome.figures.get(name, math.nan) for outcome in good])


def _take(plan: Plan, data: Microdata) -> None:
    """Make a plan the current settings; Undo in Explore comes back from it."""
    session.put(from_plan(plan, data, session.settings()))
    st.session_state.taken_plan = True


def _turn() -> None:
    """Turn to Explore if a plan was taken."""
    if st.session_state.pop("taken_plan", False):
        st.switch_page("pages/explore.py")
