"""Every answer to every question has a verdict, and the right one is right by other means."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest

from microagg.lessons import LESSONS
from microagg.lessons.example import made_up
from microagg.lessons.intruder import potential_cells, protected, reach
from microagg.lessons.optimal import edges, run_cost
from microagg.lessons.question import choose
from microagg.measures.intervals import interval_disclosure
from microagg.methods.kward import kward
from microagg.methods.mdav import mdav
from microagg.methods.mic1d import mic1d

if TYPE_CHECKING:
    from microagg.lessons.question import Question

RECORDS = made_up(5, 14)
SEEDS = range(12)


def asked(name: str, seed: int, k: int = 3) -> tuple[Question, Question, Question]:
    lesson = LESSONS[name]
    return lesson.ask(made_up(seed, 14, lesson.example), k, {})


def share_lost(points: np.ndarray, labels: np.ndarray) -> float:
    """SSE/SST of standardised points."""
    own = sum(np.square(points[labels == g] - points[labels == g].mean(axis=0)).sum() for g in set(labels))
    return own / np.square(points - points.mean(axis=0)).sum()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", LESSONS)
def test_every_answer_of_every_question_is_called_right_or_wrong_and_told_why(name: str, seed: int) -> None:
    for k in (2, 3, 7):
        for question in asked(name, seed, k):
            assert question.asks.rstrip(")").endswith(("?", "."))
            assert "?" in question.asks
            assert len(question.answers) >= 2
            assert len({answer.text for answer in question.answers}) == len(question.answers)
            assert sum(answer.right for answer in question.answers) == 1
            for answer in question.answers:
                assert answer.verdict.startswith("Right. " if answer.right else "Wrong. ")
                assert answer.why.rstrip(")").endswith(".")
                assert not any(bad in answer.verdict for bad in ("nan", "None", "{", "  "))


@pytest.mark.parametrize("name", LESSONS)
def test_the_place_of_the_right_answer_tells_nothing_where_answers_are_numbers_or_yes_and_no(name) -> None:
    for question in asked(name, 3):
        texts = [answer.text for answer in question.answers]
        assert texts in ([t for t in ("Yes", "No") if t in texts], sorted(texts, key=_size))


def _size(text: str) -> tuple[float, str]:
    first = text.split()[0].rstrip(",").replace(",", "")
    return (float(first) if first.replace(".", "").isdigit() else np.inf), text


def test_a_question_without_a_wrong_answer_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a wrong answer"):
        choose("How many?", ("5", "Five."), ("5", "Five again."))


@pytest.mark.parametrize("seed", SEEDS)
def test_right_answers_of_mdav_are_those_of_the_solver(seed: int) -> None:
    points = made_up(seed, 14).points
    labels = mdav(points, 3)
    groups, far, more = (question.right.text for question in asked("mdav", seed))
    assert int(groups) == len(set(labels.tolist()))
    own = np.flatnonzero(labels == labels[np.square(points).sum(axis=1).argmax()]) + 1
    assert [int(n) for n in far.replace(",", "").replace("and", "").split()] == own.tolist()
    assert more == ("Yes" if share_lost(points, mdav(points, 4)) > share_lost(points, labels) else "No")


@pytest.mark.parametrize("seed", SEEDS)
def test_right_answers_of_kward_are_those_of_the_solver(seed: int) -> None:
    points = made_up(seed, 14).points
    _, barred, other = (question.right.text for question in asked("kward", seed))
    told = [step for step in LESSONS["kward"].walk(made_up(seed, 14), 3, {}) if "forbids" in step.sentence]
    assert int(barred) == len(told)
    one, two = (share_lost(points, kward(points, 3, first=order)) for order in ("first component", "zscores"))
    assert other == ("No" if one == pytest.approx(two, rel=1e-9) else "Yes")


@pytest.mark.parametrize("seed", SEEDS)
def test_right_answers_of_the_attack_follow_from_who_is_nearest(seed: int) -> None:
    records = made_up(seed, 14)
    bound, safer, cells = (question.right.text for question in asked("attack", seed))
    assert int(bound) == len(set(mdav(records.points, 3).tolist()))
    assert cells == "64"
    chances, alike = [], []
    for blocks in (False, True):
        release = protected(records, 3, "mdav", blocks=blocks)
        original, out = ((x - x.mean(axis=0)) / x.std(axis=0) for x in (release.original, release.protected))
        away = np.square(original - out[0]).sum(axis=1)
        near = np.isclose(away, away.min(), atol=1e-12)
        chances.append(near[0] / near.sum())
        alike.append(int((release.protected == release.protected[0]).all(axis=1).sum()))
    expected = "Equally safe"
    if chances[0] != chances[1] or alike[0] != alike[1]:
        one, two = ((-chance, count) for chance, count in zip(chances, alike, strict=True))
        expected = "With one block" if one > two else "With two blocks"
    assert safer == expected


@pytest.mark.parametrize("seed", SEEDS)
def test_right_answers_of_mic1d_are_counted_on_what_the_solver_releases(seed: int) -> None:
    values = made_up(seed, 14).values
    released = mic1d(values, 3)
    alike, means, largest = (question.right.text for question in asked("mic1d", seed))
    counts = np.unique(released, axis=0, return_counts=True)[1]
    assert alike == ("Yes" if counts.min() >= 3 else "No")
    assert means == ("Yes" if np.allclose(released.mean(axis=0), values.mean(axis=0), rtol=1e-9) else "No")
    assert largest == "14"


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


def test_the_optimal_lesson_gives_the_least_cost_of_all_partitions_in_the_attributes_own_unit() -> None:
    axis = np.sort(RECORDS.values[:, 0])
    n, k = len(axis), 3
    least = min(
        sum(run_cost(axis, a, b) for a, b in zip((0, *inner), (*inner, n), strict=True))
        for count in range(n // k)
        for inner in combinations(range(1, n), count)
        if all(b - a >= k for a, b in zip((0, *inner), (*inner, n), strict=True))
    )
    last = LESSONS["optimal"].walk(RECORDS, k, {})[-1]
    assert {q.name: q.value for q in last.quantities}["SSE"] == pytest.approx(least)
    assert f"SSE is {least:,.2f} with the best cuts" in LESSONS["optimal"].ask(RECORDS, k, {})[1].right.why


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
    for seed in range(40):
        for step in LESSONS["kward"].walk(made_up(seed, 16), 3, {}):
            shown = {q.name: q.value for q in step.quantities}
            if "forbidden" in shown:
                told += 1
                assert shown["forbidden"] < shown["adds"]
                assert "forbids" in step.sentence
    assert told


@pytest.mark.parametrize("name", LESSONS)
def test_answers_follow_the_records(name: str) -> None:
    lesson = LESSONS[name]
    answers = {lesson.ask(made_up(seed, 14), 3, {}) for seed in range(4)}
    assert len(answers) > 1
