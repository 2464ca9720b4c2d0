"""Dependence: curves along λ are drawn from releases of their own, and what cannot be had is said."""

from __future__ import annotations

import base64
import json
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

import microagg as ma
from microagg.exploration.sweep import lower_envelope
from tests.patience import PATIENCE
from tests.ui.conftest import Opened, said

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest


def curves(opened: Opened, ks: tuple[int, ...] = (5, 10), **query: str) -> AppTest:
    """Dependence with all of its points."""
    page = opened("dependence", data="tarragona", **query)
    page.multiselect(key="along_k").set_value(list(ks)).run()
    return finished(page)


def finished(page: AppTest, seconds: float = PATIENCE) -> AppTest:
    until = time.monotonic() + seconds
    while page.session_state["job-lambda"].running:
        assert time.monotonic() < until, "the job takes too long"
        time.sleep(0.05)
    return page.run()


def traces(page: AppTest, number: int) -> dict[str, dict]:
    spec = json.loads(page.get("plotly_chart")[number].proto.spec)
    return {trace["name"]: trace for trace in spec["data"]}


def values(coded: dict | list) -> np.ndarray:
    """Numbers of a trace, however they travelled."""
    if isinstance(coded, list):
        return np.array(coded)
    return np.frombuffer(base64.b64decode(coded["bdata"]), dtype=coded["dtype"])


def test_a_curve_is_the_librarys_for_each_lambda(opened: Opened):
    page = curves(opened)
    curve = traces(page, 0)["MDAV, k = 10"]
    data = ma.load_dataset("tarragona")
    for step, (d_x, d_y) in enumerate(zip(values(curve["x"]), values(curve["y"]), strict=True)):
        found = ma.lost(ma.protect(data, ma.Plan(k=10, lam=step / 10))).dependence
        assert (d_x, d_y) == pytest.approx((100 * found.d_x, 100 * found.d_y))


def test_increments_are_relative_to_lambda_zero_with_the_line_of_equal_gain_and_cost(opened: Opened):
    page = curves(opened)
    absolute, relative = traces(page, 0)["MDAV, k = 5"], traces(page, 1)["MDAV, k = 5"]
    d_x = values(absolute["x"])
    assert values(relative["x"]) == pytest.approx(100 * (d_x / d_x[0] - 1))
    equal = traces(page, 1)["equal"]
    assert list(equal["y"]) == [-x for x in equal["x"]]


def test_points_above_the_envelope_are_hollow(opened: Opened):
    page = curves(opened, ks=(20,))
    curve = traces(page, 0)["MDAV, k = 20"]
    on = lower_envelope(values(curve["x"]), values(curve["y"]))
    hollow = [shape.endswith("-open") for shape in curve["marker"]["symbol"]]
    assert hollow == (~on).tolist()
    assert f"the {sum(hollow)} of 11 points above it" in said(page)


def test_the_current_setting_is_marked_and_computed_even_off_the_grid(opened: Opened):
    page = curves(opened, k="7", lam="0.35")
    now = traces(page, 0)["current"]
    found = ma.lost(ma.protect(ma.load_dataset("tarragona"), ma.Plan(k=7, lam=0.35))).dependence
    assert (now["x"][0], now["y"][0]) == pytest.approx((100 * found.d_x, 100 * found.d_y))


def test_methods_are_laid_over_each_other(opened: Opened):
    page = curves(opened, ks=(5,))
    page.multiselect(key="along_methods").set_value(["mdav", "pcp"]).run()
    page = finished(page)
    names = traces(page, 0)
    assert "MDAV, k = 5" in names
    assert "First principal component (PCP), k = 5" in names


def test_more_steps_compute_only_what_is_new(opened: Opened):
    page = curves(opened, ks=(5,))
    known = len(page.session_state["memory"]._held)
    page.slider(key="along_steps").set_value(20).run()
    page = finished(page)
    assert page.session_state["job-lambda"].total < 21 * 4
    assert len(page.session_state["memory"]._held) > known
    assert len(values(traces(page, 0)["MDAV, k = 5"]["x"])) == 21


def test_without_a_confidential_number_it_says_what_to_do(opened: Opened):
    page = opened("dependence", data="eia")
    assert "none of its columns is a confidential number" in said(page)
    assert "Give a complete column of numbers the role" in said(page)
    assert not page.get("plotly_chart")
