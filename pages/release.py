"""Release: the walk to the end. What is in, what is out, whether the written file keeps its promise."""

import streamlit as st

from microagg.measures.knowledge import Knowledge
from microagg.ui.components import display
from microagg.ui.plan import row_options
from microagg.ui.release import checks_and_downloads, file_choices, manifest
from microagg.ui.results import current_release, renewal, verdict
from microagg.ui.shell import data_chooser, frame
from microagg.ui.state import plan_settings, session

frame.enter(__file__)

panel = data_chooser.sidebar()

with display.trouble():
    data = data_chooser.chosen(panel)
    with panel:
        release = current_release.release(data, "To be released")
        row_options.ask(data, plan_settings.honoured(session.settings(), data))
        out = file_choices.outgoing(verdict.accepting_too(release))
    drawn = renewal.Renewal((session.settings(), dict(session.choices())), "manifest", "written")
    left, right = st.columns([1, 1.15], gap="medium")
    with left, drawn.part("manifest"):
        manifest.columns(release)
        manifest.records(release)
        manifest.sums(data, release)
    with right, display.trouble(), drawn.part("written"):
        done = checks_and_downloads.written(out)
        if done is not None:
            verdict.draw(done.audit, release.data, [found.status for found in done.checks])
            checks_and_downloads.checklist(done.checks)
            checks_and_downloads.downloads(
                done, file_choices.source(), Knowledge.parse(session.settings().knowledge)
            )
