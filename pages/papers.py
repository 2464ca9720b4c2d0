"""Papers: the published tables and figures beside the same measured here."""

import streamlit as st

from microagg.ui import frame, paper_choice, paper_view, shown

frame.enter(__file__)

with st.sidebar:
    chosen = paper_choice.choose()

with shown.trouble():
    paper_view.body(chosen)
