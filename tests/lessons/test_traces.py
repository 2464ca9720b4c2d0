"""Every trace ends with what the solver returns, on any records: what a lesson shows is what is computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import microagg as ma
from microagg.lessons import LESSONS, dependence
from microagg.lessons.example import made_up
from microagg.lessons.lesson import Records
from microagg.methods import METHODS
from microagg.methods.mic1d import mic1d
from microagg.methods.one_attribute import one_attribute
from microagg.methods.projections import aggregated, pcp, zscores
from microagg.preparation.extended_vectors import extended

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray, IntArray
    from microagg.lessons.lesson import Step

FEW = settings(max_examples=40)


@st.composite
def lessons(draw: st.DrawFn, attributes: int = 2) -> tuple[Records, int]:
    """Small files with ties, duplicates and constant columns among them, and a k that fits."""
    n = draw(st.integers(4, 22))
    cells = draw(st.sampled_from([st.integers(0, 4), st.integers(-90, 90)]))
    values = draw(arrays(np.float64, (n, attributes), elements=cells.map(float)))
    return Records(values, tuple("abcdefgh"[:attributes])), draw(st.integers(2, n // 2))


def alike(one: IntArray, other: IntArray) -> bool:
    """Whether two labellings name the same groups."""
    pairs = set(zip(one.tolist(), other.tolist(), strict=True))
    return len(pairs) == len(set(one.tolist())) == len(set(other.tolist()))


def walked(name: str, records: Records, k: int, **chosen: Any) -> tuple[Step, ...]:
    return LESSONS[name].walk(records, k, chosen)


@FEW
@given(lessons(), st.sampled_from(["generic", "join nearest"]))
def test_mdav_ends_with_the_solvers_groups(lesson: tuple[Records, int], tail: str) -> None:
    records, k = lesson
    last = walked("mdav", records, k, tail=tail)[-1]
    assert alike(last.result, METHODS["mdav"].solve(records.points, k, tail=tail))


@FEW
@given(lessons(), st.sampled_from(["first component", "zscores"]))
def test_kward_ends_with_the_solvers_groups(lesson: tuple[Records, int], first: str) -> None:
    records, k = lesson
    last = walked("kward", records, k, first=first)[-1]
    assert alike(last.result, METHODS["kward"].solve(records.points, k, first=first))


@FEW
@given(lessons(), st.sampled_from(["a", "b"]))
def test_the_shortest_path_is_the_solvers_partition(lesson: tuple[Records, int], column: str) -> None:
    records, k = lesson
    axis = np.ascontiguousarray(records.points[:, ["ab".index(column)]])
    last = walked("optimal", records, k, attribute=column)[-1]
    assert alike(last.result, one_attribute(axis, k, block=axis))


@FEW
@given(lessons(), st.sampled_from(["attributes", "projected"]), st.sampled_from(["identity", "most"]))
def test_projections_end_with_the_three_solvers_groups(
    lesson: tuple[Records, int], cost: Any, quantifier: str
) -> None:
    records, k = lesson
    points = records.points
    last = walked("projection", records, k, cost=cost, quantifier=quantifier)[-1]
    solved = (
        pcp(points, k, cost=cost),
        zscores(points, k, cost=cost),
        aggregated(points, k, originals=records.values, cost=cost, quantifier=quantifier),
    )
    assert all(alike(own, theirs) for own, theirs in zip(last.result, solved, strict=True))


@FEW
@given(lessons(attributes=4), st.sampled_from(["identity", "power", "at least half"]), st.integers(1, 4))
def test_the_integral_is_the_definition_for_any_record(
    lesson: tuple[Records, int], quantifier: str, record: int
) -> None:
    """Modeling Projections, Definition 2, word by word."""
    records, _ = lesson
    last = walked("sugeno", records, 2, quantifier=quantifier, record=record)[-1]
    weigh = {"identity": lambda x: x, "power": lambda x: x**2, "at least half": lambda x: min(2 * x, 1.0)}
    low, high = records.values.min(axis=0), records.values.max(axis=0)
    unit = (records.values - low) / np.where(high > low, high - low, 1.0)
    expected = [
        max(min(weigh[quantifier]((i + 1) / 4), a) for i, a in enumerate(sorted(row, reverse=True)))
        for row in unit.tolist()
    ]
    assert last.result == pytest.approx(expected)
    shown = {quantity.name: quantity.value for quantity in last.quantities}
    assert shown["SI"] == pytest.approx(expected[record - 1])


@FEW
@given(lessons(), st.data())
def test_mic1d_ends_with_the_solvers_values(lesson: tuple[Records, int], data: st.DataObject) -> None:
    records, _ = lesson
    k = data.draw(st.integers(2, len(records)))
    last = walked("mic1d", records, k)[-1]
    assert last.result == pytest.approx(mic1d(records.values, k), rel=1e-9, abs=1e-9)


@FEW
@given(lessons())
def test_each_lambda_has_the_solvers_groups(lesson: tuple[Records, int]) -> None:
    records, k = lesson
    steps = walked("dependence", records, k)[1:]
    X, Y = records.points[:, :1], records.points[:, 1:]
    for lam, step in zip(dependence.LAMBDAS, steps, strict=True):
        assert alike(step.result, METHODS["mdav"].solve(extended(X, Y, lam), k))


@FEW
@given(lessons(), st.sampled_from(["mdav", "pcp", "kward"]))
def test_the_attack_is_on_the_pipelines_release(lesson: tuple[Records, int], method: str) -> None:
    records, k = lesson
    frame = pd.DataFrame(records.values, columns=list(records.names))
    data = ma.Microdata.from_frame(frame, roles=dict.fromkeys(records.names, "quasi_identifier"))
    steps = walked("attack", records, k, method=method)
    for step, blocks in ((steps[1], "all"), (steps[-1], "single")):
        release = ma.protect(data, ma.Plan(method=method, k=k, columns=records.names, blocks=blocks))
        classes = np.unique(release.protected_values, axis=0, return_inverse=True)[1]
        assert alike(step.result, classes.ravel())


def small(seed: int = 1) -> dict[str, tuple[Step, ...]]:
    """The traces of all lessons on made-up records."""
    return {name: lesson.walk(made_up(seed, 16, lesson.example), 3, {}) for name, lesson in LESSONS.items()}


def test_panels_keep_their_places_and_axes_from_the_first_step_to_the_last() -> None:
    for steps in small().values():
        frames = {
            tuple((p.place, p.across, p.up, p.x, p.y, p.equal, p.ticks) for p in step.panels)
            for step in steps
        }
        assert len(frames) == 1


def test_what_is_drawn_lies_within_the_axes() -> None:
    for name, steps in small().items():
        for step in steps:
            for panel in step.panels:
                for mark in panel.marks:
                    if hasattr(mark, "at") and len(mark.at):
                        low, high = np.min(mark.at, axis=0), np.max(mark.at, axis=0)
                        where = (name, step.title, panel.title)
                        assert panel.across[0] <= low[0] <= high[0] <= panel.across[1], where
                        assert panel.up[0] <= low[1] <= high[1] <= panel.up[1], where


def test_every_step_says_what_happens_and_every_number_what_it_is() -> None:
    for steps in small().values():
        assert len(steps) >= 5
        for step in steps:
            assert step.title
            assert step.sentence.endswith(".")
            assert all(quantity.says for quantity in step.quantities)
            assert not any(bad in step.sentence for bad in ("nan", "inf ", "−0.00"))


@pytest.mark.parametrize("values", [np.full((6, 2), 5.0), np.tile([[1.0, 2.0], [3.0, 4.0]], (5, 1))])
@pytest.mark.parametrize("name", LESSONS)
def test_equal_and_constant_records_have_a_trace_and_questions(name: str, values: FloatArray) -> None:
    records = Records(values, ("a", "b"))
    assert len(LESSONS[name].walk(records, 2, {})) >= 3
    assert len(LESSONS[name].ask(records, 2, {})) == 3


@pytest.mark.parametrize("name", LESSONS)
def test_sixty_records_and_the_largest_k_have_a_trace(name: str) -> None:
    lesson = LESSONS[name]
    records = made_up(3, 60)
    for k in (2, lesson.largest_k(60, 2)):
        assert len(lesson.walk(records, k, {})) >= 3
