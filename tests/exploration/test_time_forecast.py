"""The time of a sweep is foretold from runs of its own plans."""

from __future__ import annotations

import os

import numpy as np
import pandas as pd
import pytest

import microagg as ma
from microagg.exploration.sweep import Outcome
from microagg.exploration.time_forecast import MOST, samples, seconds, sets_known, trials
from microagg.kernels.threads import THREADS
from microagg.measures.running_cost import linkage_seconds, usual_linkage_seconds

WORKERS = os.cpu_count() or 1


def took(plan: ma.Plan, time: float) -> Outcome:
    return Outcome(plan, {}, "", 0.75 * time, 0.25 * time)


def data(n: int) -> ma.Microdata:
    return ma.Microdata.from_frame(pd.DataFrame({"a": np.arange(n) * 1.5, "b": np.arange(n) % 7 * 2.5}))


def test_each_method_and_way_of_making_blocks_is_tried_once() -> None:
    plans = [
        ma.Plan(method=method, k=k, blocks=blocks, lam=lam)
        for method in ("mdav", "pcp")
        for k in (3, 5, 10)
        for blocks in ("all", "contiguous:2")
        for lam in (0.0, 0.5, 1.0)
    ]
    chosen = trials(plans)
    assert {(p.method, p.blocks) for p in chosen} == {(p.method, p.blocks) for p in plans}
    assert len(chosen) == 4
    assert {(p.k, p.lam) for p in chosen} == {(5, 0.5)}


def test_small_data_are_tried_whole() -> None:
    small = data(MOST)
    assert samples(small) == [small]


def test_large_data_are_tried_on_two_samples_in_the_files_order() -> None:
    half, whole = samples(data(10_000))
    assert (len(half), len(whole)) == (MOST // 2, MOST)
    assert whole.frame["a"].is_monotonic_increasing
    assert set(half.frame.index) <= set(whole.frame.index)


def test_each_plan_costs_what_its_cell_did() -> None:
    plans = [ma.Plan(k=k) for k in range(2, 12)] + [ma.Plan(method="pcp", k=k) for k in range(2, 12)]
    measured = [[took(ma.Plan(k=4), 1.0), took(ma.Plan(method="pcp", k=4), 0.1)]]
    assert seconds(plans, measured, 500) == pytest.approx(11.0 / WORKERS)


@pytest.mark.parametrize(("later", "power"), [(2.0, 1.0), (2**1.5, 1.5), (4.0, 2.0), (32.0, 2.0), (1.0, 1.0)])
def test_growth_of_protection_is_read_off_two_samples_between_linear_and_quadratic(
    later: float, power: float
) -> None:
    plan = ma.Plan(k=4)
    small, large = Outcome(plan, {}, "", 1.0, 0.0), Outcome(plan, {}, "", later, 0.0)
    found = seconds([plan] * WORKERS, [[small], [large]], 10 * MOST)
    assert found == pytest.approx(later * 10**power)


def test_measuring_grows_linearly_whatever_two_samples_say() -> None:
    plan = ma.Plan(k=4)
    small, large = Outcome(plan, {}, "", 1.0, 0.1), Outcome(plan, {}, "", 2.0, 9.0)
    assert seconds([plan] * WORKERS, [[small], [large]], 10 * MOST) == pytest.approx(20 + 90)


def test_linkage_is_foretold_by_what_it_will_do_on_the_whole_file() -> None:
    plan = ma.Plan(k=5)
    runs = [[Outcome(plan, {}, "", 0.01, 0.001)], [Outcome(plan, {}, "", 0.02, 0.001)]]
    n, sets = 100_000, ma.Knowledge.up_to(3).sets(10)
    without, found = (seconds([plan] * WORKERS, runs, n, known) for known in ((), sets))
    assert found - without == pytest.approx(usual_linkage_seconds(n, n // 5, sets) / THREADS, rel=0.05)
    assert usual_linkage_seconds(n, n // 5, sets) < linkage_seconds(n, n // 5, sets)  # it is done on a sample


def test_what_may_be_known_is_counted_without_a_release() -> None:
    assert sets_known(data(10), ma.Knowledge.up_to(2)) == ((0,), (1,), (0, 1))
    assert sets_known(data(10), ma.Knowledge.unions()) == ((0, 1),)


def test_nothing_is_foretold_where_no_trial_could_be_run() -> None:
    plan = ma.Plan(method="optimal")
    assert np.isnan(seconds([plan], [[Outcome(plan, {}, "it works on one attribute a block")]], 100))
