"""The partition that loses least, found by looking at all of them; for a handful of records.

Optimal multivariate microaggregation is NP-hard (Oganian & Domingo-Ferrer 2001), so this is an oracle for
tests and lessons, and a method of its own for tiny files. A group of 2k or more can be cut in two without
loss, so groups of k…2k − 1 suffice (Domingo-Ferrer & Mateo-Sanz 2002). The best partition of a set of
records is the best choice of the group that holds its first record, together with the best partition of the
rest, which is looked up: each set is solved once, and the partitions are never listed. O(3ⁿ) time and O(2ⁿ)
memory at most.

Of equal losses the group of the lowest records is taken.
"""

from __future__ import annotations

import numpy as np

from microagg.errors import PlanError
from microagg.kernels.compiled import FloatArray, IntArray, compiled

MOST_RECORDS = 16
"""43 million pairs of sets, a fraction of a second."""


def exact(points: FloatArray, k: int) -> IntArray:
    """Optimal partition of at most 16 records.

    Parameters
    ----------
    points : (n, d) float64, standardised, finite
    k : int

    Returns
    -------
    (n,) int64 labels, every group ≥ k, with the least sum of squares that any such partition has

    Raises
    ------
    PlanError
        There are more than 16 records.

    Examples
    --------
    >>> exact(np.array([[0.0], [9.0], [1.0], [8.0], [7.0]]), 2).tolist()
    [0, 1, 0, 1, 1]
    """
    n = len(points)
    if n > MOST_RECORDS:
        raise PlanError(
            f"The exact partition is found for at most {MOST_RECORDS} records, and there are {n}; "
            "choose another method."
        )
    differences = points[:, np.newaxis, :] - points[np.newaxis, :, :]
    choice = _best_groups((differences**2).sum(axis=2), k)
    labels = np.zeros(n, dtype=np.int64)
    left, group = 2**n - 1, 0
    while left:
        chosen = int(choice[left])
        labels[[i for i in range(n) if chosen >> i & 1]] = group
        left, group = left ^ chosen, group + 1
    return labels


@compiled
def _losses(apart: FloatArray, k: int) -> FloatArray:
    """Loss of every set of records as one group; infinite where it has fewer than k or needlessly 2k or more.

    The sum over the pairs of a set is that of the set without its highest record plus that record's
    distances. A file of fewer than 2k records is one group.
    """
    n = len(apart)
    pairs, losses = np.zeros(2**n), np.full(2**n, np.inf)
    for last in range(n):
        for rest in range(2**last):
            chosen = rest | 1 << last
            size, pairs[chosen] = 1, pairs[rest]
            for i in range(last):
                if rest >> i & 1:
                    size += 1
                    pairs[chosen] += apart[i, last]
            if k <= size < 2 * k:
                losses[chosen] = pairs[chosen] / size
    return losses


@compiled
def _best_groups(apart: FloatArray, k: int) -> IntArray:
    """For every set of records, the group of its lowest record in its best partition, as bits."""
    losses = _losses(apart, k)
    least, choice = np.full(len(losses), np.inf), np.zeros(len(losses), np.int64)
    least[0] = 0.0
    for left in range(1, len(losses)):
        lowest = left & -left
        others = left ^ lowest
        company = 0
        while True:  # every subset of the others, from none to all
            group = lowest | company
            if losses[group] < least[left] and losses[group] + least[left ^ group] < least[left]:
                least[left], choice[left] = losses[group] + least[left ^ group], group
            if company == others:
                break
            company = (company - others) & others
    return choice
