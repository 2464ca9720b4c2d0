"""The figures hold the numbers they are given: traces are read back, not pictures looked at."""

from __future__ import annotations

import numpy as np
import pytest

from microagg.figures.attribute_pairs import MOST, moves
from microagg.figures.correlations import correlation_maps
from microagg.figures.dependence_curve import dependence_curve
from microagg.figures.distributions import BINS, distributions, shares
from microagg.figures.groups import plane, stars
from microagg.figures.risk_map import risk_utility
from microagg.figures.theme import LOSS, ORIGINAL, PROTECTED, RISK, plain, round_up, sampled
from microagg.kernels.scaling import standardise

CURVE = [(0.0, 0.05, 0.40), (0.5, 0.10, 0.15), (1.0, 0.30, 0.05)]


def trace(figure, name):
    return next(t for t in figure.data if t.name == name)


def luminance(colour: str) -> float:
    """WCAG 2.2 relative luminance."""
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


@pytest.mark.parametrize("background", ["#ffffff", "#0f141b"])
@pytest.mark.parametrize("colour", [ORIGINAL, PROTECTED, RISK, LOSS])
def test_meaning_colours_keep_three_to_one_on_both_backgrounds(colour, background):
    lighter, darker = sorted((luminance(colour), luminance(background)), reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= 3.0


def test_curve_holds_its_points_and_marks_the_current_one():
    figure = dependence_curve(CURVE, CURVE[1])
    assert list(trace(figure, "curve").x) == [0.05, 0.10, 0.30]
    assert list(trace(figure, "curve").y) == [0.40, 0.15, 0.05]
    assert (trace(figure, "current").x[0], trace(figure, "current").y[0]) == (0.10, 0.15)
    assert "λ = 0.50" in trace(figure, "words").text[0]


def test_pending_curve_shows_only_the_current_point_and_says_so():
    figure = dependence_curve([], CURVE[1], pending=True)
    assert len(trace(figure, "curve").x) == 0
    assert any("drawing" in text for text in trace(figure, "words").text)


def test_curve_axes_do_not_move_with_small_changes():
    other = dependence_curve([(a, 0.99 * x, 0.99 * y) for a, x, y in CURVE], CURVE[1])
    assert other.layout.xaxis.range == dependence_curve(CURVE, CURVE[1]).layout.xaxis.range


def test_map_ends_at_the_current_setting_and_rings_the_pinned_one():
    loss, risk = np.array([10.0, 20.0, 30.0]), np.array([40.0, 30.0, 20.0])
    figure = risk_utility(loss, risk, ["a", "b", "c"], pinned=0)
    assert (trace(figure, "current").x[0], trace(figure, "current").y[0]) == (30.0, 20.0)
    assert list(trace(figure, "pinned").x) == [10.0]
    assert list(trace(figure, "trail").text) == ["a", "b", "c"]


def test_map_diagonals_join_equal_scores():
    lines = trace(risk_utility(np.array([10.0]), np.array([40.0]), ["a"]), "equal score")
    ends = [(x + y) / 2 for x, y in zip(lines.x, lines.y, strict=True) if x is not None]
    assert ends[0::2] == pytest.approx(ends[1::2])


def test_shares_sum_to_one_and_count_what_lies_beyond_in_the_end_bins():
    values = np.concatenate([np.linspace(0, 1, 998), [-50.0, 80.0]])
    edges, before, after = shares(values, np.full_like(values, 80.0))
    assert before.sum() == pytest.approx(1.0)
    assert after[-1] == 1.0
    assert edges[-1] < 2


def test_a_constant_attribute_has_a_histogram():
    _, before, after = shares(np.full(9, 7.0), np.full(9, 7.0))
    assert before.max() == after.max() == 1.0


def test_distributions_put_each_attribute_in_its_own_cell():
    X = np.random.default_rng(0).normal(size=(60, 9))
    figure = distributions(X, X, [f"v{j}" for j in range(9)])
    panels = np.split(np.asarray(trace(figure, "protected").x), 9)
    assert {len(panel) for panel in panels} == {2 * BINS + 3}
    assert [int(np.nanmin(panel)) for panel in panels] == [0, 1, 2, 3, 4, 5, 6, 0, 1]
    assert len(trace(figure, "protected").text) == len(trace(figure, "protected").x)


def test_unchanged_data_draw_the_same_outline_before_and_after():
    X = np.random.default_rng(0).normal(size=(60, 2))
    figure = distributions(X, X, ["a", "b"])
    np.testing.assert_array_equal(trace(figure, "original").y, trace(figure, "protected").y)


def test_moves_lead_from_each_original_to_its_released_point():
    before, after = np.array([[0.0, 1.0], [2.0, 3.0]]), np.array([[1.0, 2.0], [1.0, 2.0]])
    segments = trace(moves(before, after, ("a", "b")), "moves")
    assert list(segments.x[:2]) == [0.0, 1.0]
    assert list(segments.y[3:5]) == [3.0, 2.0]
    assert np.isnan(segments.x[2])


def test_many_records_are_thinned_evenly_and_always_alike():
    X = np.random.default_rng(0).normal(size=(5000, 2))
    one, other = moves(X, X, ("a", "b")), moves(X, X, ("a", "b"))
    assert len(trace(one, "original").x) == MOST
    np.testing.assert_array_equal(trace(one, "original").x, trace(other, "original").x)


def test_ranks_run_from_zero_to_a_hundred_per_cent():
    X = np.column_stack([np.exp(np.arange(10.0)), np.arange(10.0)])
    points = trace(moves(X, X, ("a", "b"), ranks=True), "original")
    assert list(points.x) == pytest.approx(list(points.y))
    assert (min(points.x), max(points.x)) == (5.0, 95.0)


def test_plane_keeps_distances_of_data_that_are_flat():
    flat = standardise(np.random.default_rng(1).normal(size=(30, 2)))
    scores, share = plane(flat)
    assert share.sum() == pytest.approx(1.0)
    assert np.linalg.norm(scores[0] - scores[1]) == pytest.approx(np.linalg.norm(flat[0] - flat[1]))


def test_stars_stand_at_their_groups_mean():
    points = standardise(np.random.default_rng(1).normal(size=(8, 3)))
    labels = np.array([0, 0, 0, 1, 1, 1, 1, 0])
    scores, _ = plane(points)
    figure = stars(points, labels)
    assert trace(figure, "protected").x[1] == pytest.approx(scores[labels == 1, 0].mean())
    assert [row[1] for row in trace(figure, "protected").customdata] == [4, 4]


def test_one_attribute_has_stars_on_a_line():
    figure = stars(standardise(np.arange(6.0)[:, np.newaxis]), np.array([0, 0, 0, 1, 1, 1]))
    assert set(trace(figure, "original").y) == {0.0}


def test_correlation_maps_agree_with_numpy_and_share_one_scale():
    X = np.random.default_rng(2).normal(size=(50, 3))
    Z = X + np.random.default_rng(3).normal(size=(50, 3))
    figure = correlation_maps(X, Z, ["a", "b", "c"])
    np.testing.assert_allclose(trace(figure, "before").z, np.corrcoef(X.T), atol=1e-6)
    np.testing.assert_allclose(figure.data[2].z, np.corrcoef(Z.T) - np.corrcoef(X.T), atol=1e-6)
    assert {t.coloraxis for t in figure.data} == {"coloraxis"}


def test_names_are_text_not_markup():
    X = np.random.default_rng(0).normal(size=(20, 1))
    figure = distributions(X, X, ["<a href='x'>b</a>"])
    assert all("<a" not in str(text) for text in trace(figure, "words").text)
    assert plain("a & <b>") == "a &amp; &lt;b&gt;"


def test_backgrounds_are_transparent_for_both_themes():
    figure = dependence_curve(CURVE, CURVE[1])
    assert figure.layout.paper_bgcolor == figure.layout.plot_bgcolor == "rgba(0,0,0,0)"


@pytest.mark.parametrize("value", [1e-9, 0.23, 1.0, 31.0, 7.5e6])
def test_round_numbers_are_at_or_above_and_less_than_twice_the_value(value):
    assert value * (1 - 1e-9) <= round_up(value) < 2.0 * value


def test_samples_are_ascending_and_without_repeats():
    drawn = sampled(1000, 100)
    assert len(set(drawn.tolist())) == 100
    assert (np.diff(drawn) > 0).all()
