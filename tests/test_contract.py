"""Every row of the table of methods obeys the same laws."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from microagg.errors import DataError, PlanError
from microagg.kernels.scaling import standardise
from microagg.methods import METHODS
from microagg.model.microdata import Microdata
from microagg.model.plan import Plan
from microagg.protection.protect import protect
from tests.oracles import least_sse, sse

PARTITIONS = [name for name, method in METHODS.items() if method.kind == "partition"]
ONE_GROUPING = [
    name for name in PARTITIONS if METHODS[name].blocks is None and not METHODS[name].single_attribute
]

integers = arrays(np.float64, st.tuples(st.integers(2, 24), st.integers(1, 3)), elements=st.integers(-6, 6))
reals = arrays(
    np.float64,
    st.tuples(st.integers(2, 24), st.integers(1, 3)),
    elements=st.floats(-1e6, 1e6, allow_subnormal=False, width=32),
)


def microdata(values: np.ndarray) -> Microdata:
    frame = pd.DataFrame(values, columns=[f"x{j}" for j in range(values.shape[1])])
    return Microdata.from_frame(frame, roles=dict.fromkeys(frame.columns, "quasi_identifier"))


def plan_for(name: str, k: int, **changes: object) -> Plan:
    blocks = "single" if METHODS[name].single_attribute else "all"
    return Plan(method=name, k=k, blocks=blocks, **changes)


def well_spread(n: int = 60, p: int = 3) -> np.ndarray:
    """Skewed data without ties or near-ties."""
    return np.random.default_rng(7).lognormal(sigma=0.7, size=(n, p))


@pytest.mark.parametrize("name", PARTITIONS)
@settings(max_examples=60, deadline=None)
@given(values=st.one_of(integers, reals), data=st.data())
def test_groups_have_k_records_and_keep_their_means(
    name: str, values: np.ndarray, data: st.DataObject
) -> None:
    k = data.draw(st.integers(2, len(values)))
    release = protect(microdata(values), plan_for(name, k))
    for block, partition in zip(release.blocks, release.partitions, strict=True):
        assert partition.sizes.min() >= k
        before = release.data.matrix(block)
        after = release.protected[list(block)].to_numpy()
        for group in range(len(partition)):
            members = partition.labels == group
            assert (after[members] == after[members][0]).all()
            np.testing.assert_allclose(after[members][0], before[members].mean(axis=0), rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize("name", PARTITIONS)
@settings(max_examples=60, deadline=None)
@given(values=st.one_of(integers, reals), data=st.data())
def test_within_and_between_sums_of_squares_add_up(
    name: str, values: np.ndarray, data: st.DataObject
) -> None:
    k = data.draw(st.integers(2, len(values)))
    release = protect(microdata(values), plan_for(name, k))
    points = standardise(release.original_values)
    for block, partition in zip(release.blocks, release.partitions, strict=True):
        own = points[:, [release.columns.index(column) for column in block]]
        means = np.array([own[partition.labels == g].mean(axis=0) for g in range(len(partition))])
        between = float((partition.sizes[:, np.newaxis] * means**2).sum())
        assert sse(own, partition.labels) + between == pytest.approx(
            float((own**2).sum()), rel=1e-9, abs=1e-9
        )


@pytest.mark.parametrize("name", PARTITIONS)
@settings(max_examples=25, deadline=None)
@given(
    values=arrays(np.float64, st.tuples(st.integers(4, 8), st.integers(1, 2)), elements=st.integers(-9, 9))
)
def test_no_method_beats_the_best_of_all_partitions(name: str, values: np.ndarray) -> None:
    release = protect(microdata(values), plan_for(name, 2))
    for block, partition in zip(release.blocks, release.partitions, strict=True):
        points = standardise(release.data.matrix(block))
        assert sse(points, partition.labels) >= least_sse(points, 2) - 1e-9


@settings(max_examples=40, deadline=None)
@given(values=arrays(np.float64, st.tuples(st.integers(4, 8), st.just(1)), elements=st.integers(-9, 9)))
def test_the_optimal_method_reaches_the_best_of_all_partitions(values: np.ndarray) -> None:
    release = protect(microdata(values), Plan(method="optimal", k=2))
    points = standardise(values)
    assert sse(points, release.partitions[0].labels) == pytest.approx(least_sse(points, 2), abs=1e-9)


@pytest.mark.parametrize("name", PARTITIONS)
@pytest.mark.parametrize("change", [lambda v: v + 1e6, lambda v: v * 4096.0, lambda v: v * 0.001 - 3])
def test_the_partition_does_not_depend_on_units(name: str, change: object) -> None:
    values = well_spread()
    before = protect(microdata(values), plan_for(name, 4))
    after = protect(microdata(change(values)), plan_for(name, 4))
    assert before.partitions == after.partitions


@pytest.mark.parametrize("name", PARTITIONS)
@pytest.mark.parametrize(
    ("values", "k"),
    [
        pytest.param(np.arange(5.0)[:, None], 3, id="n below 2k"),
        pytest.param(np.array([[5.0], [1], [4], [2], [3], [9]]), 3, id="n = 2k, unsorted"),
        pytest.param(np.ones((7, 2)), 2, id="all equal"),
        pytest.param(np.repeat([[1.0, 2], [3, 4]], 5, axis=0), 3, id="duplicates"),
        pytest.param(np.column_stack([np.arange(9.0), np.full(9, 2.0)]), 2, id="constant column"),
        pytest.param(np.arange(12.0).reshape(6, 2) + 1e9, 2, id="large offset"),
        pytest.param(np.arange(8.0).reshape(4, 2), 4, id="k = n"),
    ],
)
def test_edge_cases_are_partitioned(name: str, values: np.ndarray, k: int) -> None:
    release = protect(microdata(values), plan_for(name, k))
    assert all(partition.sizes.min() >= k for partition in release.partitions)
    assert np.isfinite(release.protected_values).all()


@pytest.mark.parametrize("name", PARTITIONS)
def test_duplicates_that_fill_groups_lose_nothing(name: str) -> None:
    values = np.repeat([[0.0], [10.0], [50.0]], 4, axis=0)
    release = protect(microdata(values), plan_for(name, 4))
    assert (release.protected_values == values).all()


@pytest.mark.parametrize("name", PARTITIONS)
def test_rows_and_columns_come_back_as_they_were_and_the_index_does_not(name: str) -> None:
    frame = pd.DataFrame(well_spread(10, 2), columns=["b", "a"], index=[f"r{i}" for i in range(9, -1, -1)])
    frame.insert(1, "note", list("ababababab"))
    release = protect(Microdata.from_frame(frame, roles={"note": "confidential"}), plan_for(name, 3))
    assert list(release.protected.columns) == ["b", "note", "a"]
    assert release.protected.index.equals(pd.RangeIndex(10))
    assert release.data.frame.index.equals(frame.index)
    assert release.protected["note"].tolist() == frame["note"].tolist()


@pytest.mark.parametrize("name", PARTITIONS)
def test_same_data_and_plan_give_the_same_bytes(name: str) -> None:
    runs = [protect(microdata(well_spread()), plan_for(name, 5)).protected_values for _ in range(2)]
    assert runs[0].tobytes() == runs[1].tobytes()


@pytest.mark.parametrize("name", PARTITIONS)
@pytest.mark.parametrize("lam", [0.3, 1.0])
def test_lambda_is_honoured_or_refused_in_words(name: str, lam: float) -> None:
    values = well_spread(47, 4)
    frame = pd.DataFrame(values, columns=list("abyz"))
    roles = {"a": "quasi_identifier", "b": "quasi_identifier", "y": "confidential", "z": "confidential"}
    data = Microdata.from_frame(frame, roles=roles)
    method = METHODS[name]
    if "lam" in method.limits(method.complete({})):
        with pytest.raises(PlanError, match="λ"):
            protect(data, plan_for(name, 4, lam=lam))
        return
    release = protect(data, plan_for(name, 4, lam=lam))
    assert release.protected[["y", "z"]].equals(frame[["y", "z"]])
    assert all(partition.sizes.min() >= 4 for partition in release.partitions)
    assert release.partitions != protect(data, plan_for(name, 4)).partitions


@pytest.mark.parametrize("name", PARTITIONS)
def test_refining_never_loses_more_and_is_honoured_or_refused_in_words(name: str) -> None:
    data = microdata(well_spread())
    plan = plan_for(name, 4, refine=20)
    method = METHODS[name]
    if "refine" in method.limits(method.complete({})):
        with pytest.raises(PlanError, match=method.limits(method.complete({}))["refine"]):
            protect(data, plan)
        return
    before, after = protect(data, plan.replace(refine=None)), protect(data, plan)
    points = standardise(before.original_values)
    assert sse(points, after.partitions[0].labels) <= sse(points, before.partitions[0].labels)
    assert after.partitions[0].sizes.min() >= 4
    assert after.partitions == protect(data, plan).partitions


@pytest.mark.parametrize("name", ONE_GROUPING)
def test_blocks_are_protected_each_as_if_alone(name: str) -> None:
    values = well_spread(50, 4)
    both = protect(microdata(values), Plan(method=name, k=4, blocks="contiguous:2"))
    alone = protect(microdata(values), Plan(method=name, k=4, columns=("x2", "x3"), blocks="all"))
    assert both.partitions[1] == alone.partitions[0]


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ({"x": [1.0, np.nan, 3.0]}, "missing values in 'x' \\(1\\), the first in record 2"),
        ({"x": [1.0, 2.0, np.inf]}, "infinite values in 'x' \\(1\\), the first in record 3"),
        ({"x": ["1", "two", "3"]}, "Column 'x' holds text \\(first in record 2\\)"),
    ],
)
def test_values_that_are_no_numbers_are_refused_with_their_place(
    name: str, frame: dict, message: str
) -> None:
    data = Microdata.from_frame(pd.DataFrame(frame), roles={"x": "quasi_identifier"})
    scales = {"x": "continuous"} if "nominal" in METHODS[name].scales else {}
    with pytest.raises(DataError, match=message):
        protect(data, plan_for(name, 2, scales=scales))


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("k", [1, 0, -3, 2.5, True, "5"])
def test_k_under_two_or_not_whole_is_refused(name: str, k: object) -> None:
    with pytest.raises(PlanError, match="whole number of at least 2"):
        protect(microdata(well_spread()), plan_for(name, k))


@pytest.mark.parametrize("name", METHODS)
def test_k_above_n_is_refused(name: str) -> None:
    with pytest.raises(PlanError, match="k is 1000, but there are only"):
        protect(microdata(well_spread()), plan_for(name, 1000))


@pytest.mark.parametrize("name", METHODS)
def test_unknown_options_are_refused(name: str) -> None:
    with pytest.raises(PlanError, match=f"{name} has no option 'speed'"):
        protect(microdata(well_spread()), plan_for(name, 3, options={"speed": "high"}))


@pytest.mark.parametrize("name", METHODS)
def test_every_value_of_every_option_is_honoured(name: str) -> None:
    data = microdata(well_spread(30, 3))
    for option in METHODS[name].options:
        values = option.choices or (["x1"] if option.column else [option.default])
        for value in values:
            plan = plan_for(name, 3, options={option.name: value})
            assert np.isfinite(protect(data, plan).protected_values).all()


def test_unknown_methods_are_refused_with_the_list() -> None:
    with pytest.raises(PlanError, match=r"no method 'magic'; the methods are .*mdav"):
        protect(microdata(well_spread()), Plan(method="magic"))
