from __future__ import annotations

from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microagg.errors import PlanError
from microagg.measures.knowledge import DEFAULT, Knowledge

BLOCKS = ((0, 1), (2,), (3, 4))
known_sets = st.lists(st.sets(st.integers(0, 9), min_size=1), min_size=1)
families = st.one_of(
    st.just(Knowledge.every()),
    st.just(Knowledge.unions()),
    st.builds(Knowledge.up_to, st.integers(1, 9)),
    st.builds(Knowledge.of, known_sets),
    st.builds(Knowledge.sample, st.integers(1, 999), st.integers(0, 2**31)),
)


@settings(deadline=None)
@given(families)
def test_text_and_value_turn_into_each_other(knowledge):
    assert Knowledge.parse(str(knowledge)) == knowledge
    assert hash(Knowledge.parse(str(knowledge))) == hash(knowledge)


@settings(deadline=None)
@given(families, st.integers(5, 10))
def test_sets_are_as_many_as_counted_and_none_twice(knowledge, p):
    if any(column >= p for column in chain(*knowledge.listed)):
        with pytest.raises(PlanError, match="beyond"):
            knowledge.sets(p, BLOCKS)
        return
    sets = knowledge.sets(p, BLOCKS)
    assert len(sets) == knowledge.count(p, BLOCKS) == len(set(sets))
    assert all(known == tuple(sorted(set(known))) and known for known in sets)


def test_all_subsets_are_the_power_set_without_the_empty_set():
    sets = Knowledge.every().sets(4)
    assert set(sets) == set(chain.from_iterable(combinations(range(4), size) for size in range(1, 5)))


def test_counts_of_the_papers():
    """Nin: 511 sets of 9 attributes; 8,191 of Census's 13; up to three of 13 are 13 + 78 + 286."""
    assert Knowledge.every().count(9) == 511
    assert Knowledge.every().count(13) == 8191
    assert DEFAULT.count(13) == 377
    assert Knowledge.up_to(20).count(3) == 7


def test_unions_join_two_to_all_blocks():
    assert Knowledge.unions().sets(5, BLOCKS) == ((0, 1, 2), (0, 1, 3, 4), (2, 3, 4), (0, 1, 2, 3, 4))


def test_the_union_of_one_block_is_the_block():
    assert Knowledge.unions().sets(2, ((0, 1),)) == ((0, 1),)


def test_lists_take_names_and_positions():
    knowledge = Knowledge.parse("sets: FICA+AGI, 1", names=("AGI", "TAX", "FICA"))
    assert knowledge.sets(3) == ((0, 2), (1,))
    assert str(knowledge) == "sets:0+2,1"


def test_a_sample_is_the_same_for_the_same_seed_and_another_for_another():
    assert Knowledge.sample(50, 7).sets(13) == Knowledge.sample(50, 7).sets(13)
    assert Knowledge.sample(50, 7).sets(13) != Knowledge.sample(50, 8).sets(13)


def test_a_sample_draws_each_attribute_in_about_half_of_the_sets():
    sets = Knowledge.sample(4000, 1).sets(30)
    for attribute in range(30):
        assert sum(attribute in known for known in sets) / 4000 == pytest.approx(0.5, abs=0.05)


def test_a_sample_larger_than_what_there_is_takes_every_set():
    assert set(Knowledge.sample(100).sets(3)) == set(Knowledge.every().sets(3))


def test_only_samples_have_a_population():
    assert Knowledge.sample(10).population(13) == 8191
    assert Knowledge.every().population(13) is None


def test_too_many_sets_are_counted_not_listed_and_a_sample_is_offered():
    with pytest.raises(PlanError, match=r"274,877,906,943 sets of the 38 attributes.*sample:500:0"):
        Knowledge.every().sets(38)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "some",
        "up-to",
        "up-to:0",
        "up-to:x",
        "sets:",
        "sets:+",
        "sets:0,,1",
        "sample:0:1",
        "sample:9:-1",
        "all:3",
    ],
)
def test_text_that_is_no_knowledge_is_refused(text):
    with pytest.raises(PlanError):
        Knowledge.parse(text)


def test_an_unknown_name_is_named():
    with pytest.raises(PlanError, match="'WAGE'"):
        Knowledge.parse("sets:AGI+WAGE", names=("AGI",))


def test_unions_without_blocks_are_refused():
    with pytest.raises(PlanError, match="blocks"):
        Knowledge.unions().sets(4)
