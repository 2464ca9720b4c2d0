"""Projection + optimal partition: put the records in one order, then cut that order as well as can be done.

A block of attributes is summarised in one number a record (an axis), the records are sorted by it, and the
optimal univariate partition of that order is taken. Modeling Projections §2 and §3.2; One Dimension
Microaggregation, Algorithm 1.

Two costs of a run of consecutive records are in use, and both are here: "projected" is the sum of squares of
the axis values (Modeling Projections), "attributes" that of the attributes themselves (One Dimension
Microaggregation, Algorithm 1), which loses less and is the default. Records with the same axis value keep
the order of the file. O(n log n + nk) after the projection.

Aggregated values that are equal tie exactly: attributes are scaled from their original values, and sums that
only rounding keeps apart count as one.

Where λ > 0 the records are the extended vectors (X, βY): the first component and the sum of z-scores project
those. Aggregation functions first map every attribute to [0, 1], where β would vanish: they order by X and λ
enters through the cost of the attributes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from microagg.errors import PlanError
from microagg.kernels.scaling import min_max, ranks
from microagg.methods.aggregation import aggregate
from microagg.methods.optimal import partition_order

if TYPE_CHECKING:
    from collections.abc import Callable

    from microagg.kernels.compiled import FloatArray, IntArray

ROUNDING = 4 * float(np.finfo(np.float64).eps)
"""How far a sum of numbers in [0, 1] may be off for each of them."""
Cost = Literal["attributes", "projected"]
Divisor = Literal["standard deviation", "variance"]


def combine(points: FloatArray, weights: FloatArray) -> FloatArray:
    """Weighted sum of the columns, added one after another so that equal records get equal values.

    Parameters
    ----------
    points : (n, d) float64
    weights : (d,) float64

    Returns
    -------
    (n,) float64
    """
    total = np.zeros(len(points))
    for column, weight in zip(points.T, weights, strict=True):
        total += column * weight
    return total


def component_weights(points: FloatArray) -> FloatArray:
    """Weights of the first principal component; their sum is positive.

    Parameters
    ----------
    points : (n, d) float64, centred columns

    Returns
    -------
    (d,) float64, of length one
    """
    weights: FloatArray = np.linalg.eigh(points.T @ points)[1][:, -1]
    positive = weights.sum() if abs(weights.sum()) > 1e-12 else weights[np.abs(weights).argmax()]
    return weights if positive > 0 else -weights


def first_component(points: FloatArray) -> FloatArray:
    """Score of each record on the first principal component (Modeling Projections §2.1).

    Parameters
    ----------
    points : (n, d) float64, centred columns

    Returns
    -------
    (n,) float64
    """
    return combine(points, component_weights(points))


def sum_of_zscores(
    points: FloatArray, spreads: FloatArray | None = None, divisor: Divisor = "standard deviation"
) -> FloatArray:
    """Sum of z-scores of each record (Modeling Projections §2.2).

    Parameters
    ----------
    points : (n, d) float64, standardised
    spreads : (d,) float64, original standard deviations; needed with ``divisor="variance"``
    divisor : {"standard deviation", "variance"}
        The paper prints the variance under the fraction bar; the field divides by the standard deviation.

    Returns
    -------
    (n,) float64
    """
    weights = np.ones(points.shape[1])
    if divisor == "variance":
        if spreads is None:
            raise PlanError("Dividing by the variance needs the attributes' standard deviations.")
        weights = np.where(spreads > 0, 1 / np.where(spreads > 0, spreads, 1.0), 0.0)
    return combine(points, weights)


def evened(axis: FloatArray, slack: float) -> FloatArray:
    """Give numbers that only rounding keeps apart the lowest of them, so that they tie.

    Parameters
    ----------
    axis : (n,) float64
    slack : float
        Neighbours in order that are no farther apart are one number.

    Returns
    -------
    (n,) float64

    Examples
    --------
    >>> evened(np.array([0.1 + 0.2, 0.3, 0.7]), 1e-15).tolist()
    [0.3, 0.3, 0.7]
    """
    order = np.argsort(axis, kind="stable")
    ordered = axis[order]
    starts = np.append(True, np.diff(ordered) > slack)
    even = np.empty_like(axis)
    even[order] = ordered[starts][np.cumsum(starts) - 1]
    return even


def partition_axis(
    points: FloatArray,
    axis: FloatArray,
    k: int,
    cost: Cost,
    progress: Callable[[float], None] | None = None,
) -> IntArray:
    """Sort by the axis and cut that order optimally.

    Parameters
    ----------
    points : (n, d) float64
    axis : (n,) float64
    k : int
    cost : {"attributes", "projected"}
    progress : callable, optional
        Called with the share done, 0…1.

    Returns
    -------
    (n,) int64 labels
    """
    order = np.argsort(axis, kind="stable")
    return partition_order(order, points if cost == "attributes" else axis, k, progress=progress)


def pcp(
    points: FloatArray,
    k: int,
    *,
    cost: Cost = "attributes",
    progress: Callable[[float], None] | None = None,
) -> IntArray:
    """First principal component + optimal partition.

    Parameters
    ----------
    points : (n, d) float64, standardised
    k : int
    cost : {"attributes", "projected"}
    progress : callable, optional
        Called with the share done, 0…1.

    Returns
    -------
    (n,) int64 labels, every group ≥ k

    Examples
    --------
    >>> pcp(np.array([[-1.0, -1], [1, 1], [-1.1, -0.9], [1.1, 0.9]]), 2).tolist()
    [0, 1, 0, 1]
    """
    return partition_axis(points, first_component(points), k, cost, progress)


def zscores(
    points: FloatArray,
    k: int,
    *,
    spreads: FloatArray | None = None,
    cost: Cost = "attributes",
    divisor: Divisor = "standard deviation",
    progress: Callable[[float], None] | None = None,
) -> IntArray:
    """Sum of z-scores + optimal partition; parameters as for `pcp` and `sum_of_zscores`."""
    return partition_axis(points, sum_of_zscores(points, spreads, divisor), k, cost, progress)


def aggregated(
    points: FloatArray,
    k: int,
    *,
    originals: FloatArray,
    function: str = "sugeno",
    cost: Cost = "attributes",
    scaling: Literal["min-max", "rank"] = "min-max",
    quantifier: str = "identity",
    exponent: float = 2.0,
    measure: str = "",
    progress: Callable[[float], None] | None = None,
) -> IntArray:
    """Aggregation function + optimal partition (Modeling Projections §3.2).

    Parameters
    ----------
    points : (n, d) float64, standardised
    k : int
    originals : (n, b) float64, the attributes without λ, original units
        Scaled from here and not from standardised values, so that equal values stay equal.
    function : {"sugeno", "choquet", "owa", "mean", "median", "minimum", "maximum"}
    cost : {"attributes", "projected"}
    scaling : {"min-max", "rank"}
        How attributes are brought to [0, 1] before they are aggregated.
    quantifier : str
        A name in `microagg.methods.aggregation.QUANTIFIERS`.
    exponent : float
        Of the quantifier "power".
    measure : str
        For Sugeno and Choquet on up to four attributes: the 2^b measures, separated by blanks, in the order
        of `microagg.methods.aggregation.measure_table`; empty: take the quantifier.
    progress : callable, optional
        Called with the share done, 0…1.

    Returns
    -------
    (n,) int64 labels, every group ≥ k

    Raises
    ------
    PlanError
        The measure is no list of numbers, or no measure.
    """
    unit = min_max(originals) if scaling == "min-max" else ranks(originals)
    try:
        entries = tuple(float(entry) for entry in measure.replace(",", " ").split())
    except ValueError:
        raise PlanError(f"The measure {measure!r} must be numbers separated by blanks, one a set.") from None
    axis = aggregate(unit, function, quantifier_name=quantifier, exponent=exponent, measure=entries)
    return partition_axis(points, evened(axis, ROUNDING * unit.shape[1]), k, cost, progress)
