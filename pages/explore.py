"""Explore: one configuration, live."""

import streamlit as st

from microagg.ui import actions, calls, chooser, controls, details, frame, headline, session, shown, tradeoffs

frame.enter(__file__)

release, unfinished = None, False
with st.sidebar:
    chooser.select()
    panel, buttons = st.container(), st.container()

with shown.trouble():
    if session.must_download() or session.must_upload():
        chooser.get()
        st.stop()
    data = session.data()
    with panel:
        st.caption(controls.data_line(data))
        wanted, knowledge = controls.sidebar(data)

    release = calls.release(data, wanted.plan)
    result = calls.assessment(release, knowledge)
    now, before = headline.mark(data, wanted.plan, result), session.pinned(data.fingerprint)
    session.remember(now)

    headline.figures(now, wanted.plan.k, before)
    headline.promise(release, result, before)
    left, right = st.columns(2, gap="medium")
    curve = left.empty()
    unfinished = tradeoffs.dependence(curve, release, result, wanted.reasons.get("lam"))
    with right:
        tradeoffs.risk_map(now)
    details.tabs(release, result)

with buttons:
    actions.undo_and_pin()
    actions.save(release)

if unfinished:
    tradeoffs.finish(curve, release, result)
