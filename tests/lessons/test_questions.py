"""Answers are right: numbers in them are counted here by other means."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from microagg.lessons import LESSONS
from microagg.lessons.example import made_up
from microagg.lessons.intruder import potential_cells, protected, reach
from microagg.lessons.optimal import edges, run_cost
from microagg.measures.intervals import interval_disclosure

RECORDS = made_up(5, 14)


def test_the_count_of_cells_is_the_papers() -> None:
    assert potential_cells(1080, 10, 3) == 1_259_712


def test_edges_are_those_of_some_partition_into_runs() -> None:
    n, k = 11, 2
    cuts = [
        (0, *inner, n)
        for count in range(n)
        for inner in combinations(range(1, n), count)
        if all(k <= b - a <= 2 * k - 1 for a, b in zip((0, *inner), (*inner, n), strict=True))
    ]
    used = {(a, b) for path in cuts for a, b in pairwise(path)}
    assert {tuple(edge) for edge in edges(n, k).tolist()} == used


def test_the_optimal_lesson_gives_the_least_cost_of_all_partitions() -> None:
    axis = np.sort(RECORDS.points[:, 0])
    n, k = len(axis), 3
    least = min(
        sum(run_cost(axis, a, b) for a, b in zip((0, *inner), (*inner, n), strict=True))
        for count in range(n // k)
        for inner in combinations(range(1, n), count)
        if all(b - a >= k for a, b in zip((0, *inner), (*inner, n), strict=True))
    )
    last = LESSONS["optimal"].walk(RECORDS, k, {})[-1]
    assert {q.name: q.value for q in last.quantities}["SSE"] == pytest.approx(least)
    assert f"SSE {least:.3f} against" in LESSONS["optimal"].ask(RECORDS, k, {})[1].answer


def test_the_intervals_drawn_are_those_measured() -> None:
    release = protected(RECORDS, 3, "mdav", blocks=False)
    for column in (0, 1):
        ranks, positions = reach(release.original[:, column], release.protected[:, column])
        within = [np.abs(ranks - positions) <= w / 100 * len(ranks) + 1e-12 for w in range(1, 11)]
        measured = interval_disclosure(release.original, release.protected).by_attribute[column]
        assert np.mean(within) == pytest.approx(measured)


def test_the_linkage_shown_is_a_count_of_nearest_records() -> None:
    release = protected(RECORDS, 3, "mdav", blocks=True)
    sides = [(x - x.mean(axis=0)) / x.std(axis=0) for x in (release.original, release.protected)]
    squared = np.square(sides[1][:, np.newaxis] - sides[0]).sum(axis=2)
    near = np.isclose(squared, squared.min(axis=1, keepdims=True), atol=1e-12)
    found = np.mean(near.diagonal() / near.sum(axis=1))
    assert release.dld == pytest.approx(found)
    shown = [step for step in LESSONS["attack"].walk(RECORDS, 3, {}) if step.title == "Link again"]
    assert {q.name: q.value for q in shown[0].quantities}["DLD"] == pytest.approx(found)


def test_with_one_block_at_most_one_record_a_group_is_found() -> None:
    for seed in range(20):
        release = protected(made_up(seed, 18), 3, "mdav", blocks=False)
        assert release.dld <= len(release.anonymity.sizes) / 18 + 1e-12


def test_a_forbidden_join_is_only_told_where_it_would_be_cheaper() -> None:
    told = 0
    for seed in range(10):
        for step in LESSONS["kward"].walk(made_up(seed, 16), 3, {}):
            shown = {q.name: q.value for q in step.quantities}
            if "forbidden" in shown:
                told += 1
                assert shown["forbidden"] < shown["adds"]
                assert "forbidden" in step.sentence
    assert told


@pytest.mark.parametrize("name", LESSONS)
def test_answers_follow_the_records(name: str) -> None:
    lesson = LESSONS[name]
    answers = {lesson.ask(made_up(seed, 14), 3, {}) for seed in range(4)}
    assert len(answers) > 1
    for question in next(iter(answers)):
        assert question.asks.endswith("?")
        assert "nan" not in question.answer
