"""Use: the statistician's chair. What is lost to somebody who computes with the release."""

import streamlit as st

from microagg.measures.knowledge import Knowledge
from microagg.ui.components import display
from microagg.ui.results import cached_results, current_release, record_tables
from microagg.ui.shell import data_chooser, frame
from microagg.ui.state import session
from microagg.ui.use import models, utility

frame.enter(__file__)

panel = data_chooser.sidebar()

with display.trouble():
    data = data_chooser.chosen(panel)
    with panel:
        release = current_release.release(data, "In use")
        chosen = models.panel()
    result = cached_results.assessment(release, Knowledge.parse(session.settings().knowledge))
    utility.figures(release, result)
    left, right = st.columns(2, gap="medium")
    with left:
        models.predicted(release, *chosen)
    with right:
        utility.components(release)
    record_tables.attributes(release, result)
