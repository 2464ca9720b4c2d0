"""Linkage by distance against plain NumPy over all pairs, hand examples and printed figures."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial import cKDTree

from microagg.errors import PlanError
from microagg.kernels.scaling import standardise
from microagg.measures import linkage
from microagg.measures.knowledge import Knowledge
from microagg.measures.linkage import (
    distance_linkage,
    linked_records,
    nearest_candidates,
    sampling_error,
)
from microagg.measures.loss import distortion
from microagg.measures.nearest import nearest_with_ties, tied_at
from microagg.measures.record_risk import record_risk
from microagg.measures.subsets import prefix_tree
from microagg.methods.mdav import mdav
from tests.measures.plain import group_means, linkage_credits, squared_distances

DIRECTIONS = ["protected to original", "original to protected"]
directions = st.sampled_from(DIRECTIONS)
small = st.integers(-2, 2)


@st.composite
def files(draw, values=small):
    """An original and a release of it, with many ties; some releases are group means."""
    shape = draw(st.tuples(st.integers(2, 30), st.integers(1, 5)))
    original = draw(arrays(np.float64, shape, elements=values))
    if draw(st.booleans()):
        labels = draw(arrays(np.int64, shape[0], elements=st.integers(0, 4)))
        return original, group_means(original, labels)
    return original, draw(arrays(np.float64, shape, elements=values))


def test_four_records_with_a_tie_by_hand():
    """Originals 0, 0, 1, 3 (mean 1, deviation √1.5) are z = −0.816, −0.816, 0, 1.633.

    Released 0, 0, 2, 2 (mean 1, deviation 1) are z = −1, −1, 1, 1. Released records 0 and 1 are nearest to
    originals 0 and 1 alike: each counts ½. Released 2 and 3 are nearest to original 3 (0.633 against 1 to
    original 2): record 3 is linked, record 2 is not. DLD = (½ + ½ + 0 + 1)/4 = ½.
    """
    original = np.array([[0.0], [0.0], [1.0], [3.0]])
    released = np.array([[0.0], [0.0], [2.0], [2.0]])
    links = linked_records(original, released, [0])
    assert links.candidates.tolist() == [2, 2, 1, 1]
    assert links.credit.tolist() == [0.5, 0.5, 0.0, 1.0]
    assert links.nearest == pytest.approx([1 - 1 / np.sqrt(1.5)] * 2 + [2 / np.sqrt(1.5) - 1] * 2)
    assert links.own == pytest.approx([1 - 1 / np.sqrt(1.5)] * 2 + [1.0, 2 / np.sqrt(1.5) - 1])
    assert distance_linkage(original, released, ((0,),)).rate == 0.5
    order, distances = nearest_candidates(original, released, [0], 2)
    assert order.tolist() == [3, 2, 0, 1]
    assert distances[:2] == pytest.approx([2 / np.sqrt(1.5) - 1, 1.0])


def test_the_reverse_direction_of_the_same_four_records_by_hand():
    """Originals 0 and 1 (z −0.816) are nearest to released 0 and 1: ½ each.

    Original 2 (z 0) is as far from −1 as from 1: all four tie, ¼. Original 3 (1.633) is nearest to the two
    at 1: ½. The share is (½ + ½ + ¼ + ½)/4 = 0.4375.
    """
    original = np.array([[0.0], [0.0], [1.0], [3.0]])
    released = np.array([[0.0], [0.0], [2.0], [2.0]])
    links = linked_records(original, released, [0], direction="original to protected")
    assert links.candidates.tolist() == [2, 2, 4, 2]
    assert distance_linkage(original, released, ((0,),), direction="original to protected").rate == 0.4375


@settings(deadline=None)
@given(files(), st.lists(st.sets(st.integers(0, 4), min_size=1), min_size=1, max_size=12), directions)
def test_every_set_is_linked_as_by_comparing_all_pairs(pair, sets, direction):
    original, protected = pair
    p = original.shape[1]
    known = tuple(tuple({column % p for column in columns}) for columns in sets)
    found = distance_linkage(original, protected, known, direction=direction)
    plain = [linkage_credits(original, protected, columns, direction).mean() for columns in known]
    np.testing.assert_allclose(found.by_set, plain, rtol=1e-12, atol=1e-15)


@settings(deadline=None)
@given(files(st.floats(-1e3, 1e3).map(lambda x: round(x, 3))), directions)
def test_search_tree_and_walk_over_sets_agree_to_the_last_bit(pair, direction):
    sets = Knowledge.every().sets(pair[0].shape[1])
    walked = distance_linkage(*pair, sets, direction=direction).by_set
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linkage, "TREE_FROM", 0)
        searched = distance_linkage(*pair, sets, direction=direction).by_set
    np.testing.assert_allclose(walked, searched, rtol=1e-13)
    records = [linked_records(*pair, known, direction=direction).credit.mean() for known in sets]
    np.testing.assert_allclose(walked, records, rtol=1e-13)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_census_matches_all_pairs_set_by_set(census, direction):
    protected = group_means(census, mdav(standardise(census), 5))
    sets = Knowledge.sample(40, 1).sets(13)
    found = distance_linkage(census, protected, sets, direction=direction)
    plain = [linkage_credits(census, protected, known, direction).mean() for known in sets]
    np.testing.assert_allclose(found.by_set, plain, rtol=1e-12)


@pytest.mark.parametrize(
    ("size", "loss", "linked", "digits"),
    [(6, 0.0999, 0.0907, 4), (3, 0.0450, 0.618, 3), (2, 0.0176, 0.945, 3)],
)
def test_checked_linkage_of_blocks_of_census(census, size, loss, linked, digits):
    """Rebollo-Monedero et al., section V-C: first six attributes, MDAV, k = 10, blocks of 6, 3 and 2."""
    quasi = census[:, :6]
    released = quasi.copy()
    losses = []
    for start in range(0, 6, size):
        block = standardise(quasi[:, start : start + size])
        labels = mdav(block, 10)
        losses.append(distortion(block, labels))
        released[:, start : start + size] = group_means(quasi[:, start : start + size], labels)
    assert np.mean(losses) == pytest.approx(loss, abs=5e-5)
    assert distance_linkage(quasi, released, (tuple(range(6)),)).rate == pytest.approx(
        linked, abs=0.5 * 10**-digits
    )


@settings(deadline=None)
@given(files())
def test_linkage_never_exceeds_the_number_of_distinct_released_records(pair):
    """Rebollo-Monedero et al., section V-C: one block of g groups links at most g/n."""
    original, protected = pair
    known = tuple(range(original.shape[1]))
    distinct = len(np.unique(protected, axis=0))
    rate = distance_linkage(original, protected, (known,)).rate
    assert 0 <= rate <= distinct / len(original) + 1e-12


@settings(deadline=None)
@given(files(), directions, st.integers(-1000, 1000), st.sampled_from([0.25, 2.0, 1024.0]))
def test_linkage_does_not_change_with_units_and_offsets(pair, direction, offset, unit):
    original, protected = (np.round(side * 64) for side in pair)
    sets = Knowledge.every().sets(original.shape[1])
    before = distance_linkage(original, protected, sets, direction=direction).by_set
    moved = (original + offset) * unit, (protected + offset) * unit
    assert (distance_linkage(*moved, sets, direction=direction).by_set == before).all()


@settings(deadline=None)
@given(files())
def test_releasing_distinct_originals_links_everybody(pair):
    original = np.unique(pair[0], axis=0)
    if len(original) > 1:
        assert distance_linkage(original, original, (tuple(range(original.shape[1])),)).rate == 1.0


def test_one_released_record_leaves_only_chance():
    original = np.arange(8.0)[:, None]
    links = linked_records(original, np.zeros((8, 1)), [0], direction="original to protected")
    assert links.credit.tolist() == [1 / 8] * 8


def test_known_attributes_may_come_in_any_order_and_twice():
    rng = np.random.default_rng(0)
    original, protected = rng.normal(size=(2, 30, 3))
    by_set = distance_linkage(original, protected, ((0, 2), (2, 0, 2), (0, 2))).by_set
    assert by_set[0] == by_set[1] == by_set[2]


def test_without_sets_the_rate_is_not_defined_and_says_why():
    found = distance_linkage(np.eye(3), np.eye(3), ())
    assert np.isnan(found.rate)
    assert "no set" in found.notes["sets"]


def test_an_unknown_direction_is_refused():
    with pytest.raises(PlanError, match="sideways"):
        distance_linkage(np.eye(3), np.eye(3), ((0,),), direction="sideways")


def test_standard_error_of_a_sample_shrinks_to_zero_when_all_sets_are_drawn():
    values = np.array([0.2, 0.4, 0.9])
    assert sampling_error(values, 3) == 0.0
    assert sampling_error(values, 10**9) == pytest.approx(values.std(ddof=1) / np.sqrt(3))
    original, protected = np.random.default_rng(0).normal(size=(2, 40, 4))
    knowledge = Knowledge.sample(5, 1)
    found = distance_linkage(original, protected, knowledge.sets(4), population=knowledge.population(4))
    assert found.standard_error == pytest.approx(sampling_error(found.by_set, 15))


@settings(deadline=None)
@given(st.lists(st.sets(st.integers(0, 6), min_size=1).map(tuple), min_size=1, max_size=30))
def test_every_set_is_a_path_of_the_prefix_tree_and_branches_are_whole(sets):
    tree = prefix_tree(tuple(sets))
    for known, end in zip(sets, tree.node_of_set, strict=True):
        path, node = [], end
        while node >= 0:
            path.append(int(tree.column[node]))
            node = tree.parent[node]
        assert path[::-1] == sorted(known)
        assert tree.marked[end]
    for node in range(len(tree.column)):
        below = [other for other in range(node, len(tree.column)) if node in ancestors(tree, other)]
        assert below == list(range(node, tree.after[node]))


def ancestors(tree, node):
    """The node and all on its way to the root."""
    way = []
    while node >= 0:
        way.append(node)
        node = tree.parent[node]
    return way


@pytest.mark.parametrize("d", [1, 2, 5, 12])
def test_search_tree_finds_what_scipys_tree_finds(d):
    rng = np.random.default_rng(d)
    candidates, desk = rng.normal(size=(700, d)), rng.normal(size=(90, d))
    nearest, tied = nearest_with_ties(desk, np.full(90, np.inf), candidates, np.ones(700, dtype=np.int64))
    np.testing.assert_allclose(np.sqrt(nearest), cKDTree(candidates).query(desk)[0])
    assert (tied == 1).all()
    assert (nearest == squared_distances(desk, candidates, range(d)).min(axis=1)).all()


@settings(deadline=None)
@given(
    arrays(np.float64, st.tuples(st.integers(1, 80), st.just(2)), elements=st.integers(-3, 3)),
    st.integers(0, 2**20),
)
def test_search_tree_counts_ties_by_weight(candidates, seed):
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 4, len(candidates))
    desk = rng.integers(-3, 4, (6, 2)).astype(np.float64)
    distances = squared_distances(desk, candidates, [0, 1])
    reached = distances[:, 0]
    expected = ((distances == distances.min(1)[:, None]) * weights).sum(1)
    nearest, tied = nearest_with_ties(desk, reached, candidates, weights)
    assert (nearest == distances.min(1)).all()
    assert (tied == expected).all()
    at_reach = np.where(reached == distances.min(1), expected, 0)
    assert (tied_at(desk, reached, candidates, weights) == at_reach).all()


@settings(deadline=None)
@given(files(), directions)
def test_risk_of_records_averages_their_credits_over_the_sets(pair, direction):
    sets = Knowledge.every().sets(pair[0].shape[1])
    found = record_risk(*pair, sets, direction=direction)
    credit = np.array([linkage_credits(*pair, known, direction) for known in sets])
    np.testing.assert_allclose(found.mean, credit.mean(axis=0), atol=1e-12)
    assert (found.linked == (credit > 0).sum(axis=0)).all()
    assert (found.surest == np.where(credit.max(axis=0) > 0, credit.argmax(axis=0), -1)).all()
    assert found.mean.mean() == pytest.approx(distance_linkage(*pair, sets, direction=direction).rate)
