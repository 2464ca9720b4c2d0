"""What is said of records counts those that leave, where others are left out."""

from __future__ import annotations

import numpy as np
import pandas as pd

import microagg as ma
from microagg.assessment.audit.forecast import forecast
from tests.ui.conftest import Opened, said

AGES = ma.load_dataset("survey").frame["Age"]
CODE = int(AGES.value_counts().index[0])
LEFT = int((AGES != CODE).sum())
DROPPED = {"data": "survey", "k": "3", "missing": "drop", "codes": f"*:{CODE}"}


def test_the_data_page_and_the_sidebar_count_the_records_that_leave(opened: Opened) -> None:
    assert LEFT < 200
    page = opened("data", **DROPPED)
    assert f"Ready: {LEFT} of 200 records to release" in " ".join(
        box.value for box in (*page.success, *page.info)
    )
    assert f"{LEFT} of 200 records; 2 protected" in said(opened("explore", **DROPPED))


def test_totals_are_said_of_the_released_records_and_of_the_whole_file(opened: Opened) -> None:
    page = opened("release", **DROPPED)
    assert f"among the {LEFT} released records" in said(page)
    assert "Against the whole file, most: " in said(page)


def test_the_forecast_looks_at_the_records_that_leave_alone() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.normal(size=40), "town": ["a"] * 30 + [f"t{i}" for i in range(10)]})
    frame.loc[30:, "age"] = np.nan
    data = ma.Microdata.from_frame(frame, roles={"age": "quasi_identifier", "town": "quasi_identifier"})
    plan = ma.Plan(k=3, columns=("age",), missing="drop")
    exposed = forecast(data, plan).named("k, exposed")
    assert exposed.status != "red", "the ten records with a town of their own are left out"
    assert ma.audit(ma.protect(data, plan)).named("k, exposed").status == "green"
    kept = forecast(data, plan.replace(missing="patterns")).named("k, exposed")
    assert kept.status == "red"
