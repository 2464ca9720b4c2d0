"""Compare: many plans at once, and which one to take."""

import streamlit as st

from microagg.ui import chooser, comparison, frame, grid, shown, wishes

frame.enter(__file__)

with st.sidebar:
    chooser.select()
    panel = st.container()

with shown.trouble():
    data = chooser.chosen(panel)
    with panel:
        request, count = grid.panel(data)
    comparison.body(request, count, wishes.row())
