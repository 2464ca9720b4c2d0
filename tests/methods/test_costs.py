"""What would run for hours or take all memory is refused before it begins, with the numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from microagg.errors import PlanError
from microagg.methods import METHODS
from microagg.model.microdata import Microdata
from microagg.model.plan import Plan
from microagg.preparation.prepare import prepare

SLOW = ["mixed", "maximum_distance", "kward", "kward_univariate", "constrained_lloyd", "genetic"]


def large(n: int, strata: int = 1) -> Microdata:
    frame = pd.DataFrame({"a": np.arange(n) % 977.0, "b": np.arange(n) % 89.0, "s": np.arange(n) % strata})
    return Microdata.from_frame(
        frame, roles={"a": "quasi_identifier", "b": "quasi_identifier", "s": "stratum"}
    )


@pytest.mark.parametrize("name", sorted(METHODS.keys() - set(SLOW)))
def test_fast_methods_run_on_whatever_can_be_loaded(name: str) -> None:
    method = METHODS[name]
    found = method.cost(10_000_000, 10, 3, method.complete({}))
    assert (found.seconds, found.bytes) == (0, 0)


@pytest.mark.parametrize("name", SLOW)
def test_slow_methods_run_on_thousands_of_records(name: str) -> None:
    method = METHODS[name]
    assert method.cost(20_000, 13, 3, method.complete({})).seconds < 300


def test_a_run_of_hours_is_refused_before_it_begins() -> None:
    with pytest.raises(PlanError, match=r"about \d+ hours on 2,000,000 records; the most is 1 hour"):
        prepare(large(2_000_000), Plan(method="kward_univariate", k=3))


def test_a_run_of_too_much_memory_is_refused_before_it_begins() -> None:
    options = {"population": 1000, "generations": 1}
    with pytest.raises(PlanError, match="about 6 GB of memory on 3,000,000 records; the most is 4 GB"):
        prepare(large(3_000_000), Plan(method="genetic", k=3, options=options))


def test_strata_make_a_long_run_short() -> None:
    assert prepare(large(2_000_000, strata=2_000), Plan(method="kward_univariate", k=3)).method.name


def test_the_farthest_pairs_are_counted_with_the_cube_that_they_take() -> None:
    # Lognormal, k = 5, measured on 2 cores: 20,000 × 3 in 13 s, 10,000 × 3 in 1.4 s, 40,000 × 3 in 63 s.
    for n, took in ((10_000, 1.38), (20_000, 13.0), (40_000, 63.0)):
        said = METHODS["maximum_distance"].cost(n, 3, 5, {}).seconds
        assert took / 3 < said < took * 3
    with pytest.raises(PlanError, match=r"about \d+ hours on 200,000 records"):
        prepare(large(200_000), Plan(method="maximum_distance", k=3))


@pytest.mark.parametrize("rounds", [100_001, 99_999_999_999, 10**20])
def test_rounds_that_would_never_end_are_refused_in_words(rounds: int) -> None:
    with pytest.raises(PlanError, match="a number of rounds, from 0 to 100,000"):
        Plan(method="pcp", refine=rounds)
    with pytest.raises(PlanError, match=r"'rounds' is .*must lie between 0 and 100000"):
        prepare(large(100), Plan(method="refined", options={"rounds": rounds}))
