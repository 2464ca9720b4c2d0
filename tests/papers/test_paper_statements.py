"""What k-Anonymous Microaggregation with Preservation of Statistical Dependence says of Census, §V.B and V.C.

Census has 1,080 records; the first six attributes are X, the other seven Y, and MDAV makes the groups.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

import microagg as ma

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray

KS = (5, 10, 20, 50, 100)
ALL_SIX = ma.Knowledge.of([range(6)])


@pytest.fixture(scope="module")
def data(census: FloatArray) -> ma.Microdata:
    names = [f"a{j}" for j in range(13)]
    frame = pd.DataFrame(census, columns=names)
    roles = {name: "quasi_identifier" if j < 6 else "confidential" for j, name in enumerate(names)}
    return ma.Microdata.from_frame(frame, roles=roles)


def figures(data: ma.Microdata, k: int, lam: float, blocks: str = "all") -> dict[str, float]:
    release = ma.protect(data, ma.Plan(k=k, lam=lam, blocks=blocks))
    return ma.assess(release, knowledge=ALL_SIX).figures()


@pytest.mark.parametrize("k", KS)
def test_d_x_is_the_smaller_at_lambda_0_and_d_y_at_lambda_1(data: ma.Microdata, k: int) -> None:
    plain, link = figures(data, k, 0.0), figures(data, k, 1.0)
    assert plain["d_x"] <= plain["d_y"]
    assert link["d_y"] <= link["d_x"]


def test_the_printed_extremes_come_out_at_k_10(data: ma.Microdata) -> None:
    plain, link = figures(data, 10, 0.0), figures(data, 10, 1.0)
    assert (plain["d_x"], plain["d_y"], plain["dld"]) == pytest.approx((0.0999, 0.3706, 0.0907), abs=5e-5)
    assert (link["d_x"], link["d_y"]) == pytest.approx((0.3581, 0.0734), abs=5e-5)


@pytest.mark.parametrize("lam", [0.0, 1.0])
def test_either_distortion_increases_with_k(data: ma.Microdata, lam: float) -> None:
    found = [figures(data, k, lam) for k in KS]
    for name in ("d_x", "d_y"):
        assert np.all(np.diff([each[name] for each in found]) > 0)


def test_smaller_blocks_more_than_halve_d_x_and_give_records_away(data: ma.Microdata) -> None:
    whole, threes, twos = (
        figures(data, 10, 0.0, blocks) for blocks in ("all", "contiguous:3", "contiguous:2")
    )
    assert threes["d_x"] < whole["d_x"] / 2
    assert twos["d_x"] < threes["d_x"] / 2
    assert threes["dld"] > 0.6
    assert twos["dld"] > 0.9


@pytest.mark.parametrize("k", KS)
@pytest.mark.parametrize("lam", [0.0, 0.5, 1.0])
def test_without_blocks_at_most_one_record_in_k_is_linked(data: ma.Microdata, k: int, lam: float) -> None:
    assert figures(data, k, lam)["dld"] <= 1 / k


def test_diversity_falls_by_less_than_a_third_up_to_lambda_09(data: ma.Microdata) -> None:
    plain = figures(data, 5, 0.0)["ell_average"]
    assert all(figures(data, 5, step / 10)["ell_average"] > plain * 2 / 3 for step in range(1, 10))


def test_a_little_weight_gains_more_than_it_costs_at_small_k(data: ma.Microdata) -> None:
    plain, some = figures(data, 5, 0.0), figures(data, 5, 0.1)
    gain, cost = 1 - some["d_y"] / plain["d_y"], some["d_x"] / plain["d_x"] - 1
    assert gain > cost > 0
