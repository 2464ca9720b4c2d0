"""What an experiment makes of printed and measured figures: agreement, ranks, variants, progress."""

from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd
import pytest
from scipy.stats import rankdata

from microagg.errors import Cancelled, PlanError
from microagg.papers import EXPERIMENTS, PAPERS, named
from microagg.papers.experiment import Column, Experiment, Variant, agreement, summary

PRINTED = {("a", 1): {"x": 1.0, "y": 10.0}, ("a", 2): {"x": 2.0, "y": 20.0}, ("b", 1): {"x": 4.0}}


def example(**changes) -> Experiment:
    experiment = Experiment(
        name="paper/table",
        title="Table",
        about="",
        differs="",
        datasets=("tarragona",),
        keys=("method", "k"),
        columns=(Column("x", "X", 1, ""), Column("y", "Y", 0, "")),
        variants=(Variant("once", "", 1.0), Variant("twice", "", 2.0)),
        printed=lambda: PRINTED,
        measure=lambda row, factor: {name: factor * value for name, value in PRINTED[row].items()},
    )
    return replace(experiment, **changes)


@pytest.mark.parametrize(
    ("published", "measured", "decimals", "expected"),
    [
        (23.87, 23.8849, 2, "exact"),
        (23.87, 23.8851, 2, "close"),
        (0.19, 0.289, 2, "off"),
        (10.0, 10.9, 1, "close"),
        (10.0, 11.2, 1, "off"),
        (-10.0, -10.9, 0, "exact"),
        (0.0, 0.04, 1, "exact"),
        (0.0, 0.2, 1, "off"),
        (5.0, math.nan, 2, "off"),
        (math.nan, 5.0, 2, ""),
    ],
)
def test_a_unit_of_the_last_printed_digit_is_exact_and_a_tenth_is_close(
    published, measured, decimals, expected
):
    assert agreement(published, measured, decimals) == expected


def test_a_run_gives_one_line_a_cell_with_its_difference():
    cells = example().run("twice")
    assert list(cells.columns[:5]) == ["method", "k", "column", "published", "measured"]
    assert len(cells) == 6
    first = cells.iloc[0]
    assert (first["published"], first["measured"], first["difference"]) == (1.0, 2.0, 1.0)
    assert cells.iloc[5][["published", "measured"]].isna().all()


def test_the_first_variant_is_the_default_and_an_unknown_one_is_refused():
    assert (example().run()["agreement"].isin(["exact", ""])).all()
    with pytest.raises(PlanError, match="has no variant 'thrice'; it has once, twice"):
        example().run("thrice")


def test_a_known_exception_carries_its_reason():
    cells = example(explained={(("a", 2), "y"): "a misprint"}).run()
    assert cells.query("note != ''")[["method", "k", "column"]].to_numpy().tolist() == [["a", 2, "y"]]


def test_a_row_may_be_printed_with_other_decimals_than_its_column():
    assert (
        example(decimals={("b", 1): -1}).run("twice").query("method == 'b'")["agreement"].iloc[0] == "exact"
    )


def test_progress_grows_to_one_and_may_stop_the_run():
    seen: list[float] = []
    example().run(progress=seen.append)
    assert seen == [1 / 3, 2 / 3, 1.0]

    def stop(_share: float) -> None:
        raise Cancelled("enough")

    with pytest.raises(Cancelled):
        example().run(progress=stop)


def test_spearman_is_the_correlation_of_the_ranks_column_by_column():
    published, measured = [1.0, 2.0, 2.0, 5.0, 9.0], [3.0, 1.0, 4.0, 4.0, 20.0]
    cells = pd.DataFrame(
        {"column": "x", "published": published, "measured": measured, "agreement": ["off"] * 5}
    )
    ranks = pd.DataFrame({"p": rankdata(published), "m": rankdata(measured)})
    line = summary(cells).iloc[0]
    assert line["spearman"] == pytest.approx(ranks.corr().iloc[0, 1])
    assert (line["cells"], line["exact"], line["off"]) == (5, 0, 5)


def test_too_few_cells_have_no_rank_correlation():
    lines = summary(example().run()).set_index("column")
    assert lines.loc["x", "spearman"] == pytest.approx(1.0)
    assert math.isnan(lines.loc["y", "spearman"])


def test_every_paper_has_experiments_with_rows_columns_and_variants_of_different_names():
    assert {experiment.paper for experiment in EXPERIMENTS.values()} == set(PAPERS)
    for experiment in EXPERIMENTS.values():
        names = [variant.name for variant in experiment.variants]
        assert len(set(names)) == len(names)
        assert experiment.differs
        assert all(len(row) == len(experiment.keys) for row in experiment.printed())


def test_a_paper_stands_for_all_of_its_tables_and_what_is_neither_is_refused():
    assert len(named("comparative-study")) == 4
    assert [experiment.name for experiment in named("one-dimension/table-6")] == ["one-dimension/table-6"]
    with pytest.raises(PlanError, match="There is no paper or table 'nothing'"):
        named("nothing")
