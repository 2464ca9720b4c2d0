"""Dependence: what a kept link to the confidential attributes costs, along λ."""

import streamlit as st

from microagg.ui import along, chooser, controls, curves, frame, session, shown

frame.enter(__file__)

with st.sidebar:
    chooser.select()
    panel = st.container()

with shown.trouble():
    if session.must_download() or session.must_upload():
        chooser.get()
        st.stop()
    data = session.data()
    panel.caption(controls.data_line(data))
    if not along.possible(data):
        curves.impossible(data)
        st.stop()
    with panel:
        wanted = along.panel(data)
    curves.body(wanted)
