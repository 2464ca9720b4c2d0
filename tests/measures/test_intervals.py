from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from microagg.errors import PlanError
from microagg.kernels.scaling import standardise
from microagg.measures.intervals import interval_disclosure
from microagg.measures.knowledge import Knowledge
from microagg.methods.mdav import mdav
from tests.measures.plain import group_means, rank_intervals

tables = arrays(np.float64, st.tuples(st.integers(2, 40), st.integers(1, 3)), elements=st.integers(-9, 9))
WIDTHS = ["ranks", "standard deviations", "value"]


def test_four_records_in_ranks_by_hand():
    """Originals 1, 2, 3, 4 have ranks 1, 2, 3, 4; 10 % of n is 0.4 ranks.

    Released 1, 2.5, 2.5, 4 stand at ranks 1, 2.5, 2.5, 4: records 0 and 3 are exact at every width, 1 and 2
    are half a rank off, beyond the widest. ID = (1 + 0 + 0 + 1)/4.
    """
    original = np.array([[1.0], [2.0], [3.0], [4.0]])
    released = np.array([[1.0], [2.5], [2.5], [4.0]])
    assert interval_disclosure(original, released).by_attribute.tolist() == [0.5]


def test_four_records_in_standard_deviations_and_of_the_value_by_hand():
    """Originals −4, −4, 4, 4 have deviation 4: 1 % is 0.04.

    Released −4, −3.9, 4.3, 3: gaps of 0, 2.5 %, 7.5 % and 25 % are inside from widths 1, 3 and 8 and never:
    10, 8, 3 and 0 of ten widths, ID = 21/40. Of the released value: 0, 0.1/3.9 = 2.56 %, 0.3/4.3 = 6.98 %
    and 33 %: 10, 8, 4, 0, ID = 22/40.
    """
    original = np.array([[-4.0], [-4.0], [4.0], [4.0]])
    released = np.array([[-4.0], [-3.9], [4.3], [3.0]])
    by_deviation = interval_disclosure(original, released, width="standard deviations")
    assert by_deviation.by_attribute == pytest.approx([21 / 40])
    assert interval_disclosure(original, released, width="value").by_attribute == pytest.approx([22 / 40])


@settings(deadline=None)
@given(tables, st.integers(0, 2**20))
def test_rank_intervals_follow_the_definition_at_every_width(original, seed):
    released = np.random.default_rng(seed).permutation(original) + 0.5 * (seed % 2)
    plain = np.mean([rank_intervals(original, released, percent) for percent in range(1, 11)], axis=0)
    np.testing.assert_allclose(interval_disclosure(original, released).by_attribute, plain, atol=1e-12)


@settings(deadline=None)
@given(tables, st.sampled_from(WIDTHS))
def test_releasing_the_original_discloses_everything(original, width):
    assert (interval_disclosure(original, original, width=width).by_attribute == 1.0).all()


@settings(deadline=None)
@given(tables, st.integers(-50, 50), st.sampled_from([0.5, 4.0]))
def test_ranks_do_not_change_with_units_and_offsets(original, offset, unit):
    released = group_means(original, np.arange(len(original)) % 3)
    released = np.round(released * 8) / 8
    moved = interval_disclosure((original + offset) * unit, (released + offset) * unit)
    assert (moved.by_attribute == interval_disclosure(original, released).by_attribute).all()


def test_a_constant_original_is_disclosed_only_where_it_is_released_as_it_is():
    original, released = np.array([[5.0], [5.0]]), np.array([[5.0], [6.0]])
    assert interval_disclosure(original, released, width="standard deviations").by_attribute.tolist() == [0.5]


def test_a_release_of_zeros_has_intervals_of_no_width():
    original, released = np.array([[5.0], [0.0]]), np.array([[0.0], [0.0]])
    assert interval_disclosure(original, released, width="value").by_attribute.tolist() == [0.5]


def test_the_rate_averages_sets_and_over_all_subsets_equals_the_plain_mean(tarragona):
    found = interval_disclosure(tarragona[:, :5], group_means(tarragona[:, :5], np.arange(834) // 3))
    assert found.rate(Knowledge.every().sets(5)) == pytest.approx(found.by_attribute.mean())
    expected = (found.by_attribute[0] + found.by_attribute[1:3].mean()) / 2
    assert found.rate(((0,), (1, 2))) == pytest.approx(expected)
    assert np.isnan(found.rate(()))


def test_one_sided_widths_give_figures_of_the_printed_size(census):
    """Nin, table 6, correlated, MDAV: ID 54.65 and 47.75 for k = 25 and 50; half the width: 36 and 29."""
    columns = [1, 10, 8, 2, 6, 11, 12, 9, 7]  # a1…a9 of table 2
    values = census[:, columns]
    for k, printed in ((25, 54.65), (50, 47.75)):
        released = values.copy()
        for block in ([0, 1, 2], [3, 4, 5], [6, 7, 8]):
            released[:, block] = group_means(values[:, block], mdav(standardise(values[:, block]), k))
        found = interval_disclosure(values, released)
        assert 100 * found.rate(Knowledge.every().sets(9)) == pytest.approx(printed, abs=1)


def test_an_unknown_width_is_refused():
    with pytest.raises(PlanError, match="metres"):
        interval_disclosure(np.eye(2), np.eye(2), width="metres")
