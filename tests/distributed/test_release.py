"""A release in parts obeys the laws of one made on one machine, and is the same whoever made it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import microagg as ma
from microagg.distributed.engine import protect_lazily
from microagg.distributed.result_folder import opened_result
from microagg.kernels.scaling import standardise
from tests.distributed.test_parts import lognormal
from tests.oracles import sse

if TYPE_CHECKING:
    from collections.abc import Callable

    from microagg.distributed.release import DistributedRelease

PARTITIONS = [
    name
    for name, method in ma.METHODS.items()
    if method.kind == "partition" and "nominal" not in method.scales
]
ROLES = {"y": "confidential", "w": "weight"}


def people(n: int = 900, p: int = 3) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(lognormal(n)[:, :p], columns=[f"x{j}" for j in range(p)])
    frame.insert(1, "town", rng.choice(["Reus", "Valls", "Salou"], n, p=[0.6, 0.39, 0.01]))
    return frame.assign(
        y=frame["x0"] + rng.normal(size=n), w=rng.uniform(1, 2, n), age=rng.integers(18, 90, n)
    )


def in_parts(frame: pd.DataFrame, plan: ma.Plan, npartitions: int = 3) -> DistributedRelease:
    return protect_lazily(dd.from_pandas(frame, npartitions=npartitions), plan, part=150, chunk=200)


def plan_for(name: str, k: int = 4, **changes: object) -> ma.Plan:
    blocks = "single" if ma.METHODS[name].single_attribute else "all"
    return ma.Plan(method=name, k=k, blocks=blocks, columns=("x0", "x1", "x2"), roles=ROLES, **changes)


@pytest.mark.parametrize("name", PARTITIONS)
def test_every_method_keeps_its_laws_in_parts(name: str) -> None:
    frame = people(450)
    release = in_parts(frame, plan_for(name))
    protected, groups = release.protected.compute(), release.groups.compute()
    assert min(release.parts) > 1
    assert list(protected.columns) == list(frame.columns)
    assert protected.index.equals(frame.index)
    untouched = ["town", "y", "w", "age"]
    assert protected[untouched].equals(frame[untouched])
    for block, labels in zip(release.blocks, groups.to_numpy().T, strict=True):
        before, after = frame[list(block)].to_numpy(), protected[list(block)].to_numpy()
        assert pd.Series(labels).value_counts().min() >= 4
        for group in np.unique(labels):
            members = labels == group
            assert (after[members] == after[members][0]).all()
            np.testing.assert_allclose(after[members][0], before[members].mean(axis=0), rtol=1e-12)
        points = standardise(before)
        means = pd.DataFrame(points).groupby(labels).transform("mean").to_numpy()
        assert sse(points, labels) + float((means**2).sum()) == pytest.approx(float((points**2).sum()))


def test_an_index_that_names_records_is_left_out_and_said(tmp_path: object) -> None:
    frame = people(450).set_index(pd.Index([f"ES-{i}" for i in range(450)], name="person_id"))
    release = in_parts(frame, plan_for("mdav"))
    said = "The index 'person_id' is left out of the release, since it can name every record."
    assert release.notes[-1] == said
    assert release.protected.compute().index.equals(pd.RangeIndex(450))
    release.write(f"{tmp_path}/out")
    for file in Path(f"{tmp_path}/out").glob("*.parquet"):
        assert pq.read_schema(file).names == list(frame.columns)
        assert b"person_id" not in file.read_bytes()
        assert b"ES-1" not in file.read_bytes()


def test_one_part_is_what_one_machine_gives() -> None:
    frame = people()
    for plan in (
        plan_for("mdav"),
        plan_for("mdav", lam=0.4),
        plan_for("mdav", weighted=True),
        plan_for("mdav", aggregate="median"),
        plan_for("fixed", options={"sort": "attribute", "attribute": "x1"}),
        plan_for("zscores"),
        plan_for("mdav").replace(blocks=(("x0", "x2"), ("x1",))),
        plan_for("mdav").replace(columns=("x0", "age"), rounding="half even"),
        plan_for("mdav", strata=("town",), small_strata="merge next"),
    ):
        alone = ma.protect(ma.Microdata.from_frame(frame, roles=ROLES), plan)
        together = protect_lazily(dd.from_pandas(frame, npartitions=4), plan, chunk=250)
        whole = together.protected.compute().reset_index(drop=True)
        pd.testing.assert_frame_equal(whole, alone.protected, rtol=1e-9)
        assert together.notes == alone.notes


@pytest.mark.parametrize("missing", ["drop", "patterns"])
def test_missing_values_are_dealt_with_as_on_one_machine(missing: str) -> None:
    frame = people()
    frame.loc[::5, "x1"] = np.nan
    frame.loc[:2, "x0"] = np.nan
    frame["age"] = frame["age"].mask(frame["age"] < 30, -9)
    plan = plan_for("mdav", missing=missing, missing_codes={"age": (-9,)}).replace(
        columns=("x0", "x1", "age")
    )
    alone = ma.protect(ma.Microdata.from_frame(frame, roles=ROLES), plan)
    together = protect_lazily(dd.from_pandas(frame, npartitions=4), plan, chunk=250)
    whole = together.protected.compute().reset_index(drop=True)
    pd.testing.assert_frame_equal(whole, alone.protected, rtol=1e-9)
    in_many = in_parts(frame, plan)
    assert len(in_many.protected.compute()) == len(alone.protected)
    groups = in_many.groups.compute()["block 1"]
    assert groups.value_counts().min() >= 4
    gaps = frame[["x0", "x1", "age"]].mask(frame == -9).isna()
    alike = gaps.groupby(list(gaps))["x0"].transform("size")
    gone = int((gaps.any(axis=1) if missing == "drop" else alike < 4).sum())
    measures = in_many.measures()
    assert gone > 0
    assert (measures.records, measures.left_out) == (len(frame) - gone, gone)


def test_k_records_that_miss_the_same_are_enough_and_one_fewer_are_left_out() -> None:
    frame = people(300)
    frame.loc[10:13, "x1"] = np.nan
    frame.loc[100:102, "x0"] = np.nan
    protected = in_parts(frame, plan_for("mdav", missing="patterns")).protected.compute()
    assert sorted(set(frame.index) - set(protected.index)) == [100, 101, 102]
    assert protected.loc[10:13, "x1"].isna().all()
    assert protected.loc[10:13, "x0"].nunique() == 1


def test_partitions_of_the_input_change_no_bit(tmp_path: object) -> None:
    frame = people()
    made = []
    for number, npartitions in enumerate((1, 4, 17)):
        release = in_parts(frame, plan_for("mdav"), npartitions)
        release.write(f"{tmp_path}/{number}")
        made.append({f.name: f.read_bytes() for f in sorted((tmp_path / str(number)).iterdir())})
    assert made[0] == made[1] == made[2]
    assert len(made[0]) == 5 + 3
    read = pd.read_parquet(f"{tmp_path}/0")
    pd.testing.assert_frame_equal(read, release.protected.compute().reset_index(drop=True), check_dtype=False)


def test_strata_are_parts_first() -> None:
    frame = people()
    release = in_parts(frame, plan_for("mdav", strata=("town",), small_strata="merge next"))
    groups = release.groups.compute()["block 1"]
    merged = frame["town"].replace("Salou", "Valls")
    towns = pd.concat([groups, merged], axis=1).groupby("block 1")["town"].nunique()
    assert (towns == 1).all()
    assert release.parts[0] >= 6


def test_loss_of_medians_is_that_of_numpy_part_by_part() -> None:
    """Medians move the means, which averages would keep."""
    frame, names = people(600), ["x0", "x1", "x2"]
    release = in_parts(frame, plan_for("mdav", k=9, aggregate="median"))
    before, after = frame[names].to_numpy(), release.protected.compute()[names].to_numpy()

    def change(statistic: Callable[[np.ndarray], np.ndarray]) -> float:
        was, now = statistic(before), statistic(after)
        return float(np.mean(np.abs(was - now) / np.abs(was)))

    upper, above = np.triu_indices(3), np.triu_indices(3, k=1)
    parts = [
        change(lambda values: values),
        change(lambda values: values.mean(axis=0)),
        change(lambda values: np.cov(values.T, ddof=0)[upper]),
        change(lambda values: values.var(axis=0)),
        float(np.abs(np.corrcoef(before.T) - np.corrcoef(after.T))[above].mean()),
    ]
    found = release.measures()
    assert found.il_parts == pytest.approx(parts)
    assert found.il == pytest.approx(100 * np.mean(parts))
    assert parts[1] > 0.01


def test_all_of_a_small_file_are_looked_up_each_side_on_its_own_scale() -> None:
    frame, names = people(600), ["x0", "x1", "x2"]
    release = in_parts(frame, plan_for("mdav", k=9))
    found, after = release.measures(), release.protected.compute()[names]
    before = frame[names]

    def linked_share(origin: pd.DataFrame, other: pd.DataFrame) -> float:
        desk, originals = (
            (after - other.mean()) / other.std(ddof=0),
            (before - origin.mean()) / origin.std(ddof=0),
        )
        gaps = desk.to_numpy()[:, np.newaxis] - originals.to_numpy()
        distances = np.square(gaps).sum(axis=2)
        return float(np.mean(distances.diagonal() <= distances.min(axis=1) + 1e-12))

    share = linked_share(before, after)
    assert (found.dld_records, found.dld) == (600, pytest.approx(share))
    assert found.dld_error == 0  # all were looked up
    assert share != pytest.approx(linked_share(before, before))


def test_a_sample_of_a_result_is_taken_from_the_beginning_of_each_of_its_files(tmp_path: Path) -> None:
    in_parts(people(), plan_for("mdav")).write(f"{tmp_path}/out")
    files = sorted((tmp_path / "out").glob("part-*.parquet"))
    expected = pd.concat([pd.read_parquet(file).head(10) for file in files])
    assert len(files) == 5
    found = opened_result(tmp_path / "out").sample(50)
    pd.testing.assert_frame_equal(found.reset_index(drop=True), expected.reset_index(drop=True))


def test_classes_over_all_blocks_are_those_that_pandas_counts() -> None:
    release = in_parts(people(), plan_for("mdav", k=5).replace(blocks=(("x0",), ("x1",), ("x2",))))
    found, protected = release.measures(), release.protected.compute()
    sizes = protected.groupby(["x0", "x1", "x2"]).size()
    assert dict(found.class_sizes) == sizes.value_counts().sort_index().to_dict()
    assert found.k_prime == pytest.approx(sizes.mean())
    assert (found.smallest_class, found.records_below_k) == (sizes.min(), sizes[sizes < 5].sum())
    assert found.smallest_in_block == tuple(
        protected.groupby(name).size().min() for name in ("x0", "x1", "x2")
    )
    assert found.records_below_k > 0


def test_protect_takes_a_dask_frame() -> None:
    frame = people(300)
    release = ma.protect(dd.from_pandas(frame, npartitions=2), plan_for("mdav"))
    alone = ma.protect(ma.Microdata.from_frame(frame, roles=ROLES), plan_for("mdav"))
    pd.testing.assert_frame_equal(release.protected.compute(), alone.protected, rtol=1e-9)


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (ma.Plan(method="mic1d", roles=ROLES), "which no worker sees"),
        (ma.Plan(method="mixed", roles=ROLES), "on one machine"),
        (ma.Plan(method="magic"), "There is no method 'magic'"),
        (ma.Plan(shuffle=1, roles=ROLES), "leave out the shuffle"),
        (ma.Plan(k=901, roles=ROLES), "there are only 900 records"),
        (ma.Plan(columns=("x0", "gap")), r"missing values in 'gap' \(2\), the first in record 301"),
        (ma.Plan(columns=("x0", "far")), r"infinite or too large .* in 'far' \(1\), the first in record 501"),
        (ma.Plan(columns=("x0", "town")), "Column 'town' holds text"),
        (ma.Plan(columns=("x0", "x9")), "no column 'x9'"),
        (ma.Plan(columns=("x0",), weighted=True), "role weight; there is none"),
        (ma.Plan(columns=("x0",), lam=0.5), "λ > 0 needs a confidential attribute"),
        (ma.Plan(columns=("x0",), strata=("town",), k=40), "fewer than k = 40"),
    ],
)
def test_what_cannot_be_honoured_is_refused_before_the_run(plan: ma.Plan, message: str) -> None:
    frame = people()
    frame["gap"], frame["far"] = frame["x0"], frame["x1"]
    frame.loc[[300, 700], "gap"] = np.nan
    frame.loc[500, "far"] = np.inf
    with pytest.raises(ma.MicroaggError, match=message):
        in_parts(frame, plan)
