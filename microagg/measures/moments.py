"""What information loss and squared loss are made of: moments of the same records before and after.

Of one array they are plain sums. Of a file in chunks, `Sums` are added without rounding
(`kernels.reproducible_sums`), so that the figures do not depend on how the file was cut. O(n·p²).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from microagg.kernels.reproducible_sums import UNIT, added, exact_sums, rounded
from microagg.kernels.scaling import deviations, square_unit, standardise

if TYPE_CHECKING:
    from collections.abc import Mapping

    from microagg.kernels.compiled import FloatArray

ROUNDING = 1e-12
LARGEST = 1e300
"""What a relative change counts at most where changes are added without rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Moments of n records of p attributes before and after; all means and variances have the divisor n.

    Attributes
    ----------
    n : int
    mean, mean_after, size : (p,) float64, original units
        Means of x, x′ and |x|.
    spread, spread_after : (p,) float64, original units
        Standard deviations, exactly 0 where the attribute is constant.
    unit : (p,) float64, original units
        What covariances are in units of.
    covariance, covariance_after, correlation, correlation_after : (p, p) float64
    square : (p,) float64
        Mean of (x − x′)² in units of the variance; 0 for a constant attribute.
    constant_changed : bool
        Whether a constant attribute was changed.
    relative, change : float
        Means over all cells of |x − x′|/|x| and of |x − x′|/(√2·S).
    zeros, zeros_changed : int
        Cells with x = 0, and those of them with another x′.
    """

    n: int
    mean: FloatArray
    mean_after: FloatArray
    size: FloatArray
    spread: FloatArray
    spread_after: FloatArray
    unit: FloatArray
    covariance: FloatArray
    covariance_after: FloatArray
    correlation: FloatArray
    correlation_after: FloatArray
    square: FloatArray
    constant_changed: bool
    relative: float
    change: float
    zeros: int
    zeros_changed: int

    @classmethod
    def of(cls, original: FloatArray, protected: FloatArray) -> Moments:
        """Moments of one array before and after, (n, p) float64, original units."""
        n, spread, spread_after = len(original), deviations(original), deviations(protected)
        varies = spread > 0
        change = np.abs(original - protected)
        centred, centred_after = original - original.mean(axis=0), protected - protected.mean(axis=0)
        centred[:, ~varies], centred_after[:, spread_after == 0] = 0.0, 0.0  # not the mean's rounding
        unit = square_unit(np.vstack([centred, centred_after]))
        centred, centred_after = centred / unit, centred_after / unit
        zeros = original == 0
        return cls(
            n,
            original.mean(axis=0),
            protected.mean(axis=0),
            np.abs(original).mean(axis=0),
            spread,
            spread_after,
            unit,
            centred.T @ centred / n,
            centred_after.T @ centred_after / n,
            correlations(original),
            correlations(protected),
            *squared_change(original, protected, spread),
            mean(relative_change(original, protected)),
            mean(np.where(varies, change / (np.sqrt(2) * np.where(varies, spread, 1.0)), change > 0)),
            int(zeros.sum()),
            int((zeros & (protected != 0)).sum()),
        )


@dataclass(frozen=True, eq=False)
class Sums:
    """Exact sums over the records of a chunk, from which `Moments` of the whole file are made.

    Parameters
    ----------
    n : int
    low, high : (2, p) float64
        Least and largest values, before and after.
    sums : mapping of str to list of int
        Of each attribute, or of each pair i ≤ j, in units of 2⁻¹⁰⁷⁴.
    """

    n: int
    low: FloatArray
    high: FloatArray
    sums: Mapping[str, list[int]]

    @classmethod
    def of(cls, before: FloatArray, after: FloatArray, origin: FloatArray, unit: FloatArray) -> Sums:
        """Add up a chunk.

        Parameters
        ----------
        before, after : (n, p) float64, original units; n may be 0
        origin, unit : (p,) float64
            The same for all chunks: deviations are taken from the one and divided by the other.
        """
        b, a = (before - origin) / unit, (after - origin) / unit
        upper, zero = np.triu_indices(before.shape[1]), before == 0
        columns = {
            "before": b,
            "after": a,
            "size": np.abs(before),
            "relative": np.minimum(relative_change(before, after), LARGEST),
            "change": np.abs(b - a),
            "moved": (before != after).astype(np.float64),
            "square": np.square(b - a),
            "zeros": zero.astype(np.float64),
            "changed": (zero & (after != 0)).astype(np.float64),
        }
        sums = {name: exact_sums(values) for name, values in columns.items()}
        for name, side in (("products", b), ("products after", a)):
            pairs = zip(*upper, strict=True)
            sums[name] = [exact_sums((side[:, i] * side[:, j])[:, np.newaxis])[0] for i, j in pairs]
        sides = (before, after)
        low = np.array([side.min(axis=0, initial=np.inf) for side in sides])
        high = np.array([side.max(axis=0, initial=-np.inf) for side in sides])
        return cls(len(before), low, high, sums)

    def __add__(self, other: Sums) -> Sums:
        """The sums over the records of both."""
        sums = {name: added([own, other.sums[name]]) for name, own in self.sums.items()}
        low, high = np.minimum(self.low, other.low), np.maximum(self.high, other.high)
        return Sums(self.n + other.n, low, high, sums)

    def moments(self, origin: FloatArray, unit: FloatArray) -> Moments:
        """Moments of all records that were added up; n must be 1 at least."""
        means = {name: np.array([rounded(s, self.n) for s in own]) for name, own in self.sums.items()}
        p = len(origin)
        covariances = []
        for side, products in enumerate(("products", "products after")):
            own = np.zeros((p, p))
            own[np.triu_indices(p)] = means[products]
            own = np.triu(own) + np.triu(own, 1).T
            at = means[("before", "after")[side]]
            own -= np.outer(at, at)
            varies = (self.low[side] < self.high[side]) & (own.diagonal() > 0)
            covariances.append(np.where(varies[:, np.newaxis] & varies, own, 0.0))
        spread, spread_after = (np.sqrt(own.diagonal()) for own in covariances)
        varies = spread > 0
        safe = np.where(varies, spread, 1.0)
        change = np.where(varies, means["change"] / (sqrt(2) * safe), means["moved"])
        return Moments(
            self.n,
            origin + unit * means["before"],
            origin + unit * means["after"],
            means["size"],
            unit * spread,
            unit * spread_after,
            unit,
            covariances[0],
            covariances[1],
            _correlations_of(covariances[0]),
            _correlations_of(covariances[1]),
            np.where(varies, means["square"] / np.square(safe), 0.0),
            bool((means["moved"][~varies] > 0).any()),
            mean(means["relative"]),
            mean(change),
            sum(self.sums["zeros"]) // UNIT,
            sum(self.sums["changed"]) // UNIT,
        )


def mean(changes: FloatArray) -> float:
    """Mean of changes, infinite where their sum is beyond all numbers."""
    with np.errstate(over="ignore"):
        return float(changes.mean())


def squared_change(
    original: FloatArray, protected: FloatArray, spread: FloatArray
) -> tuple[FloatArray, bool]:
    """Mean of (x − x′)² in units of the variance, (p,), and whether a constant attribute was changed."""
    varies, square = spread > 0, np.zeros(original.shape[1])
    square[varies] = np.square((original - protected)[:, varies] / spread[varies]).mean(axis=0)
    return square, bool(np.any(original[:, ~varies] != protected[:, ~varies]))


def relative_change(before: FloatArray, after: FloatArray, size: FloatArray | float = 0.0) -> FloatArray:
    """|before − after| / |before|; where before is 0: 0 if after is 0 too, else 1.

    Parameters
    ----------
    before, after : float64 arrays of one shape
    size : float64 array or float
        Magnitude of what the statistics were summed from: anything below 1e-12 of it is taken for 0.

    Returns
    -------
    float64 array of the same shape, from 0 upwards without limit; lower is better

    Examples
    --------
    >>> relative_change(np.array([2.0, 0.0, 0.0]), np.array([1.0, 0.0, 5.0])).tolist()
    [0.5, 0.0, 1.0]
    """
    rounding = ROUNDING * np.asarray(size)
    change = np.abs(before - after)
    change = np.where(change <= rounding, 0.0, change)
    zero = np.abs(before) <= rounding
    with np.errstate(over="ignore"):  # 1e300 in the place of 1e-300 is a change beyond all numbers
        ratio = change / np.where(zero, 1.0, np.abs(before))
    return np.where(zero, (change > 0).astype(np.float64), ratio)


def correlations(values: FloatArray) -> FloatArray:
    """Correlation matrix; the diagonal is 1, and a constant attribute correlates 0 with every other.

    Parameters
    ----------
    values : (n, p) float64, any units

    Returns
    -------
    (p, p) float64 in [−1, 1]

    Examples
    --------
    >>> correlations(np.array([[1.0, 7.0], [2.0, 7.0]])).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    scaled = standardise(values)
    matrix: FloatArray = np.clip(scaled.T @ scaled / len(values), -1.0, 1.0)
    np.fill_diagonal(matrix, 1.0)
    return matrix


def _correlations_of(covariance: FloatArray) -> FloatArray:
    spread = np.sqrt(covariance.diagonal())
    matrix: FloatArray = np.clip(covariance / np.outer(*2 * [np.where(spread > 0, spread, 1.0)]), -1.0, 1.0)
    np.fill_diagonal(matrix, 1.0)
    return matrix
