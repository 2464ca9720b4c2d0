"""Answers found the slow way, by trying everything: what the solvers are held against on small data."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from microagg.kernels.compiled import FloatArray


def partitions(records: tuple[int, ...], k: int) -> Iterator[list[tuple[int, ...]]]:
    """Every partition of the records into groups of at least k (feasible up to nine records)."""
    if not records:
        yield []
        return
    first, rest = records[0], records[1:]
    for chosen in range(1 << len(rest)):
        group = (first, *(record for bit, record in enumerate(rest) if chosen >> bit & 1))
        left = tuple(record for bit, record in enumerate(rest) if not chosen >> bit & 1)
        if len(group) >= k:
            for others in partitions(left, k):
                yield [group, *others]


def exact_sse(points: FloatArray, group: tuple[int, ...]) -> Fraction:
    """Sum of squares within a group, in rational arithmetic."""
    total = Fraction(0)
    for column in points.T:
        values = [Fraction(float(column[record])) for record in group]
        mean = sum(values) / len(values)
        total += sum((value - mean) ** 2 for value in values)
    return total


def least_sse(points: FloatArray, k: int) -> float:
    """The least within-group sum of squares of any partition with groups of at least k."""
    n = len(points)
    return float(
        min(sum(exact_sse(points, group) for group in groups) for groups in partitions(tuple(range(n)), k))
    )


def sse(points: FloatArray, labels: np.ndarray) -> float:
    """Within-group sum of squares, group by group."""
    return float(
        sum(((g - g.mean(axis=0)) ** 2).sum() for g in (points[labels == i] for i in np.unique(labels)))
    )
