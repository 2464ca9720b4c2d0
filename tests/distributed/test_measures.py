"""Figures of a release in parts are those of one machine, however the file is cut into chunks."""

from __future__ import annotations

import copy
import json
from collections import Counter
from functools import reduce
from operator import add
from types import SimpleNamespace
from typing import TYPE_CHECKING

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import microagg as ma
from microagg.distributed.engine import protect_lazily
from microagg.distributed.measure_passes import _linked
from microagg.distributed.measures import class_sizes, sorted_into
from microagg.distributed.ranks import Ranks, marks, tally
from microagg.kernels.scaling import scaled_by, standardise
from microagg.measures.anonymity import RealAnonymity, real_anonymity
from microagg.measures.intervals import WIDTHS, interval_disclosure
from microagg.measures.probabilistic import met_by, probabilistic_linkage
from tests.distributed.test_release import ROLES, people, plan_for
from tests.oracles import sse

if TYPE_CHECKING:
    from microagg.distributed.release import DistributedRelease

SMALL = arrays(np.float64, (12, 2), elements=st.integers(0, 3))
CUTS = st.lists(st.integers(0, 12), max_size=3)


def cut(values: np.ndarray, cuts: list[int]) -> list[np.ndarray]:
    return np.split(values, sorted(cuts))


@settings(deadline=None)
@given(SMALL, SMALL, CUTS, st.booleans())
def test_links_among_chunks_are_those_among_all(
    original: np.ndarray, released: np.ndarray, cuts: list[int], sparse: bool
) -> None:
    """A tie with records of another chunk shares the credit, and chunks may be empty."""
    released = released * [1.0, 0.0] if sparse else released
    ids = np.arange(12)
    sides = zip(cut(ids, cuts), cut(original, cuts), cut(released, cuts), strict=True)
    pairs = [dask.delayed(chunk) for chunk in sides]
    file = SimpleNamespace(plan=ma.Plan())
    (mean, spread), (mean_after, spread_after) = (
        (side.mean(axis=0), side.std(axis=0)) for side in (original, released)
    )
    moments = SimpleNamespace(
        n=12, mean=mean, mean_after=mean_after, spread=spread, spread_after=spread_after
    )
    with dask.config.set(scheduler="synchronous"):
        found, likely = _linked(file, pairs, moments, probabilistic=True)
    desk, candidates = (scaled_by(side, side.mean(axis=0), side.std(axis=0)) for side in (released, original))
    distances = np.square(desk[:, np.newaxis] - candidates).sum(axis=2)
    tied = distances == distances.min(axis=1, keepdims=True)
    credit = np.where(tied.diagonal(), 1 / tied.sum(axis=1), 0.0)
    assert found.rate == pytest.approx(credit.mean())
    assert likely.rate == pytest.approx(probabilistic_linkage(original, released, ((0, 1),)).rate)
    assert found.looked_up == 12
    assert found.standard_error == likely.standard_error == 0


@settings(deadline=None)
@given(SMALL, SMALL, CUTS)
def test_patterns_met_in_chunks_are_those_met_in_all(
    desk: np.ndarray, candidates: np.ndarray, cuts: list[int]
) -> None:
    parts = [met_by(desk, chunk) for chunk in cut(candidates, cuts)]
    for found in (reduce(add, parts), reduce(add, parts[::-1])):
        for row, point in enumerate(desk):
            here = slice(found.starts[row], found.starts[row + 1])
            plain = Counter(sum(1 << j for j in range(2) if abs(c[j] - point[j]) <= 0.1) for c in candidates)
            assert dict(zip(found.masks[here], found.records[here], strict=True)) == plain
            assert (np.diff(found.masks[here]) > 0).all()


@settings(deadline=None)
@given(SMALL, CUTS, st.integers(1, 4))
def test_classes_of_chunks_are_those_of_all(released: np.ndarray, cuts: list[int], k: int) -> None:
    baskets = [sorted_into(chunk, 3) for chunk in cut(released, cuts)]
    sizes: Counter[int] = Counter()
    for b in range(3):
        sizes.update(class_sizes([chunk[b] for chunk in baskets]))
    found = RealAnonymity(k, np.array(list(sizes)), np.array(list(sizes.values())))
    exact = real_anonymity(released, None, k)
    for name in ("k_prime", "smallest_class", "records_below_k"):
        assert getattr(found, name) == getattr(exact, name)


@settings(deadline=None)
@given(SMALL, SMALL, CUTS, st.integers(2, 12))
def test_interval_disclosure_of_chunks_is_enclosed_and_exact_where_ranks_are(
    original: np.ndarray, released: np.ndarray, cuts: list[int], some: int
) -> None:
    exact = interval_disclosure(original, released).by_attribute
    for seen in (original, original[:some]):
        scale = marks(seen)
        ranks = Ranks(scale, tally(original, scale))
        chunks = zip(cut(original, cuts), cut(released, cuts), strict=True)
        mid, low, high = sum(ranks.reaching(*chunk) for chunk in chunks) / (WIDTHS * 12)
        assert (low <= exact).all()
        assert (exact <= high).all()
        if not ranks.error.any() and np.isin(released, original).all():
            assert (mid == exact).all()


def ell(y: np.ndarray, labels: np.ndarray) -> float:
    """Plain twin of ℓ_avg of one attribute."""
    steps = pd.Series(np.floor((y - y.mean()) / y.std() / 0.2))
    return float(steps.groupby(labels).nunique().mean())


@pytest.mark.parametrize("chunk", [170, 900])
def test_every_figure_of_one_part_is_that_of_one_machine(chunk: int) -> None:
    """Up to 1,000 records all are looked up, so that nothing is estimated but ID."""
    frame = people()
    plan = plan_for("mdav", lam=0.3).replace(blocks=(("x0", "x2"), ("x1",)))
    alone = ma.protect(ma.Microdata.from_frame(frame, roles=ROLES), plan)
    found = protect_lazily(dd.from_pandas(frame, npartitions=2), plan, chunk=chunk).measures("paper 1", 0.3)
    exact = ma.assess(alone, knowledge="sets:0+1+2", weights="paper 1", loss_weight=0.3).figures()
    assert found.assessment.figures().keys() == exact.keys() == ma.MEASURES.keys()
    assert {name: getattr(found, name) for name in exact} == pytest.approx(exact, rel=1e-9)
    assert found.id_low <= exact["id"] <= found.id_high
    assert found.dld_error == found.pld_error == 0
    assert found.dld_records == 900


def test_figures_of_several_parts_are_those_of_what_was_released() -> None:
    frame = people(3_000)
    plan = plan_for("mdav", k=5)
    release = protect_lazily(dd.from_pandas(frame, npartitions=3), plan, part=700, chunk=800)
    found = release.measures("paper 1")
    exact = assessed(release, frame, plan)
    for name in ("il", "il_scale_free", "l", "d_x", "k_prime", "smallest_class", "records_below_k"):
        assert getattr(found, name) == pytest.approx(exact[name], rel=1e-9)
    assert found.id_low <= exact["id"] <= found.id_high
    assert found.id == pytest.approx(exact["id"], abs=0.005)
    for name in ("dld", "pld"):
        error = getattr(found, f"{name}_error")
        assert 0 < error < 0.02
        assert abs(getattr(found, name) - exact[name]) <= 4 * error
    assert found.dr == pytest.approx(25 * found.dld + 25 * found.pld + 50 * found.id)
    assert found.score == pytest.approx((found.il + found.dr) / 2)
    assert found.dld_within >= exact["dld"]
    assert found.l == pytest.approx(found.sse / found.sst)
    assert sum(size * times for size, times in found.class_sizes.items()) == 3_000
    labels = release.groups.compute()["block 1"].to_numpy()
    assert found.ell_average == pytest.approx(ell(frame["y"].to_numpy(), labels))
    assert json.loads(copy.copy(found).to_json())["pld"] == found.pld
    with pytest.raises(AttributeError, match="no figure 'pdl'"):
        found.pdl  # noqa: B018


def assessed(release: DistributedRelease, frame: pd.DataFrame, plan: ma.Plan) -> dict[str, float]:
    data = ma.Microdata.from_frame(frame, roles=plan.roles)
    protected = ma.Microdata.from_frame(release.protected.compute())
    same = ma.compare(data, protected, columns=plan.columns, k=plan.k)
    return ma.assess(same, knowledge="sets:0+1+2", weights="paper 1").figures()


def test_d_y_and_ell_are_means_over_blocks_of_what_no_confidential_value_is_missing_of() -> None:
    frame = people().assign(z=np.arange(900.0) ** 0.5)
    frame.loc[5, "z"] = np.nan
    plan = plan_for("mdav", k=5).replace(blocks=(("x0",), ("x1", "x2")), roles=ROLES | {"z": "confidential"})
    release = protect_lazily(dd.from_pandas(frame, npartitions=3), plan, part=150, chunk=200)
    found, groups = release.measures(), release.groups.compute()
    y = standardise(frame[["y"]].to_numpy())
    lost = [sse(y, own.to_numpy()) / 900 for _, own in groups.items()]
    assert abs(lost[0] - lost[1]) > 0.01
    assert found.d_y == pytest.approx(sum(lost) / 2)
    ells = [ell(y.ravel(), own.to_numpy()) for _, own in groups.items()]
    assert found.ell_average == pytest.approx(np.mean(ells))
    assert np.isnan(found.pld)
    assert found.as_dict()["pld"] is None
