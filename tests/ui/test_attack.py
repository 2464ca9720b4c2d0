"""Attack: what is shown is what the library measures; who attacks is chosen in words."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, get_args

import numpy as np
import pandas as pd
import pytest

import microagg as ma
from microagg.assessment.assess import known_sets
from microagg.measures.anonymity import real_anonymity
from microagg.measures.diversity import diversity
from microagg.measures.linkage import linked_records
from microagg.measures.matching import Direction
from microagg.measures.probabilistic import probabilistic_linkage
from microagg.measures.record_risk import record_risk
from microagg.measures.risk import PAPER_1, RiskWeights
from microagg.ui.components.words import text
from tests.patience import PATIENCE
from tests.ui.conftest import Opened, address, choose, figures, said

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest


def done(page: AppTest) -> AppTest:
    """Run again until what is computed beside the page is there."""
    until = time.monotonic() + PATIENCE
    while "computing…" in [metric.delta for metric in page.metric] and time.monotonic() < until:
        time.sleep(0.05)
        page.run()
    assert not page.exception, page.exception
    return page


def risky(page: AppTest) -> pd.DataFrame:
    """The table of records most at risk."""
    return next(table.value for table in page.dataframe if "surest" in table.value)


def test_tooltips_tell_what_was_measured_as_it_was_measured(opened: Opened, release: ma.Release):
    page = opened("attack", data="tarragona", k="7")
    usual = {metric.label: metric.help for metric in page.metric}
    page.selectbox(key="attack_direction").set_value("original to protected").run()
    page.selectbox(key="attack_width").set_value("value").run()
    page.slider(key="attack_loss").set_value(30).run()
    found = ma.assess(release, direction="original to protected", width="value", loss_weight=0.3)
    told = {metric.label: metric.help for metric in page.metric}
    changed = {label for label in told if told[label] != usual[label]}
    assert changed == {ma.MEASURES[name].title for name in ("dld", "pld", "id", "score")}
    for name in ("dld", "pld", "id", "score", "il", "dr"):
        assert told[ma.MEASURES[name].title].startswith(found.sentence(name)), name


@pytest.fixture(scope="module")
def release() -> ma.Release:
    return ma.protect(ma.load_dataset("tarragona"), ma.Plan(k=7))


def test_the_figures_are_those_of_the_library(opened: Opened, release: ma.Release):
    page = done(opened("attack", data="tarragona", k="7"))
    page.selectbox(key="attack_weights").select("paper 1").run()
    page.slider(key="attack_loss").set_value(30).run()
    found = ma.assess(release, weights=PAPER_1, loss_weight=0.3)
    shown = figures(page)
    for name in ("dld", "pld", "id", "dr", "il", "score", "ell_average"):
        assert shown[ma.MEASURES[name].title] == text(name, found.figures()[name]), name
    near = diversity(release.confidential_values, release.partitions[0].labels)
    assert shown["t, largest"] == f"{near.t_closeness:.2f}"
    assert shown["p-sensitivity"] == f"{near.p_sensitivity:.0f}"


def test_direction_and_width_change_what_they_should(opened: Opened, release: ma.Release):
    page = done(opened("attack", data="tarragona", k="7"))
    page.selectbox(key="attack_direction").select("original to protected").run()
    page.selectbox(key="attack_width").select("standard deviations").run()
    found = ma.assess(release, direction="original to protected", width="standard deviations").figures()
    shown = figures(done(page))
    assert (shown["DLD"], shown["ID"]) == (text("dld", found["dld"]), text("id", found["id"]))
    sets = known_sets(release, ma.Knowledge.up_to(3))
    sides = release.original_values, release.protected_values
    agreed = [probabilistic_linkage(*sides, sets, direction=d).rate for d in get_args(Direction)]
    assert shown["PLD"] == text("pld", agreed[1]) != text("pld", agreed[0])
    means = [record_risk(*sides, sets, direction=d).mean for d in get_args(Direction)]
    first = risky(page).iloc[0]
    assert first["mean"] == pytest.approx(100 * means[1].max())
    assert abs(means[0] - means[1]).max() > 0.01


def test_one_set_by_hand_is_what_the_second_row_looks_at(opened: Opened, release: ma.Release):
    page = done(opened("attack", data="tarragona", k="7", blocks="contiguous:2"))
    page.selectbox(key="attack_form").select("one").run()
    page.multiselect(key="attack_set").set_value(["TREASURY", "FIXED_ASSETS"]).run()
    assert address(page)["knowledge"] == "sets:0+2"
    blocks = ma.protect(release.data, ma.Plan(k=7, blocks="contiguous:2"))
    found = real_anonymity(blocks.protected_values, (0, 2), 7)
    shown = figures(done(page))
    assert shown["Actual k (asked: 7)"] == text("k_prime", found.k_prime)
    assert shown["Records below k"] == text("records_below_k", found.records_below_k)
    assert "released alike over FIXED_ASSETS, TREASURY" in said(page)


def test_a_list_is_written_line_by_line_and_a_wrong_name_is_a_sentence(opened: Opened):
    page = done(opened("attack", data="tarragona"))
    page.selectbox(key="attack_form").select("list").run()
    page.text_area(key="attack_list").set_value("TREASURY, FIXED_ASSETS\n\nPAID_UP_CAPITAL").run()
    assert address(page)["knowledge"] == "sets:0+2,4"
    page.text_area(key="attack_list").set_value("TREASURY, WEALTH").run()
    assert "There is no protected attribute 'WEALTH'" in said(page)
    assert address(page)["knowledge"] == "sets:0+2,4"
    assert page.text_area(key="attack_list").value == "TREASURY, WEALTH"


def test_a_sample_shows_its_standard_error(opened: Opened, release: ma.Release):
    page = done(opened("attack", data="tarragona", k="7", knowledge="sample:20:3"))
    linkage = ma.disclosed(release, ma.Knowledge.sample(20, 3)).linkage
    deltas = {metric.label: metric.delta for metric in page.metric}
    assert deltas["DLD"] == f"± {100 * linkage.standard_error:.2f} (se)"
    assert deltas["PLD"].endswith("(se)")
    assert "20 sets of 6 attributes, out of 63" in said(page)


def test_too_many_sets_are_counted_and_a_way_out_is_named(opened: Opened):
    page = opened("data")
    wide = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 20)).cumsum(axis=0)).add_prefix("v")
    page.file_uploader[0].upload("wide.csv", wide.to_csv(index=False).encode(), "text/csv").run()
    page.session_state.settings = page.session_state.settings.replace(roles="q" * 20, knowledge="all")
    page.switch_page("pages/attack.py").run()
    assert not page.exception
    assert "1,048,575 sets of the 20 attributes" in said(page)
    assert "sets of up to 4 attributes" in said(page)  # 6,195 sets; up to 5 would be 21,699
    page.selectbox(key="attack_form").select("up-to").run()
    assert not page.error


def test_weights_of_ones_own_must_sum_to_one(opened: Opened, release: ma.Release):
    page = done(opened("attack", data="tarragona", k="7"))
    page.selectbox(key="attack_weights").select("own").run()
    page.number_input(key="attack_weight_dld").set_value(0.2).run()
    assert "They sum to 0.70" in said(page)
    assert figures(page)["DR"] == "–"
    assert figures(page)["DLD"] != "–"
    page.number_input(key="attack_weight_pld").set_value(0.3).run()
    found = ma.assess(release, weights=RiskWeights(0.2, 0.3, 0.5))
    assert figures(done(page))["DR"] == text("dr", found.dr)


def test_records_at_risk_say_how_often_by_what_and_among_how_many(opened: Opened, release: ma.Release):
    page = done(opened("attack", data="tarragona", k="7", knowledge="up-to:2"))
    table = risky(page)
    sets = known_sets(release, ma.Knowledge.up_to(2))
    found = record_risk(release.original_values, release.protected_values, sets)
    never = int((found.linked == 0).sum())
    assert f"{never} of 834 records were never linked." in said(page)
    first = table.iloc[0]
    record = int(first["record"]) - 1
    assert first["mean"] == pytest.approx(100 * found.mean.max())
    assert first["linked"] == found.linked[record]
    surest = sets[found.surest[record]]
    assert first["surest"] == ", ".join(release.columns[c] for c in surest)
    links = linked_records(release.original_values, release.protected_values, surest)
    assert first["ties"] == links.candidates[record]


def test_a_record_is_followed_to_the_candidates_the_intruder_sees(opened: Opened, release: ma.Release):
    page = done(opened("attack", data="tarragona", k="7"))
    page.number_input(key="attack_follow").set_value(100).run()
    assert address(page)["attack_record"] == "100"
    page.multiselect(key="attack_known").set_value(list(release.columns)).run()
    links = linked_records(release.original_values, release.protected_values, range(6))
    table = next(table.value for table in page.dataframe if "Distance" in table.value)
    assert table["Distance"].iloc[0] == pytest.approx(links.nearest[99], abs=1e-4)
    right = table.loc[table["Right"] != "", "Distance"]
    assert right.item() == pytest.approx(links.own[99], abs=1e-4)
    values = next(table.value for table in page.dataframe if "released" in table.value)
    assert values["true"].to_numpy() == pytest.approx(release.original_values[99])
    assert values["released"].to_numpy() == pytest.approx(release.protected_values[99])
    verdict = "right" if links.credit[99] else "wrong"
    assert f"**{verdict}" in said(page)


def test_the_figure_marks_the_right_candidate(opened: Opened):
    page = done(opened("attack", data="tarragona", k="7"))
    specs = [json.loads(chart.proto.spec) for chart in page.get("plotly_chart")]
    names = [[trace["name"] for trace in spec["data"]] for spec in specs]
    assert ["stems", "wrong", "right", "words"] in names


def test_attributes_and_sets_have_their_tabs(opened: Opened):
    page = done(opened("attack", data="tarragona", k="7"))
    for tab, column in (("Known sets", "known"), ("Attributes", "distinct_l")):
        choose(page, "attack", attack_tabs=tab)
        assert not page.exception
        assert any(column in table.value for table in page.dataframe), tab


def test_each_set_has_its_own_figures_and_the_most_dangerous_comes_first(opened: Opened, release: ma.Release):
    page = done(opened("attack", data="tarragona", k="7", knowledge="up-to:2"))
    choose(page, "attack", attack_tabs="Known sets")
    rows = next(table.value for table in page.dataframe if "known" in table.value and "id" in table.value)
    inside = dict(zip(release.columns, ma.assess(release).disclosed.intervals.by_attribute, strict=True))
    assert len(rows) == 6 + 15
    for row in rows.itertuples():
        names = row.known.split(", ")
        assert row.size == len(names)
        assert row.id == pytest.approx(100 * np.mean([inside[name] for name in names]))
        links = linked_records(
            release.original_values, release.protected_values, [release.columns.index(name) for name in names]
        )
        assert row.dld == pytest.approx(100 * links.credit.mean())
    assert rows["dld"].is_monotonic_decreasing


def test_data_without_confidential_attributes_say_what_is_not_defined(opened: Opened):
    page = opened("attack", data="eia", knowledge="up-to:1")
    assert figures(page)["ℓ avg"] == "–"
    assert "ℓ and t are not defined" in said(done(page))


def test_a_list_for_other_data_is_not_taken_over(opened: Opened):
    page = opened("attack", data="survey", knowledge="sets:0+9")
    assert not page.exception
    assert not page.error
    assert address(page).get("knowledge", "up-to:3") == "up-to:3"


def test_explore_follows_the_intruder(opened: Opened):
    page = done(opened("attack", data="tarragona"))
    page.number_input(key="attack_size").set_value(1).run()
    page.switch_page("pages/explore.py").run()
    found = ma.assess(ma.protect(ma.load_dataset("tarragona"), ma.Plan()), knowledge=ma.Knowledge.up_to(1))
    assert figures(page)["DR"] == f"{found.dr:.2f}"
    assert np.isfinite(found.dr)
