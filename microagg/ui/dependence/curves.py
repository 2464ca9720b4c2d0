"""The body of Dependence: the trade-off and its relative changes, then k and diversity, then blocks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pandas as pd
import streamlit as st

from microagg.exploration.sweep import lower_envelope
from microagg.figures.lambda_curves import Curve, Line, against, increments, trade_off
from microagg.figures.palette import colour, lowered, ramp, symbol
from microagg.methods import METHODS
from microagg.model.phrases import counted, listed
from microagg.ui.components import display, jobs, widgets
from microagg.ui.components.page_choices import Choices, one_of
from microagg.ui.components.words import plain
from microagg.ui.results import sweeps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from microagg.exploration.sweep import Outcome
    from microagg.kernels.compiled import FloatArray
    from microagg.model.microdata import Microdata
    from microagg.model.plan import Plan
    from microagg.ui.dependence.lambda_plans import Wanted

    Found: TypeAlias = dict[Plan, Outcome]

JOB = "lambda"
_TABS = ["k and diversity", "Blocks"]
_CHOICES = Choices("dependence", "along_tabs")
_TALL, _LOW = 350, 265
_TICKS = [step / 5 for step in range(6)]
_LAMBDA = "λ  (0 keeps X, 1 keeps the link to Y)"


def body(wanted: Wanted) -> None:
    """Start what is missing, and draw what is there, again and again until all is.

    What is quickly drawn is drawn often and on its own, so that Cancel answers while charts are being drawn.
    """
    if st.session_state.get("lambda_asked") != wanted.request.keys:
        st.session_state.lambda_asked = wanted.request.keys
        sweeps.start(JOB, wanted.request)

    def status() -> None:
        with display.trouble():
            _status(wanted)

    def results() -> None:
        with display.trouble():
            found = {outcome.plan: outcome for outcome in wanted.request.known()}
            _draw(wanted, found)

    jobs.watch(lambda: [sweeps.job(JOB)], status, "curves_status")
    jobs.watch(lambda: [sweeps.job(JOB)], results, "curves", every=jobs.CHARTS)


def impossible(data: Microdata) -> None:
    """Say why there is nothing to draw, and what to do."""
    numbers = [name for name in data.columns("confidential") if data.numeric(name)]
    why = (
        f"its confidential numbers ({plain(listed(numbers, 3))}) have missing values"
        if numbers
        else "none of its columns is a confidential number"
    )
    st.info(
        f"λ weighs how well the protected attributes keep their link to the confidential ones, but in "
        f"**{plain(data.name)}** {why}. Give a complete column of numbers the role *Confidential*, and leave "
        "at least one *Quasi-identifier* beside it.",
        icon=":material/link_off:",
    )
    st.page_link("pages/data.py", label="Choose roles on the Data page", icon=":material/table:")


def _status(wanted: Wanted) -> None:
    """How far the points are, and Cancel; afterwards how many there are."""
    st.caption(
        "λ decides what the groups preserve: at 0 the protected attributes X, at 1 their link to the "
        "confidential attributes Y. Each point is a release of its own; blocks and options are those set in "
        "Explore, whose setting is blue."
    )
    job = sweeps.job(JOB)
    if job is not None and job.running:
        jobs.bar(job, "points", "along_cancel", note="getting ready")
        return
    missing, every = len(wanted.request.missing().plans), len(wanted.request.plans)
    line, button = st.columns([6, 1.3], vertical_alignment="center")
    line.caption(
        f"Stopped: {every - missing:,} of {every:,} points are computed."
        if missing
        else f"All {every:,} points are computed."
    )
    button.button(
        "Compute the rest",
        icon=":material/play_arrow:",
        key="along_rest",
        on_click=sweeps.start,
        args=(JOB, wanted.request),
        disabled=not missing,
        width="stretch",
    )


def _draw(wanted: Wanted, found: Found) -> None:
    _say_failures(wanted, found)
    several = len({method for method, _ in wanted.curves}) > 1
    curves = _curves(wanted, found, several=several)
    rows = _rows(wanted.curves.values(), found)
    left, right = st.columns(2, gap="medium")
    off = sum(int((~curve.on).sum()) for curve in curves)
    points = sum(len(curve.lam) for curve in curves)
    with left:
        display.chart(
            trade_off(curves, _now(wanted, found), height=_TALL),
            "Along a curve λ goes from 0 (left) to 1. Dashed: lower convex envelope; hollow: the "
            f"{off} of {points} points above it, where mixing two other points would be better.",
            "trade-off",
            rows("d_x", "d_y", "on the envelope"),
        )
    with right:
        display.chart(
            increments(curves, height=_TALL),
            "What λ costs X (to the right) and gains for Y (down), against λ = 0. Below the dotted line the "
            "gain is larger than the cost.",
            "increments",
            rows("d_x", "d_y", "change of D_X", "change of D_Y"),
        )
    if several:
        display.legend(*((colour(m), METHODS[m].title) for m in dict.fromkeys(m for m, _ in wanted.curves)))
    first, second = widgets.tabs(_CHOICES.place("along_tabs", one_of(_TABS), _TABS[0]), _TABS)
    if first.open:
        with first:
            _k_and_diversity(wanted, found, several=several)
    if second.open:
        with second:
            _blocks(wanted, found)


def _say_failures(wanted: Wanted, found: Found) -> None:
    failed = [outcome for outcome in found.values() if not outcome.figures]
    if failed:
        st.warning(
            f"{counted(len(failed), 'point')} of {len(wanted.request.plans):,} cannot be had: "
            f"{plain(failed[0].reason)}",
            icon=":material/block:",
        )


def _values(plans: Sequence[Plan], found: Found, name: str, scale: float) -> tuple[FloatArray, FloatArray]:
    """λ and a measure of those plans that have it."""
    pairs = [
        (plan.lam, scale * value)
        for plan in plans
        if plan in found and math.isfinite(value := found[plan].figures.get(name, math.nan))
    ]
    lam, values = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
    return lam, values


def _marks(wanted: Wanted, *, several: bool) -> dict[tuple[str, int], tuple[str, str]]:
    """Colour and symbol of each curve: by method where there are several, else by k."""
    ks = sorted({k for _, k in wanted.curves})
    shades = dict(zip(ks, ramp(len(ks)), strict=True))
    return {
        (method, k): (colour(method), symbol(method)) if several else (shades[k], "circle")
        for method, k in wanted.curves
    }


def _curves(wanted: Wanted, found: Found, *, several: bool) -> list[Curve]:
    marks, curves = _marks(wanted, several=several), []
    for (method, k), plans in wanted.curves.items():
        lam, d_x = _values(plans, found, "d_x", 100)
        also, d_y = _values(plans, found, "d_y", 100)
        if len(lam) and len(lam) == len(also):
            on = lower_envelope(d_x.tolist(), d_y.tolist())
            name = f"{METHODS[method].title}, k = {k}"
            curves.append(Curve(name, f"k = {k}", *marks[method, k], lam, d_x, d_y, on))
    return curves


def _now(wanted: Wanted, found: Found) -> tuple[float, float, float] | None:
    here = found.get(wanted.now)
    if here is None or not here.figures:
        return None
    return wanted.now.lam, 100 * here.figures["d_x"], 100 * here.figures["d_y"]


def _k_and_diversity(wanted: Wanted, found: Found, *, several: bool) -> None:
    marks = _marks(wanted, several=several)
    ends: list[Line] = []
    methods = list(dict.fromkeys(method for method, _ in wanted.curves))
    for method in methods:
        of_method = [(k, plans) for (name, k), plans in wanted.curves.items() if name == method]
        for measure, title in (("d_x", "D_X"), ("d_y", "D_Y")):
            for end, dash in ((0, "solid"), (-1, "dot")):
                pairs = [
                    (k, 100 * found[plans[end]].figures[measure])
                    for k, plans in of_method
                    if plans[end] in found and found[plans[end]].figures
                ]
                x, y = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
                text = f"{lowered(title)}, λ = {-end}"
                mark = colour(method) if several else ramp(2)[measure == "d_y"]
                shape = "circle" if measure == "d_x" else "diamond"
                label = text if method == methods[0] else ""
                ends.append(Line(f"{METHODS[method].title}, {text}", label, mark, shape, x, y, dash))
    left, right = st.columns(2, gap="medium")
    rows = _rows(wanted.curves.values(), found)
    with left:
        display.chart(
            against(
                ends,
                "d_x",
                "k, smallest group",
                ticks=sorted({k for _, k in wanted.curves}),
                title="D<sub>X</sub> and D<sub>Y</sub>, %  (↓ better)",
                height=_LOW,
            ),
            "Both losses mostly grow with k. Solid: λ = 0, which keeps X; dotted: λ = 1, which keeps the "
            "link to Y.",
            "ends",
            rows("d_x", "d_y"),
        )
    diversity = [
        Line(
            f"{METHODS[m].title}, k = {k}", f"k = {k}", *marks[m, k], *_values(plans, found, "ell_average", 1)
        )
        for (m, k), plans in wanted.curves.items()
    ]
    with right:
        display.chart(
            against(diversity, "ell_average", _LAMBDA, ticks=_TICKS, height=_LOW),
            "Distinct confidential values a group, for the attribute with fewest: where it falls, groups "
            "disclose confidential values.",
            "diversity",
            rows("ell_average"),
        )


def _blocks(wanted: Wanted, found: Found) -> None:
    shades = ramp(len(wanted.by_size))
    left, right = st.columns(2, gap="medium")
    rows = _rows(wanted.by_size.values(), found)
    where = f"{METHODS[wanted.now.method].title}, k = {wanted.now.k}"
    for column, measure, says in (
        (left, "d_x", "smaller blocks lose less of X"),
        (right, "dld", "and let an intruder find more records again"),
    ):
        lines = []
        for (size, plans), shade in zip(wanted.by_size.items(), shades, strict=True):
            label = f"blocks of {size}" if size else "one block"
            lines.append(
                Line(f"{where}, {label}", label, shade, "circle", *_values(plans, found, measure, 100))
            )
        with column:
            display.chart(
                against(lines, measure, _LAMBDA, ticks=_TICKS, first=True, height=_LOW),
                f"{where}: {says}.",
                f"blocks-{measure}",
                rows("d_x", "dld", "k_prime"),
            )


def _rows(groups: Iterable[Sequence[Plan]], found: Found) -> Callable[..., Callable[[], pd.DataFrame]]:
    """Makes the function that makes the table of some columns."""
    curves = list(groups)

    def table(*columns: str) -> pd.DataFrame:
        rows = []
        for plans in curves:
            there = [found[plan] for plan in plans if plan in found and found[plan].figures]
            if not there:
                continue
            d_x, d_y = ([outcome.figures[name] for outcome in there] for name in ("d_x", "d_y"))
            on = lower_envelope(d_x, d_y)
            for i, outcome in enumerate(there):
                more = {
                    "on the envelope": on[i],
                    "change of D_X": d_x[i] / d_x[0] - 1 if d_x[0] else math.nan,
                    "change of D_Y": d_y[i] / d_y[0] - 1 if d_y[0] else math.nan,
                }
                plan, values = outcome.plan, outcome.figures | more
                blocks = plan.blocks if isinstance(plan.blocks, str) else "by hand"
                about = {"method": plan.method, "k": plan.k, "blocks": blocks, "λ": plan.lam}
                rows.append(about | {name: values[name] for name in columns})
        return pd.DataFrame(rows)

    return lambda *columns: lambda: table(*columns)
