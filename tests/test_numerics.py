"""What must not change a figure does not, and every measure agrees with itself in exact arithmetic."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import isqrt

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from microagg.assessment.assess import assess
from microagg.kernels.scaling import standardise
from microagg.measures.anonymity import real_anonymity
from microagg.measures.dependence import confidential_distortion
from microagg.measures.diversity import diversity
from microagg.measures.intervals import interval_disclosure
from microagg.measures.linkage import distance_linkage
from microagg.measures.loss import distortion, information_loss, released_loss
from microagg.measures.structure import structure
from microagg.methods import METHODS
from microagg.model.microdata import Microdata
from microagg.model.plan import Plan
from microagg.protection.protect import protect

TIED = {
    "mic1d": "each part of values has one 0 and one 1 once normalised, and parts tie in them",
    "sugeno": "the integral is often one of the quantifier's steps, 1/3 or 2/3, on many records",
    "genetic": "its draws are dealt out by position",
}
PARTITIONS = [name for name, method in METHODS.items() if method.kind == "partition"]


def spread(n: int = 40, p: int = 3) -> np.ndarray:
    """Skewed data without ties or near-ties."""
    return np.random.default_rng(11).lognormal(sigma=0.7, size=(n, p))


def released(values: np.ndarray, name: str, names: str = "abcdef", **changes: object):
    frame = pd.DataFrame(values, columns=list(names[: values.shape[1]]))
    data = Microdata.from_frame(frame, roles=dict.fromkeys(frame.columns, "quasi_identifier"))
    rule = "single" if METHODS[name].single_attribute else "all"
    return protect(data, Plan(method=name, k=3, blocks=rule, **changes))


@pytest.mark.parametrize("name", sorted(METHODS.keys() - {"mic1d"}))
def test_the_order_of_columns_does_not_matter_where_no_values_tie(name: str) -> None:
    values = spread()
    before = released(values, name).protected
    after = released(values[:, ::-1].copy(), name, names="cba").protected
    np.testing.assert_allclose(after[list("abc")], before, rtol=1e-12)


@pytest.mark.parametrize("name", sorted(METHODS.keys() - TIED.keys()))
def test_the_order_of_records_does_not_matter_where_no_records_tie(name: str) -> None:
    values = spread()
    order = np.random.default_rng(3).permutation(len(values))
    before, after = released(values, name).protected_values, released(values[order], name).protected_values
    np.testing.assert_allclose(after, before[order], rtol=1e-12)


@pytest.mark.parametrize("name", PARTITIONS)
def test_a_large_offset_leaves_groups_and_loss_as_they_are(name: str) -> None:
    values = np.round(spread() * 2**20) / 2**20  # exact beside the offset
    before, after = released(values, name), released(values + 1e8, name)
    assert after.partitions == before.partitions
    np.testing.assert_allclose(after.protected_values - 1e8, before.protected_values, atol=1e-7)
    figures, shifted = assess(before).figures(), assess(after).figures()
    for figure in ("l", "d_x", "dld", "id", "k_prime", "smallest_class"):
        assert shifted[figure] == pytest.approx(figures[figure], abs=1e-9)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("dtype", ["float32", "int16", "int64", "uint32", "Int64", "Float64"])
def test_narrow_and_whole_numbers_are_computed_as_doubles(name: str, dtype: str) -> None:
    values = pd.DataFrame(np.floor(spread() * 100), columns=list("abc"))
    wide, narrow = released(values.to_numpy(), name), released(values.astype(dtype), name)
    assert narrow.protected_values.dtype == np.float64
    assert (narrow.protected_values == wide.protected_values).all()
    assert assess(narrow).figures() == pytest.approx(assess(wide).figures(), nan_ok=True, abs=0)


# Plain twins over rationals. Standard deviations are irrational, so roots are taken to sixty digits.

Column = list[Fraction]


def exact(values: np.ndarray) -> list[Column]:
    return [[Fraction(float(x)) for x in column] for column in values.T]


def root(x: Fraction) -> Fraction:
    scale = 10**60
    return Fraction(isqrt(x.numerator * x.denominator * scale**2), x.denominator * scale)


def mean(column: Column) -> Fraction:
    return sum(column, Fraction(0)) / len(column)


def covariance(one: Column, other: Column) -> Fraction:
    a, b = mean(one), mean(other)
    return mean([(x - a) * (y - b) for x, y in zip(one, other, strict=True)])


def scaled(column: Column) -> Column:
    spread_of = root(covariance(column, column))
    return [(x - mean(column)) / spread_of if spread_of else Fraction(0) for x in column]


def change(before: Fraction, after: Fraction) -> Fraction:
    return abs(before - after) / abs(before) if before else Fraction(int(after != before))


def correlation(one: Column, other: Column) -> Fraction:
    product = covariance(one, one) * covariance(other, other)
    return covariance(one, other) / root(product) if product else Fraction(0)


def grouped(labels: np.ndarray) -> list[list[int]]:
    return [np.flatnonzero(labels == g).tolist() for g in sorted(set(labels.tolist()))]


def within(column: Column, groups: list[list[int]]) -> Fraction:
    parts = [[column[i] for i in group] for group in groups]
    return sum((sum((x - mean(part)) ** 2 for x in part) for part in parts), Fraction(0))


def near(found: float, twin: Fraction | float) -> None:
    assert found == pytest.approx(float(twin), rel=1e-9, abs=1e-9)


@st.composite
def cases(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Original, protected by group means, and labels: small, with ties, offsets and far-apart sizes."""
    n, p = draw(st.integers(4, 9)), draw(st.integers(1, 3))
    original = draw(arrays(np.float64, (n, p), elements=st.integers(-9, 9)))
    original = original * draw(st.sampled_from([1.0, 2.0**-300, 2.0**300])) + draw(
        st.sampled_from([0.0, 2.0**20])
    )
    labels = np.arange(n) * draw(st.integers(1, 3)) % draw(st.integers(1, 2))
    protected = np.empty_like(original)
    for group in grouped(labels):
        for j, column in enumerate(exact(original)):
            protected[group, j] = float(mean([column[i] for i in group]))
    return original, protected, labels


@settings(max_examples=100, deadline=None)
@given(cases())
def test_squared_losses_agree_with_exact_arithmetic(case: tuple[np.ndarray, ...]) -> None:
    original, protected, labels = case
    losses = []
    for column, after in zip(exact(original), exact(protected), strict=True):
        variance = covariance(column, column)
        if variance:
            losses.append(mean([(x - y) ** 2 for x, y in zip(column, after, strict=True)]) / variance)
    near(released_loss(original, protected).total, mean(losses) if losses else 0)
    points = [scaled(column) for column in exact(original)]
    total = sum((within(column, [list(range(len(column)))]) for column in points), Fraction(0))
    lost = sum((within(column, grouped(labels)) for column in points), Fraction(0))
    near(distortion(standardise(original), labels), lost / total if total else 0)
    near(confidential_distortion(standardise(original), [labels]), lost / total if total else 0)


@settings(max_examples=100, deadline=None)
@given(cases())
def test_the_parts_of_information_loss_agree_with_exact_arithmetic(case: tuple[np.ndarray, ...]) -> None:
    original, protected, _ = case
    before, after = exact(original), exact(protected)
    p = len(before)
    pairs = list(itertools.combinations_with_replacement(range(p), 2))
    found = information_loss(original, protected)
    cells = [change(x, y) for b, a in zip(before, after, strict=True) for x, y in zip(b, a, strict=True)]
    near(found.il1, mean(cells))
    near(found.il2, 0)
    near(
        found.il4,
        mean([change(covariance(b, b), covariance(a, a)) for b, a in zip(before, after, strict=True)]),
    )
    changes = [change(covariance(before[i], before[j]), covariance(after[i], after[j])) for i, j in pairs]
    near(found.il3, mean(changes))
    if p > 1:
        gaps = [
            abs(correlation(before[i], before[j]) - correlation(after[i], after[j]))
            for i, j in pairs
            if i != j
        ]
        near(found.il5, mean(gaps))
        shape = structure(original, protected)
        near(shape.mean_correlation_change, mean(gaps))


@settings(max_examples=100, deadline=None)
@given(cases())
def test_linkage_agrees_with_exact_arithmetic_but_for_ties_that_roots_break(
    case: tuple[np.ndarray, ...],
) -> None:
    original, protected, _ = case
    desk, candidates = ([scaled(c) for c in exact(side)] for side in (protected, original))
    low = high = Fraction(0)
    n = len(original)
    for i in range(n):
        distances = [
            sum(((d[i] - c[j]) ** 2 for d, c in zip(desk, candidates, strict=True)), Fraction(0))
            for j in range(n)
        ]
        nearest = min(distances)
        tied = [j for j in range(n) if distances[j] - nearest < Fraction(1, 10**9)]
        alone = len(tied) == 1 or len({tuple(original[j]) for j in tied}) == 1
        own = Fraction(1, len(tied)) if i in tied else Fraction(0)
        low += own if alone else 0
        high += own if alone else int(i in tied)
    rate = distance_linkage(original, protected, (tuple(range(original.shape[1])),)).rate
    assert float(low / n) - 1e-9 <= rate <= float(high / n) + 1e-9


@settings(max_examples=100, deadline=None)
@given(cases())
def test_interval_disclosure_agrees_with_exact_arithmetic(case: tuple[np.ndarray, ...]) -> None:
    original, protected, _ = case
    n = len(original)
    shares = []
    for before, after in zip(exact(original), exact(protected), strict=True):
        inside = 0
        for x, y in zip(before, after, strict=True):
            rank, place = (
                (Fraction(sum(z < value for z in before) + sum(z <= value for z in before)) + 1) / 2
                for value in (x, y)
            )
            inside += sum(abs(rank - place) <= Fraction(width * n, 100) for width in range(1, 11))
        shares.append(Fraction(inside, 10 * n))
    np.testing.assert_allclose(
        interval_disclosure(original, protected).by_attribute, [float(share) for share in shares], atol=1e-9
    )


@settings(max_examples=100, deadline=None)
@given(cases())
def test_anonymity_and_closeness_agree_with_exact_arithmetic(case: tuple[np.ndarray, ...]) -> None:
    original, protected, labels = case
    distinct = len({tuple(row) for row in (protected + 0.0).tolist()})
    near(real_anonymity(protected, None, 2).k_prime, Fraction(len(protected), distinct))
    worst = Fraction(0)
    for column in exact(original):
        values = sorted(set(column))
        for group in grouped(labels):
            moved = Fraction(0)
            for upto in values[:-1]:
                share = Fraction(sum(column[i] <= upto for i in group), len(group))
                moved += abs(share - Fraction(sum(x <= upto for x in column), len(column)))
            worst = max(worst, moved / (len(values) - 1) if len(values) > 1 else Fraction(0))
    found = diversity(original, labels)
    near(found.t_closeness, worst)
    fewest = min(len({column[i] for i in group}) for column in exact(original) for group in grouped(labels))
    assert found.p_sensitivity == fewest


@settings(max_examples=100, deadline=None)
@given(cases())
def test_eigenvalues_of_two_attributes_agree_with_their_closed_form(case: tuple[np.ndarray, ...]) -> None:
    original, protected = case[0][:, :2], case[1][:, :2]
    if original.shape[1] < 2:
        return
    before, after = (abs(correlation(*exact(side))) for side in (original, protected))
    found = structure(original, protected)
    near(found.first_component_original, (1 + before) / 2)
    near(found.first_component, (1 + after) / 2)
    near(found.eigenvalue_loss, abs(before - after))
