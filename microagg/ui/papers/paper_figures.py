"""The papers' figures drawn again from the cells, and for tables measured against printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from microagg.exploration.sweep import lower_envelope
from microagg.figures.lambda_curves import Curve, Line, against, increments, trade_off
from microagg.figures.palette import colour, ramp, symbol
from microagg.figures.papers import Pair, Panel, against_printed, along_k
from microagg.papers.experiment import lowest
from microagg.papers.modeling_projections import SHORT
from microagg.ui.components import display

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from microagg.kernels.compiled import FloatArray
    from microagg.papers.experiment import Column, Experiment

_TALL = 530
_TICKS = [step / 5 for step in range(6)]
_LAMBDA = "λ  (0 keeps X, 1 keeps the link to Y)"


def draw(experiment: Experiment, columns: Sequence[Column], cells: pd.DataFrame) -> None:
    """Draw a table's or figure's cells.

    Parameters
    ----------
    experiment : Experiment
    columns : sequence of Column
        Those to show of a table.
    cells : DataFrame
        As `Experiment.run` gives it.
    """
    match experiment.drawn:
        case "by k":
            _by_k(experiment, cells)
        case "trade-off":
            _trade_off(cells)
        case "distortion":
            _distortion(cells)
        case "diversity":
            _diversity(cells)
        case "blocks":
            _blocks(cells)
        case _:
            _measured_against_printed(experiment, columns, cells)


def _measured_against_printed(experiment: Experiment, columns: Sequence[Column], cells: pd.DataFrame) -> None:
    cells = cells[cells["published"].notna() & cells["measured"].notna()]
    panels = []
    for column in columns:
        part = cells[cells["column"] == column.name]
        names = [", ".join(str(part.at[i, key]) for key in experiment.keys) for i in part.index]
        panels.append(
            Panel(
                column.title,
                part["published"].to_numpy(np.float64),
                part["measured"].to_numpy(np.float64),
                part["agreement"].tolist(),
                names,
            )
        )
    display.chart(
        against_printed([panel for panel in panels if len(panel.names)], height=_TALL),
        "Each point a cell; on the dotted line measured equals published. A cloud along any rising line "
        "keeps the "
        "order of the cells, even where the scale differs.",
        "paper-ranks",
        lambda: cells.drop(columns="note"),
    )


def _wide(cells: pd.DataFrame, *keys: str) -> pd.DataFrame:
    """One line a row of the experiment, one column a measured figure."""
    return (
        cells.pivot(index=list(keys), columns="column", values="measured")
        .reset_index()
        .sort_values(list(keys))
    )


def _by_k(experiment: Experiment, cells: pd.DataFrame) -> None:
    pairs = []
    for method, part in cells.sort_values("k").groupby("method", sort=False):
        name = next(name for name, short in SHORT.items() if short == method)
        k, published, measured = (part[c].to_numpy(np.float64) for c in ("k", "published", "measured"))
        pairs.append(Pair(str(method), colour(name), symbol(name), k, published, measured))
    column = experiment.columns[0]
    display.chart(
        along_k(pairs, f"{column.title}  (↓ better)", height=_TALL),
        f"Dotted and hollow: published. Solid: measured here. {lowest(cells)}",
        "paper-by-k",
        lambda: cells.drop(columns="note"),
    )


def _trade_off(cells: pd.DataFrame) -> None:
    wide = _wide(cells, "k", "λ")
    ks = wide["k"].unique().tolist()
    curves = []
    for k, shade in zip(ks, ramp(len(ks)), strict=True):
        part = wide[wide["k"] == k]
        lam, d_x, d_y = (part[c].to_numpy(np.float64) for c in ("λ", "d_x", "d_y"))
        on = lower_envelope(d_x.tolist(), d_y.tolist())
        curves.append(Curve(f"MDAV, k = {k}", f"k = {k}", shade, "circle", lam, d_x, d_y, on))
    left, right = st.columns(2, gap="medium")
    with left:
        display.chart(
            trade_off(curves, None, height=_TALL),
            "Along a curve λ goes from 0 (left) to 1. Dashed: lower convex envelope; hollow points lie "
            "above it.",
            "paper-trade-off",
            lambda: wide,
        )
    with right:
        display.chart(
            increments(curves, height=_TALL),
            "What λ costs X (to the right) and gains for Y (down), against λ = 0; below the dotted line it "
            "pays.",
            "paper-increments",
            lambda: wide,
        )


def _series(part: pd.DataFrame, x: str, y: str) -> tuple[FloatArray, FloatArray]:
    return part[x].to_numpy(np.float64), part[y].to_numpy(np.float64)


def _distortion(cells: pd.DataFrame) -> None:
    wide = _wide(cells, "data", "λ", "k")
    for where, (data, part) in zip(st.columns(2, gap="medium"), wide.groupby("data"), strict=False):
        lines = [
            Line(
                f"{name}, λ = {lam:g}",
                f"{name}, λ = {lam:g}",
                shade,
                shape,
                *_series(ends, "k", measure),
                dash,
            )
            for lam, dash in ((0.0, "solid"), (1.0, "dot"))
            for (measure, name, shape), shade in zip(
                (("d_x", "D<sub>X</sub>", "circle"), ("d_y", "D<sub>Y</sub>", "diamond")),
                ramp(2),
                strict=True,
            )
            if len(ends := part[part["λ"] == lam])
        ]
        with where:
            display.chart(
                against(
                    lines,
                    "d_x",
                    "k, smallest group",
                    ticks=sorted(part["k"].unique().tolist()),
                    title="D<sub>X</sub> and D<sub>Y</sub>, %  (↓ better)",
                    height=_TALL,
                ),
                f"{data}: at λ = 0 (solid) D_X is the smaller, at λ = 1 (dotted) D_Y.",
                f"paper-distortion-{data}",
                lambda: wide,
            )


def _diversity(cells: pd.DataFrame) -> None:
    wide = _wide(cells, "data", "k", "λ")
    for where, (data, part) in zip(st.columns(2, gap="medium"), wide.groupby("data"), strict=False):
        ks = part["k"].unique().tolist()
        lines = [
            Line(f"k = {k}", f"k = {k}", shade, "circle", *_series(part[part["k"] == k], "λ", "ell"))
            for k, shade in zip(ks, ramp(len(ks)), strict=True)
        ]
        with where:
            display.chart(
                against(lines, "ell_average", _LAMBDA, ticks=_TICKS, height=_TALL),
                f"{data}: a falling line gives away more about Y as λ grows.",
                f"paper-diversity-{data}",
                lambda: wide,
            )


def _blocks(cells: pd.DataFrame) -> None:
    wide = _wide(cells, "b", "λ")
    sizes = wide["b"].unique().tolist()
    says = {
        "d_x": "Small blocks lose less of X.",
        "dld": "Small blocks let an intruder find more records again.",
    }
    for where, (measure, line) in zip(st.columns(2, gap="medium"), says.items(), strict=True):
        lines = [
            Line(f"b = {b}", f"b = {b}", shade, "circle", *_series(wide[wide["b"] == b], "λ", measure))
            for b, shade in zip(sizes, ramp(len(sizes)), strict=True)
        ]
        with where:
            display.chart(
                against(lines, measure, _LAMBDA, ticks=_TICKS, first=True, height=_TALL),
                f"{line} b = 6 is one block.",
                f"paper-blocks-{measure}",
                lambda: wide,
            )
