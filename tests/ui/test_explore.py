"""Explore: every control moves what it should, what does not apply says why, errors are sentences."""

from __future__ import annotations

import json

import pytest
from streamlit.proto.Metric_pb2 import Metric as MetricProto

import microagg as ma
from microagg.methods import METHODS
from tests.ui.conftest import Opened, address, choose, figures, said


def test_the_figures_are_those_of_the_library(opened: Opened):
    shown = figures(opened("explore", data="tarragona", k="7"))
    found = ma.assess(ma.protect(ma.load_dataset("tarragona"), ma.Plan(k=7)))
    assert shown["IL"] == f"{found.il:.2f}"
    assert shown["DR"] == f"{found.dr:.2f}"
    assert shown["L"] == f"{100 * found.lost.squared.total:.2f} %"
    assert shown["Smallest class"] == "7"


def test_moving_k_changes_figures_and_address(opened: Opened):
    page = opened("explore", data="tarragona")
    before = figures(page)
    page.slider(key="k").set_value(20).run()
    assert figures(page)["IL"] != before["IL"]
    assert address(page)["k"] == "20"


def test_undo_goes_back(opened: Opened):
    page = opened("explore", data="tarragona")
    before = figures(page)
    page.slider(key="k").set_value(20).run()
    page.button(key="undo_button").click().run()
    assert figures(page) == before
    assert page.slider(key="k").value == 5


def test_the_number_box_takes_k_beyond_the_slider(opened: Opened):
    page = opened("explore", data="tarragona")
    page.number_input(key="k_box").set_value(150).run()
    assert address(page)["k"] == "150"
    assert page.slider(key="k").value == 150  # it reaches as far as what is in force


def test_the_slider_of_a_method_that_counts_values_reaches_all_of_them(opened: Opened):
    page = opened("explore", data="tarragona", method="mic1d", k="5000")
    slider = page.slider(key="k")
    assert (slider.label, slider.max, slider.value) == ("k, values in a part", 834 * 6, 5000)
    assert not page.error
    data = ma.load_dataset("tarragona")
    expected = ma.assess(ma.protect(data, ma.Plan(method="mic1d", k=5000)))
    assert figures(page)["IL"] == f"{expected.il:,.2f}"
    page.selectbox(key="method").set_value("mdav").run()
    slider = page.slider(key="k")
    assert (slider.label, slider.max, slider.value) == ("k, smallest group", 5000, 5000)
    assert "5000" in said(page)  # it is still asked for, and refused in words
    page.number_input(key="k_box").set_value(20).run()
    page.switch_page("pages/use.py").run()
    page.switch_page("pages/explore.py").run()
    assert (page.slider(key="k").max, page.slider(key="k").value) == (100, 20)


def test_a_pin_shows_differences_coloured_by_which_way_is_better(opened: Opened):
    page = opened("explore", data="tarragona")
    page.button(key="pin_button").click().run()
    page.slider(key="k").set_value(20).run()
    deltas = {metric.label: metric.delta for metric in page.metric}
    worse, better = MetricProto.MetricColor.RED, MetricProto.MetricColor.GREEN
    colours = {metric.label: metric.proto.color for metric in page.metric}
    assert deltas["IL"].startswith("+")
    assert colours["IL"] == worse
    assert deltas["Smallest class"] == "+15.00"
    assert colours["Smallest class"] == better
    assert deltas["DR"].startswith("-")
    assert colours["DR"] == better
    assert "pinned" in said(page)


def test_more_knowledge_changes_risk_and_nothing_else(opened: Opened):
    page = opened("explore", data="tarragona", blocks="contiguous:2")
    before = figures(page)
    page.selectbox(key="knowledge").set_value("up-to:1").run()
    after = figures(page)
    assert after["DR"] != before["DR"]
    assert (after["IL"], after["L"]) == (before["IL"], before["L"])


def test_blocks_that_break_k_anonymity_are_named(opened: Opened):
    text = said(opened("explore", data="tarragona", blocks="contiguous:3", k="5"))
    assert "Verdict: red" in text
    assert "block 1 (FIXED_ASSETS, CURRENT_ASSETS and 1 more)" in text


def test_one_block_keeps_k_anonymity(opened: Opened):
    assert "Verdict: amber.** 1 of 7 findings is amber." in said(opened("explore", data="tarragona"))


def test_what_a_method_cannot_do_is_disabled_with_its_reason(opened: Opened):
    page = opened("explore", data="tarragona", method="individual_ranking", lam="0.5", blocks="contiguous:2")
    assert page.selectbox(key="blocks").disabled
    assert "every attribute on its own" in page.selectbox(key="blocks").help
    page.selectbox(key="method").set_value("mdav").run()
    assert not page.selectbox(key="blocks").disabled
    assert page.slider(key="lam").value == 0.5


def test_lambda_needs_a_confidential_attribute(opened: Opened):
    page = opened("explore", data="tarragona", roles="q" * 13)
    assert page.slider(key="lam").disabled
    assert "λ needs a confidential attribute" in said(page)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_is_shown_with_its_options(method: str, opened: Opened):
    page = opened("explore", data="tarragona", method=method, k="10")
    assert not page.error, said(page)
    assert len(page.metric) == 7
    drawn = {
        widget.key.rpartition("-")[0]
        for kind in (page.selectbox, page.number_input, page.text_input)
        for widget in kind
    }
    assert {f"option-{method}-{option.name}" for option in METHODS[method].options} <= drawn


def test_a_heading_in_the_list_of_methods_stands_for_its_first_method(opened: Opened):
    page = opened("explore", data="tarragona")
    page.selectbox(key="method").set_value("— projection").run()
    assert METHODS[address(page)["method"]].family == "projection"


def test_an_option_is_carried_by_the_address(opened: Opened):
    page = opened("explore", data="tarragona", method="pcp", option__cost="projected")
    assert page.selectbox(key="option-pcp-cost").value == "projected"
    page.selectbox(key="option-pcp-cost").set_value("attributes").run()
    assert "option.cost" not in address(page)


@pytest.mark.parametrize("tab", ["Pairs", "Groups", "Correlations", "Attributes", "Records"])
def test_every_tab_draws(tab: str, opened: Opened):
    page = opened("explore", data="tarragona", blocks="contiguous:3")
    choose(page, "explore", details=tab)
    assert not page.exception
    assert not page.error


def test_the_curve_marks_the_current_lambda(opened: Opened):
    page = opened("explore", data="tarragona", lam="0.3")
    specs = [json.loads(chart.proto.spec) for chart in page.get("plotly_chart")]
    curve = next(s for s in specs if "X</sub>" in s["layout"]["xaxis"]["title"]["text"])
    current = next(t for t in curve["data"] if t["name"] == "current")
    found = ma.assess(ma.protect(ma.load_dataset("tarragona"), ma.Plan(lam=0.3))).lost.dependence
    assert (current["x"][0], current["y"][0]) == pytest.approx((found.d_x, found.d_y))


def test_k_above_the_number_of_records_is_one_sentence(opened: Opened):
    page = opened("explore", data="tarragona", k="5000")
    assert "at most 834" in page.error[0].value.replace("\\", "")
    assert not page.metric


def test_a_link_that_cannot_be_used_is_said(opened: Opened):
    page = opened("data", data="tarragona", k="one")
    assert "cannot be used" in page.toast[0].value.replace("\\", "")


def test_a_data_set_that_does_not_exist_is_one_sentence(opened: Opened):
    page = opened("explore", data="nowhere")
    assert "no data set 'nowhere'" in said(page)


def test_an_upload_that_is_gone_is_asked_for_by_name(opened: Opened):
    assert "survey 2024.csv" in said(opened("explore", data="file:survey 2024.csv", k="7"))


def test_knowledge_of_too_many_sets_is_one_sentence_and_the_file_can_still_be_saved(opened: Opened):
    page = opened("explore", data="tarragona", roles="q" * 13, knowledge="sets:0+40")
    assert "beyond the 13" in page.error[0].value.replace("\\", "")
    assert not page.get("download_button")[0].disabled


def test_groups_are_refined_on_request_and_lose_less(opened: Opened):
    page = opened("explore", data="tarragona")
    before = float(figures(page)["L"].rstrip(" %"))
    page.toggle(key="refining").set_value(True).run()
    page.number_input(key="refine").set_value(20).run()
    assert not page.exception
    assert float(figures(page)["L"].rstrip(" %")) < before


def test_refinement_is_disabled_with_its_reason_where_nothing_can_be_refined(opened: Opened):
    page = opened("explore", data="tarragona", method="individual_ranking")
    toggle = page.toggle(key="refining")
    assert toggle.disabled
    assert "nothing to refine" in toggle.help
