"""Papers: the published tables and figures beside the same measured here."""

import streamlit as st

from microagg.ui.components import display
from microagg.ui.papers import paper_view, table_choice
from microagg.ui.shell import frame

frame.enter(__file__)

with st.sidebar:
    chosen = table_choice.choose()

with display.trouble():
    paper_view.body(chosen)
