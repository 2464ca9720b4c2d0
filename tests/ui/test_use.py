"""Use: every figure of loss, and what models learned from the release still predict."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

import microagg as ma
from microagg.measures.loss import information_loss
from microagg.measures.prediction import prediction_loss
from microagg.measures.secondary_catalogue import EVERY
from microagg.measures.structure import structure
from microagg.ui.components.words import text
from tests.patience import PATIENCE
from tests.ui.conftest import Opened, figures, said

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest


def done(page: AppTest) -> AppTest:
    """Run again until every model is fitted."""
    until = time.monotonic() + PATIENCE
    while "**…**" in said(page) and time.monotonic() < until:
        time.sleep(0.05)
        page.run()
    assert not page.exception, page.exception
    return page


def test_every_figure_of_loss_is_the_librarys(opened: Opened):
    release = ma.protect(ma.load_dataset("tarragona"), ma.Plan(k=7))
    sides = release.original_values, release.protected_values
    shown = figures(opened("use", data="tarragona", k="7"))
    for found in (information_loss(*sides), structure(*sides)):
        for name in EVERY:
            if hasattr(found, name) and EVERY[name].title in shown:
                assert shown[EVERY[name].title] == text(name, getattr(found, name)), name
    assert len(shown) == 14


def test_predictions_are_the_librarys_for_the_same_seed(opened: Opened):
    page = opened("use", data="tarragona", k="7")
    page.number_input(key="use_seed").set_value(3).run()
    done(page)
    release = ma.protect(ma.load_dataset("tarragona"), ma.Plan(k=7))
    sides = release.original_values, release.protected_values
    found = prediction_loss(*sides, release.confidential_values, seed=3)
    assert f"Prediction lost: **{100 * found.mean:.2f} %**" in said(page)


def test_text_is_predicted_as_names_and_what_cannot_be_says_why(opened: Opened):
    page = done(opened("use", data="survey"))
    release = ma.protect(ma.load_dataset("survey"), ma.Plan())
    charts = [json.loads(chart.proto.spec) for chart in page.get("plotly_chart")]
    names = charts[0]["layout"]["yaxis"]["ticktext"]
    assert names == list(release.data.columns("confidential"))
    assert "Δr: not defined: two attributes have one correlation" in said(page)


def test_a_forest_can_take_the_lines_place(opened: Opened):
    page = opened("use", data="survey")
    page.selectbox(key="use_model").select("forest").run()
    assert "Prediction lost" in said(done(page))


@pytest.mark.parametrize("data", ["eia"])
def test_without_confidential_attributes_the_page_says_what_to_do(opened: Opened, data: str):
    page = opened("use", data=data)
    assert "no complete confidential attribute" in said(page)
    assert figures(page)["IL"] != "–"
