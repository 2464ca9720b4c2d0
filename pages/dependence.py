"""Dependence: what a kept link to the confidential attributes costs, along λ."""

import streamlit as st

from microagg.ui import along, chooser, curves, frame, shown

frame.enter(__file__)

panel = chooser.sidebar()

with shown.trouble():
    data = chooser.chosen(panel)
    if not along.possible(data):
        curves.impossible(data)
        st.stop()
    with panel:
        wanted = along.panel(data)
    curves.body(wanted)
