"""Tables 4 to 6 of "One Dimension Microaggregation": what can be read off them, and how near we come."""

from __future__ import annotations

import numpy as np
import pytest

from microagg.papers import EXPERIMENTS
from microagg.papers.blockwise import Reading
from microagg.papers.experiment import summary
from microagg.papers.one_dimension import BLOCKS, KNOWN, k_prime, protected, scores, sets_of, squared_error
from microagg.papers.printed import printed

# Spearman's correlation in every column under the default reading, measured 2026-11-28.
MEASURED = {
    "table-4": {"sse": 0.651, "1g": 0.991, "2g": 0.989, "3g": 0.981},
    "table-5": {"sse": 0.663, "1g": 0.978, "2g": 0.976, "3g": 0.969},
}


@pytest.mark.parametrize("group", [1, 2, 3])
@pytest.mark.parametrize("blocking", BLOCKS)
def test_table_3s_sets_touch_as_many_blocks_as_their_group_says(blocking, group):
    blocks = [set(block) for block in sets_of(BLOCKS[blocking])]
    for known in sets_of(KNOWN[blocking, f"{group}g"]):
        assert sum(bool(block & set(known)) for block in blocks) == group


def test_the_printed_k_prime_of_projections_is_that_of_groups_of_exactly_k():
    table = printed("nin_one_dimension_tables4_5").query("method in ('pcp', 'zscores') and k > 5")
    n = table["dataset"].map({"census": 1080, "water_treatment": 380})
    assert table["k_prime_1g"].to_numpy() == pytest.approx((n / (n // table["k"])).to_numpy(), abs=0.005)


def test_the_printed_k_prime_of_2g_needs_two_sets_inside_a_block():
    table = printed("nin_one_dimension_tables4_5").query("method != 'mic1d'")
    inside = 2 * table["k_prime_1g"] / 9
    assert (table["k_prime_2g"] > inside).all()
    # Where attributes of two blocks leave a record nearly alone, 7 of 9 sets count about 1.
    small = table[table["k"] == 5]
    assert (7 + 2 * small["k_prime_1g"]).to_numpy() / 9 == pytest.approx(small["k_prime_2g"], abs=0.15)


@pytest.mark.parametrize(("dataset", "table"), [("census", "table-4"), ("water", "table-5")])
def test_ranks_agree_as_measured(dataset, table, request):
    request.getfixturevalue(dataset)
    found = summary(EXPERIMENTS[f"one-dimension/{table}"].run()).set_index("column")["spearman"]
    for column, rho in MEASURED[table].items():
        assert found[column] >= rho - 0.002, column


@pytest.mark.usefixtures("water")
def test_the_reference_values_of_water_treatment():
    mdav = protected("water_treatment", "correlated", "mdav", 25, Reading())
    assert k_prime(mdav, sets_of(KNOWN["correlated", "1g"])) == pytest.approx(25.33, abs=0.005)
    assert k_prime(mdav, sets_of(KNOWN["correlated", "3g"])) == pytest.approx(1.07, abs=0.005)
    for k, expected in ((500, 3.42), (800, 7.82), (900, 14.71)):
        values = protected("water_treatment", "correlated", "mic1d", k, Reading())
        assert k_prime(values, sets_of(KNOWN["correlated", "1g"])) == pytest.approx(expected, abs=0.005)


@pytest.mark.usefixtures("census")
def test_a_score_of_table_6_is_half_il_and_a_quarter_of_dld_and_id_each():
    found = scores("correlated", "mdav", 50, Reading())
    assert found["score"] == pytest.approx(found["il"] / 2 + found["dld"] / 4 + found["id"] / 4)


def test_squared_errors_in_their_units():
    before, after = np.array([[1.0, 10.0], [3.0, 30.0]]), np.array([[2.0, 20.0], [2.0, 20.0]])
    assert squared_error(before, after, "raw") == 202
    assert squared_error(before, after, "variances") == pytest.approx(4)
    assert squared_error(before, after, "distances") == pytest.approx(2 * np.sqrt(2))
    assert squared_error(before, after, "means") == pytest.approx(1)
