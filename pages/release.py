"""Release: the walk to the end. What is in, what is out, whether the written file keeps its promise."""

import streamlit as st

from microagg.measures.knowledge import Knowledge
from microagg.ui import (
    chooser,
    frame,
    leaving,
    manifest,
    plans,
    renewed,
    rows,
    session,
    shown,
    subject,
    takeaway,
    verdict,
)

frame.enter(__file__)

panel = chooser.sidebar()

with shown.trouble():
    data = chooser.chosen(panel)
    with panel:
        release = subject.release(data, "To be released")
        rows.ask(data, plans.honoured(session.settings(), data))
        out = leaving.outgoing(verdict.accepting_too(release))
    drawn = renewed.Renewal((session.settings(), dict(session.choices())), "manifest", "written")
    left, right = st.columns([1, 1.15], gap="medium")
    with left, drawn.part("manifest"):
        manifest.columns(release)
        manifest.records(release)
        manifest.sums(data, release)
    with right, shown.trouble(), drawn.part("written"):
        done = takeaway.written(out)
        if done is not None:
            verdict.draw(done.audit, release.data, [found.status for found in done.checks])
            takeaway.checklist(done.checks)
            takeaway.downloads(done, leaving.source(), Knowledge.parse(session.settings().knowledge))
