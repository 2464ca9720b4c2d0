"""A release as an intruder sees it: who is linked, who is alike, and how far off each value is.

The figures are those of `microagg.measures`; `reach` is a plain twin of its interval disclosure that says
where each value and its released one stand among the ranks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from microagg.kernels.scaling import mean_ranks, standardise
from microagg.measures.anonymity import RealAnonymity, real_anonymity
from microagg.measures.linkage import RecordLinks, linked_records
from microagg.methods import METHODS
from microagg.protection.centroids import centroids

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray, IntArray
    from microagg.lessons.lesson import Records

KNOWN = (0, 1)


def reach(original: FloatArray, released: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Ranks of the originals, and the rank each released value would have among them.

    Parameters
    ----------
    original, released : (n,) float64

    Returns
    -------
    ranks, positions : (n,) float64, in [½, n + ½]

    Examples
    --------
    >>> ranks, positions = reach(np.array([1.0, 2.0, 4.0]), np.array([1.5, 1.5, 4.0]))
    >>> ranks.tolist(), positions.tolist()
    ([1.0, 2.0, 3.0], [1.5, 1.5, 3.0])
    """
    below = (original < released[:, np.newaxis]).sum(axis=1)
    equal = (original == released[:, np.newaxis]).sum(axis=1)
    return mean_ranks(original, original), below + equal / 2 + 0.5


def potential_cells(n: int, k: int, blocks: int) -> int:
    """How many combinations of groups there can be.

    Examples
    --------
    >>> potential_cells(1080, 10, 3)
    1259712
    """
    cells: int = (n // k) ** blocks
    return cells


@dataclass(frozen=True, eq=False)
class Release:
    """The file as it is given out, and what an intruder makes of it.

    Parameters
    ----------
    original, protected : (n, p) float64, original units
    labels : (blocks, n) int64
    k : int
    """

    original: FloatArray
    protected: FloatArray
    labels: IntArray
    k: int

    @cached_property
    def links(self) -> RecordLinks:
        """Each released record looked up among the originals, both attributes known."""
        return linked_records(self.original, self.protected, KNOWN)

    @property
    def dld(self) -> float:
        """Share of the records that are found again."""
        return float(self.links.credit.mean())

    @cached_property
    def anonymity(self) -> RealAnonymity:
        """Classes of records that are released alike."""
        return real_anonymity(self.protected, None, self.k)


def protected(records: Records, k: int, method: str, *, blocks: bool) -> Release:
    """Protect the file as one block, or attribute by attribute."""
    solve, values = METHODS[method].solve, records.values
    parts = np.split(values, values.shape[1], axis=1) if blocks else [values]
    scaled = (standardise(np.ascontiguousarray(part)) for part in parts)  # block by block, as the pipeline
    labels = np.array([solve(points, k) for points in scaled], dtype=np.int64)
    released = [centroids(part, own) for part, own in zip(parts, labels, strict=True)]
    return Release(values, np.hstack(released), labels, k)
