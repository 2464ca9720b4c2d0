"""Both sides of a release, against the papers' figures and against each other."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

import microagg as ma
from microagg.measures.intervals import interval_disclosure
from microagg.measures.linkage import distance_linkage
from microagg.measures.risk import PAPER_1
from tests.measures.test_dependence import distortions, paper_2

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray

EVERYTHING = ma.Knowledge.parse("sets:0+1+2+3+4+5")


@pytest.mark.parametrize(
    ("blocks", "dld"), [("all", 0.0907), ("contiguous:3", 0.618), ("contiguous:2", 0.945)]
)
def test_paper_2_linkage_on_census(census: FloatArray, blocks: str, dld: float) -> None:
    release = ma.protect(paper_2(census), ma.Plan(k=10, blocks=blocks))
    found = ma.assess(release, knowledge=EVERYTHING).disclosed.linkage.rate
    assert found == pytest.approx(dld, abs=5e-4 if dld > 0.1 else 5e-5)


@pytest.mark.parametrize("blocks", ["all", "contiguous:2", "single"])
def test_both_distortions_follow_their_definition(census: FloatArray, blocks: str) -> None:
    release = ma.protect(paper_2(census), ma.Plan(k=10, blocks=blocks, lam=0.4))
    found = ma.lost(release).dependence
    assert (found.d_x, found.d_y) == pytest.approx(distortions(release))
    assert found.d == pytest.approx(0.6 * found.d_x + 0.4 * found.d_y)


def test_k_anonymity_is_measured_and_not_assumed(census: FloatArray) -> None:
    one = ma.assess(ma.protect(paper_2(census), ma.Plan(k=10))).disclosed.anonymity
    assert one.smallest_class >= 10
    assert one.records_below_k == 0
    blocks = ma.assess(ma.protect(paper_2(census), ma.Plan(k=10, blocks="contiguous:2"))).disclosed.anonymity
    assert blocks.k_prime < 10
    assert blocks.records_below_k > 0


def test_a_release_that_changes_nothing_loses_nothing_and_discloses_all() -> None:
    values = np.random.default_rng(2).normal(size=(40, 3)).cumsum(axis=0)
    data = ma.Microdata.from_frame(pd.DataFrame(values, columns=list("abc")))
    figures = ma.assess(ma.compare(data, data)).figures()
    assert (figures["il"], figures["l"], figures["dld"]) == (0, 0, 1)
    assert (figures["id"], figures["dr"], figures["score"]) == pytest.approx((1, 100, 50))
    assert figures["k_prime"] == 1


def test_what_is_not_defined_is_nan_and_stops_nothing() -> None:
    values = np.random.default_rng(2).normal(size=(20, 2))
    data = ma.Microdata.from_frame(pd.DataFrame(values, columns=list("ab")))
    figures = ma.assess(ma.protect(data, ma.Plan(k=4))).figures()
    undefined = {name for name, value in figures.items() if math.isnan(value)}
    assert undefined == {"d_y", "ell_average", "pld"}


def test_every_figure_has_its_row_in_the_table_of_measures_and_lies_in_its_range(census: FloatArray) -> None:
    for plan in (ma.Plan(k=10), ma.Plan(method="individual_ranking", k=3), ma.Plan(k=25, lam=1.0)):
        figures = ma.assess(ma.protect(paper_2(census), plan), weights=PAPER_1).figures()
        assert list(figures) == list(ma.MEASURES)
        for name, value in figures.items():
            measure = ma.MEASURES[name]
            assert measure.low <= value <= measure.high, name


def test_a_released_file_alone_is_measured_as_its_release_is(census: FloatArray) -> None:
    data = paper_2(census)
    release = ma.protect(data, ma.Plan(k=10))
    read_back = ma.Microdata.from_frame(release.protected)
    before, after = ma.assess(release).figures(), ma.assess(ma.compare(data, read_back, k=10)).figures()
    assert after == pytest.approx(before, nan_ok=True)


@pytest.mark.parametrize(
    ("protected", "message"),
    [
        (pd.DataFrame({"a": [1.0, 2.5]}), "has 3 records and"),
        (pd.DataFrame({"b": [1.0, 2.5, 3]}), "none of the quasi-identifiers"),
    ],
)
def test_files_that_are_not_the_same_records_are_refused(protected: pd.DataFrame, message: str) -> None:
    data = ma.Microdata.from_frame(pd.DataFrame({"a": [1.0, 2.5, 3]}))
    with pytest.raises(ma.DataError, match=message):
        ma.compare(data, ma.Microdata.from_frame(protected))


def test_direction_and_width_reach_the_measures(census: FloatArray) -> None:
    release = ma.protect(paper_2(census), ma.Plan(k=10))
    before, after = release.original_values, release.protected_values
    found = ma.assess(
        release, knowledge=EVERYTHING, direction="original to protected", width="standard deviations"
    ).disclosed
    sets = (tuple(range(6)),)
    linkage = distance_linkage(before, after, sets, direction="original to protected")
    assert found.linkage.rate == linkage.rate != ma.disclosed(release, EVERYTHING).linkage.rate
    intervals = interval_disclosure(before, after, width="standard deviations")
    assert found.interval_rate == pytest.approx(intervals.by_attribute.mean())


def test_a_sample_of_sets_comes_with_its_standard_error(census: FloatArray) -> None:
    release = ma.protect(paper_2(census), ma.Plan(k=10))
    sampled = ma.disclosed(release, ma.Knowledge.sample(20, 1), probabilistic=True)
    assert 0 < sampled.linkage.standard_error < 0.2
    assert sampled.probabilistic is not None
    assert 0 < sampled.probabilistic.standard_error < 0.2
    assert math.isnan(ma.disclosed(release).linkage.standard_error)


def test_a_release_of_which_everything_is_missing_has_no_loss_and_gives_no_warning() -> None:
    frame = pd.DataFrame({"town": pd.Series([None] * 4, dtype=object)})
    data = ma.Microdata.from_frame(frame, roles={"town": "quasi_identifier"})
    found = ma.assess(ma.protect(data, ma.Plan(method="mixed", k=2, missing="patterns")))
    assert math.isnan(found.lost.dependence.d_x)
    assert math.isnan(found.lost.information.il)


def test_a_long_linkage_is_done_on_a_stated_sample_and_exactly_on_request(monkeypatch):
    decided = ma.disclosed.__globals__["whom_to_look_up"].__globals__
    monkeypatch.setitem(decided, "PATIENCE", 0.0)
    monkeypatch.setitem(decided, "SAMPLE", 400)
    release = ma.protect(ma.load_dataset("tarragona"), ma.Plan(k=5))
    whole, sampled = ma.disclosed(release, exact=True), ma.disclosed(release)
    assert (whole.linkage.looked_up, sampled.linkage.looked_up) == (None, 400)
    assert "dld" not in whole.notes
    assert sampled.notes["dld"].startswith("DLD on a sample of 400 records, ± ")
    assert abs(sampled.linkage.rate - whole.linkage.rate) < 5 * sampled.linkage.standard_error
    assert sampled.interval_rate == whole.interval_rate
