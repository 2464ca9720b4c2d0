"""Ranks in a file that nobody can sort, with an error that is known.

Values of a sample are the marks of a scale; one pass counts the records at each mark and between two of them.
The rank of a value at a mark is then exact, and one between two marks is off by less than the records counted
there. With 2,000 marks an attribute that is about 1/2,000 of the file, well within interval disclosure's
narrowest width of one hundredth; heavy ties are marks of their own and cost nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from microagg.measures.intervals import reaching

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microagg.kernels.compiled import FloatArray, IntArray

MARKS = 2_000


def marks(sample: FloatArray) -> list[FloatArray]:
    """Marks of each attribute: values of the sample (m, p), evenly many records apart, ascending."""
    at = np.unique(np.linspace(0, max(len(sample) - 1, 0), MARKS).astype(np.int64))
    return [np.unique(np.sort(column)[at]) if len(column) else column for column in sample.T]


def tally(values: FloatArray, scale: Sequence[FloatArray]) -> list[IntArray]:
    """Count ``values`` (n, p) below each attribute's first mark, at it, before the second, and so on."""
    counts = []
    for column, own in zip(values.T, scale, strict=True):
        place = np.searchsorted(own, column, "left") + np.searchsorted(own, column, "right")
        counts.append(np.bincount(place, minlength=2 * len(own) + 1).astype(np.int64))
    return counts


@dataclass(frozen=True, eq=False)
class Ranks:
    """The scales of all attributes, with what was counted on them.

    Parameters
    ----------
    scale : list of p float64 arrays
    counts : list of p int64 arrays
        As `tally` counts them, over all records.

    Examples
    --------
    >>> line = np.arange(6.0)[:, np.newaxis]
    >>> ranks = Ranks([np.array([0.0, 2, 5])], tally(line, [np.array([0.0, 2, 5])]))
    >>> ranks.of(np.array([[0.0], [2.0], [3.5]])).ravel().tolist(), ranks.error.tolist()
    ([1.0, 3.0, 4.5], [2.0])
    """

    scale: list[FloatArray]
    counts: list[IntArray]

    @property
    def records(self) -> int:
        """Number of records that were counted."""
        return int(self.counts[0].sum()) if self.counts else 0

    @property
    def error(self) -> FloatArray:
        """By how many ranks a rank may be off, for each attribute, (p,) float64."""
        return np.array([own[0::2].max() for own in self.counts], dtype=np.float64)

    def of(self, values: FloatArray) -> FloatArray:
        """Ranks of values, (n, p): the records below, half of those equal, and ½."""
        found = np.empty(values.shape)
        for j, (own, counts) in enumerate(zip(self.scale, self.counts, strict=True)):
            before = np.cumsum(counts) - counts
            left, right = (np.searchsorted(own, values[:, j], side) for side in ("left", "right"))
            low, high = own[np.maximum(left - 1, 0)], own[np.minimum(left, len(own) - 1)]
            inside = np.where(high > low, (values[:, j] - low) / np.where(high > low, high - low, 1.0), 0.5)
            share = np.where(left == right, np.clip(inside, 0.0, 1.0), 0.5)
            found[:, j] = before[left + right] + share * counts[left + right] + 0.5
        return found

    def reaching(self, before: FloatArray, after: FloatArray) -> IntArray:
        """How many widths reach each original, added up: as ranked, at least, at most; (3, p) int64.

        Parameters
        ----------
        before, after : (n, p) float64
        """
        gap, same = np.abs(self.of(before) - self.of(after)), before == after
        off = 2 * self.error * (1 + 1e-9)  # whatever the interpolation rounds
        gaps = (np.where(same, 0.0, np.maximum(gap + slack, 0.0)) for slack in (0.0, off, -off))
        return np.array([reaching(one, float(self.records)) for one in gaps])
