"""The printed tables hold together: every printed score follows from the figures printed beside it."""

from __future__ import annotations

import csv
from importlib.resources import files

import pytest

from microagg.measures.risk import PAPER_1, PAPER_3, RiskWeights, disclosure_risk, score

SCORED = [
    ("nin_torra_table1", PAPER_1, 54),  # Nin and Torra, appendix, table 1
    ("nin_one_dimension_table6", PAPER_3, 24),  # Nin, table 6
]


def rows(name: str) -> list[dict[str, str]]:
    text = files("microagg.papers").joinpath("published", f"{name}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


@pytest.mark.parametrize(("name", "weights", "lines"), SCORED)
def test_every_printed_score_is_the_mean_of_il_and_dr_in_the_papers_weights(
    name: str, weights: RiskWeights, lines: int
) -> None:
    printed = rows(name)
    assert len(printed) == lines
    for row in printed:
        dld, pld, interval = (float(row.get(part, "nan")) / 100 for part in ("dld", "pld", "id"))
        measured = score(float(row["il"]), disclosure_risk(dld, pld, interval, weights))
        assert measured == pytest.approx(float(row["score"]), abs=0.01), row


@pytest.mark.parametrize(
    ("name", "other", "lines"), [(SCORED[0][0], PAPER_3, 54), (SCORED[1][0], PAPER_1, 24)]
)
def test_the_other_papers_weights_would_not_do(name: str, other: RiskWeights, lines: int) -> None:
    off = 0
    for row in rows(name):
        dld, pld, interval = (float(row.get(part, "0")) / 100 for part in ("dld", "pld", "id"))
        off += (
            abs(score(float(row["il"]), disclosure_risk(dld, pld, interval, other)) - float(row["score"]))
            > 0.01
        )
    assert off > 0.9 * lines


def test_the_scores_printed_for_mic1d_do_not_depend_on_the_blocks() -> None:
    """Mic1D knows no blocks: table 6 prints the same three lines under both."""
    mic1d = [row for row in rows("nin_one_dimension_table6") if row["method"] == "mic1d"]
    by_blocks = [
        [{**row, "blocking": ""} for row in mic1d if row["blocking"] == blocks]
        for blocks in ("correlated", "non_correlated")
    ]
    assert len(by_blocks[0]) == 3
    assert by_blocks[0] == by_blocks[1]
