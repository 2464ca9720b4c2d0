"""Attack: the intruder's chair. What somebody who knows some attributes still finds out."""

import streamlit as st

from microagg.ui import atrisk, attack, chooser, controls, exposure, frame, intruder, session, shown, subject

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
        release = subject.release(data, "Under attack")
        who = intruder.panel(release)
    now = attack.attack(release, who)
    attack.figures(now)
    attack.status(now)
    for tab, draw in zip(
        st.tabs(["Records", "Known sets", "Attributes"], on_change="rerun", key="attack_tabs"),
        (atrisk.records, exposure.sets, exposure.attributes),
        strict=True,
    ):
        if tab.open:
            with tab, shown.trouble():
                draw(now)
