"""The release that a page looks at: what is set in Explore."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from microagg.ui.components.words import plain
from microagg.ui.results import cached_results
from microagg.ui.results.headline import plan_name
from microagg.ui.state import session
from microagg.ui.state.plan_settings import honoured

if TYPE_CHECKING:
    from microagg.model.microdata import Microdata
    from microagg.model.release import Release


def release(data: Microdata, what: str) -> Release:
    """Say in the sidebar which release it is, and give it.

    Parameters
    ----------
    data : Microdata
        With the chosen roles.
    what : str
        What is done to it: "Under attack".

    Raises
    ------
    MicroaggError
        The settings cannot be carried out on these data.
    """
    plan = honoured(session.settings(), data).plan
    st.caption(f"{what}: **{plain(plan_name(plan))}**, as set in Explore.")
    return cached_results.release(data, plan)
