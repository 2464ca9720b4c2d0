"""Dependence: what a kept link to the confidential attributes costs, along λ."""

import streamlit as st

from microagg.ui.components import display
from microagg.ui.dependence import curves, lambda_plans
from microagg.ui.shell import data_chooser, frame

frame.enter(__file__)

panel = data_chooser.sidebar()

with display.trouble():
    data = data_chooser.chosen(panel)
    if not lambda_plans.possible(data):
        curves.impossible(data)
        st.stop()
    with panel:
        wanted = lambda_plans.panel(data)
    curves.body(wanted)
