"""Interval disclosure: how often the true value lies close to the released one.

An intruder needs no link to learn something: a released value is a guess at the true one. Around each
released value an interval is drawn; disclosed is the share of originals inside theirs, averaged over
the widths 1 %, 2 %, … 10 % (Domingo-Ferrer and Torra 2001; Nin and Torra, section 2.4). O(p·n·log n).

Three units of width w, each to either side of the released value:

- ``ranks`` (default): w percent of n ranks. The rank of an original is its mean rank among the originals of
  its attribute; the position of a released value is the mean rank it would have there: the originals below
  it, plus half of those equal to it, plus ½. Inside means a distance of at most w·n/100 ranks.
- ``standard deviations``: w percent of the original attribute's standard deviation (divisor n).
- ``value``: w percent of the released value itself.

The papers do not print whether w is the whole interval or one side of it; one side is what gives figures of
the printed size. Bounds belong to the interval, so a value released unchanged is always disclosed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from microagg.errors import PlanError
from microagg.kernels.scaling import deviations, mean_ranks
from microagg.kernels.threads import in_threads
from microagg.measures.arrays import counterparts, known_sets

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray, IntArray
    from microagg.measures.arrays import Sets

Width: TypeAlias = Literal["ranks", "standard deviations", "value"]
WIDTHS = 10


@dataclass(frozen=True, slots=True)
class IntervalDisclosure:
    """Share of originals inside the interval around their released value, in [0, 1]; lower is better.

    Attributes
    ----------
    by_attribute : (p,) float64
        The share for each attribute, averaged over the widths 1 %…10 %.
    """

    by_attribute: FloatArray

    def rate(self, sets: Sets) -> float:
        """Mean over sets of attributes of the mean over each set's attributes, in [0, 1]; lower is better."""
        sets = known_sets(sets, len(self.by_attribute))
        if not sets:
            return float("nan")
        sizes = [len(columns) for columns in sets]
        shares = np.repeat(1 / np.array(sizes), sizes)
        mean = float(self.by_attribute[list(chain.from_iterable(sets))] @ shares / len(sets))
        return min(mean, 1.0)  # the shares add up to the number of sets only up to rounding


def interval_disclosure(
    original: FloatArray, protected: FloatArray, *, width: Width = "ranks"
) -> IntervalDisclosure:
    """Interval disclosure, ID, of each attribute.

    Parameters
    ----------
    original, protected : (n, p) float64, original units
    width : {"ranks", "standard deviations", "value"}
        What the percentages are of.

    Returns
    -------
    IntervalDisclosure

    Raises
    ------
    PlanError
        There is no such unit of width.

    Examples
    --------
    >>> interval_disclosure(np.array([[1.0], [2.0]]), np.array([[1.0], [9.0]])).by_attribute.tolist()
    [0.5]
    """
    original, protected = counterparts(original, protected)
    match width:
        case "ranks":
            gap = _rank_gaps(original, protected)
            unit = np.full(original.shape, len(original), dtype=np.float64)
        case "standard deviations":
            gap = np.abs(original - protected)
            unit = np.broadcast_to(deviations(original), original.shape)
        case "value":
            gap = np.abs(original - protected)
            unit = np.abs(protected)
        case _:
            raise PlanError(f"There is no interval width in {width!r}; use one of {get_args(Width)}.")
    return IntervalDisclosure(reaching(gap, unit) / (WIDTHS * len(original)))


def reaching(gap: FloatArray, unit: FloatArray | float) -> IntArray:
    """How many of the widths 1 %…10 % reach each original, added up over the records.

    Parameters
    ----------
    gap : (n, p) float64
        How far each original lies from its released value; n may be 0.
    unit : (n, p) float64 or float, unit of ``gap``
        What the percentages are of.

    Returns
    -------
    (p,) int64, in [0, 10·n]

    Examples
    --------
    >>> reaching(np.array([[0.0], [1.5], [11.0]]), 100.0).tolist()
    [19]
    """
    percent = np.where(gap == 0, 0.0, np.inf)
    with np.errstate(over="ignore"):  # a gap of 1e300 around 1e-300 is beyond every width
        np.divide(100.0 * gap, unit, out=percent, where=(gap > 0) & (np.asarray(unit) > 0))
    narrowest = np.maximum(np.ceil(percent), 1.0)
    return np.asarray(np.clip(WIDTHS + 1 - narrowest, 0, WIDTHS).sum(axis=0)).astype(np.int64)


def _rank_gaps(original: FloatArray, protected: FloatArray) -> FloatArray:
    """How many ranks lie between each original and its released value, attribute by attribute."""
    gap = np.empty(original.shape)

    def work(part: slice) -> None:
        for column in range(part.start, part.stop):
            before, after = original[:, column], protected[:, column]
            gap[:, column] = np.abs(mean_ranks(before, before) - mean_ranks(after, before))

    in_threads(work, original.shape[1])
    return gap
