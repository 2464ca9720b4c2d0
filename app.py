"""The dashboard: ``streamlit run app.py``. The list of pages, in the order of the work, and the frame.

The list is sent before the computation is imported, so that the menu stands while the rest is loading.
"""

import streamlit as st

st.set_page_config("Microaggregation workbench", "🔒", layout="wide", initial_sidebar_state="expanded")
page = st.navigation(
    [
        st.Page("pages/data.py", title="Data", icon=":material/table:"),
        st.Page("pages/explore.py", title="Explore", icon=":material/tune:"),
        st.Page("pages/dependence.py", title="Dependence", icon=":material/link:"),
        st.Page("pages/compare.py", title="Compare", icon=":material/scatter_plot:"),
        st.Page("pages/attack.py", title="Attack", icon=":material/person_search:"),
        st.Page("pages/use.py", title="Use", icon=":material/analytics:"),
        st.Page("pages/release.py", title="Release", icon=":material/outbox:"),
        st.Page("pages/papers.py", title="Papers", icon=":material/menu_book:"),
        st.Page("pages/lessons.py", title="Lessons", icon=":material/school:"),
    ]
)

from microagg.ui import frame  # noqa: E402 - after the menu, because it takes a second

frame.run(page)
