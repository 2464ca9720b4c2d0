"""The release that a page looks at: what is set in Explore."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from microagg.ui import calls, session
from microagg.ui.headline import plan_name
from microagg.ui.plans import honoured
from microagg.ui.words import plain

if TYPE_CHECKING:
    from microagg.types import Microdata, Release


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
    return calls.release(data, plan)
