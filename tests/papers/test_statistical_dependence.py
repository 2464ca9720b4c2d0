"""Section V of "k-Anonymous Microaggregation with Preservation of Statistical Dependence"."""

from __future__ import annotations

import numpy as np
import pytest

import microagg as ma
from microagg.papers import EXPERIMENTS, named
from microagg.papers.statistical_dependence import CHECKED, KS, LAMBDAS, point


@pytest.mark.usefixtures("census")
def test_every_checked_value_and_every_bound_comes_out():
    cells = EXPERIMENTS["statistical-dependence/statements"].run().set_index("statement")
    checked = cells[cells["from"] == CHECKED]
    assert len(checked) == 9
    assert (checked["agreement"] == "exact").all()
    counted = cells[cells["published"] == 0]
    assert (counted["measured"] == 0).all()
    assert len(counted) == 2
    assert cells["measured"]["potential cells ⌊n/k⌋^(m_X/b), b = 2"] == 108**3


@pytest.mark.usefixtures("census")
def test_what_does_not_come_out_is_the_second_halving():
    cells = EXPERIMENTS["statistical-dependence/statements"].run()
    off = cells[cells["agreement"] == "off"]["statement"].tolist()
    assert off == ["D_X halves again from blocks of 3 to blocks of 2, ratio"]


def test_increments_start_at_zero_and_are_relative_to_lambda_zero():
    cells = EXPERIMENTS["statistical-dependence/tarragona"].run()
    wide = cells.pivot(index=["k", "λ"], columns="column", values="measured")
    for k in KS["tarragona"]:
        along = wide.loc[k]
        assert along.loc[0.0, ["change_x", "change_y"]].tolist() == [0, 0]
        assert along["change_y"].to_numpy() == pytest.approx(100 * (along["d_y"] / along.loc[0.0, "d_y"] - 1))
        assert along["change_x"].to_numpy() == pytest.approx(100 * (along["d_x"] / along.loc[0.0, "d_x"] - 1))


def test_the_figures_have_the_papers_points():
    for experiment in named("statistical-dependence"):
        if experiment.drawn == "trade-off":
            assert len(experiment.printed()) == len(LAMBDAS) * len(KS[experiment.datasets[0]])
            assert not experiment.compared


def test_ell_is_the_mean_over_groups_and_blocks_as_pandas_counts_it():
    found = point("tarragona", 50, 0.0, 2, "generic")
    release = ma.protect(ma.load_dataset("tarragona"), ma.Plan(k=50, blocks="contiguous:2"))
    Y = release.data.frame[list(release.data.columns("confidential"))].astype(float)
    steps = np.floor((Y - Y.mean()) / Y.std(ddof=0) / 0.2)
    each = [steps.groupby(part.labels).nunique().min(axis=1).mean() for part in release.partitions]
    assert len(each) == 3
    assert found["ell"] == pytest.approx(np.mean(each))
