"""Bring attributes to a common scale before records are compared.

Distances, sums of squares and projections only make sense once a company's sales and its age weigh the
same. A constant attribute carries no information about who is near whom: it becomes zeros.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from microagg.kernels.compiled import FloatArray


@dataclass(frozen=True)
class Scaling:
    """What a whole file is standardised by, for records that are only a part of it.

    Parameters
    ----------
    means, spreads : mapping of str to float
        Of each attribute, in original units, over the values that are there.

    Examples
    --------
    >>> Scaling({"age": 40.0}, {"age": 5.0}).standardised(["age"], np.array([[45.0], [30.0]])).tolist()
    [[1.0], [-2.0]]
    """

    means: Mapping[str, float]
    spreads: Mapping[str, float]

    def deviations(self, names: Sequence[str]) -> FloatArray:
        """Standard deviations of some attributes, (p,) float64."""
        return np.array([self.spreads[name] for name in names], dtype=np.float64)

    def standardised(self, names: Sequence[str], values: FloatArray) -> FloatArray:
        """Standardise ``values`` (n, p); missing stays missing, a constant attribute becomes zeros."""
        means = np.array([self.means[name] for name in names], dtype=np.float64)
        return scaled_by(values, means, self.deviations(names))


def scaled_by(values: FloatArray, means: FloatArray, spreads: FloatArray) -> FloatArray:
    """Standardise ``values`` (n, p) by means and deviations (p,) that are known; constant becomes zeros."""
    return np.ascontiguousarray((values - means) * (spreads > 0) / np.where(spreads > 0, spreads, 1.0))


def deviations(values: FloatArray) -> FloatArray:
    """Standard deviation of each attribute (divisor n), exactly 0 where the attribute is constant.

    Parameters
    ----------
    values : (n, p) float64, original units

    Returns
    -------
    (p,) float64, original units

    Examples
    --------
    >>> deviations(np.array([[-(2.0**900), 5.0], [2.0**900, 5.0]])).tolist() == [2.0**900, 0.0]
    True
    """
    shifted = values - values[:1]
    unit = square_unit(shifted)
    if (unit != 1.0).any():
        shifted /= unit
    spread: FloatArray = np.std(shifted, axis=0) * unit
    spread[np.ptp(values, axis=0) == 0] = 0.0
    return spread


def square_unit(values: FloatArray) -> FloatArray:
    """Power of two by which to divide each attribute so that squares neither overflow nor vanish.

    It is 1 wherever squares fit as they are, and dividing by it costs no digit elsewhere.

    Parameters
    ----------
    values : (n, p) float64

    Returns
    -------
    (p,) float64

    Examples
    --------
    >>> square_unit(np.array([[3.0, 0.0, 2.0**600], [5.0, 0.0, 1.0]])).tolist() == [1.0, 1.0, 2.0**600]
    True
    """
    exponent = np.frexp(np.abs(values).max(axis=0, initial=0.0))[1] - 1
    unit: FloatArray = np.ldexp(1.0, np.where(np.abs(exponent) > 400, exponent, 0))
    return unit


def standardise(values: FloatArray) -> FloatArray:
    """Zero mean and unit variance per attribute (divisor n); constant attributes become zeros.

    The first record is subtracted before anything else, so that a large common offset costs no digits.

    Parameters
    ----------
    values : (n, p) float64, original units, finite

    Returns
    -------
    (n, p) float64, C-contiguous, without unit

    Examples
    --------
    >>> standardise(np.array([[1e9], [1e9 + 2]])).tolist()
    [[-1.0], [1.0]]
    """
    shifted = values - values[:1]
    shifted -= shifted.mean(axis=0)
    spread = deviations(values)
    shifted[:, spread == 0] = 0.0
    return np.ascontiguousarray(shifted / np.where(spread == 0, 1.0, spread))


def min_max(values: FloatArray) -> FloatArray:
    """Map each attribute's range to [0, 1]; constant attributes become zeros.

    Parameters
    ----------
    values : (n, p) float64

    Returns
    -------
    (n, p) float64 in [0, 1]

    Examples
    --------
    >>> min_max(np.array([[2.0], [4.0], [3.0]])).ravel().tolist()
    [0.0, 1.0, 0.5]
    """
    low = values.min(axis=0)
    width = values.max(axis=0) - low
    return np.asarray((values - low) / np.where(width == 0, 1.0, width))


def ranks(values: FloatArray) -> FloatArray:
    """Mean rank of each value within its attribute, mapped to [0, 1]; constant attributes become zeros.

    Parameters
    ----------
    values : (n, p) float64

    Returns
    -------
    (n, p) float64 in [0, 1]

    Examples
    --------
    >>> ranks(np.array([[10.0], [1000.0], [11.0]])).ravel().tolist()
    [0.0, 1.0, 0.5]
    """
    return min_max(np.column_stack([mean_ranks(column, column) for column in values.T]))


def mean_ranks(values: FloatArray, among: FloatArray) -> FloatArray:
    """Mean rank that each value has, or would have, among others: those below it, half of its equals, and ½.

    Parameters
    ----------
    values : (m,) float64
    among : (n,) float64

    Returns
    -------
    (m,) float64 in [½, n + ½]

    Examples
    --------
    >>> line = np.array([5.0, 7.0, 7.0])
    >>> mean_ranks(line, line).tolist(), mean_ranks(np.array([6.0]), line).tolist()
    ([1.0, 2.5, 2.5], [1.5])
    """
    ordered = np.sort(among)
    distinct, place = np.unique(values, return_inverse=True)  # looked for in their order: ten times as fast
    below = np.searchsorted(ordered, distinct, side="left")
    upto = np.searchsorted(ordered, distinct, side="right")
    return np.asarray((below + upto + 1) / 2)[place]
