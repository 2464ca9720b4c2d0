"""The table of finer figures: no name twice, and every value in the range it states."""

from __future__ import annotations

import numpy as np
import pytest

from microagg.measures.catalogue import MEASURES
from microagg.measures.diversity import diversity
from microagg.measures.loss import information_loss
from microagg.measures.secondary_catalogue import EVERY, FINER
from microagg.measures.structure import structure
from tests.measures.plain import group_means


def test_names_and_titles_are_different():
    assert set(FINER).isdisjoint(MEASURES)
    assert len({row.title for row in EVERY.values()}) == len(EVERY)


def test_every_sentence_says_what_an_end_of_the_scale_means():
    for row in FINER.values():
        assert any(word in row.sentence for word in ("High", "Low", "Above", "1:")), row.name


@pytest.mark.parametrize("seed", range(5))
def test_measured_values_lie_in_their_ranges(seed):
    rng = np.random.default_rng(seed)
    original, labels = rng.normal(size=(60, 4)).cumsum(axis=0), rng.integers(0, 9, size=60)
    protected = group_means(original, labels)
    results = (
        information_loss(original, protected),
        structure(original, protected),
        diversity(rng.normal(size=(60, 2)), labels),
    )
    looked_at = 0
    for result in results:
        for name, row in FINER.items():
            value = getattr(result, name, None)
            if isinstance(value, int | float):
                assert row.low <= value <= row.high, name
                looked_at += 1
    assert looked_at == 16
