"""Moments that are added up over chunks are those of one array, however the file is cut."""

from __future__ import annotations

import itertools
from dataclasses import asdict
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from microagg.measures.loss import (
    SquaredLoss,
    information_loss,
    relative_changes,
    released_loss,
    squared_loss,
)
from microagg.measures.moments import Moments, Sums

values = st.floats(-1e3, 1e3).map(lambda x: round(x, 2))
files = st.tuples(st.integers(2, 15), st.integers(1, 3)).flatmap(
    lambda shape: st.tuples(
        arrays(np.float64, shape, elements=values), arrays(np.float64, shape, elements=values)
    )
)


def squares(moments: Moments) -> SquaredLoss:
    return squared_loss(moments.spread, moments.square, moments.constant_changed)


def chunks(file: tuple[np.ndarray, ...], cuts: list[int]) -> list[list[np.ndarray]]:
    bounds = [0, *sorted(min(cut, len(file[0])) for cut in cuts), len(file[0])]
    return [[side[a:b] for side in file] for a, b in itertools.pairwise(bounds)]


@settings(deadline=None)
@given(files, st.lists(st.integers(0, 15), max_size=4), st.sampled_from([1.0, 1e-13, 1e9]), st.booleans())
def test_figures_from_chunks_are_those_of_one_array(
    file: tuple[np.ndarray, np.ndarray], cuts: list[int], unit: float, constant: bool
) -> None:
    original, protected = (side * unit for side in file)
    if constant:
        original[:, 0] = original[0, 0]
    origin, one = original.mean(axis=0), np.ones(original.shape[1])
    parts = [Sums.of(*chunk, origin, one) for chunk in chunks((original, protected), cuts)]
    moments = reduce(add, parts).moments(origin, one)
    found, loss = relative_changes(moments), squares(moments)

    backwards = reduce(add, reversed(parts)).moments(origin, one)
    whole = Sums.of(original, protected, origin, one).moments(origin, one)
    for other in (backwards, whole):
        assert repr(relative_changes(other)) == repr(found)
        assert repr(squares(other)) == repr(loss)

    memory, squared = information_loss(original, protected), released_loss(original, protected)
    close = {"rel": 1e-6, "abs": 1e-6, "nan_ok": True}
    assert asdict(found) | {"notes": 0} == pytest.approx(asdict(memory) | {"notes": 0}, **close)
    assert found.notes == memory.notes
    assert loss.notes == squared.notes
    assert loss.total == pytest.approx(squared.total, **close)
    assert loss.by_attribute == pytest.approx(squared.by_attribute, **close)


def test_a_constant_that_moved_to_another_constant_changes_no_variance() -> None:
    """The mean of seven times 1.62 is not 1.62 in floats."""
    original = np.full((7, 1), 1.62)
    assert original.mean() != 1.62
    assert information_loss(original, np.zeros((7, 1))).il4 == 0
