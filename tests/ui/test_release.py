"""Release: what leaves, the checks of the written file, and what is taken home."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import microagg as ma
from tests.ui.conftest import Opened, address, said

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest

SURVEY = b"name;age;rent;remark\n" + b"".join(
    f"P{i};{20 + i * 7 % 40};{9 + i % 13},5;{'=1+1' if i % 20 == 1 else 'x'}\n".encode() for i in range(60)
)

NO_SPACES_IN_NAMES = {"stata", "spss", "xport"}


def uploaded(opened: Opened) -> AppTest:
    page = opened("data", data="tarragona")
    page.file_uploader(key="file").upload("people.csv", SURVEY, "text/csv").run()
    page.switch_page("pages/release.py").run()
    assert not page.exception, page.exception
    return page


def test_a_good_release_says_so_and_offers_five_things(opened: Opened) -> None:
    page = opened("release", data="tarragona", k="5")
    assert "10 of 11 checks are green" in said(page)
    assert "Verdict: amber.** 1 of 7 findings is amber and 1 of 11 checks is amber." in said(page)
    assert "the order of the original, which follows" in said(page)
    assert "are green." not in said(page)
    assert "834 records, 13 columns; 0 columns out" in said(page)
    assert [button.label for button in page.get("download_button")] == [
        "Protected file",
        "Report",
        "Public report",
        "Plan",
        "Script",
    ]


def test_red_checks_are_told_first_and_do_not_block(opened: Opened) -> None:
    page = opened("release", data="tarragona", k="5", blocks="contiguous:2")
    assert "Verdict: red." in said(page)
    assert "checks is red" in said(page)
    assert "(red)" in said(page)
    colours = [
        found[1]
        for line in page.markdown
        if (found := re.match(r":(\w+)\[[^]]*\] \*\*[^*]+\*\*( \(\w+\))? · ", line.value))
    ]
    assert len(set(colours)) == 3
    assert colours == sorted(colours, key=["red", "orange", "green"].index)
    assert len(page.get("download_button")) == 5
    assert not any(button.disabled for button in page.get("download_button"))


def test_identifiers_are_out_unless_they_are_kept_and_that_is_red(opened: Opened) -> None:
    page = opened("release", data="survey", k="3")
    assert "None is in the file; 1 left out." in said(page)
    page.toggle(key="keep_identifiers").set_value(True).run()
    assert address(page)["keep_identifiers"] == "True"
    assert "The file names its records by Name" in said(page)


def test_rounding_says_what_it_does_to_totals_loss_and_anonymity(opened: Opened) -> None:
    page = opened("release", data="survey", k="3")
    assert "Rounding" not in said(page)
    page.selectbox(key="rounding").set_value("half up").run()
    assert "Rounding moved" in said(page)
    data = ma.load_dataset("survey")
    release = ma.protect(data, ma.Plan(k=3, rounding="half up"))
    before, after = (frame[list(release.columns)].sum() for frame in (data.frame, release.protected))
    share = (after - before) / before
    most = share.abs().idxmax()
    assert share.abs().nunique() > 1
    told = f"{100 * share[most]:+.3f} %".replace("-", "−")
    assert f"The total that changes most is that of {most}, {told}." in said(page)
    assert address(page)["rounding"] == "half up"


def test_a_shuffle_takes_a_seed_and_the_rows_are_checked_in_it(opened: Opened) -> None:
    page = opened("release", data="tarragona")
    page.toggle(key="shuffled").set_value(True).run()
    assert "Rows stand in the plan's random order." in said(page)
    assert "Copy link and the plan hold this seed, which undoes the shuffle" in said(page)
    page.number_input(key="shuffle").set_value(8).run()
    assert address(page)["shuffle"] == "8"
    assert "Rows stand in the plan's random order, of a seed that can be guessed." in said(page)


@pytest.mark.parametrize("kind", ["excel", "parquet", "feather", "stata", "spss", "xport", "rds", "rda"])
def test_every_format_is_written_and_checked_or_refused_in_words(kind: str, opened: Opened) -> None:
    page = opened("release", data="survey", k="3")
    page.selectbox(key="leave_format").set_value(kind).run()
    assert not page.exception, page.exception
    if kind in NO_SPACES_IN_NAMES:
        assert "variable name 'ZIP Code' contains a space" in said(page)
    else:
        assert "checks are green" in said(page)


def test_formula_cells_are_warned_of_and_can_be_neutralised(opened: Opened) -> None:
    page = uploaded(opened)
    assert "3 cells would run as formulas in a spreadsheet" in said(page)
    page.toggle(key="leave_neutralise").set_value(True).run()
    assert "checks are green" in said(page)
    assert "No cell would run" in said(page)
    assert "--neutralise" in page.code[0].value


def test_a_file_of_ones_own_is_made_again_from_its_own_name(opened: Opened) -> None:
    page = uploaded(opened)
    assert page.code[0].value.startswith("microagg protect people.csv --plan people_plan.json")
    assert "as it came" in page.selectbox(key="leave_format").options[0]


def test_a_plan_that_cannot_be_carried_out_is_one_sentence(opened: Opened) -> None:
    page = opened("release", data="tarragona", k="5000")
    assert not page.exception
    assert "k is 5000" in said(page)
    assert not page.get("download_button")
