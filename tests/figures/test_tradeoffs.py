"""The figures of Dependence and Compare hold the values they are given, and mark what they say they mark."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.figures.falling_loss import falling_loss
from microagg.figures.lambda_curves import Curve, Line, against, increments, spread, trade_off
from microagg.figures.palette import axis, colour, ramp, symbol
from microagg.figures.plan_map import Points, plan_map, score_by_k, score_map
from microagg.methods import METHODS
from tests.figures.test_figures import luminance, trace

CURVE = Curve(
    name="MDAV, k = 5",
    label="k = 5",
    colour="#0a9279",
    symbol="circle",
    lam=np.array([0.0, 0.5, 1.0]),
    d_x=np.array([10.0, 15.0, 30.0]),
    d_y=np.array([40.0, 38.0, 10.0]),
    on=np.array([True, False, True]),
)
POINTS = Points(
    loss=np.array([10.0, 20.0, 30.0]),
    risk=np.array([50.0, 40.0, 45.0]),
    k=np.array([3, 5, 7]),
    method=["mdav", "pcp", "mdav"],
    name=["mdav, k = 3", "pcp, k = 5", "mdav, k = 7"],
    front=np.array([True, True, False]),
)


@pytest.mark.parametrize("background", ["#ffffff", "#0f141b"])
@pytest.mark.parametrize("shade", [*(colour(name) for name in METHODS), *ramp(9)])
def test_colours_keep_three_to_one_on_both_backgrounds(shade: str, background: str):
    lighter, darker = sorted((luminance(shade), luminance(background)), reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= 3.0


def test_no_two_methods_share_colour_and_symbol():
    assert len({(colour(name), symbol(name)) for name in METHODS}) == len(METHODS)


def test_points_off_the_envelope_are_hollow_and_the_envelope_passes_the_others():
    figure = trade_off([CURVE], (0.5, 15.0, 38.0))
    assert list(trace(figure, CURVE.name).marker.symbol) == ["circle", "circle-open", "circle"]
    assert list(trace(figure, "envelope").x) == [10.0, 30.0]
    assert list(trace(figure, "current").x) == [15.0]


def test_a_line_leads_from_a_plan_to_its_refined_twin_which_is_hollow():
    figure = plan_map(replace(POINTS, refined=[(0, 2)]), ("il", "dr"))
    assert list(trace(figure, "mdav refined").x) == [10.0, 30.0, None]
    assert list(trace(figure, "mdav refined").y) == [50.0, 45.0, None]
    assert list(trace(figure, "MDAV").marker.symbol) == ["circle", "circle-open"]
    assert list(trace(figure, "PCP").marker.symbol) == ["diamond"]


def test_the_falling_loss_is_told_in_words_and_drawn_from_its_first_to_its_last_value():
    drawn = falling_loss([0.0, 1.0, 2.0, 4.0], [0.2, 0.1, 0.1, 0.05])
    assert 'alt="The loss falls from 20.00 % to 5.00 % in 4.0 seconds."' in drawn
    image = base64.b64decode(re.search(r"base64,([^\"]+)", drawn)[1]).decode()
    assert 'd="M0 0 H0.00 V0.00 H25.00 V66.67 H100.00 V100.00"' in image
    assert "<img" not in falling_loss([0.0], [0.2])


def test_a_long_course_is_thinned_and_keeps_its_end():
    image = falling_loss(list(range(5000)), [1 / (1 + i) for i in range(5000)])
    path = base64.b64decode(re.search(r"base64,([^\"]+)", image)[1]).decode()
    assert path.count("H") <= 153
    assert "H100.00 V100.00" in path


def test_increments_start_at_zero_and_the_dotted_line_falls_by_what_it_costs():
    figure = increments([CURVE])
    assert list(trace(figure, CURVE.name).x) == pytest.approx([0.0, 50.0, 200.0])
    assert list(trace(figure, CURVE.name).y) == pytest.approx([0.0, -5.0, -75.0])
    equal = trace(figure, "equal")
    assert list(equal.y) == [-x for x in equal.x]
    assert equal.line.dash == "dot"


def test_a_curve_without_lambda_zero_has_no_increments():
    late = Curve(**{**CURVE.__dict__, "lam": np.array([0.5, 0.7, 1.0])})
    assert CURVE.name not in {each.name for each in increments([late]).data}


def test_figures_without_values_are_empty_and_not_broken():
    nothing = np.empty(0)
    empty = Curve("c", "c", "#0a9279", "circle", nothing, nothing, nothing, np.empty(0, dtype=bool))
    for figure in (
        trade_off([empty], None),
        increments([empty]),
        against([], "d_x", "λ"),
        trade_off([], None),
    ):
        assert figure.layout.xaxis.title.text


def test_a_line_keeps_its_values_and_its_axis_says_which_way_is_better():
    line = Line("MDAV", "MDAV", "#0a9279", "circle", np.array([0.0, 1.0]), np.array([4.0, 2.0]))
    figure = against([line], "ell_average", "λ")
    assert list(trace(figure, "MDAV").y) == [4.0, 2.0]
    assert "↑ better" in figure.layout.yaxis.title.text
    assert axis("dld", "y") == "DLD, %  (↓ better)"


@given(st.lists(st.floats(0, 100, allow_nan=False), max_size=8), st.floats(0.1, 10))
def test_labels_stand_clear_of_each_other_and_keep_their_order(heights: list[float], apart: float):
    placed = spread(heights, apart)
    order = sorted(range(len(heights)), key=heights.__getitem__)
    gaps = np.diff([placed[i] for i in order])
    assert (gaps >= apart - 1e-6).all()
    assert sum(placed) == pytest.approx(sum(heights), abs=1e-6)


def test_the_map_has_a_mark_for_each_method_and_a_front_by_ascending_loss():
    figure = plan_map(POINTS, ("il", "dr"), chosen=1)
    assert list(trace(figure, "front").x) == [10.0, 20.0]
    assert list(trace(figure, "MDAV").customdata) == [0, 2]
    assert list(trace(figure, "MDAV").text) == ["mdav, k = 3", "mdav, k = 7"]
    assert trace(figure, "MDAV").marker.size[0] < trace(figure, "MDAV").marker.size[1]
    assert list(trace(figure, "chosen").x) == [20.0]


def test_scores_are_drawn_by_method_and_k():
    lines = score_by_k({"mdav": (np.array([3, 5]), np.array([30.0, 35.0]))})
    assert list(trace(lines, "MDAV").y) == [30.0, 35.0]
    heat = score_map(["mdav", "pcp"], [3, 5], np.array([[30.0, 35.0], [np.nan, 60.0]]))
    assert list(heat.data[0].y) == ["MDAV", "PCP"]
    assert list(heat.data[0].text[1]) == ["", "60"]


@pytest.mark.parametrize("figure", [trade_off([CURVE], None), plan_map(POINTS, ("il", "dr"))])
def test_a_saved_page_carries_all_it_needs(figure):
    page = figure.to_html(include_plotlyjs=True)
    assert 'src="http' not in page
    assert json.loads(figure.to_json())["data"]
