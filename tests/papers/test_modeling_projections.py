"""Table 1 and figures 2 and 3 of "Modeling Projections in Microaggregation"."""

from __future__ import annotations

from dataclasses import replace

import pytest

from microagg.papers import EXPERIMENTS
from microagg.papers.blockwise import released
from microagg.papers.experiment import summary
from microagg.papers.modeling_projections import VARIANTS, blocks, configuration
from microagg.papers.published_tables import values

RISK_RANKS = 0.933  # Spearman's correlation of DR over methods and k, measured 2026-11-28
TABLE = EXPERIMENTS["modeling-projections/table-1"]


def test_table_1_has_27_configurations_of_two_data_sets():
    printed = TABLE.printed()
    assert len(printed) == 27
    assert all(len(figures) == 10 for figures in printed.values())
    assert printed["Sugeno", 4, 25]["census_score"] == 49.39


def test_the_figures_follow_from_table_1():
    risks = EXPERIMENTS["modeling-projections/figure-2"].printed()
    assert risks["Sugeno", 25]["dr"] == pytest.approx(0.25 * 0.60 + 0.25 * 0.37 + 0.5 * 30.90)
    assert EXPERIMENTS["modeling-projections/figure-3"].printed()["PCP", 5]["score"] == 48.59


def test_sugeno_has_the_lowest_printed_risk_for_every_k():
    risks = EXPERIMENTS["modeling-projections/figure-2"].printed()
    for k in (5, 15, 25):
        assert min(("PCP", "Zscores", "Sugeno"), key=lambda method: risks[method, k]["dr"]) == "Sugeno"


@pytest.mark.parametrize(("dataset", "p"), [("eia", 10), ("census", 13)])
@pytest.mark.parametrize(
    "order", ["file", "alphabetical", "census alphabetical", "reversed", "correlated", "apart"]
)
def test_blocks_of_any_order_hold_every_attribute_once(dataset, p, order, request):
    request.getfixturevalue(dataset)
    for size in (2, 3, 4):
        found = blocks(dataset, order, size)
        assert sorted(column for block in found for column in block) == list(range(p))
        assert max(map(len, found)) == size


def test_every_reading_keeps_the_means_and_gives_each_block_at_least_k_alike():
    original = values("tarragona")[:, :6]
    for variant in VARIANTS:
        for method in ("pcp", "zscores", "sugeno"):
            after = released(original, ((0, 1, 2), (3, 4, 5)), method, 7, variant.reading)
            assert after.mean(axis=0) == pytest.approx(original.mean(axis=0))
            assert len({tuple(row) for row in after[:, :3].tolist()}) <= len(original) // 7


@pytest.mark.usefixtures("census")
def test_risk_and_score_are_the_papers_weights_of_their_parts():
    found = configuration("census", "pcp", 4, 25, VARIANTS[0].reading)
    assert found["dr"] == pytest.approx(found["dld"] / 4 + found["pld"] / 4 + found["id"] / 2)
    assert found["score"] == pytest.approx(found["il"] / 2 + found["dr"] / 2)


@pytest.mark.usefixtures("census")
def test_ranks_of_figure_2_agree_as_measured():
    cells = EXPERIMENTS["modeling-projections/figure-2"].run()
    assert summary(cells)["spearman"].iloc[0] >= RISK_RANKS - 0.002


def test_readings_are_values_that_can_be_looked_up():
    readings = {variant.reading: variant for variant in VARIANTS}
    assert len(readings) == len(VARIANTS)
    for variant in VARIANTS:
        assert readings[replace(variant.reading)] is variant
