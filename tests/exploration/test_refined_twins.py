"""Twins are what a plan would be refined, and the table holds what each of the two gives alone."""

from __future__ import annotations

import pytest

import microagg as ma
from microagg.exploration.refined_twins import COMPARED, pairs, table, twin, with_twins
from microagg.exploration.sweep import outcomes
from microagg.methods import METHODS


@pytest.mark.parametrize("method", METHODS)
def test_a_twin_is_a_plan_that_can_be_carried_out_or_is_not_there(method: str) -> None:
    data, plan = ma.load_dataset("tarragona"), ma.Plan(method, 5)
    refined = twin(plan, 3)
    if refined is None:
        with pytest.raises(ma.PlanError):
            ma.protect(data, plan.replace(refine=3))
    elif not METHODS[method].single_attribute and "nominal" not in METHODS[method].scales:
        assert refined == plan.replace(refine=3)


def test_what_is_refined_already_has_no_twin() -> None:
    assert twin(ma.Plan(refine=5), 3) is None
    assert twin(ma.Plan(k=300), 3) is None
    assert twin(ma.Plan("nothing"), 3) is None


def test_each_row_holds_what_its_two_plans_give_alone() -> None:
    data = ma.load_dataset("tarragona")
    plans = with_twins([ma.Plan(k=4), ma.Plan("optimal", 4), ma.Plan("pcp", 6)], 5)
    assert [plan.refine for plan in plans] == [None, 5, None, None, 5]
    found = [outcome for _, outcome in sorted(outcomes(data, plans), key=lambda each: each[0])]
    assert pairs(found) == [(0, 1), (3, 4)]
    rows = table(found)
    assert rows[["method", "k", "refine"]].values.tolist() == [["mdav", 4, 5], ["pcp", 6, 5]]
    alone = ma.assess(ma.protect(data, ma.Plan("pcp", 6, refine=5))).figures()
    assert rows.loc[1, "l refined"] == pytest.approx(100 * alone["l"])
    assert rows.loc[1, "score refined"] == pytest.approx(alone["score"])
    for name in COMPARED:
        assert rows[f"{name} change"].tolist() == pytest.approx(
            (rows[f"{name} refined"] - rows[name]).tolist()
        )
    assert (rows["l change"] < 0).all()


def test_without_twins_there_are_no_rows() -> None:
    found = [outcome for _, outcome in outcomes(ma.load_dataset("tarragona"), [ma.Plan(k=4)])]
    assert table(found).empty
