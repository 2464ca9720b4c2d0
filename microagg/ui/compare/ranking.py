"""Plans by their score: against k, over method × k, and all figures in a table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import streamlit as st

from microagg.exploration.sweep import table as full_table
from microagg.figures.plan_map import score_by_k, score_map
from microagg.measures.catalogue import MEASURES
from microagg.methods import METHODS
from microagg.model.phrases import listed
from microagg.ui.compare.plan_grid import blocks_in_words
from microagg.ui.components import display, widgets
from microagg.ui.components.chart_tools import save_rows
from microagg.ui.components.page_choices import Choices, one_of
from microagg.ui.components.words import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from microagg.exploration.sweep import Outcome
    from microagg.model.microdata import Microdata
    from microagg.model.plan import Plan

    Way = tuple[object, float, int | None]

_SHOWN = ("score", "il", "dr", "l", "dld", "id", "k_prime", "smallest_class", "d_y", "ell_average")
_BEST = "Best blocks and λ"
_VIEWS = ["Score by k", "Method × k"]
HEIGHT = 340
_CHOICES = Choices("compare", "score_view", "score_way")


def scores(good: Sequence[Outcome]) -> None:
    """Draw score against k and score over method × k, one at a time."""
    ways: dict[Way, None] = dict.fromkeys(_way(o.plan) for o in good)
    held = list(good)
    view, way = st.columns([1.3, 1])
    shape = widgets.segments(
        _CHOICES.place("score_view", one_of(_VIEWS), _VIEWS[0]),
        "Score",
        _VIEWS,
        where=view,
        label_visibility="collapsed",
    )
    if len(ways) > 1:
        known = [_BEST, *(_in_words(each) for each in ways)]
        chosen = widgets.choice(
            _CHOICES.place("score_way", one_of(known), _BEST),
            "Blocks and λ",
            known,
            where=way,
            label_visibility="collapsed",
            help="The score of each method and k under the best blocks and λ, or under one choice of them.",
        )
        held = [o for o in good if chosen in (_BEST, _in_words(_way(o.plan)))]
    best = _best(held)
    methods = [name for name in METHODS if any(method == name for method, _ in best)]
    ks = sorted({k for _, k in best})
    grid = np.array([[best.get((method, k), math.nan) for k in ks] for method in methods])

    def rows() -> pd.DataFrame:
        return pd.DataFrame(grid, [METHODS[m].title for m in methods], [f"k = {k}" for k in ks]).reset_index(
            names="method"
        )

    series = {}
    for method, row in zip(methods, grid, strict=True):
        there = np.isfinite(row)
        series[method] = (np.array(ks, dtype=np.int64)[there], row[there])
    if shape == _VIEWS[0]:
        display.chart(
            score_by_k(series, height=HEIGHT),
            "The field's single figure; compare it between plans, not across data sets.",
            "score-by-k",
            rows,
        )
    else:
        display.chart(
            score_map(methods, ks, grid, height=HEIGHT),
            "The same as colours: teal is the better bargain.",
            "score-map",
            rows,
        )


def left_as_they_are(found: Sequence[Outcome]) -> str:
    """Which methods leave which quasi-identifiers as they are, for beside their figures; empty: none does."""
    left = {o.plan.method: o.unprotected for o in found if o.unprotected}
    by_columns: dict[tuple[str, ...], list[str]] = {}
    for method, columns in left.items():
        by_columns.setdefault(columns, []).append(METHODS[method].title)
    return " ".join(
        f":red[**Left as {'it is' if len(columns) == 1 else 'they are'}** by {plain(listed(methods, 4))}: "
        f"{plain(listed(columns, 6))}; no figure is of {'it' if len(columns) == 1 else 'them'}.]"
        for columns, methods in by_columns.items()
    )


def _way(plan: Plan) -> Way:
    return plan.blocks, plan.lam, plan.refine


def _in_words(way: Way) -> str:
    blocks, lam, refine = way
    refined = "" if refine is None else ", refined"
    return f"{blocks_in_words(blocks) if isinstance(blocks, str) else 'By hand'}, λ = {lam:g}{refined}"


def _best(found: Sequence[Outcome]) -> dict[tuple[str, int], float]:
    """The lowest score of each method and k."""
    best: dict[tuple[str, int], float] = {}
    for outcome in found:
        place, score = (outcome.plan.method, outcome.plan.k), outcome.figures["score"]
        if math.isfinite(score):
            best[place] = min(score, best.get(place, math.inf))
    return best


def table(data: Microdata, found: Sequence[Outcome], take: Callable[[Plan, Microdata], None]) -> None:
    """Draw all plans with their figures; a plan that failed says why."""
    frame = pd.DataFrame([_row(outcome) for outcome in found])
    frame = frame.drop(columns=[name for name in ("unprotected", "reason") if not frame[name].any()])
    ticked = _ticked(found)
    widgets.picked(ticked, frame, hide_index=True, height=250, column_config=_columns())
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("Click a column's head to sort; tick a row to open that plan.", width="stretch")
        st.button(
            "Open the ticked plan",
            icon=":material/tune:",
            key="open_ticked",
            on_click=take,
            args=None if ticked.now is None else (found[ticked.now].plan, data),
            disabled=ticked.now is None,
        )
        save_rows(
            "All figures as CSV",
            lambda: full_table(found),
            f"{data.name}_plans",
            "plans_csv",
            icon=":material/download:",
        )


def _ticked(found: Sequence[Outcome]) -> widgets.Place[int | None]:
    """The row that is ticked: its plan stays ticked while others come before it."""
    plans = [outcome.plan for outcome in found]
    chosen = st.session_state.get("ticked_plan")

    def tick(row: int | None) -> None:
        st.session_state.ticked_plan = None if row is None else plans[row]

    return widgets.Place("plans", plans.index(chosen) if chosen in plans else None, tick)


def _row(outcome: Outcome) -> dict[str, Any]:
    plan = outcome.plan
    scales = {name: 100.0 if MEASURES[name].percent else 1.0 for name in _SHOWN}
    return {
        "method": METHODS[plan.method].title + ("" if plan.refine is None else ", refined"),
        "k": plan.k,
        "blocks": blocks_in_words(plan.blocks) if isinstance(plan.blocks, str) else "By hand",
        "lam": plan.lam,
        "unprotected": listed(outcome.unprotected, 6) if outcome.unprotected else "",
        **{name: scale * outcome.figures.get(name, math.nan) for name, scale in scales.items()},
        "seconds": outcome.seconds if outcome.figures else math.nan,
        "reason": outcome.reason,
    }


def _columns() -> dict[str, Any]:
    number = st.column_config.NumberColumn
    figures = {
        name: number(
            MEASURES[name].title,
            help=MEASURES[name].sentence,
            format="%.1f %%" if MEASURES[name].percent else "%.2f",
        )
        for name in _SHOWN
    }
    return figures | {
        "method": st.column_config.TextColumn("Method", width=170),
        "k": number("k", format="%d", width=45),
        "blocks": st.column_config.TextColumn("Blocks", width=140),
        "unprotected": st.column_config.TextColumn(
            "Left as it is", width=150, help="Quasi-identifiers that the method leaves: no figure is of them."
        ),
        "lam": number("λ", format="%.2f", width=50),
        "seconds": number("Seconds", format="%.3f", help="Time that the protection took."),
        "reason": st.column_config.TextColumn("Why not", width="large"),
    }
