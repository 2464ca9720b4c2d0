"""Refined beside unrefined, on Compare: what is gained in loss, and what it costs in disclosure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from microagg.exploration import refined_twins
from microagg.measures.catalogue import MEASURES
from microagg.methods import METHODS
from microagg.model.phrases import counted
from microagg.ui.compare.plan_grid import blocks_in_words
from microagg.ui.components.chart_tools import save_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microagg.exploration.sweep import Outcome
    from microagg.model.microdata import Microdata

_COLOURS = {"light": ("#08785f", "#b8420f"), "dark": ("#1fb597", "#f07a48")}
"""Better and worse, each read on the background of its theme."""


def table(data: Microdata, good: Sequence[Outcome]) -> None:
    """Draw one row a pair: each figure without and with refinement, and the difference in colour.

    Parameters
    ----------
    data : Microdata
    good : sequence of Outcome
        Some of them refined twins of others.
    """
    rows = refined_twins.table(good)
    st.caption(_summary(rows))
    changes: list[Any] = [f"{name} change" for name in refined_twins.COMPARED]
    shown = pd.DataFrame(
        {
            "method": [METHODS[name].title for name in rows["method"]],
            "k": rows["k"],
            "way": [_way(rule, lam) for rule, lam in zip(rows["blocks"], rows["lam"], strict=True)],
            **{
                column: values
                for name in refined_twins.COMPARED
                for column, values in _of(rows, name).items()
            },
        }
    )
    if shown["way"].nunique() == 1:
        shown = shown.drop(columns="way")
    st.dataframe(
        shown.style.map(_coloured, subset=changes).format("{:+.2f}", subset=changes),
        hide_index=True,
        height=250,
        key="twins",
        column_config=_columns(),
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            "Unrefined → refined, then the difference: green better, orange worse; L, DLD and ID in %.",
            width="stretch",
        )
        save_rows(
            "These as CSV", lambda: rows, f"{data.name}_refined", "twins_csv", icon=":material/download:"
        )


def _of(rows: pd.DataFrame, name: str) -> dict[str, Any]:
    both = zip(rows[name], rows[f"{name} refined"], strict=True)
    return {
        name: [f"{one:.2f} → {other:.2f}" for one, other in both],
        f"{name} change": rows[f"{name} change"],
    }


def _way(rule: str, lam: float) -> str:
    blocks = "By hand" if rule == "by hand" else blocks_in_words(rule)
    return f"{blocks}, λ = {lam:g}"


def _summary(rows: pd.DataFrame) -> str:
    """The mean differences in one line."""
    means = ", ".join(
        f"{MEASURES[name].title} **{rows[f'{name} change'].mean():+.2f}**" for name in refined_twins.COMPARED
    )
    means = means.replace("-", "−")
    rounds = counted(int(rows["refine"].max()), "round")
    return f"{rounds} of refinement, on average over {counted(len(rows), 'plan')}: {means}."


def _coloured(change: Any) -> str:
    if abs(change) < 0.005 or change != change:
        return ""
    better, worse = _COLOURS.get(st.context.theme.type or "light", _COLOURS["light"])
    return f"color: {better if change < 0 else worse}"


def _columns() -> dict[str, Any]:
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    figures: dict[str, Any] = {}
    for name in refined_twins.COMPARED:
        what = MEASURES[name]
        figures[name] = text(what.title, help=what.sentence, width=116)
        figures[f"{name} change"] = number("±", help=f"{what.title}, refined minus unrefined.", width=60)
    return figures | {
        "method": text("Method", width=130),
        "k": number("k", format="%d", width=40),
        "way": text("Blocks and λ", width=150),
    }
