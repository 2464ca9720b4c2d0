"""Aggregation functions: the laws that define them, closed forms, and one example by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from microagg.errors import PlanError
from microagg.kernels.scaling import standardise
from microagg.methods import METHODS
from microagg.methods.aggregation import (
    FUNCTIONS,
    QUANTIFIERS,
    RAMPS,
    aggregate,
    choquet,
    measure_table,
    owa,
    quantifier,
    sugeno,
    sugeno_construction,
)
from microagg.methods.optimal import partition_order
from microagg.model.microdata import Microdata
from microagg.model.plan import Plan
from microagg.protection.protect import protect

units = arrays(np.float64, st.tuples(st.integers(1, 5), st.integers(1, 6)), elements=st.floats(0, 1))
choices = st.tuples(st.sampled_from(FUNCTIONS), st.sampled_from(QUANTIFIERS), st.floats(0.25, 4))


@st.composite
def measures(draw):
    """A random measure on up to four attributes: each set at least its largest subset."""
    p = draw(st.integers(1, 4))
    table = np.array(draw(st.lists(st.floats(0, 1), min_size=2**p, max_size=2**p)))
    for s in range(2**p):
        table[s] = max(table[t] for t in range(s + 1) if t & s == t)
    table[0], table[-1] = 0.0, 1.0
    return tuple(table.tolist())


def test_the_reference_example_of_the_sugeno_integral():
    assert aggregate(np.array([[0.2, 0.9, 0.5]])).tolist() == [0.5]


@given(units, choices)
def test_every_function_lies_between_the_smallest_and_the_largest_value(unit, choice):
    function, name, exponent = choice
    summary = aggregate(unit, function, quantifier_name=name, exponent=exponent)
    assert (summary >= unit.min(axis=1)).all()
    assert (summary <= unit.max(axis=1)).all()


@given(st.floats(0, 1), st.integers(1, 6), choices)
def test_every_function_returns_the_value_that_all_attributes_share(value, p, choice):
    function, name, exponent = choice
    assert aggregate(np.full((1, p), value), function, quantifier_name=name, exponent=exponent).tolist() == [
        value
    ]


@given(units, units, choices)
def test_no_function_falls_when_a_value_rises(unit, other, choice):
    function, name, exponent = choice
    shape = tuple(map(min, unit.shape, other.shape))
    low = unit[: shape[0], : shape[1]]
    high = np.maximum(low, other[: shape[0], : shape[1]])
    options = {"quantifier_name": name, "exponent": exponent}
    assert (aggregate(low, function, **options) <= aggregate(high, function, **options) + 1e-15).all()


@given(units, choices)
def test_no_function_cares_in_which_order_the_attributes_come(unit, choice):
    function, name, exponent = choice
    options = {"quantifier_name": name, "exponent": exponent}
    reversed_ = aggregate(np.ascontiguousarray(unit[:, ::-1]), function, **options)
    np.testing.assert_allclose(aggregate(unit, function, **options), reversed_, atol=1e-15)


@given(units)
def test_owa_with_the_identity_is_the_mean(unit):
    np.testing.assert_allclose(owa(unit, quantifier("identity")), unit.mean(axis=1), atol=1e-15)


@given(units, st.sampled_from(QUANTIFIERS))
def test_a_choquet_integral_that_only_counts_is_the_owa(unit, name):
    np.testing.assert_allclose(choquet(unit, quantifier(name)), owa(unit, quantifier(name)), atol=1e-15)


@given(units, st.sampled_from(QUANTIFIERS))
def test_a_sugeno_integral_that_only_counts_is_the_median_of_values_and_measures(unit, name):
    p = unit.shape[1]
    cuts = quantifier(name)(np.arange(1, p) / p)
    both = np.hstack([unit, np.tile(cuts, (len(unit), 1))])
    np.testing.assert_array_equal(sugeno(unit, quantifier(name)), np.median(both, axis=1))


@pytest.mark.parametrize("integral", [sugeno, choquet])
@given(unit=units, name=st.sampled_from(QUANTIFIERS))
def test_a_table_filled_from_a_quantifier_gives_what_the_quantifier_gives(integral, unit, name):
    unit = unit[:, :4]
    p = unit.shape[1]
    counts = np.array([s.bit_count() for s in range(2**p)])
    table = measure_table(tuple(quantifier(name)(counts / p).tolist()), p)
    np.testing.assert_array_equal(integral(unit, table), integral(unit, quantifier(name)))


@given(measures(), st.data())
def test_the_integrals_follow_their_textbook_forms_over_all_sets(entries, data):
    p = len(entries).bit_length() - 1
    values = data.draw(st.lists(st.floats(0, 1), min_size=p, max_size=p))
    table = measure_table(entries, p)
    sets = list(chain.from_iterable(combinations(range(p), size) for size in range(1, p + 1)))
    measure = {members: entries[sum(1 << j for j in members)] for members in sets}
    # Sugeno: the best set, worth the smaller of its measure and its lowest value.
    best = max(min(measure[members], *(values[j] for j in members)) for members in sets)
    assert sugeno(np.array([values]), table)[0] == best
    # Choquet: the Möbius transform of the measure times each set's lowest value.
    total = 0.0
    for members in sets:
        inside = chain.from_iterable(combinations(members, size) for size in range(1, len(members) + 1))
        moebius = sum((-1) ** (len(members) - len(part)) * measure[part] for part in inside)
        total += moebius * min(values[j] for j in members)
    assert choquet(np.array([values]), table)[0] == pytest.approx(total, abs=1e-12)


@pytest.mark.parametrize("name", QUANTIFIERS)
def test_every_quantifier_rises_from_0_to_1(name):
    drawn = quantifier(name)(np.linspace(0, 1, 101))
    assert (drawn[0], drawn[-1]) == (0, 1)
    assert (np.diff(drawn) >= 0).all()


def test_the_construction_of_one_record_is_the_integral_that_is_used():
    unit = np.random.default_rng(4).random((50, 5))
    for record in unit:
        steps = sugeno_construction(record, quantifier("most"))
        assert steps.integral == sugeno(record[np.newaxis], quantifier("most"))[0]
        assert steps.integral == min(steps.capacities[steps.at], steps.values[steps.at])
        np.testing.assert_array_equal(record[steps.attributes], steps.values)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"function": "mode"}, "aggregation function 'mode'"),
        ({"quantifier_name": "few"}, "quantifier 'few'"),
        ({"quantifier_name": "power", "exponent": 0.0}, "positive"),
        ({"measure": (0.0, 1.0)}, "needs 8 entries"),
        ({"measure": (0.5,) * 8}, "0 for no attribute"),
        (
            {"measure": (0, 0.5, 0.1, 0.4, 0.1, 0.6, 0.6, 1)},
            "must not fall.*set 001 has 0.5, set 011 has 0.4",
        ),
        ({"measure": (0, 0.5, float("nan"), 0.6, 0.1, 0.6, 0.6, 1)}, "must not fall"),
    ],
)
def test_what_is_no_function_quantifier_or_measure_is_refused(options, said):
    with pytest.raises(PlanError, match=said):
        aggregate(np.full((2, 3), 0.5), **options)


def test_a_table_for_five_attributes_is_refused():
    with pytest.raises(PlanError, match="up to 4 attributes; this block has 5"):
        aggregate(np.full((2, 5), 0.5), measure=(0.0,) * 31 + (1.0,))


def exact_weight(name: str, share: Fraction) -> Fraction:
    """A quantifier in exact fractions; the power is the square."""
    if name in RAMPS:
        low, high = (Fraction(str(end)) for end in RAMPS[name])
        return min(max((share - low) / (high - low), Fraction(0)), Fraction(1))
    return share**2 if name == "power" else share


def exact_axis(values: np.ndarray, function: str, name: str) -> list[Fraction]:
    """Min-max of the originals and the function of each record, without rounding."""
    columns = [[Fraction(value) for value in column] for column in values.T.tolist()]
    lows, widths = [min(c) for c in columns], [max(c) - min(c) for c in columns]
    axis, p = [], len(columns)
    weights = [exact_weight(name, Fraction(i, p)) for i in range(p + 1)]
    for record in zip(*columns, strict=True):
        unit = [(x - low) / (width or 1) for x, low, width in zip(record, lows, widths, strict=True)]
        a = sorted(unit, reverse=True)
        match function:
            case "sugeno":
                axis.append(max(min(weights[i + 1], a[i]) for i in range(p)))
            case "owa" | "choquet":
                axis.append(sum((weights[i + 1] - weights[i]) * a[i] for i in range(p)))
            case "median":
                axis.append((a[(p - 1) // 2] + a[p // 2]) / 2)
            case _:
                axis.append({"mean": sum(a) / p, "minimum": a[-1], "maximum": a[0]}[function])
    return axis


def exact_sse(axis: list[Fraction], labels: np.ndarray) -> Fraction:
    """The squared distances to the means of the groups, without rounding."""
    groups = [[axis[i] for i in np.flatnonzero(labels == group)] for group in np.unique(labels)]
    return sum(((x - sum(group) / len(group)) ** 2 for group in groups for x in group), Fraction(0))


def assert_ordered_exactly(values: np.ndarray, function: str, name: str, k: int) -> int:
    """Hold a release to the order that fractions give; returns how many records tie with an earlier one."""
    frame = pd.DataFrame(values, columns=[f"x{j}" for j in range(values.shape[1])])
    data = Microdata.from_frame(frame, roles=dict.fromkeys(frame.columns, "quasi_identifier"))
    options = {"quantifier": name, "cost": "projected"}
    plan = Plan(method="aggregation", k=k, options={"function": function} | options)
    axis = exact_axis(values, function, name)
    order = np.array(sorted(range(len(values)), key=axis.__getitem__))
    found = protect(data, plan).partitions[0].labels
    expected = partition_order(order, np.array([float(number) for number in axis]), k)
    # Two cuts can cost the same, and rounding picks one: each is a run of the order, of the same exact cost.
    assert np.count_nonzero(np.diff(found[order])) == found.max()
    assert np.bincount(found).min() >= k
    assert exact_sse(axis, found) == exact_sse(axis, expected)
    # The attributes as a cost show which of two records that tie came first; their own values tie.
    plan = plan.replace(options={**plan.options, "cost": "attributes"})
    found = protect(data, plan).partitions[0].labels
    expected = partition_order(order, standardise(values), k)
    assert len(np.unique(np.column_stack([found, expected]), axis=0)) == found.max() + 1
    return len(axis) - len(set(axis))


ROWS = st.lists(st.lists(st.integers(0, 6), min_size=3, max_size=3), min_size=6, max_size=30)


@pytest.mark.parametrize("function", FUNCTIONS)
@settings(max_examples=40, deadline=None)
@given(rows=ROWS, name=st.sampled_from(QUANTIFIERS), scale=st.sampled_from([1.0, 3.0, 1e-7, 2.0**40]))
def test_equal_values_tie_exactly_and_ties_go_to_the_lower_record(function, rows, name, scale):
    values = np.array(rows) * np.array([1.0, 7.0, 1000.0]) + np.array([0.0, 5.0, 1e6])
    assert_ordered_exactly(values * 1.0 if scale == 1 else np.round(values * scale), function, name, 3)


@pytest.mark.parametrize(
    ("function", "name"),
    [*product(FUNCTIONS[:3], QUANTIFIERS), *((plain, "identity") for plain in FUNCTIONS[3:])],
)
def test_records_of_census_are_ordered_as_fractions_order_them(census, function, name):
    blocks = ([0, 1, 2, 3], [3, 11, 12], [4, 6, 7, 8])
    tied = sum(assert_ordered_exactly(census[:, block], function, name, 5) for block in blocks)
    assert tied > 0 or function not in ("sugeno", "median", "minimum", "maximum")


def test_the_methods_that_aggregate_see_original_values():
    assert {name for name, row in METHODS.items() if "originals" in row.inputs} == {"sugeno", "aggregation"}
