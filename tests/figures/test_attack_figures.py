"""The figures of Attack and Use hold the values they were given."""

from __future__ import annotations

import numpy as np
import pytest

from microagg.figures.candidates import MOST, candidates
from microagg.figures.known_sets import by_size
from microagg.figures.prediction import predictions
from microagg.figures.principal_components import scree


def trace(figure, name):
    return next(t for t in figure.data if t.name == name)


@pytest.mark.parametrize("right", [0, 4, MOST, 25])
def test_the_right_candidate_is_drawn_wherever_it_stands(right):
    records, distances = np.arange(100, 130), np.linspace(0.0, 2.9, 30)
    figure = candidates(records, distances, right)
    assert trace(figure, "right").x.tolist() == [distances[right]]
    assert trace(figure, "right").customdata.tolist() == [records[right]]
    assert len(trace(figure, "wrong").x) == (MOST - 1 if right < MOST else MOST)
    assert f"{right + 1}. record {100 + right}" in figure.layout.yaxis.ticktext


def test_candidates_at_distance_zero_have_an_axis():
    figure = candidates(np.array([1, 2]), np.zeros(2), 1)
    low, high = figure.layout.xaxis.range
    assert low < 0 < high


def test_means_by_size_are_those_of_the_sets():
    sizes, linked = np.array([1, 1, 2]), np.array([10.0, 20.0, 40.0])
    figure = by_size(sizes, linked, ["a", "b", "a, b"])
    assert trace(figure, "mean").x.tolist() == [1, 2]
    assert trace(figure, "mean").y.tolist() == [15.0, 40.0]
    assert np.round(trace(figure, "sets").x).tolist() == [1, 1, 2]


def test_the_axis_of_sets_starts_at_zero_and_holds_all():
    figure = by_size(np.array([1]), np.array([73.0]), ["a"])
    low, high = figure.layout.yaxis.range
    assert (low, high > 73) == (0, True)


def test_predictions_worse_than_the_mean_are_drawn_at_zero_and_told_as_they_are():
    figure = predictions(["wage"], np.array([0.8]), np.array([-3.0]))
    assert trace(figure, "protected").x.tolist() == [0.0]
    assert trace(figure, "protected").customdata.tolist() == [-3.0]
    assert trace(figure, "original").x.tolist() == [0.8]


def test_scree_shows_per_cent():
    figure = scree(np.array([0.7, 0.3]), np.array([0.9, 0.1]))
    assert trace(figure, "original").y.tolist() == pytest.approx([70, 30])
    assert trace(figure, "protected").y.tolist() == pytest.approx([90, 10])
