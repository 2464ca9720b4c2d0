"""Explore: one configuration, live."""

import streamlit as st

from microagg.assessment.assess import known_sets
from microagg.preparation.refinement_rounds import rounds_asked
from microagg.ui.components import display
from microagg.ui.explore import details, lower_bound, refinement_row, runs, tradeoffs
from microagg.ui.plan import controls
from microagg.ui.results import actions, cached_results, headline, linkage_sample, renewal, verdict
from microagg.ui.shell import data_chooser, frame
from microagg.ui.state import session

frame.enter(__file__)

PARTS = ("verdict_and_figures", "tradeoffs", "details")

panel, buttons = data_chooser.sidebar(), st.sidebar.container()

saved, view, unfinished = None, None, False
with display.trouble():
    data = data_chooser.chosen(panel)
    with panel:
        wanted, knowledge = controls.sidebar(data)

    expected = runs.estimate(data, wanted.plan, knowledge)
    looked = runs.looked_at(data, expected)
    try:
        found = runs.ready(looked, wanted.plan, knowledge)
    finally:
        saved = cached_results.known_release(data, wanted.plan)
    view = headline.view(looked, wanted, found)
    if rounds_asked(wanted.plan) is not None:
        refinement_row.row(looked, wanted.plan, done=found is not None, below=view is not None)
    elif found is None:
        runs.waiting(runs.plain_bar(expected, below=view is not None), below=view is not None)
    if view is not None:
        findings = verdict.of(view.release)
        if view.note:
            findings = verdict.on_sample(findings, view.note)
        drawn = renewal.Renewal((view.now.key, view.note, session.settings()), *PARTS)
        with st.container(key="picture" if found else "stale"):
            with drawn.part("verdict_and_figures"):
                beside = verdict.draw(findings, view.release.data)
                verdict.left_alone(view.release)
                exposed = findings.named("k, exposed").status
                headline.figures(view.now, view.plan.k, view.before, exposed=exposed)
                sets = known_sets(view.release, view.result.disclosed.knowledge)
                linkage_sample.line(view.release, view.result, sets)
                headline.cause_of(view)
            with drawn.part("tradeoffs"):
                left, right = st.columns(2, gap="medium")
                curve = left.empty()
                unfinished = tradeoffs.dependence(curve, view.release, view.result, view.reason)
                with right:
                    tradeoffs.risk_map(view.now)
            with drawn.part("details"):
                details.tabs(view)

with buttons:
    actions.undo_and_pin()
    actions.save(saved)

if view is not None:
    with beside.container():
        lower_bound.line(view.release)
if unfinished and view is not None and found is not None:
    tradeoffs.finish(curve, view.release, view.result)
