"""Records followed through many sets: in parts as at once."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.measures.knowledge import Knowledge
from microagg.measures.record_risk import joined, record_risk
from tests.measures.plain import group_means, linkage_credits

SETS = Knowledge.every().sets(4)


def pair(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    original = rng.integers(-3, 4, size=(24, 4)).astype(np.float64)
    return original, group_means(original, rng.integers(0, 6, size=24))


@given(st.integers(0, 50), st.lists(st.integers(1, len(SETS) - 1), max_size=4, unique=True))
def test_parts_of_the_sets_join_to_the_whole(seed, cuts):
    bounds = [0, *sorted(cuts), len(SETS)]
    slices = [SETS[a:b] for a, b in pairwise(bounds)]
    found = joined([record_risk(*pair(seed), part) for part in slices], [len(part) for part in slices])
    whole = record_risk(*pair(seed), SETS)
    np.testing.assert_allclose(found.mean, whole.mean, atol=1e-12)
    for name in ("linked", "highest", "surest"):
        assert (getattr(found, name) == getattr(whole, name)).all(), name


@pytest.mark.parametrize("seed", range(4))
def test_the_highest_credit_is_that_of_the_surest_set(seed):
    found = record_risk(*pair(seed), SETS)
    credit = np.array([linkage_credits(*pair(seed), known, "protected to original") for known in SETS])
    assert (found.highest == credit.max(axis=0)).all()
