"""Explore, deeper: options of the whole plan, history, pins, selections, samples, long runs."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

import microagg as ma
from microagg.protection.shuffle_seed import GUESSABLE
from microagg.ui.attack import lookups
from microagg.ui.explore import runs
from tests.patience import PATIENCE
from tests.ui.conftest import Opened, address, choose, figures, numbers, said
from tests.ui.test_verdict import chips


def spec(page, trace: str) -> dict:
    """The first chart with a trace of that name."""
    specs = [json.loads(chart.proto.spec) for chart in page.get("plotly_chart")]
    return next(s for s in specs if trace in [t.get("name") for t in s["data"]])


def tab(page, name: str):
    return choose(page, "explore", details=name)


@pytest.mark.usefixtures("water")
@pytest.mark.parametrize("policy", ["drop", "patterns"])
@pytest.mark.parametrize(
    "shown", ["Distributions", "Pairs", "Groups", "Correlations", "Attributes", "Records"]
)
def test_a_file_with_gaps_is_explored_once_a_policy_is_chosen(policy: str, shown: str, opened: Opened):
    page = tab(opened("explore", data="water_treatment", missing=policy), shown)
    assert not page.exception
    assert not page.error, said(page)
    found = ma.assess(ma.protect(ma.load_dataset("water_treatment"), ma.Plan(missing=policy)))
    assert figures(page)["IL"] == f"{found.il:.2f}"


@pytest.mark.usefixtures("water")
def test_a_file_with_gaps_is_refused_with_counts_until_then(opened: Opened):
    page = opened("explore", data="water_treatment")
    assert "'DQO-E' (6)" in said(page)
    assert not page.metric


def test_categories_are_explored_by_the_method_that_protects_them(opened: Opened):
    page = opened("explore", data="survey", roles="iqqqcc", method="mixed")
    for name in ("Groups", "Attributes", "Records"):
        assert not tab(page, name).exception
        assert not page.error, said(page)


def test_options_reach_the_plan_and_what_is_not_honoured_says_why(opened: Opened):
    page = opened("explore", data="survey")
    assert page.toggle(key="weighted").disabled
    assert "role Weight" in page.toggle(key="weighted").help
    page.selectbox(key="rounding").set_value("half even").run()
    assert address(page)["rounding"] == "half even"
    page.selectbox(key="aggregate").set_value("median").run()
    found = ma.assess(
        ma.protect(ma.load_dataset("survey"), ma.Plan(rounding="half even", aggregate="median"))
    )
    assert figures(page)["IL"] == f"{found.il:.2f}"


def test_rows_are_shuffled_by_a_seed_that_the_address_keeps(opened: Opened):
    page = opened("explore", data="tarragona")
    page.toggle(key="shuffled").set_value(True).run()
    first = int(address(page)["shuffle"])
    assert first >= GUESSABLE
    page.toggle(key="shuffled").set_value(False).run()
    assert "shuffle" not in address(page)
    page.toggle(key="shuffled").set_value(True).run()
    assert int(address(page)["shuffle"]) != first, "the seed is drawn, not the same for everybody"


def test_redo_takes_back_an_undo(opened: Opened):
    page = opened("explore", data="tarragona")
    page.slider(key="k").set_value(9).run()
    page.button(key="undo_button").click().run()
    assert page.slider(key="k").value == 5
    page.button(key="redo_button").click().run()
    assert page.slider(key="k").value == 9
    assert page.button(key="redo_button").disabled


def test_the_trail_stands_at_loss_and_risk_of_each_setting(opened: Opened):
    page = opened("explore", data="tarragona")
    page.slider(key="k").set_value(20).run()
    data = ma.load_dataset("tarragona")
    found = [ma.assess(ma.protect(data, ma.Plan(k=k))) for k in (5, 20)]
    trail = next(trace for trace in spec(page, "trail")["data"] if trace["name"] == "trail")
    assert numbers(trail["x"]) == pytest.approx([one.il for one in found])
    assert numbers(trail["y"]) == pytest.approx([one.dr for one in found])


def test_attributes_and_records_are_those_of_pandas_in_the_order_that_is_told(opened: Opened):
    page = tab(opened("explore", data="tarragona"), "Attributes")
    release = ma.protect(ma.load_dataset("tarragona"), ma.Plan())
    names = list(release.columns)
    before, after = release.data.frame[names], release.protected[names]
    rows = page.dataframe[0].value.set_index("attribute")
    assert rows["spread"].to_list() == pytest.approx((100 * after.std(ddof=0) / before.std(ddof=0)).to_list())
    assert rows["after"].to_list() == after.nunique().to_list()
    tab(page, "Records")
    table = page.dataframe[0].value
    alike = after.groupby(names)[names[0]].transform("size")
    moved = np.sqrt(
        np.square(
            (after - after.mean()) / after.std(ddof=0) - (before - before.mean()) / before.std(ddof=0)
        ).sum(axis=1)
    )
    place = table["record"] - 1
    assert table["alike"].to_list() == alike[place].to_list()
    assert table["moved"].to_list() == pytest.approx(moved[place].to_list())
    told = {"alike": True, "linked": False, "moved": True, "record": True}
    again = table.sort_values(list(told), ascending=list(told.values()))
    assert again["record"].to_list() == table["record"].to_list()
    assert table.groupby("alike")["linked"].nunique().max() > 1


def test_two_pins_are_drawn_side_by_side(opened: Opened):
    page = opened("explore", data="tarragona")
    page.button(key="pin_button").click().run()
    page.slider(key="k").set_value(20).run()
    tab(page, "History")
    captions = [caption.value for caption in page.caption]
    assert sum("before (grey) and after (blue)" in caption for caption in captions) == 2


def test_two_pins_stand_side_by_side_with_what_differs(opened: Opened):
    page = opened("explore", data="tarragona")
    page.button(key="pin_button").click().run()
    page.slider(key="k").set_value(9).run()
    page.button(key="pin_button").click().run()
    tab(page, "History")
    assert not page.exception
    tables = [table.value for table in page.dataframe]
    figures_of_both = next(table for table in tables if "B − A" in table)
    smallest = figures_of_both[figures_of_both["Figure"] == "Smallest class"]
    assert smallest[["A", "B", "B − A"]].values.tolist() == [["5", "9", "+4.00"]]
    differences = next(table for table in tables if "Plan" in table)
    assert differences.values.tolist() == [["k", "5", "9"]]


def test_records_selected_in_one_figure_are_ringed_in_the_others_and_listed(opened: Opened):
    page = tab(opened("explore", data="tarragona"), "Pairs")
    chosen = np.array([3, 10, 500])
    page.session_state["brush"] = (page.session_state["view"].release.data.fingerprint, chosen)
    for name in ("Pairs", "Groups"):
        tab(page, name)
        ringed = next(t for t in spec(page, "selected")["data"] if t["name"] == "selected")
        assert ringed["marker"]["symbol"] == "circle-open"
    tab(page, "Records")
    assert sorted(page.dataframe[0].value["record"]) == [4, 11, 501]
    page.button(key="brush_clear").click().run()
    assert len(page.dataframe[0].value) == 200


def test_the_sugeno_construction_is_drawn_for_the_chosen_record(opened: Opened):
    page = tab(opened("explore", data="tarragona", method="sugeno", option__quantifier="most"), "Sugeno")
    page.number_input(key="sugeno_record").set_value(7).run()
    integral = next(t for t in spec(page, "integral")["data"] if t["name"] == "integral")
    values = ma.load_dataset("tarragona").matrix(page.session_state["view"].release.columns)
    unit = (values - values.min(axis=0)) / np.ptp(values, axis=0)
    falling = np.sort(unit[6])[::-1]
    shares = np.arange(1, unit.shape[1] + 1) / unit.shape[1]
    expected = np.minimum(falling, np.clip((shares - 0.3) / 0.5, 0, 1)).max()
    assert integral["y"][1] == pytest.approx(expected)


def test_the_sugeno_construction_scales_among_those_that_the_record_is_protected_with(opened: Opened):
    page = opened("explore", data="survey", k="3", roles="isqqcc", method="sugeno")
    page = tab(page, "Sugeno")
    page.number_input(key="sugeno_record").set_value(7).run()
    frame = ma.load_dataset("survey").frame
    own = frame[frame["Gender"] == frame["Gender"].iloc[6]][["Age", "ZIP Code"]]
    unit = ((own - own.min()) / (own.max() - own.min())).loc[frame.index[6]]
    falling = np.sort(unit.to_numpy())[::-1]
    integral = next(t for t in spec(page, "integral")["data"] if t["name"] == "integral")
    assert integral["y"][1] == pytest.approx(np.minimum(falling, [0.5, 1.0]).max())
    assert f"Scaled among the {len(own)} records that it is protected with" in said(page)


def test_a_method_without_quantifier_says_how_to_see_one(opened: Opened):
    assert "Sugeno integral" in said(tab(opened("explore", data="tarragona"), "Sugeno"))


def test_a_large_file_is_first_seen_on_a_sample_and_every_figure_says_so(opened: Opened, monkeypatch):
    monkeypatch.setattr(runs, "LARGE", 3000)
    monkeypatch.setattr(runs, "SAMPLE", 1000)
    page = opened("explore", data="eia")
    assert "A sample of 1,000 of 4,092 records" in said(page)
    captions = [caption.value for caption in page.caption]
    assert sum(caption.startswith("Sample of 1,000") for caption in captions) >= 2
    assert {label.partition("[")[0] for label in chips(page).values()} == {":orange"}, (
        "a sample proves nothing"
    )
    assert page.button(key="all_records").label.startswith("Now on all records")
    page.button(key="all_records").click().run()
    assert address(page)["all_records"] == "True"
    assert not any(caption.value.startswith("Sample of") for caption in page.caption)
    assert {label.partition("[")[0] for label in chips(page).values()} > {":orange"}
    found = ma.assess(ma.protect(ma.load_dataset("eia"), ma.Plan()))
    assert figures(page)["L"] == f"{100 * found.lost.squared.total:.2f} %"


def test_a_first_long_run_speaks_of_no_picture_below_it(opened: Opened, monkeypatch):
    def never(*_args, progress, **_named):
        while True:
            progress(0.4)
            time.sleep(0.01)

    monkeypatch.setattr(runs, "protect", never)
    monkeypatch.setattr(runs, "AT_ONCE", 0.3)
    page = opened("explore", data="tarragona")
    page.button(key="run_cancel").click().run()
    assert "Stopped." in said(page)
    assert not figures(page)


def test_a_long_run_shows_the_old_picture_and_can_be_cancelled(opened: Opened, monkeypatch):
    page = opened("explore", data="tarragona")
    before, release = figures(page), threading.Event()
    protect = runs.protect

    def slow(data, plan, *, progress=None, watch=None):
        while not release.wait(0.01):
            progress(0.4)
        return protect(data, plan, progress=progress, watch=watch)

    monkeypatch.setattr(runs, "protect", slow)
    monkeypatch.setattr(runs, "AT_ONCE", 0.3)
    page.slider(key="k").set_value(9).run()
    assert figures(page) == before
    assert page.button(key="run_cancel").label == "Cancel"
    page.button(key="run_cancel").click().run()
    assert "Stopped; below is what was shown before." in said(page)
    assert figures(page) == before
    release.set()
    monkeypatch.setattr(runs, "AT_ONCE", PATIENCE)
    page.button(key="run_again").click().run()
    assert figures(page)["Smallest class"] == "9"


def test_a_run_that_is_nearly_done_is_waited_for_instead_of_showing_a_bar(opened: Opened, monkeypatch):
    page = opened("explore", data="tarragona")
    disclosed = runs.disclosed

    def slow(*given, **named):
        time.sleep(2.5)
        return disclosed(*given, **named)

    monkeypatch.setattr(runs, "disclosed", slow)
    monkeypatch.setattr(runs, "AT_ONCE", 2.0)
    page.slider(key="k").set_value(9).run()
    assert figures(page)["Smallest class"] == "9"
    assert not any(button.key == "run_cancel" for button in page.button)


def test_a_wrong_plan_is_one_sentence_from_the_thread_too(opened: Opened):
    page = opened("explore", data="tarragona", k="5000")
    assert "at most 834" in said(page)
    assert not page.exception


def test_a_name_that_a_setting_was_given_stays_with_it(opened: Opened):
    page = opened("explore", data="tarragona")
    mark = page.session_state["now"]
    page.session_state["trail"] = {mark.key: replace(mark, name="first try")}
    page.slider(key="k").set_value(9).run()
    page.button(key="undo_button").click().run()
    assert page.session_state["now"].name == "first try"
    assert page.session_state["now"].settings.k == 5


def test_linkage_of_a_large_file_is_sampled_and_looks_up_everybody_on_request(opened: Opened, monkeypatch):
    decided = ma.disclosed.__globals__["whom_to_look_up"].__globals__
    monkeypatch.setitem(decided, "PATIENCE", 0.0)
    monkeypatch.setitem(decided, "SAMPLE", 400)
    page = opened("explore", data="tarragona")
    assert "DLD on a sample of 400 records, ± " in said(page)
    page.button(key="exact").click().run()
    assert address(page)["exact"] == "True"
    assert "DLD looks up every record" in said(page)
    exact = ma.assess(ma.protect(ma.load_dataset("tarragona"), ma.Plan()), exact=True)
    assert figures(page)["DLD"] == f"{100 * exact.disclosed.linkage.rate:.2f} %"
    monkeypatch.setattr(lookups, "_AT_ONCE", PATIENCE)
    page = opened("attack", data="tarragona")
    lines = {metric.label: metric.delta for metric in page.metric}
    assert lines["DLD"].startswith("on a sample of 400 records, ± ")
    assert lines["PLD"].startswith("on a sample of 400 records, ± ")
