"""Compare: a grid is counted, timed, run beside the page, and one plan recommended with its reason."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

import microagg as ma
from tests.patience import PATIENCE
from tests.ui.conftest import Opened, address, numbers, said

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest


def finished(page: AppTest, job: str = "compare", seconds: float = PATIENCE) -> AppTest:
    """The page after its job has ended."""
    until = time.monotonic() + seconds
    while page.session_state[f"job-{job}"].running:
        assert time.monotonic() < until, "the job takes too long"
        time.sleep(0.05)
    return page.run()


def small(opened: Opened, methods: tuple[str, ...] = ("mdav", "pcp"), **query: str) -> AppTest:
    """Compare with a small grid."""
    page = opened("compare", data="tarragona", **query)
    page.multiselect(key="grid_methods").set_value(list(methods)).run()
    page.slider(key="grid_k").set_range(4, 6).run()
    return page


def test_a_method_that_counts_values_is_swept_up_to_all_of_them(opened: Opened):
    page = opened("compare", data="tarragona")
    page.multiselect(key="grid_methods").set_value(["mic1d"]).run()
    page.number_input(key="grid_step").set_value(1000).run()
    page.slider(key="grid_k").set_range(3000, 5000).run()
    rows = computed(page).dataframe[0].value
    assert rows["k"].to_list() == [3000, 4000, 5000]
    assert rows["il"].notna().all()


def computed(page: AppTest) -> AppTest:
    page.button(key="compare_start").click().run()
    return finished(page)


def left_over(page: AppTest) -> int:
    """How many plans the button would compute."""
    return int(page.button(key="compare_start").label.removeprefix("Compute "))


def chart(page: AppTest, number: int = 0) -> dict:
    return json.loads(page.get("plotly_chart")[number].proto.spec)


def drawn_scores(page: AppTest) -> list[float]:
    """The heights of the only line of the chart of scores."""
    return numbers(chart(page, 1)["data"][0]["y"])


def test_the_count_and_a_measured_time_stand_before_the_start(opened: Opened):
    page = small(opened)
    assert "2 methods × 3 k × 1 way of making blocks × 1 λ = 6 plans" in said(page)
    page = finished(page, "compare-quick")
    told = re.search(r"(\d) are still to be computed: (less than a second|about \d+ (s|min))\n", said(page))
    assert told, said(page)
    assert 0 < int(told[1]) <= 4


def test_the_quick_run_is_part_of_the_sweep_and_not_done_again(opened: Opened):
    page = finished(small(opened), "compare-quick")
    assert left_over(page) <= 4  # 3 where the run for the first grid had got to a plan of this one


def test_every_plan_is_a_point_and_a_row_with_the_librarys_figures(opened: Opened):
    page = computed(small(opened))
    rows = page.dataframe[0].value
    assert len(rows) == 6
    alone = ma.assess(ma.protect(ma.load_dataset("tarragona"), ma.Plan(method="pcp", k=5))).figures()
    row = rows[(rows["method"].str.contains("PCP")) & (rows["k"] == 5)].iloc[0]
    assert row["il"] == pytest.approx(alone["il"])
    assert row["dld"] == pytest.approx(100 * alone["dld"])
    names = [trace["name"] for trace in chart(page)["data"]]
    assert names[:3] == ["front", "MDAV", "PCP"]


def test_the_same_grid_again_is_taken_from_memory(opened: Opened):
    page = computed(small(opened))
    page.multiselect(key="grid_methods").set_value(["mdav"]).run()
    assert "all are computed" in said(page)
    assert page.button(key="compare_start").disabled
    page.multiselect(key="grid_methods").set_value(["mdav", "pcp", "zscores"]).run()
    page = finished(page, "compare-quick")
    assert left_over(page) == 2


def test_a_recommendation_meets_the_limits_and_says_why(opened: Opened):
    page = computed(small(opened))
    assert "it loses least: IL" in said(page)
    page.number_input(key="wish_k_prime").set_value(5.5).run()
    assert "that keep k′ ≥ 5.5, it loses least" in said(page)
    page.number_input(key="wish_dr").set_value(1.0).run()
    assert "no plan keeps k′ ≥ 5.5 and DR ≤ 1; this one comes nearest" in said(page)


def test_a_limit_of_linkage_is_in_per_cent(opened: Opened):
    page = computed(small(opened))
    rows = page.dataframe[0].value.sort_values("il", ignore_index=True)
    linked = rows["dld"].to_list()
    limit = round((linked[0] + min(linked)) / 2, 1)
    page.number_input(key="wish_dld").set_value(limit).run()
    best = rows[rows["dld"] <= limit].iloc[0]
    assert best.name > 0, "the plan that loses least is linked too often"
    assert f"keep DLD ≤ {limit:g} %, it loses least: IL {best['il']:.4g}" in said(page)


def test_what_is_known_of_another_intruder_is_not_shown(opened: Opened):
    page = computed(small(opened, methods=("mdav",)))
    before = page.dataframe[0].value["dld"]
    page.selectbox(key="knowledge").set_value("up-to:1").run()
    assert not page.dataframe
    page = finished(page, "compare-quick")
    after = computed(page).dataframe[0].value["dld"]
    data = ma.load_dataset("tarragona")
    for k, was, now in zip((4, 5, 6), before, after, strict=True):
        release = ma.protect(data, ma.Plan(k=k))
        assert was == pytest.approx(100 * ma.assess(release).figures()["dld"])
        alone = ma.assess(release, knowledge=ma.Knowledge.up_to(1)).figures()["dld"]
        assert now == pytest.approx(100 * alone) != was


def test_weights_change_score_and_risk(opened: Opened):
    page = computed(small(opened))
    before = page.dataframe[0].value
    page.slider(key="wish_linkage").set_value(100).run()
    after = page.dataframe[0].value
    assert after["dr"].to_list() == pytest.approx(before["dld"].to_list())
    page.slider(key="wish_loss").set_value(100).run()
    assert page.dataframe[0].value["score"].to_list() == pytest.approx(before["il"].to_list())


def test_any_loss_stands_against_any_risk(opened: Opened):
    page = computed(small(opened))
    page.selectbox(key="map_loss").set_value("d_y").run()
    page.selectbox(key="map_risk").set_value("k_prime").run()
    rows = page.dataframe[0].value
    front, *methods = chart(page)["data"][:3]
    points = sorted(zip(rows["d_y"], rows["k_prime"], strict=True))
    drawn = [pair for each in methods for pair in zip(*(numbers(each[side]) for side in "xy"), strict=True)]
    np.testing.assert_allclose(sorted(drawn), points)
    best = [(x, y) for x, y in points if not any(a <= x and b >= y and (a, b) != (x, y) for a, b in points)]
    assert 1 < len(best) < len(points)
    np.testing.assert_allclose([numbers(front["x"]), numbers(front["y"])], np.transpose(best))
    layout = chart(page)["layout"]
    assert layout["xaxis"]["title"]["text"] == "D<sub>Y</sub>, %  (← better)"
    assert layout["yaxis"]["title"]["text"] == "k′  (↑ better)"


def test_the_recommended_plan_opens_in_explore(opened: Opened):
    page = computed(small(opened, methods=("pcp",)))
    page.button(key="open_recommended").click().run()
    held = address(page)
    assert (held["method"], held["k"]) == ("pcp", "4")
    assert page.slider(key="k").value == 4


def test_one_plan_that_fails_shows_its_reason_and_stops_nothing(opened: Opened):
    page = computed(small(opened, ("mdav", "fixed"), method="fixed", option__attribute="12"))
    rows = page.dataframe[0].value.set_index(["method", "k"])
    assert rows.loc["MDAV"]["il"].notna().all()
    assert (rows.loc["MDAV"]["reason"] == "").all()
    failed = rows.loc["Fixed-size (UFS)"]
    assert failed["il"].isna().all()
    assert failed["reason"].str.contains("NET_PROFIT").all()


def test_what_a_method_leaves_as_it_is_stands_beside_its_figures(opened: Opened):
    page = opened("compare", data="survey", k="3", roles="iqqqcc")
    page.multiselect(key="grid_methods").set_value(["mdav", "mixed"]).run()
    page.slider(key="grid_k").set_range(3, 4).run()
    page = computed(page)
    rows = page.dataframe[0].value
    left = dict(zip(rows["method"], rows["unprotected"], strict=True))
    assert left == {"MDAV": "Gender", "MDAV, mixed attributes": ""}
    assert "**Left as it is** by MDAV: Gender; no figure is of it." in said(page)
    page.multiselect(key="grid_methods").set_value(["mixed"]).run()
    assert "unprotected" not in page.dataframe[0].value
    assert "Left as it is" not in said(page)


def test_where_no_plan_can_be_carried_out_the_first_reason_is_told(opened: Opened):
    page = computed(small(opened, roles="i" * 13))
    assert "None of the plans can be carried out" in page.warning[0].value
    assert "nothing to protect" in page.warning[0].value


def test_what_a_method_cannot_honour_falls_together(opened: Opened):
    page = small(opened, methods=("individual_ranking",))
    page.multiselect(key="grid_blocks").set_value(["all", "contiguous:2", "contiguous:3"]).run()
    assert "= 9 plans, 3 of them different" in said(page)


def test_an_empty_grid_says_what_to_choose(opened: Opened):
    page = small(opened, methods=())
    assert "Choose at least one of each" in said(page)
    assert page.button(key="compare_start").disabled


def test_scores_are_the_best_of_all_ways_or_held_to_one(opened: Opened):
    page = small(opened, methods=("mdav",))
    page.multiselect(key="grid_blocks").set_value(["all", "single"]).run()
    page = computed(page)
    rows = page.dataframe[0].value
    assert drawn_scores(page) == pytest.approx(rows.groupby("k")["score"].min().to_list())
    page.selectbox(key="score_way").set_value("All together, λ = 0").run()
    held = rows[rows["blocks"] == "All together"]
    assert drawn_scores(page) == pytest.approx(held["score"].to_list())


def test_each_plan_stands_beside_its_refined_twin_with_the_librarys_figures(opened: Opened):
    page = small(opened, methods=("mdav", "individual_ranking"))
    page.toggle(key="grid_twins").set_value(True).run()
    page.number_input(key="grid_rounds").set_value(5).run()
    assert "3 of them refined too" in said(page)
    page = computed(page)
    rows = next(frame.value for frame in page.dataframe if "l change" in frame.value.columns)
    assert rows["method"].to_list() == ["MDAV"] * 3
    alone = ma.assess(ma.protect(ma.load_dataset("tarragona"), ma.Plan(k=5, refine=5))).figures()
    before = ma.assess(ma.protect(ma.load_dataset("tarragona"), ma.Plan(k=5))).figures()
    row = rows[rows["k"] == 5].iloc[0]
    assert row["l"] == f"{100 * before['l']:.2f} → {100 * alone['l']:.2f}"
    assert row["id change"] == pytest.approx(100 * (alone["id"] - before["id"]))
    styles = next(f.proto.arrow_data.styler.styles for f in page.dataframe if "l change" in f.value.columns)
    coloured = {}
    for places, colour in re.findall(r"([^{}]+)\{\s*color: (#\w+);?\s*\}", styles):
        coloured |= dict.fromkeys(re.findall(r"row(\d+)_col(\d+)", places), colour)
    for column, name in enumerate(rows.columns):
        for at, change in enumerate(rows[name] if name.endswith(" change") else []):
            better = None if abs(change) < 0.005 else change < 0
            found = coloured.get((str(at), str(column)))
            assert found == {True: "#08785f", False: "#b8420f", None: None}[better], (name, at, change)
    assert set(coloured.values()) == {"#08785f", "#b8420f"}
    drawn = chart(page)["data"]
    assert [trace["name"] for trace in drawn][:2] == ["front", "mdav refined"]
    symbols = next(trace["marker"]["symbol"] for trace in drawn if trace["name"] == "MDAV")
    assert sorted(set(symbols)) == ["circle", "circle-open"]
    assert "on average over 3 plans: L **−" in said(page)


def test_without_the_twins_the_table_of_all_plans_stands_alone(opened: Opened):
    page = computed(small(opened, methods=("mdav",)))
    assert len(page.dataframe) == 1
    assert "refined too" not in said(page)
