"""What the Papers page says in words, held against the numbers.

Every sentence that claims an order, a magnitude or a count is either made from the cells or has its test
here; a new one with such a word fails until it has.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

from microagg.kernels.scaling import standardise
from microagg.measures.secondary_catalogue import EVERY
from microagg.methods.projections import first_component, sum_of_zscores
from microagg.papers import EXPERIMENTS
from microagg.papers.experiment import lowest, summary
from microagg.papers.published_tables import printed, values

CLAIM = re.compile(
    r"\b(lowest|highest|magnitude|comes? out|comes? nearest|nearer|best found|best ranked|begins earlier|"
    r"were run|falls to|misprint|gives? the printed|all correlations)\b"
)
HELD = {
    "comparative-study/table-1",
    "comparative-study/table-2",
    "comparative-study/table-3",
    "comparative-study/table-4",
    "modeling-projections/table-1",
    "modeling-projections/figure-2",
    "modeling-projections/figure-3",
    "one-dimension/table-4",
    "one-dimension/table-5",
    "statistical-dependence/statements",
    "statistical-dependence/diversity",
}
"""Whose claims are tested here or, for one-dimension, in test_one_dimension."""


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_no_sentence_claims_what_is_not_tested(name):
    experiment = EXPERIMENTS[name]
    sentences = [experiment.about, experiment.differs, *(v.sentence for v in experiment.variants)]
    sentences += [column.sentence for column in experiment.columns]
    claims = [text for text in sentences if CLAIM.search(text)]
    assert not claims or name in HELD


@pytest.mark.parametrize(
    ("table", "off"),
    [
        (1, {("UFS-FPC", 3, "low"), ("UDO-PV", 3, "high")}),
        (2, set()),
        (3, set()),
        (4, {("UDO-SZ", 4, "mean_change")}),
    ],
)
def test_paper_4_comes_out_but_for_the_cells_that_are_named(table, off):
    cells = EXPERIMENTS[f"comparative-study/table-{table}"].run()
    cells = cells[(cells["agreement"] != "exact") & (cells["method"] != "MDO-MD")]
    assert set(cells[["method", "k", "column"]].itertuples(index=False, name=None)) == off


@pytest.mark.usefixtures("eia")
def test_paper_1_contradicts_itself_on_eia():
    points = standardise(values("eia", tuple(EIA)))
    assert np.corrcoef(points.T).min() >= 0.40
    for i, j in np.column_stack(np.triu_indices(10, 1)):
        pair = np.ascontiguousarray(points[:, [i, j]])
        component, scores = first_component(pair), sum_of_zscores(pair)
        # The component is the sum divided by the root of two, and so in the same order but for rounding.
        np.testing.assert_allclose(component * np.sqrt(2), scores, atol=1e-9)
    line = printed("nin_torra_table1").query("dataset == 'eia' and block_size == 2 and k == 5")
    il = line.set_index("projection")["il"]
    assert (il["pcp"], il["zscores"]) == (13.90, 4.27)
    for name in ("table-1", "figure-2", "figure-3"):
        assert "13.90 for PCP and 4.27 for Zscores" in EXPERIMENTS[f"modeling-projections/{name}"].differs


EIA = [
    f"{who}{what}"
    for who in ("RES", "COM", "IND", "OTH", "TOT")
    for what in ("REVENUE", "RSALES"[who != "OTH" :])
]


@pytest.mark.usefixtures("census")
def test_sugeno_is_lowest_in_figure_3_as_printed_at_k_15_and_25_only_and_highest_as_measured():
    figure = EXPERIMENTS["modeling-projections/figure-3"]
    cells = figure.run()
    told = lowest(cells)
    assert told.startswith("Lowest published: Zscores at k = 5, Sugeno at k = 15, 25. Lowest measured: ")
    assert "Sugeno" not in told.partition("Lowest measured")[2]
    assert "Sugeno" not in figure.about + figure.differs
    assert set(cells.loc[cells.groupby("k")["measured"].idxmax(), "method"]) == {"Sugeno"}


@pytest.mark.usefixtures("census")
@pytest.mark.parametrize(
    "name", ["modeling-projections/figure-2", "modeling-projections/figure-3", "one-dimension/table-6"]
)
def test_hardly_a_cell_comes_out_where_that_is_said(name):
    experiment = EXPERIMENTS[name]
    found = summary(experiment.run())
    assert found["exact"].sum() < found["cells"].sum() / 20
    if "Only ranks can be compared" in experiment.differs:
        assert found["off"].sum() > found["cells"].sum() / 3
    else:
        assert "No reading was found that gives the printed figures." in experiment.differs


@pytest.mark.usefixtures("census")
def test_d_x_falls_by_more_than_half_from_blocks_of_3_to_blocks_of_2():
    experiment = EXPERIMENTS["statistical-dependence/statements"]
    assert "D_X falls to 0.39" in experiment.differs
    row = ("D_X halves again from blocks of 3 to blocks of 2, ratio", "§V text")
    assert experiment.measure(row, "generic")["value"] == pytest.approx(0.39, abs=0.005)


@pytest.mark.usefixtures("census")
def test_diversity_of_large_k_falls_earlier():
    cells = EXPERIMENTS["statistical-dependence/diversity"].run()
    ell = cells.set_index(["data", "k", "λ"])["measured"]
    at_half = {k: min(ell[d, k, 0.5] / ell[d, k, 0.0] for d in ("Census", "Tarragona")) for k in (5, 50, 100)}
    assert max(at_half[50], at_half[100]) < at_half[5]


def test_figures_that_are_not_all_published_are_not_called_so():
    statements = EXPERIMENTS["statistical-dependence/statements"]
    assert {row[1] for row in statements.printed()} == {"checked value", "§V text"}
    assert statements.expected == "expected"
    saved = statements.as_saved(next(statements.rows()))
    assert "expected" in saved
    assert "published" not in saved


@pytest.mark.parametrize("name", ["delta_r", "delta_w", "first_component"])
def test_measures_of_the_first_component_cite_the_table_that_prints_them(name):
    columns = {c.name for c in EXPERIMENTS["comparative-study/table-3"].columns}
    assert columns == {"delta_r", "delta_w", "share"}
    assert EVERY[name].reference.endswith("table 3")
