"""Use: the statistician's chair. What is lost to somebody who computes with the release."""

import streamlit as st

from microagg.measures.knowledge import Knowledge
from microagg.ui import calls, chooser, frame, models, records, session, shown, subject, utility

frame.enter(__file__)

panel = chooser.sidebar()

with shown.trouble():
    data = chooser.chosen(panel)
    with panel:
        release = subject.release(data, "In use")
        chosen = models.panel()
    result = calls.assessment(release, Knowledge.parse(session.settings().knowledge))
    utility.figures(release, result)
    left, right = st.columns(2, gap="medium")
    with left:
        models.predicted(release, *chosen)
    with right:
        utility.components(release)
    records.attributes(release, result)
