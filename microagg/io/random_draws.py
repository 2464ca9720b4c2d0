"""Draws that come out the same everywhere: of ``random.Random(seed).random()`` alone, which Python keeps."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

Value = TypeVar("Value")


def pick(random: Random, values: Sequence[Value], weights: Sequence[float] | None = None) -> Value:
    """One of some values, each as likely as its weight says."""
    weights = weights or [1] * len(values)
    mark = random.random() * sum(weights)
    for value, weight in zip(values, weights, strict=True):
        mark -= weight
        if mark < 0:
            return value
    return values[-1]


def normal(random: Random) -> float:
    """A standard normal value, by the inverse distribution function."""
    return NormalDist().inv_cdf(random.random() or 0.5)  # zero has no normal value
