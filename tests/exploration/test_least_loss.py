"""The bound beside L holds for every plan, and is L itself where the optimum is known."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from microagg.assessment.assess import lost
from microagg.exploration.least_loss import least_loss
from microagg.kernels.scaling import standardise
from microagg.methods import METHODS
from microagg.methods.bound import MOST_RECORDS
from microagg.methods.exact import exact
from microagg.model.microdata import Microdata
from microagg.model.plan import Plan
from microagg.protection.protect import protect
from tests.methods.test_exact import sum_of_squares

OTHERS: Any = {"wage": "confidential", "sex": "other", "gaps": "other", "w": "weight"}


def people(n: int = 120, seed: int = 3) -> Microdata:
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(np.exp(random.normal(size=(n, 4))), columns=["a", "b", "c", "wage"])
    frame["whole"] = random.integers(0, 40, n)
    frame["same"] = 7.0
    frame["gaps"] = np.where(np.arange(n) % 4 == 0, np.nan, random.normal(size=n))
    frame["sex"] = random.choice(["f", "m"], n)
    frame["w"] = random.uniform(0.5, 3.0, n)
    roles: Any = dict.fromkeys(["a", "b", "c", "whole", "same"], "quasi_identifier")
    return Microdata.from_frame(frame, roles=roles | OTHERS)


PLANS: dict[str, dict[str, Any]] = {
    "one block": {},
    "blocks": {"blocks": "contiguous:2"},
    "λ": {"lam": 0.7, "blocks": "contiguous:3"},
    "strata": {"strata": ("sex",)},
    "medians": {"aggregate": "median"},
    "weighted": {"weighted": True},
    "rounded": {"rounding": "half up"},
    "shuffled": {"shuffle": 4},
    "patterns": {"columns": ("a", "b", "gaps"), "missing": "patterns"},
    "dropped": {"columns": ("a", "b", "gaps"), "missing": "drop"},
}


@pytest.mark.parametrize("changes", PLANS.values(), ids=PLANS)
@pytest.mark.parametrize("method", ["mdav", "refined", "pcp"])
def test_no_release_loses_less(changes: dict[str, Any], method: str) -> None:
    release = protect(people(), Plan(method=method, k=3, **changes))
    assert 0 < least_loss(release) <= lost(release).squared.total * (1 + 1e-9)


def test_categories_beside_numbers_change_nothing() -> None:
    data = people().with_roles({"sex": "quasi_identifier"}).with_scales({"sex": "nominal"})
    release = protect(data, Plan(method="mixed", k=3))
    assert 0 < least_loss(release) <= lost(release).squared.total


@pytest.mark.parametrize("seed", range(5))
def test_the_optimum_of_a_tiny_file_lies_above_it(seed: int) -> None:
    data = people(12, seed)
    release = protect(data, Plan(k=3, columns=("a", "b", "c")))
    points = standardise(release.original_values)
    assert 0 < least_loss(release) <= sum_of_squares(points, exact(points, 3)) / points.size


def test_for_attributes_one_by_one_it_is_what_the_optimal_partition_loses() -> None:
    release = protect(people(), Plan(method="individual_ranking", k=4))
    assert least_loss(release) == pytest.approx(lost(release).squared.total, rel=1e-6)


def test_there_is_none_where_no_groups_are_formed() -> None:
    assert "mic1d" in METHODS
    assert math.isnan(least_loss(protect(people(), Plan(method="mic1d", k=3))))


def test_there_is_none_for_more_records_than_are_cheap() -> None:
    frame = pd.DataFrame({"a": np.arange(MOST_RECORDS + 1.0)})
    release = protect(Microdata.from_frame(frame, roles={"a": "quasi_identifier"}), Plan(method="optimal"))
    assert math.isnan(least_loss(release))


def test_a_file_without_variance_need_lose_nothing() -> None:
    frame = pd.DataFrame({"a": np.ones(9)})
    release = protect(Microdata.from_frame(frame, roles={"a": "quasi_identifier"}), Plan(k=3))
    assert least_loss(release) == 0.0
