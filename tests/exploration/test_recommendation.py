"""The plan to take is the one that loses least within the limits, and its reason says so."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.exploration.recommendation import Limits, Weights, choose, weighed
from microagg.exploration.sweep import Outcome
from microagg.model.plan import Plan


def tried(k: int, il: float, dr: float, dld: float = 0.1, k_prime: float | None = None) -> Outcome:
    figures = {"il": il, "dr": dr, "dld": dld, "id": 0.4, "k_prime": k if k_prime is None else k_prime}
    return Outcome(Plan(k=k), figures)


FOUR = [tried(3, 10, 50), tried(5, 20, 40), tried(7, 30, 30), tried(9, 40, 20)]


def test_without_limits_the_least_loss_is_taken() -> None:
    choice = choose(FOUR, Limits())
    assert choice is not None
    assert (choice.found.plan.k, choice.meets) == (3, True)
    assert choice.reason == "of the 4 plans, with no limit set, it loses least: IL 10, the next one 20."


def test_limits_leave_only_the_plans_that_meet_all_of_them() -> None:
    choice = choose(FOUR, Limits(k_prime=4, dr=35))
    assert choice is not None
    assert choice.found.plan.k == 7
    assert (
        choice.reason
        == "of the 2 plans of 4 that keep k′ ≥ 4 and DR ≤ 35, it loses least: IL 30, the next one 40."
    )


def test_a_figure_on_its_limit_meets_it() -> None:
    choice = choose(FOUR, Limits(k_prime=9, dr=20, dld=0.1))
    assert choice is not None
    assert choice.meets
    assert choice.reason == "it alone of 4 keeps k′ ≥ 9, DR ≤ 20 and DLD ≤ 10 %: IL 40."


def test_where_none_meets_them_the_nearest_is_named_with_what_it_misses() -> None:
    choice = choose(FOUR, Limits(dr=10))
    assert choice is not None
    assert (choice.found.plan.k, choice.meets) == (9, False)
    assert choice.reason == (
        "no plan keeps DR ≤ 10; this one comes nearest, with DR 20 instead of ≤ 10. Its loss: IL 40."
    )


def test_shortfalls_are_shares_so_that_a_small_miss_beats_a_large_one() -> None:
    near_in_k, far_in_risk = tried(9, 50, 30, k_prime=9), tried(10, 10, 60, k_prime=10)
    choice = choose([far_in_risk, near_in_k], Limits(k_prime=10, dr=30))
    assert choice is not None
    assert choice.found is near_in_k


def test_ties_go_to_the_smaller_loss_and_then_to_the_first() -> None:
    same = [tried(4, 20, 40), tried(5, 15, 40), tried(6, 15, 40)]
    choice = choose(same, Limits(dr=30))
    assert choice is not None
    assert choice.found.plan.k == 5


def test_a_failed_plan_is_never_taken() -> None:
    assert choose([Outcome(Plan(k=3), {}, "k is too large")], Limits()) is None
    choice = choose([Outcome(Plan(k=3), {}, "k is too large"), FOUR[1]], Limits())
    assert choice is not None
    assert choice.found is FOUR[1]


def test_a_figure_that_is_not_defined_meets_no_limit() -> None:
    assert Limits(dld=0.5).missed({"dld": math.nan}) == {"dld": 1.0}


def test_another_loss_may_decide() -> None:
    one, other = tried(3, 10, 30), tried(5, 20, 30)
    one.figures["d_y"], other.figures["d_y"] = 0.4, 0.2
    choice = choose([one, other], Limits(), loss="d_y")
    assert choice is not None
    assert choice.found is other
    assert "D_Y 20 %, the next one 40 %" in choice.reason


@given(
    figures=st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(2, 9)), min_size=1, max_size=12
    ),
    dr=st.integers(0, 9),
    k_prime=st.integers(2, 9),
)
def test_no_plan_within_the_limits_loses_less(
    figures: list[tuple[int, int, int]], dr: int, k_prime: int
) -> None:
    found = [tried(k, il, risk) for il, risk, k in figures]
    choice = choose(found, Limits(k_prime=k_prime, dr=dr))
    assert choice is not None
    within = [o for o in found if o.figures["dr"] <= dr and o.figures["k_prime"] >= k_prime]
    assert choice.meets == bool(within)
    if within:
        assert choice.found.figures["il"] == min(o.figures["il"] for o in within)


def test_weights_of_one_half_are_the_papers_figures() -> None:
    found = weighed(tried(3, 30, 99, dld=0.2), Weights())
    assert found.figures["dr"] == pytest.approx(100 * (0.5 * 0.2 + 0.5 * 0.4))
    assert found.figures["score"] == pytest.approx(0.5 * 30 + 0.5 * 30)


def test_a_failed_plan_stays_as_it_is_under_any_weights() -> None:
    failed = Outcome(Plan(k=3), {}, "why")
    assert weighed(failed, Weights(loss=1)) is failed
