"""The verdict on every page: what the audit says, and nothing greener."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pandas as pd
import pytest

import microagg as ma
from microagg.ui.state.settings import Settings
from tests.assessment.audit.plain import below, class_sizes
from tests.ui.conftest import Opened, address, said
from tests.ui.test_compare import finished

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest

PAGES = ("data", "explore", "attack", "release")
KIND = (
    "k-anonymity holds",
    "passed",
    "are green.",
    "Verdict: green",
    "Forecast: green",
    ":green[:material/recommend:]",
)


def chips(page: AppTest) -> dict[str, str]:
    """Each finding's label: colour, name and number of records."""
    labels = [block.proto.popover.label for block in page.get("popover")]
    return {label.split("] ")[1].split(" · ")[0]: label for label in labels if label.startswith(":")}


def reason(page: AppTest, key: str) -> object:
    """The line on which the reason for a finding, or a column by position, is typed."""
    return next(line for line in page.text_input if line.key.startswith(f"accept-{key}-"))


@pytest.mark.parametrize("page", PAGES)
def test_a_household_survey_is_not_called_safe_anywhere(page: str, opened: Opened) -> None:
    """Expected counts by pandas alone."""
    release = ma.protect(ma.load_dataset("household_survey"), ma.Plan())
    out = release.protected
    exposed = [name for name in out if name != "diagnosis"]
    count = below(out, exposed, 5)
    alone = int((class_sizes(out, exposed) == 1).sum())
    assert alone > 4000
    there = opened(page, data="household_survey")
    text = said(there)
    assert not [word for word in KIND if word in text]
    assert ("Forecast: red" if page == "data" else "Verdict: red") in text
    found = chips(there)
    if page != "data":
        assert found["k, exposed"] == f":red[:material/cancel:] k, exposed · {count:,}"
        assert found["singled out"] == f":red[:material/cancel:] singled out · {alone:,}"
    assert "red" in found["untouched columns"]


def test_compare_says_it_of_what_it_recommends(opened: Opened) -> None:
    page = opened("compare", data="household_survey")
    page.multiselect(key="grid_methods").set_value(["mdav", "pcp"]).run()
    page.slider(key="grid_k").set_range(4, 6).run()
    page.button(key="compare_start").click().run()
    page = finished(page)
    page.number_input(key="wish_k_prime").set_value(4.0).run()
    assert "Verdict on it: red" in said(page)
    assert not [word for word in KIND if word in said(page)]


def test_the_forecast_knows_what_no_grouping_can_help(opened: Opened) -> None:
    frame = ma.load_dataset("household_survey").frame
    bare = frame[["household", "sex", "region", "education", "occupation", "weight"]]
    count = below(bare, list(bare), 5)
    assert f"k, exposed · {count:,}" in chips(opened("data", data="household_survey"))["k, exposed"]
    good = chips(opened("data", data="tarragona"))
    assert good["k, exposed"].startswith(":orange")
    assert "promise of the method" in good


def test_explore_names_in_red_what_the_method_leaves_and_offers_the_one_that_takes_it(opened: Opened) -> None:
    page = opened("explore", data="household_survey")
    assert "Left as they are by this method:** sex, region, education, occupation" in said(page)
    page.button(key="take_mixed").click().run()
    assert address(page)["method"] == "mixed"
    assert "by this method" not in said(page)
    assert "Verdict: red" in said(page)


def test_a_typed_reason_is_in_force_on_every_page_and_in_the_plan(opened: Opened) -> None:
    page = opened("explore", data="tarragona", k="5", blocks="contiguous:2")
    assert chips(page)["k, exposed"].startswith(":red")
    reason(page, "k, exposed").set_value("Only sums leave.").run()
    assert chips(page)["k, exposed"].startswith(":orange")
    assert json.loads(address(page)["accept"]) == {"k, exposed": "Only sums leave."}
    page.switch_page("pages/release.py").run()
    assert "Accepted: “Only sums leave.”" in said(page)
    assert chips(page)["k, exposed"].startswith(":orange")
    page.switch_page("pages/explore.py").run()
    reason(page, "k, exposed").set_value("").run()
    assert chips(page)["k, exposed"].startswith(":red")
    assert "accept" not in address(page)


def test_a_reason_without_a_word_is_refused(opened: Opened) -> None:
    page = opened("explore", data="tarragona", k="5", blocks="contiguous:2")
    reason(page, "singled out").set_value("…").run()
    assert not page.exception
    assert "accept" not in address(page)
    assert "needs a reason in words" in page.toast[0].value


def test_a_column_that_nobody_can_know_is_named_by_its_place(opened: Opened) -> None:
    page = opened("explore", data="household_survey", method="mixed")
    place = list(ma.load_dataset("household_survey").frame).index("household")
    reason(page, str(place)).set_value("Drawn at random.").run()
    assert json.loads(address(page)["accept"]) == {str(place): "Drawn at random."}
    release = ma.protect(ma.load_dataset("household_survey"), ma.Plan(method="mixed"))
    left = [name for name in release.protected if name not in ("diagnosis", "household")]
    assert f"{below(release.protected, left, 5):,}" in chips(page)["k, exposed"]


def test_a_link_that_accepts_what_there_is_not_is_told_and_left(opened: Opened) -> None:
    page = opened("explore", data="tarragona", accept='{"secret": "So it was decided."}')
    assert "accept" not in address(page)


def test_a_release_without_a_fault_is_green_on_every_page(opened: Opened) -> None:
    frame = pd.DataFrame({"age": [40, 20, 41, 21, 42, 22] * 4, "rent": [9, 1, 8, 2, 7, 3] * 4})
    page = opened("data", data="tarragona")
    page.file_uploader(key="file").upload("x.csv", frame.to_csv(index=False).encode(), "text/csv").run()
    page.switch_page("pages/explore.py").run()
    assert "Verdict: green.** All 7 findings are green." in said(page)
    page.switch_page("pages/release.py").run()
    assert "All 7 findings and all 11 checks of the written file are green." in said(page)


@pytest.mark.parametrize(
    ("changes", "kept"),
    [
        ({"k": 4}, False),
        ({"method": "pcp"}, False),
        ({"blocks": "single"}, False),
        ({"lam": 0.5}, False),
        ({"roles": "qqqo"}, False),
        ({"seed": 3}, False),
        ({"missing": "drop"}, False),
        ({"keep_identifiers": True}, False),
        ({"all_records": True}, False),
        ({"k": 5}, True),
        ({"knowledge": "all"}, True),
        ({"shuffle": 3}, True),
    ],
)
def test_a_reason_is_of_one_release_and_a_column_of_the_data(changes: dict[str, object], kept: bool) -> None:
    both = '{"k, exposed": "So it was decided.", "2": "Drawn at random."}'
    now = Settings(accept=both).replace(**changes)
    assert json.loads(now.accept) == (json.loads(both) if kept else {"2": "Drawn at random."})
    assert now.replace(data="eia").accept == ""


def test_a_reason_does_not_cover_another_setting_until_undo_brings_it_back(opened: Opened) -> None:
    page = opened("explore", data="tarragona", k="5", blocks="contiguous:2")
    reason(page, "k, exposed").set_value("Only sums leave.").run()
    assert chips(page)["k, exposed"].startswith(":orange")
    page.number_input(key="k_box").set_value(4).run()
    assert chips(page)["k, exposed"].startswith(":red")
    assert "accept" not in address(page)
    assert "was given for mdav, k = 5" in page.toast[0].value
    page.button(key="undo_button").click().run()
    assert chips(page)["k, exposed"].startswith(":orange")


@pytest.mark.parametrize("stem", ["explore", "attack"])
def test_figures_of_the_protected_columns_say_so_where_records_stand_out_by_others(
    opened: Opened, stem: str
) -> None:
    for data, alone in (("household_survey", True), ("tarragona", False)):
        page = opened(stem, data=data)
        lines = {metric.label.partition(" (")[0]: metric.delta for metric in page.metric}
        for label in ("Smallest class", "Actual k"):
            assert ("in protected columns" in lines[label]) == alone, (data, label)
        assert chips(page)["k, exposed"].startswith(":red") == alone
