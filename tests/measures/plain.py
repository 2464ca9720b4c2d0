"""Plain NumPy twins of the measures: one line a definition, no cleverness, for comparison to the last bit.

Distances are accumulated column by column, in order: that is the definition both sides must share for exact
ties.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.kernels.scaling import standardise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microagg.kernels.compiled import FloatArray, IntArray


def squared_distances(desk: FloatArray, candidates: FloatArray, columns: Sequence[int]) -> FloatArray:
    """All squared distances (n, n) over some columns, summed in column order."""
    total = np.zeros((len(desk), len(candidates)))
    for column in sorted(set(columns)):
        total += (candidates[:, column] - desk[:, [column]]) ** 2
    return total


def linkage_credits(
    original: FloatArray,
    protected: FloatArray,
    columns: Sequence[int],
    direction: str = "protected to original",
) -> FloatArray:
    """1/t where the own counterpart is among the t nearest, else 0, for each record looked up."""
    sides = standardise(protected), standardise(original)
    desk, candidates = sides if direction == "protected to original" else sides[::-1]
    distances = squared_distances(desk, candidates, columns)
    nearest = distances.min(axis=1)
    tied = (distances == nearest[:, None]).sum(axis=1)
    return np.where(distances.diagonal() == nearest, 1 / tied, 0.0)


def agreement_credits(
    original: FloatArray, protected: FloatArray, tolerance: float, m: FloatArray, u: FloatArray
) -> FloatArray:
    """Fellegi–Sunter linkage of each released record with given probabilities, ties shared."""
    gaps = np.abs(standardise(protected)[:, None, :] - standardise(original)[None, :, :])
    weights = np.where(gaps <= tolerance, np.log(m / u), np.log((1 - m) / (1 - u))).sum(axis=2).round(9)
    heaviest = weights.max(axis=1)
    tied = (weights == heaviest[:, None]).sum(axis=1)
    return np.where(weights.diagonal() == heaviest, 1 / tied, 0.0)


def expectation_maximisation(
    pairs: FloatArray, prevalence: float, m: FloatArray, u: FloatArray, steps: int
) -> tuple[FloatArray, FloatArray, float]:
    """Textbook EM for two classes of independent coins, on every pair (pairs, d), a fixed number of steps."""
    for _ in range(steps):
        true = prevalence * np.prod(np.where(pairs > 0, m, 1 - m), axis=1)
        false = (1 - prevalence) * np.prod(np.where(pairs > 0, u, 1 - u), axis=1)
        share = true / (true + false)
        m = (share[:, None] * pairs).sum(axis=0) / share.sum()
        u = ((1 - share)[:, None] * pairs).sum(axis=0) / (1 - share).sum()
        prevalence = float(share.mean())
    return m, u, prevalence


def rank_intervals(original: FloatArray, protected: FloatArray, percent: float) -> FloatArray:
    """Share of originals within ``percent`` of n ranks of their released value, for each attribute."""
    n, p = original.shape
    inside = np.zeros(p)
    for column in range(p):
        values = original[:, column]

        def rank(value: float, values: FloatArray = values) -> float:
            return float((values < value).sum() + ((values == value).sum() + 1) / 2)

        for before, after in zip(values, protected[:, column], strict=True):
            inside[column] += abs(rank(before) - rank(after)) * 100 <= percent * n
    return inside / n


def group_means(values: FloatArray, labels: IntArray) -> FloatArray:
    """Replace each record by its group's mean."""
    released = np.empty_like(values)
    for label in np.unique(labels):
        released[labels == label] = values[labels == label].mean(axis=0)
    return released
