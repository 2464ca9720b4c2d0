"""Diversity: a group of k records gives its secret away all the same if everybody in it shares it.

Four answers to "how different are the confidential values inside a group?", each for one attribute at a
time. *Distinct ℓ* (Machanavajjhala et al. 2007): the fewest different values in a group; *p-sensitivity*
(Truta and Vinay 2006): the fewest over all attributes. *ℓ_avg* (Rebollo-Monedero et al., section V-B): values
standardised and cut into steps of 0.2, the fewest different ones over the attributes, averaged over the
groups. *t-closeness* (Li et al. 2007): earth mover's distance between the group's values and the whole
file's, on the ranks of the file's distinct values, mapped to [0, 1].

A group is a set of records released alike. O(n·log n) an attribute: the distance is summed run by run between
the group's own values, exactly, in integers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from microagg.kernels.compiled import FloatArray, IntArray, compiled
from microagg.kernels.scaling import standardise
from microagg.measures.arrays import groups, records

if TYPE_CHECKING:
    from collections.abc import Mapping

STEP = 0.2


@dataclass(frozen=True, slots=True)
class Diversity:
    """Diversity of m confidential attributes within g groups.

    Attributes
    ----------
    l_avg : float
        ℓ_avg, distinct steps of 0.2 standard deviations, from 1 to the largest group; higher is better.
    distinct_l : (m,) int64
        Fewest distinct values of each attribute in a group; higher is better.
    emd : (g, m) float64
        Earth mover's distance of each group from the file, in [0, 1]; lower is better.
    notes : mapping of str to str
        What is not defined, and why.
    """

    l_avg: float
    distinct_l: IntArray
    emd: FloatArray
    notes: Mapping[str, str] = field(default_factory=dict)

    @property
    def p_sensitivity(self) -> float:
        """Fewest distinct values of any attribute in any group, from 1 upwards; higher is better."""
        return float(self.distinct_l.min()) if self.distinct_l.size else float("nan")

    @property
    def t_closeness(self) -> float:
        """Largest distance of a group from the file, over all attributes, in [0, 1]; lower is better."""
        return float(self.emd.max()) if self.emd.size else float("nan")

    @property
    def t_mean(self) -> float:
        """Mean distance of a group from the file, over groups and attributes, in [0, 1]; lower is better."""
        return float(self.emd.mean()) if self.emd.size else float("nan")


def diversity(confidential: FloatArray, labels: IntArray) -> Diversity:
    """Diversity of confidential attributes within the groups of a partition.

    Parameters
    ----------
    confidential : (n, m) float64, original units
    labels : (n,) int64
        Group of each record, any numbering.

    Returns
    -------
    Diversity
        Groups in ascending order of their labels; all nan, with a note, where there is no attribute.

    Examples
    --------
    >>> found = diversity(np.array([[1.0], [9.0], [1.0], [1.0]]), np.array([0, 0, 1, 1]))
    >>> found.l_avg, found.p_sensitivity, found.t_closeness
    (1.5, 1.0, 0.25)
    """
    confidential = records(confidential, "confidential", none=True)
    m, labels = confidential.shape[1], groups(labels, len(confidential))
    _, group = np.unique(labels, return_inverse=True)
    if m == 0:
        reason = {"diversity": "Not defined: there is no confidential attribute."}
        return Diversity(float("nan"), np.empty(0, dtype=np.int64), np.empty((group.max() + 1, 0)), reason)
    values = np.column_stack([np.unique(column, return_inverse=True)[1] for column in confidential.T])
    distinct = distinct_codes(values, group)
    emd = np.column_stack([_earth_movers(column, group) for column in values.T])
    return Diversity(float(fewest_steps(standardise(confidential), group).mean()), distinct.min(axis=0), emd)


def fewest_steps(Y: FloatArray, group: IntArray) -> IntArray:
    """Distinct steps of 0.2 in each group, of the attribute with fewest; ℓ_avg is their mean over groups.

    Parameters
    ----------
    Y : (n, m) float64, standardised by the whole file, m ≥ 1
    group : (n,) int64, 0…g − 1

    Returns
    -------
    (g,) int64, records, from 1 upwards; higher is better

    Examples
    --------
    >>> fewest_steps(np.array([[0.0], [0.1], [1.0], [-1.0]]), np.array([0, 0, 1, 1])).tolist()
    [1, 2]
    """
    distinct: IntArray = distinct_codes(np.floor(Y / STEP).astype(np.int64), group).min(axis=1)
    return distinct


def distinct_codes(codes: IntArray, group: IntArray) -> IntArray:
    """Number of distinct codes in each group, one column an attribute: (g, m)."""
    counts = np.empty((group.max() + 1, codes.shape[1]), dtype=np.int64)
    for column in range(codes.shape[1]):
        code = codes[:, column] - codes[:, column].min()
        span = code.max() + 1
        counts[:, column] = np.bincount(np.unique(group * span + code) // span)
    return counts


def _earth_movers(ranks: IntArray, group: IntArray) -> FloatArray:
    """Earth mover's distance of each group from all, for values given as dense ranks 0…r−1: (g,)."""
    n, sizes = len(ranks), np.bincount(group)
    upto = np.cumsum(np.bincount(ranks))
    if len(upto) == 1:
        return np.zeros(len(sizes))
    order = np.lexsort((ranks, group))
    ends = np.concatenate([[0], np.cumsum(sizes)])
    moved = _moved(ranks[order], ends, upto, np.concatenate([[0], np.cumsum(upto)]))
    distance: FloatArray = moved / (sizes * float(n) * (len(upto) - 1))
    return distance


@compiled
def _moved(ranks: IntArray, ends: IntArray, upto: IntArray, area: IntArray) -> IntArray:
    """Sum over ranks of |n·(group's records up to it) − size·(file's records up to it)|, for each group.

    Between two values of the group its own count stands still and the file's grows, so that the difference
    changes sign once: found by bisection, summed from the running sum ``area`` of ``upto``.
    """
    n = upto[-1]
    moved = np.zeros(len(ends) - 1, dtype=np.int64)
    for g in range(len(moved)):
        size = ends[g + 1] - ends[g]
        left = 0
        for count in range(size + 1):
            right = ranks[ends[g] + count] if count < size else len(upto)
            if right == left:
                continue
            low, high = left, right
            while low < high:
                middle = (low + high) // 2
                if size * upto[middle] < n * count:
                    low = middle + 1
                else:
                    high = middle
            moved[g] += n * count * (low - left) - size * (area[low] - area[left])
            moved[g] += size * (area[right] - area[low]) - n * count * (right - low)
            left = right
    return moved
