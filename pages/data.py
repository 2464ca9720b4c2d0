"""Data: choose a file, say what each column is for, see what stands in the way."""

import streamlit as st

from microagg.ui.components import display, widgets
from microagg.ui.data import columns, opened_result
from microagg.ui.plan import policies
from microagg.ui.results import actions, verdict
from microagg.ui.shell import data_chooser, frame, uploads
from microagg.ui.state import session

frame.enter(__file__)
opened_result.show()

left, middle, right = st.columns([1, 1, 1.1], gap="large")
with left:
    data_chooser.select("Choose a data set", key="data_set")
    about = st.container()
with middle:
    uploads.ask()

with display.trouble():
    if session.must_download() or session.must_upload():
        data_chooser.get()
        st.stop()
    own, data = session.source(), session.data()
    with about:
        data_chooser.about()
    with right:
        ready = columns.verdict(data)
        if st.button("Explore", type="primary", icon=":material/tune:", disabled=not ready, width="stretch"):
            st.switch_page("pages/explore.py")
        with st.popover("Open a saved plan", type="tertiary"):
            actions.open_plan(data)
    policies.row(data)
    if ready:
        verdict.draw_forecast(data, policies.plan(data))
    roles, records, gaps, strata = widgets.tabs(columns.tab(), columns.TABS)
    with roles:
        columns.editor(own, data)
        st.caption(columns.fates(data, policies.plan(data)))
    with records:
        st.dataframe(data.frame.head(100), height=400)
    with gaps:
        policies.gaps_table(data)
    with strata:
        policies.strata_table(data)
