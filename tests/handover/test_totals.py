"""Totals are those of pandas, weighted where the plan is."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import microagg as ma
from microagg.handover.totals import totals, totals_of_file

FRAME = pd.DataFrame(
    {
        "age": [20.0 + i * 7 % 41 for i in range(30)],
        "rent": [5.0 + i * i % 17 for i in range(29)] + [np.nan],
        "weight": [1.0 + i % 5 for i in range(30)],
    }
)


@pytest.mark.parametrize("weighted", [False, True])
def test_totals_are_weighted_as_the_plan_is(*, weighted: bool) -> None:
    roles = {"age": "quasi_identifier", "rent": "quasi_identifier", "weight": "weight"}
    plan = ma.Plan(k=4, missing="drop", weighted=weighted, aggregate="mean", rounding="none")
    plan = plan if weighted else plan.replace(aggregate="median")
    data = ma.Microdata.from_frame(FRAME, roles=roles)
    release = ma.protect(data, plan)
    kept = FRAME.dropna().reset_index(drop=True)
    weights = kept["weight"] if weighted else kept["weight"] ** 0
    before = kept[["age", "rent"]].mul(weights, axis=0).sum()
    after = release.protected[["age", "rent"]].mul(weights, axis=0).sum()
    found = totals(release).set_index("attribute")
    pd.testing.assert_series_equal(found["before"], before, check_names=False)
    pd.testing.assert_series_equal(found["after"], after, check_names=False)
    change = (after - before) / before.abs()
    np.testing.assert_allclose(found["change"], change, rtol=1e-9, atol=1e-15)
    assert (change.abs() > 1e-6).all() == (not weighted), "weighted means keep weighted totals alone"
    whole = FRAME[["age", "rent"]].mul(FRAME["weight"] if weighted else 1.0, axis=0).sum()
    of_file = totals_of_file(release, data).set_index("attribute")
    pd.testing.assert_series_equal(of_file["file"], whole, check_names=False)
    np.testing.assert_allclose(of_file["change"], (after - whole) / whole.abs(), rtol=1e-9, atol=1e-15)
