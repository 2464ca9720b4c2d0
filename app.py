"""The dashboard: ``streamlit run app.py``. The server, and the list of pages in the order of the work.

This file is read in two ways. The server imports it once, as `app`, and serves ``app`` behind its gate
(`microagg.ui.server`). Each visit runs it as its script, for the list of pages and the frame.
"""

import streamlit as st

if __name__ != "__main__":
    from microagg.ui import server

    app = st.App(__file__, lifespan=server.lifespan, middleware=server.middleware())
else:
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

    from microagg.ui.shell import frame  # after the menu, because a first import takes a second

    frame.run(page)
