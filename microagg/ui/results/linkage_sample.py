"""Whether linkage looks up every record of a large file or a sample of them: said, and switched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from microagg.measures.running_cost import linkage_seconds
from microagg.ui.components import jobs
from microagg.ui.state import session

if TYPE_CHECKING:
    from microagg.assessment.assess import Assessment
    from microagg.measures.arrays import Sets
    from microagg.model.release import Release


def line(release: Release, result: Assessment, sets: Sets) -> None:
    """Say on how many records DLD was found, where there is a choice, and offer the other."""
    exact, sampled = session.settings().exact, result.disclosed.linkage.sampled
    if not (exact or sampled):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="linking"):
        if sampled:
            told, label = f":orange[:material/filter_alt: **DLD {sampled}** (standard error).]", "Look up all"
            needed = linkage_seconds(len(release.data), len(result.disclosed.anonymity.sizes), sets)
            label += f" ({jobs.about(needed)})"
        else:
            told, label = (
                ":material/database: DLD looks up every record.",
                "Look up a sample where it is slow",
            )
        st.caption(told, width="stretch")
        st.button(label, key="exact", on_click=session.change, kwargs={"exact": not exact})
