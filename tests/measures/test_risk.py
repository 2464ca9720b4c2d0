from __future__ import annotations

import math

import pytest

from microagg.errors import PlanError
from microagg.measures.risk import NAMED_WEIGHTS, PAPER_1, PAPER_3, RiskWeights, disclosure_risk, score


def test_the_papers_weights_are_as_printed():
    assert NAMED_WEIGHTS["paper 1"] == RiskWeights(dld=0.25, pld=0.25, id=0.5)
    assert NAMED_WEIGHTS["paper 3"] == RiskWeights(dld=0.5, pld=0.0, id=0.5)


def test_first_line_of_a_printed_table():
    """Nin and Torra, table 1, EIA, PCP, blocks of 2, k = 5."""
    dr = disclosure_risk(0.0294, 0.0691, 0.7004, PAPER_1)
    assert dr == pytest.approx(37.4825)
    assert score(13.90, dr) == pytest.approx(25.69, abs=0.005)


def test_a_part_without_weight_may_be_undefined():
    assert disclosure_risk(0.2, math.nan, 0.4, PAPER_3) == pytest.approx(30.0)
    assert math.isnan(disclosure_risk(0.2, math.nan, 0.4, PAPER_1))


def test_the_weight_of_the_score_leans_to_loss_or_to_risk():
    assert score(10.0, 50.0, weight=1.0) == 10.0
    assert score(10.0, 50.0, weight=0.0) == 50.0


@pytest.mark.parametrize(
    "weights",
    [(0.5, 0.5, 0.5), (-0.5, 0.5, 1.0), (math.nan, 0.5, 0.5), (math.inf, 0.0, 0.0), (0.0, 0.0, 0.0)],
)
def test_weights_that_are_no_shares_are_refused(weights):
    with pytest.raises(PlanError, match=r"weight.* DR is|sum to"):
        RiskWeights(*weights)


@pytest.mark.parametrize("weight", [-0.1, 1.1, math.nan])
def test_a_weight_of_the_score_outside_zero_to_one_is_refused(weight):
    with pytest.raises(PlanError, match="score"):
        score(1.0, 1.0, weight)


@pytest.mark.parametrize(
    ("text", "weights"),
    [("paper 1", PAPER_1), (" paper 3 ", PAPER_3), ("0.2, 0.3,0.5", RiskWeights(0.2, 0.3, 0.5))],
)
def test_weights_are_read_by_name_or_as_three_numbers(text, weights):
    assert RiskWeights.parse(text) == weights


@pytest.mark.parametrize(
    ("text", "says"),
    [("paper 2", "paper 1"), ("0.5,0.5", "three numbers"), ("1,1,1", "sum to 1"), ("", "not ''")],
)
def test_a_text_that_is_no_weights_is_refused_in_words(text, says):
    with pytest.raises(PlanError, match=says):
        RiskWeights.parse(text)
