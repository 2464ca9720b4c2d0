"""A sweep runs every plan, keeps what is done, and is stopped by nothing but its user."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from threading import Event

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import microagg as ma
from microagg.exploration.sweep import lower_envelope, outcomes


def data(n: int = 60) -> ma.Microdata:
    values = np.random.default_rng(4).lognormal(size=(n, 3))
    return ma.Microdata.from_frame(pd.DataFrame(values, columns=list("abc")), roles={"c": "confidential"})


def test_each_row_equals_the_plan_run_alone() -> None:
    plans = [ma.Plan(method=method, k=k) for method in ("mdav", "pcp") for k in (3, 5, 8)]
    found = ma.sweep(data(), plans)
    for plan, row in zip(plans, found.to_dict("records"), strict=True):
        assert (row["method"], row["k"]) == (plan.method, plan.k)
        alone = ma.assess(ma.protect(data(), plan)).figures()
        assert {name: row[name] for name in alone} == pytest.approx(alone, rel=0, abs=0, nan_ok=True)


def test_a_plan_that_fails_says_why_and_stops_nothing() -> None:
    found = ma.sweep(data(), [ma.Plan(k=3), ma.Plan(method="optimal", k=3), ma.Plan(k=99)])
    assert found["reason"].tolist()[0] == ""
    assert "one attribute a block" in found["reason"].tolist()[1]
    assert "only 60 records" in found["reason"].tolist()[2]
    assert found["il"].isna().tolist() == [False, True, True]


def test_a_stop_keeps_what_is_done() -> None:
    stop = Event()
    kept = []
    for position, _outcome in outcomes(data(2000), [ma.Plan(k=k) for k in range(2, 200)], stop=stop):
        kept.append(position)
        stop.set()
    assert 1 <= len(kept) < 198


def test_plans_come_back_from_their_row() -> None:
    plan = ma.Plan(method="pcp", k=4, blocks=(("a",), ("b",)), options={"cost": "projected"})
    assert ma.Plan.from_json(ma.sweep(data(), [plan])["plan"][0]) == plan


@given(
    points=arrays(np.float64, st.tuples(st.integers(1, 12), st.just(2)), elements=st.integers(0, 5)),
)
def test_the_pareto_front_is_what_nothing_beats(points: np.ndarray) -> None:
    front = ma.pareto_front(points[:, 0], points[:, 1])
    for i, (loss, risk) in enumerate(points):
        beaten = any((a <= loss and b <= risk) and (a < loss or b < risk) for a, b in points)
        assert front[i] == (not beaten)


def test_points_that_are_not_defined_are_on_no_front() -> None:
    assert ma.pareto_front([1.0, float("nan")], [1.0, 0.0]).tolist() == [True, False]


def test_the_progress_callback_counts_plans() -> None:
    shares: list[float] = []
    ma.sweep(data(), [ma.Plan(k=k) for k in (2, 3, 4, 5)], progress=shares.append)
    assert shares == pytest.approx([0.25, 0.5, 0.75, 1.0])


@given(
    points=arrays(np.float64, st.tuples(st.integers(1, 9), st.just(2)), elements=st.integers(0, 6)),
)
def test_the_envelope_holds_what_is_best_for_some_weight_and_nothing_else(points: np.ndarray) -> None:
    on = lower_envelope(points[:, 0], points[:, 1])
    ends = {Fraction(0), Fraction(1)}
    for a in points:
        for b in points:
            rise = Fraction(int(a[1] - b[1]))
            run = Fraction(int(b[0] - a[0]))
            ends |= {run / (run + rise)} if run + rise and 0 <= run / (run + rise) <= 1 else set()
    turns = sorted(ends)
    weights = turns + [(one + other) / 2 for one, other in pairwise(turns)]
    front = ma.pareto_front(points[:, 0], points[:, 1])
    for i, (x, y) in enumerate(points):
        best = any(
            all((1 - w) * int(x) + w * int(y) <= (1 - w) * int(a) + w * int(b) for a, b in points)
            for w in weights
        )
        assert on[i] == (best and front[i])


def test_the_time_of_the_measuring_is_told_beside_that_of_the_protection() -> None:
    found = dict(outcomes(data(), [ma.Plan(k=3)]))[0]
    assert found.seconds > 0
    assert found.measuring > 0
