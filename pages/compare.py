"""Compare: many plans at once, and which one to take."""

import streamlit as st

from microagg.ui import chooser, comparison, controls, frame, grid, session, shown, wishes

frame.enter(__file__)

with st.sidebar:
    chooser.select()
    panel = st.container()

with shown.trouble():
    if session.must_download() or session.must_upload():
        chooser.get()
        st.stop()
    data = session.data()
    with panel:
        st.caption(controls.data_line(data))
        request, count = grid.panel(data)
    comparison.body(request, count, wishes.row())
