"""Laws of strata, patterns of missingness and weights, for every method that partitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microagg.assessment.assess import assess
from microagg.errors import DataError, PlanError
from microagg.handover.totals import totals
from microagg.methods import METHODS
from microagg.model.microdata import Microdata
from microagg.model.plan import Plan
from microagg.preparation.prepare import prepare
from microagg.protection.protect import protect

if TYPE_CHECKING:
    from microagg.model.release import Release

PARTITIONS = [name for name, method in METHODS.items() if method.kind == "partition"]
SEEDS = st.integers(0, 2**32 - 1)


def people(seed: int, *, missing: float = 0.0, towns: str = "ab") -> Microdata:
    """Fourteen to forty people with ties, and gaps where asked for."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(14, 41))
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 40, n).astype(float),
            "rent": rng.lognormal(2, 1, n),
            "town": rng.choice(list(towns), n),
            "weight": rng.uniform(0.5, 30, n),
            "wage": rng.normal(size=n),
        },
        index=[f"p{i}" for i in range(n)],
    )
    for name in ("age", "rent"):
        frame.loc[rng.random(n) < missing, name] = np.nan
    roles = {
        "weight": "weight",
        "wage": "confidential",
        "age": "quasi_identifier",
        "rent": "quasi_identifier",
        "town": "other",
    }
    return Microdata.from_frame(frame, roles=roles)


def plan_for(name: str, **changes: object) -> Plan:
    return Plan(method=name, k=3, blocks="single" if METHODS[name].single_attribute else "all", **changes)


def release_or_refusal(data: Microdata, plan: Plan) -> Release | None:
    """The release; None where the file cannot be protected at all under this plan."""
    try:
        return protect(data, plan)
    except DataError as refused:
        if "so none can be protected" in str(refused) or "fewer than k" in str(refused):
            return None
        raise


@pytest.mark.parametrize("name", PARTITIONS)
@settings(max_examples=15, deadline=None)
@given(seed=SEEDS, rule=st.sampled_from(["merge next", "merge together"]))
def test_groups_stay_within_strata_and_their_merged_neighbours(name: str, seed: int, rule: str) -> None:
    data = people(seed, towns="abcdef")
    plan = plan_for(name, strata=("town",), small_strata=rule)
    release = protect(data, plan)
    task = prepare(data, plan)
    for partition in release.partitions:
        assert partition.sizes.min() >= 3
        for cell in task.division.cells:
            outside = np.setdiff1d(np.arange(len(data)), cell.records)
            assert not set(partition.labels[cell.records]) & set(partition.labels[outside])
    towns = data.frame["town"].to_numpy()
    assert all(
        set(towns[c.records]).isdisjoint(towns[d.records])
        for c in task.division.cells
        for d in task.division.cells
        if c is not d
    )


@pytest.mark.parametrize("name", PARTITIONS)
@settings(max_examples=15, deadline=None)
@given(seed=SEEDS)
def test_missing_stays_missing_and_groups_miss_the_same(name: str, seed: int) -> None:
    data = people(seed, missing=0.3)
    release = release_or_refusal(data, plan_for(name, missing="patterns"))
    if release is None:
        return
    before, after = release.data.frame, release.protected
    for column in ("age", "rent"):
        assert before[column].isna().tolist() == after[column].isna().tolist()
    pattern = before[["age", "rent"]].isna().to_numpy() @ [1, 2]
    for partition in release.partitions:
        assert partition.sizes.min() >= 3
        assert all(len(set(pattern[partition.labels == group])) == 1 for group in range(len(partition)))
    assert np.bincount(pattern)[np.unique(pattern)].min() >= 3


@pytest.mark.parametrize("missing", ["drop", "patterns"])
@settings(max_examples=40, deadline=None)
@given(seed=SEEDS, strata=st.booleans())
def test_every_record_is_released_or_left_out_with_its_reason(missing: str, seed: int, strata: bool) -> None:
    data = people(seed, missing=0.4)
    plan = plan_for("mdav", missing=missing, strata=("town",) if strata else None, small_strata="merge next")
    release = release_or_refusal(data, plan)
    if release is None:
        return
    left = [position for out in release.left_out for position in out.positions]
    assert len(left) == len(set(left))
    kept = np.setdiff1d(np.arange(len(data)), left)
    pd.testing.assert_frame_equal(release.data.frame, data.frame.iloc[kept])
    assert release.protected.index.equals(pd.RangeIndex(len(kept)))
    assert bool(left) == any("not released" in note for note in release.notes)
    if missing == "drop":
        assert set(left) == set(np.flatnonzero(data.frame[["age", "rent"]].isna().any(axis=1)))


@pytest.mark.parametrize("name", PARTITIONS)
@settings(max_examples=15, deadline=None)
@given(seed=SEEDS)
def test_weighted_centroids_keep_weighted_totals_and_k_counts_records(name: str, seed: int) -> None:
    data = people(seed)
    release = protect(data, plan_for(name, weighted=True))
    weights = data.frame["weight"].to_numpy()
    before, after = weights @ release.original_values, weights @ release.protected_values
    np.testing.assert_allclose(after, before, rtol=1e-13)
    assert release.partitions == protect(data, plan_for(name)).partitions
    for block, partition in zip(release.blocks, release.partitions, strict=True):
        for group in range(len(partition)):
            here = partition.labels == group
            values = data.matrix(block)[here]
            expected = (weights[here, np.newaxis] * values).sum(axis=0) / weights[here].sum()
            np.testing.assert_allclose(release.protected.loc[here, list(block)].to_numpy()[0], expected)
    assert totals(release)["change"].abs().max() < 1e-13


@pytest.mark.parametrize("name", PARTITIONS)
def test_untouched_columns_are_identical_and_the_bytes_repeat(name: str) -> None:
    data = people(11, missing=0.2)
    plan = plan_for(name, missing="patterns", strata=("town",), small_strata="merge next", weighted=True)
    releases = [protect(data, plan) for _ in range(2)]
    untouched = ["town", "weight", "wage"]
    originals = releases[0].data.frame[untouched].reset_index(drop=True)
    pd.testing.assert_frame_equal(releases[0].protected[untouched], originals)
    assert releases[0].protected.to_csv() == releases[1].protected.to_csv()


@pytest.mark.parametrize("name", PARTITIONS)
def test_one_stratum_and_no_gap_change_nothing(name: str) -> None:
    data = people(5, towns="a")
    plain = protect(data, plan_for(name))
    assert protect(data, plan_for(name, strata=("town",), missing="patterns")).partitions == plain.partitions


def test_values_are_scaled_over_the_whole_file_and_not_in_each_stratum() -> None:
    frame = pd.DataFrame(
        {
            "x": [0.0, 0, 1, 1, 0, 0, 100, 100],
            "y": [0.0, 8, 0, 8, 0, 0, 0, 0],
            "town": list("aaaabbbb"),
        }
    )
    data = Microdata.from_frame(frame, roles={"x": "quasi_identifier", "y": "quasi_identifier"})
    release = protect(data, Plan(k=2, strata=("town",)))
    assert release.partitions[0].labels[:4].tolist() == [0, 1, 0, 1]


def test_measures_compare_complete_records_and_k_prime_counts_all() -> None:
    data = people(7, missing=0.25)
    release = protect(data, plan_for("mdav", missing="patterns"))
    found = assess(release)
    complete = release.data.frame[["age", "rent"]].notna().all(axis=1).to_numpy()
    before = release.data.frame.loc[complete, ["age", "rent"]].to_numpy()
    after = release.protected.loc[complete, ["age", "rent"]].to_numpy()
    expected = (((before - after) / before.std(axis=0)) ** 2).mean()
    assert found.lost.squared.total == pytest.approx(expected)
    classes = release.protected.groupby(["age", "rent"], dropna=False).size()
    assert found.disclosed.anonymity.k_prime == pytest.approx(len(release.protected) / len(classes))
    assert found.disclosed.anonymity.smallest_class >= 3
    assert "miss a number" in found.lost.notes["missing"]


def test_a_file_without_a_complete_record_is_measured_where_it_can_be() -> None:
    frame = pd.DataFrame({"a": [1.0, 2, 9, 8] + [None] * 4, "b": [None] * 4 + [1.0, 2, 9, 8]})
    data = Microdata.from_frame(frame, roles={"a": "quasi_identifier", "b": "quasi_identifier"})
    figures = assess(protect(data, Plan(k=2, missing="patterns"))).figures()
    assert figures["k_prime"] == 2
    assert all(np.isnan(figures[name]) for name in ("il", "l", "dld", "id", "dr", "score"))


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (
            Plan(k=3, weighted=True, roles={"weight": "other"}),
            "one column with the role weight; there is none",
        ),
        (Plan(k=3, weighted=True, roles={"wage": "weight"}), "there are 2: weight, wage"),
        (Plan(k=3, weighted=True, roles={"weight": "other", "wage": "weight"}), "records with 0 or less"),
        (Plan(k=3, columns=("age", "weight"), weighted=True), "'weight' is the weight"),
        (Plan(k=3, columns=("age", "rent"), strata=("age",)), "makes strata, which stay as they are"),
        (Plan(k=3, strata=("region",)), "no column 'region' to take strata from"),
        (Plan(k=3, strata=("wage",)), "Strata with fewer than k = 3 records: .* of "),
        (Plan(k=3, missing_codes={"region": (-9,)}), "no column 'region' in which a code"),
        (Plan(method="mic1d", k=3, strata=("town",)), "strata would undo that"),
        (Plan(method="mic1d", k=3, missing="patterns"), "drop those records"),
        (Plan(method="mic1d", k=3, weighted=True), "could weigh more or less"),
    ],
)
def test_what_cannot_be_honoured_is_refused_before_the_run(plan: Plan, message: str) -> None:
    with pytest.raises((PlanError, DataError), match=message):
        prepare(people(2), plan)


@pytest.mark.parametrize("missing", ["drop", "patterns"])
def test_gaps_that_leave_nothing_to_protect_are_refused(missing: str) -> None:
    frame = pd.DataFrame({"a": [1.0, None, 3, None], "b": [None, 2.0, 3, None]})
    data = Microdata.from_frame(frame, roles={"a": "quasi_identifier", "b": "quasi_identifier"})
    with pytest.raises(DataError, match=r"fewer than k = 2|No 2 records miss the same"):
        prepare(data, Plan(k=2, missing=missing))


def test_records_cannot_be_sorted_by_what_they_miss() -> None:
    data = people(3, missing=0.3)
    plan = Plan(method="fixed", k=3, missing="patterns", options={"sort": "attribute", "attribute": "age"})
    with pytest.raises(PlanError, match="miss 'age' cannot be sorted by it"):
        prepare(data, plan)
    protect(data, plan.replace(options={"sort": "zscores"}))
