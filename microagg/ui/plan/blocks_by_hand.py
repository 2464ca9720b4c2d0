"""Blocks drawn by hand: a small table in which each attribute gets the number of its block."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from microagg.ui.components import widgets
from microagg.ui.plan import policies
from microagg.ui.state import session
from microagg.ui.state.plan_settings import hand_drawn, honoured

if TYPE_CHECKING:
    from microagg.model.microdata import Microdata

DRAWN = "hand"


def start(data: Microdata) -> str:
    """The first drawing: the blocks as the rule that was chosen before makes them, or two halves."""
    names = policies.protected(data)
    half = (len(names) + 1) // 2
    return _text(data, {name: 1 if position < half else 2 for position, name in enumerate(names)})


@st.dialog("Draw blocks")
def dialog(data: Microdata) -> None:
    """Ask for the block of each attribute."""
    names = policies.protected(data)
    blocks = honoured(session.settings(), data).plan.blocks
    block_of = {name: number for number, block in enumerate(blocks, 1) for name in block}
    st.caption("Attributes with the same number are protected together.")
    drawn = widgets.form(
        pd.DataFrame({"attribute": names, "block": [block_of.get(name, 1) for name in names]}),
        "drawing",
        hide_index=True,
        disabled=["attribute"],
        column_config={
            "block": st.column_config.NumberColumn(
                "Block", min_value=1, max_value=len(names), step=1, required=True
            )
        },
    )
    if st.button("Use these blocks", type="primary"):
        session.change(blocks=_text(data, dict(zip(drawn["attribute"], drawn["block"], strict=True))))
        st.rerun()


def _text(data: Microdata, block_of: dict[str, int]) -> str:
    numbers = sorted(set(block_of.values()))
    blocks = tuple(tuple(name for name, b in block_of.items() if b == number) for number in numbers)
    return hand_drawn(blocks, [a.name for a in data.attributes])
