"""Whatever the file and whatever the plan: a release that keeps every law, or one helpful sentence."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, get_args

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from microagg.assessment.assess import assess
from microagg.errors import MicroaggError
from microagg.measures.catalogue import MEASURES
from microagg.measures.intervals import Width
from microagg.measures.knowledge import Knowledge
from microagg.measures.matching import Direction
from microagg.measures.risk import PAPER_1, PAPER_3
from microagg.methods import METHODS
from microagg.model.microdata import Microdata
from microagg.model.plan import Aggregate, Missing, Plan, Rounding, SmallStrata
from microagg.model.roles import Role, Scale
from microagg.protection.protect import protect

if TYPE_CHECKING:
    from collections.abc import Callable

    from microagg.methods import Method
    from microagg.model.release import Release

NAMES = [
    *("k", "labels", "index", "level_0", "*", "", "nan", "a,b", "a+b", "=1+1", "__class__", "x", "y", "z"),
    *("<img src=x onerror=alert(1)>", "🦊", "\u202eabc", "e\u0301", "a\nb", 7, 2.5, ("x", 1), None),
]
ROLES = ["quasi_identifier"] * 9 + ["confidential"] * 4 + list(get_args(Role))
N = 14


def _column(elements: st.SearchStrategy, dtype: str | None = None) -> st.SearchStrategy:
    return st.lists(elements, min_size=N, max_size=N).map(lambda cells: pd.Series(cells, dtype=dtype))


def _categories(ordered: bool) -> st.SearchStrategy:
    cells = st.lists(st.sampled_from(["low", "middle", "high", None]), min_size=N, max_size=N)
    return cells.map(
        lambda cells: pd.Series(pd.Categorical(cells, ["low", "middle", "high"], ordered=ordered))
    )


tied = st.integers(-3, 3)
magnitudes = st.sampled_from([1e-300, 1e-160, 1e-8, 1.0, 3.0, 1e8, 1e160, 1e300])
wild = st.builds(lambda size, sign: sign * size, magnitudes, st.sampled_from([-1.0, 1.0, 0.5, -0.0, 0.0]))
day = st.dates(dt.date(1999, 1, 1), dt.date(2001, 1, 1)).map(pd.Timestamp)
NUMBERS = st.one_of(
    _column(st.floats(-1e3, 1e3, allow_subnormal=False), "float64"),
    _column(tied, "float64"),
    _column(tied.map(lambda x: x + 1e8), "float64"),
    _column(wild, "float64"),
    _column(st.floats(-1e300, 1e300), "float64"),
    _column(st.floats(-(2.0**99), 2.0**99, width=32), "float32"),
    _column(st.sampled_from([0.0, -0.0, 5e-324]), "float64"),
    _column(st.integers(2**53 - 3, 2**53 + 3), "int64"),
    _column(tied, "int8"),
    _column(st.integers(0, 2**64 - 1), "uint64"),
    _column(tied, "Int64"),
    _column(st.booleans(), "bool"),
    st.just(pd.Series([4.0] * N)),
    st.just(pd.Series(np.arange(N))),
)
ANYTHING = st.one_of(
    NUMBERS,
    _column(st.floats(), "float64"),
    _column(st.floats(width=32), "float32"),
    _column(st.sampled_from([1.0, 2.0, np.nan]), "float64"),
    _column(st.one_of(tied, st.none()), "Int64"),
    _column(st.one_of(tied, st.none()), "Float64"),
    _column(st.one_of(st.booleans(), st.none()), "boolean"),
    st.just(pd.Series([None] * N, dtype=object)),
    st.just(pd.Series([np.nan] * N)),
    _column(st.sampled_from(["a", "b", "<b>c</b>", "=2+5", "", None])),
    _column(st.sampled_from(["a", "b"]), "string"),
    _categories(ordered=False),
    _categories(ordered=True),
    _column(day),
    _column(st.one_of(day, st.none())),
    _column(tied.map(lambda d: pd.Timedelta(days=d))),
    _column(
        st.one_of(tied, st.sampled_from(["a", 1.5, None, True, Decimal(1), dt.date(2000, 1, 1)])), "object"
    ),
    _column(st.sampled_from([1 + 2j, 0j, 3 + 0j])),
    _column(st.lists(st.integers(0, 1), max_size=1), "object"),
)
INDEXES = st.sampled_from(
    [
        pd.RangeIndex(N),
        pd.Index([0] * N, name="x"),
        pd.Index([f"r{i}" for i in range(N)][::-1], name="k"),
        pd.MultiIndex.from_product([["a", "b"], range(N // 2)], names=["labels", None]),
        pd.date_range("2000-01-31", periods=N, freq="ME"),
        pd.Index([None] * N, dtype=object),
    ]
)


@st.composite
def microdata(draw: st.DrawFn) -> Microdata:
    n = draw(st.integers(4, N) | st.integers(1, N))
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=5, unique=True))
    kinds = draw(st.sampled_from([NUMBERS, NUMBERS, ANYTHING]))
    columns = [draw(kinds)]
    for _ in names[1:]:
        columns.append(columns[-1] if draw(st.integers(0, 9)) == 0 else draw(kinds))
    frame = pd.concat([column.iloc[:n] for column in columns], axis=1)
    frame.columns = pd.Index(names, tupleize_cols=False, dtype=object)
    frame.index = draw(INDEXES)[:n]
    if draw(st.integers(0, 9)) == 0:
        return Microdata.from_frame(frame)
    roles = {str(name): draw(st.sampled_from(ROLES if i else ROLES[:10])) for i, name in enumerate(names)}
    return Microdata.from_frame(frame, roles=roles)


FEW = {"generations": 5, "population": 9, "rounds": 5}
RULES = [*["all"] * 4, "single", "contiguous:2", "correlated:2", "apart:2", "contiguous:0", "?"]
CODES = st.sampled_from([(0,), (1.0, 2), ("a", ""), (True,), (2**53,)])


def options_of(draw: st.DrawFn, method: Method, names: list[str]) -> dict[str, object]:
    chosen: dict[str, object] = {}
    for option in method.options:
        if draw(st.integers(0, 2)):
            continue
        if option.column:
            values = st.sampled_from(["", *names])
        elif option.choices:
            values = st.sampled_from(option.choices)
        elif option.low is None:
            values = st.sampled_from(["", "0 1", "0 .2 .5 1", "0 .1 .1 .1 .5 .5 .5 1", "x"])
        elif isinstance(option.default, int):
            values = st.integers(int(option.low), FEW.get(option.name, int(option.high)))
        else:
            values = st.floats(option.low, option.high)
        chosen[option.name] = draw(values)
    return chosen


@st.composite
def plans(draw: st.DrawFn, data: Microdata) -> Plan:
    names = list(data.frame.columns)
    absent = ["absent"] if draw(st.integers(0, 19)) == 0 else []
    some = st.lists(st.sampled_from([*names, *absent]), unique=True)
    method = METHODS[draw(st.sampled_from(list(METHODS)))]
    orders = st.permutations(["low", "middle", "high"]) | st.permutations(range(-3, 4))
    rare: list[dict[str, Callable[[], object]]] = [
        {"columns": lambda: tuple(draw(some))},
        {"blocks": lambda: tuple(tuple(draw(some)) for _ in range(draw(st.integers(1, 3))))},
        {"scales": lambda: {name: draw(st.sampled_from(get_args(Scale))) for name in draw(some)}},
        {"orders": lambda: {name: draw(orders) for name in draw(some)}},
        {"missing_codes": lambda: {draw(st.sampled_from(["*", *names])): draw(CODES)}},
        {"strata": lambda: draw(some), "small_strata": lambda: draw(st.sampled_from(get_args(SmallStrata)))},
        {"weighted": lambda: True, "aggregate": lambda: "mean"},
        {"refine": lambda: draw(st.integers(0, 3))},
        {"shuffle": lambda: draw(st.integers(0, 2**70))},
        {"roles": lambda: {name: draw(st.sampled_from(get_args(Role))) for name in draw(some)}},
    ]
    usual = {
        "k": draw(st.sampled_from([2, 2, 3, 5])),
        "blocks": "single" if method.single_attribute else draw(st.sampled_from(RULES)),
        "lam": draw(st.sampled_from([0.0, 0.0, 0.0, 0.3, 1.0])),
        "aggregate": draw(st.sampled_from(get_args(Aggregate))),
        "options": options_of(draw, method, names),
        "seed": draw(st.integers(0, 3)),
        "keep_identifiers": draw(st.booleans()),
        "missing": draw(st.sampled_from(["patterns", *get_args(Missing)])),
        "rounding": draw(st.sampled_from(get_args(Rounding))),
    }
    for changes in draw(st.lists(st.sampled_from(rare), max_size=3)):
        usual |= {name: make() for name, make in changes.items()}
    return Plan(method.name, **usual)


KNOWLEDGE = st.sampled_from(["up-to:3", "all", "unions", "sample:2", "sets:0", "sets:0+1"]).map(
    Knowledge.parse
)


def run(draw: st.DataObject) -> None:
    """One file and one plan, drawn, run and looked at; a refusal must be a sentence."""
    refusal = ""
    try:
        data = draw.draw(microdata())
        plan = draw.draw(plans(data))
        before = data.frame.copy(deep=True)
        assert Plan.from_json(plan.to_json()) == plan
        release = protect(data, plan)
        holds_its_laws(data, plan, release)
        pd.testing.assert_frame_equal(data.frame, before)
        figures = assess(
            release,
            knowledge=draw.draw(KNOWLEDGE),
            weights=draw.draw(st.sampled_from([PAPER_1, PAPER_3])),
            direction=draw.draw(st.sampled_from(get_args(Direction))),
            width=draw.draw(st.sampled_from(get_args(Width))),
        ).figures()
    except MicroaggError as error:
        refusal, figures = str(error), {}
    assert not refusal or refusal.endswith("."), refusal
    for name, value in figures.items():
        measure = MEASURES[name]
        assert np.isnan(value) or measure.low - 1e-9 <= value <= measure.high + 1e-9, (name, value)


def holds_its_laws(data: Microdata, plan: Plan, release: Release) -> None:
    originals, released = release.data.frame, release.aligned
    protected = release.attributes
    assert len(originals) + sum(len(out.positions) for out in release.left_out) == len(data)
    if release.order is None:
        assert released.index.equals(pd.RangeIndex(len(originals)))
    else:
        assert sorted(release.order) == list(range(len(originals)))
    kept = [c for c in originals if plan.keep_identifiers or release.data[c].role != "identifier"]
    assert list(released.columns) == kept
    for name in released.columns:
        assert (released[name].isna().to_numpy() == originals[name].isna().to_numpy()).all()
        if name not in protected:
            was = originals[name].reset_index(drop=True)
            if isinstance(was.dtype, pd.CategoricalDtype):  # a category that nobody has does not leave
                was = was.cat.remove_unused_categories()
            pd.testing.assert_series_equal(released[name].reset_index(drop=True), was, check_exact=True)
    assert not np.isinf(release.protected_values).any()
    missing = originals[list(protected)].isna().to_numpy()
    strata = originals[list(release.data.columns("stratum") if plan.strata is None else plan.strata)]
    for block, partition in zip(release.blocks, release.partitions, strict=bool(release.partitions)):
        assert partition.sizes.min() >= plan.k
        for group in range(len(partition)):
            members = np.flatnonzero(partition.labels == group)
            assert (missing[members] == missing[members[0]]).all()
            if plan.small_strata == "refuse" and strata.shape[1]:
                assert len(strata.iloc[members].drop_duplicates()) == 1
            for name in block:
                stands_for_its_group(plan, release, name, members)


def stands_for_its_group(plan: Plan, release: Release, name: str, members: np.ndarray) -> None:
    before, after = release.data.frame[name].iloc[members], release.aligned[name].iloc[members]
    if before.isna().all():
        return
    assert len({repr(value) for value in after.tolist()}) == 1
    if name in release.categories or (release.data[name].scale != "continuous" and plan.method == "mixed"):
        assert after.iloc[0] in before.tolist()
        return
    values, value = before.to_numpy(np.float64), float(after.iloc[0])
    low, high = values.min(), values.max()
    # Sums round in their last digits, and the least of all numbers has no half.
    slack = 1e-12 * max(abs(low), abs(high)) + 5e-324 + (plan.rounding != "none")
    assert low - slack <= value <= high + slack
    if plan.aggregate == "mean" and plan.method != "mic1d":
        weights = [Fraction(1)] * len(values)
        if plan.weighted:
            named = release.data.columns("weight")[0]
            weights = [Fraction(float(weight)) for weight in release.data.frame[named].iloc[members]]
        total = sum(w * Fraction(x) for w, x in zip(weights, values.tolist(), strict=True))
        assert abs(Fraction(value) - total / sum(weights)) <= slack


SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]


@settings(max_examples=500, deadline=None, suppress_health_check=SLOW)
@given(st.data())
def test_any_file_and_any_plan_end_in_a_lawful_release_or_a_sentence(draw: st.DataObject) -> None:
    run(draw)


@pytest.mark.nightly
@settings(max_examples=20_000, deadline=None, suppress_health_check=SLOW)
@given(st.data())
def test_twenty_thousand_files_and_plans_end_in_a_lawful_release_or_a_sentence(draw: st.DataObject) -> None:
    run(draw)
