"""How many records are looked up follows from what it would take."""

from __future__ import annotations

import pytest

from microagg.errors import PlanError
from microagg.measures.knowledge import DEFAULT
from microagg.measures.running_cost import SAMPLE, agreement_seconds, linkage_seconds, whom_to_look_up

EVERYTHING = (tuple(range(10)),)


@pytest.mark.parametrize("seconds", [linkage_seconds, agreement_seconds])
@pytest.mark.parametrize("n", [2_000, 20_000, 200_000])
def test_more_records_more_lookups_and_more_sets_never_take_less(seconds, n):
    sets = DEFAULT.sets(10)
    now = seconds(n, n // 5, sets)
    assert seconds(2 * n, n // 5, sets) > now
    assert seconds(n, n // 2, sets) > now
    assert seconds(n, n // 5, (*sets, *EVERYTHING)) > now


def test_what_is_quick_is_looked_up_whole():
    assert whom_to_look_up(100_000, 20_000, EVERYTHING) is None
    assert whom_to_look_up(20_000, 4_000, DEFAULT.sets(10)) is None


def test_what_takes_long_is_sampled_unless_all_were_asked_for():
    assert len(whom_to_look_up(1_000_000, 200_000, DEFAULT.sets(10))) == SAMPLE
    assert whom_to_look_up(1_000_000, 200_000, DEFAULT.sets(10), exact=True) is None
    assert len(whom_to_look_up(100_000, 20_000, EVERYTHING, probabilistic=True)) == SAMPLE


def test_hours_are_refused_with_the_numbers_and_a_way_out():
    sets = tuple(tuple(range(at, at + 8)) for at in range(4_000))
    with pytest.raises(
        PlanError, match=r"200,000 different records under 4,000 sets .* hours.*sample of the"
    ):
        whom_to_look_up(1_000_000, 200_000, sets, exact=True)
    with pytest.raises(PlanError, match=r"10,000 different records under 4,000 sets .* sample:50:0\.$"):
        whom_to_look_up(1_000_000, 200_000, sets)


def test_without_sets_nothing_is_looked_up_and_nothing_refused():
    assert whom_to_look_up(1_000_000, 200_000, ()) is None
