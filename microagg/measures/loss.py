"""What a statistician loses: sums of squares, and the five-part information loss of the comparative studies.

Two families. The *squared* losses compare records: SSE/SST, the share of the total sum of squares that is
gone once every record is replaced by its group's centroid (Mateo-Sanz and Domingo-Ferrer, eq. 1). The
*information loss* IL compares what people compute from a file: cells, means, covariances, variances and
correlations (Domingo-Ferrer and Torra 2001; Nin and Torra, section 2.4), 100 times the mean of five relative
changes. Everything is O(n·p²).

Where the literature is silent: a relative change of something that is 0 counts 0 if it stayed 0, else 1;
changes of a mean or (co)variance below 1e-12 of the attributes' own size are rounding and count as none; a
constant attribute correlates 0 with every other. Each convention that was used is told in ``notes``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from microagg.kernels.scaling import deviations
from microagg.measures.arrays import counterparts, groups, records
from microagg.measures.moments import Moments, mean, relative_change, squared_change

if TYPE_CHECKING:
    from collections.abc import Mapping

    from microagg.kernels.compiled import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class SquaredLoss:
    """Share of the sum of squares lost, L = SSE/SST; 0 is nothing lost, lower is better.

    In [0, 1] when the released values are group means; other releases can exceed 1.

    Attributes
    ----------
    total : float
        Over all attributes, each with unit variance in the original.
    by_attribute : (p,) float64
        The same per attribute; 0 for a constant attribute.
    notes : mapping of str to str
        Conventions that were used, by name.
    """

    total: float
    by_attribute: FloatArray
    notes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class InformationLoss:
    """The five relative changes behind IL, as ratios from 0 upwards without limit; lower is better.

    Attributes
    ----------
    il1 : float
        Mean |x − x′|/|x| over all cells.
    il2, il3, il4 : float
        Mean relative change of the means, of the covariances (i ≤ j) and of the variances.
    il5 : float
        Mean |r − r′| over the pairs i < j, in [0, 2]; nan for a single attribute.
    il1s : float
        Mean |x − x′|/(√2·S) over all cells, S the original standard deviation (divisor n).
    zero_cells : int
        Cells with x = 0, where IL1 counts 0 or 1 by convention.
    zero_cells_changed : int
        Those of them that were changed, and so count 1.
    notes : mapping of str to str
        Conventions that were used and parts that are not defined, by name.
    """

    il1: float
    il2: float
    il3: float
    il4: float
    il5: float
    il1s: float
    zero_cells: int
    zero_cells_changed: int
    notes: Mapping[str, str] = field(default_factory=dict)

    @property
    def il(self) -> float:
        """Information loss IL: 100 times the mean of the defined parts; can pass 100, lower is better."""
        return _percent_mean(self.il1, self.il2, self.il3, self.il4, self.il5)

    @property
    def il_scale_free(self) -> float:
        """IL with IL1s in the place of IL1: finite at zeros and unmoved by a shift; lower is better."""
        return _percent_mean(self.il1s, self.il2, self.il3, self.il4, self.il5)


def _percent_mean(*parts: float) -> float:
    defined = [part for part in parts if not np.isnan(part)]
    return 100.0 * float(np.mean(defined)) if defined else float("nan")


def within_by_attribute(points: FloatArray, labels: IntArray) -> FloatArray:
    """Within-group sum of squares of each attribute.

    Parameters
    ----------
    points : (n, d) float64, any scale
    labels : (n,) int64, any numbering

    Returns
    -------
    (d,) float64, squared units of ``points``; lower is better

    Examples
    --------
    >>> within_by_attribute(np.array([[0.0, 1.0], [2.0, 1.0], [9.0, 5.0]]), np.array([7, 7, 3])).tolist()
    [2.0, 0.0]
    """
    _, group = np.unique(labels, return_inverse=True)
    sizes = np.bincount(group)
    within = np.empty(points.shape[1])
    for column in range(points.shape[1]):
        values = points[:, column] - points[0, column]
        means = np.bincount(group, weights=values) / sizes
        within[column] = np.square(values - means[group]).sum()
    return within


def sums_of_squares(points: FloatArray, labels: IntArray) -> tuple[float, float]:
    """SSE within the groups and SST in all, on the points as given.

    Parameters
    ----------
    points : (n, d) float64, any scale (standardised where the papers' L is meant)
    labels : (n,) int64, any numbering

    Returns
    -------
    sse, sst : float, squared units of ``points``, 0 ≤ SSE ≤ SST up to rounding; lower SSE is better

    Examples
    --------
    >>> sums_of_squares(np.array([[0.0], [2.0], [10.0], [12.0]]), np.array([0, 0, 1, 1]))
    (4.0, 104.0)
    """
    points = records(points, "points", none=True)
    labels, whole = groups(labels, len(points)), np.zeros(len(points), dtype=np.int64)
    return float(within_by_attribute(points, labels).sum()), float(within_by_attribute(points, whole).sum())


def distortion(points: FloatArray, labels: IntArray) -> float:
    """SSE/SST on the points as given: paper 2's D_X or D_Y; 0 when SST is 0.

    Parameters
    ----------
    points : (n, d) float64, standardised where the papers' figure is meant
    labels : (n,) int64, any numbering

    Returns
    -------
    float in [0, 1], a ratio; lower is better

    Examples
    --------
    >>> distortion(np.array([[0.0], [2.0], [10.0], [12.0]]), np.array([0, 0, 1, 1])) == 4 / 104
    True
    """
    return ratio(*sums_of_squares(points, labels))


def ratio(sse: float, sst: float) -> float:
    """SSE/SST; 0 when SST is 0."""
    return sse / sst if sst > 0 else 0.0


def released_loss(original: FloatArray, protected: FloatArray) -> SquaredLoss:
    """L of a release, whatever made it: squared change over total, originals at unit variance.

    Released values are scaled by the original's mean and deviation, so that releases that are not group
    means (medians, Mic1D) are measured too. A constant original attribute has no variance to lose and is
    left out; ``notes`` says so if it was changed.

    Parameters
    ----------
    original, protected : (n, p) float64, original units

    Returns
    -------
    SquaredLoss

    Examples
    --------
    >>> released_loss(np.array([[0.0], [2.0], [10.0], [12.0]]), np.array([[1.0], [1], [11], [11]])).total
    0.038461538461538464
    """
    original, protected = counterparts(original, protected)
    spread = deviations(original)
    return squared_loss(spread, *squared_change(original, protected, spread))


def squared_loss(spread: FloatArray, square: FloatArray, constant_changed: bool) -> SquaredLoss:
    """L of a release from what `Moments` say of it: see `released_loss`."""
    varies = spread > 0
    notes = {}
    if constant_changed:
        notes["constant"] = (
            "A constant attribute was changed; having no variance, it counts for nothing here."
        )
    return SquaredLoss(float(square[varies].mean()) if varies.any() else 0.0, square, notes)


def information_loss(original: FloatArray, protected: FloatArray) -> InformationLoss:
    """IL and its parts, from the original and the released values.

    Parameters
    ----------
    original, protected : (n, p) float64, original units

    Returns
    -------
    InformationLoss

    Examples
    --------
    >>> loss = information_loss(np.array([[1.0], [3.0]]), np.array([[2.0], [2.0]]))
    >>> loss.il1, loss.il2, loss.il4
    (0.6666666666666666, 0.0, 1.0)
    """
    return relative_changes(Moments.of(*counterparts(original, protected)))


def relative_changes(moments: Moments) -> InformationLoss:
    """IL and its parts from the moments of a release: see `information_loss`."""
    p, unit_spread = len(moments.spread), moments.spread / moments.unit
    covariance, covariance_after = moments.covariance, moments.covariance_after
    size, upper = np.outer(unit_spread, unit_spread), np.triu_indices(p)
    correlation_change = np.abs(moments.correlation - moments.correlation_after)[np.triu_indices(p, k=1)]
    notes: dict[str, str] = {}
    if moments.zeros:
        notes["il1"] = "Where x = 0, IL1 counts 0 if the released value is 0 too, else 1."
    if not moments.spread.all() or not moments.spread_after.all():
        notes["constant"] = (
            "A constant attribute correlates 0 with every other; its variance and IL1s count 1 if it changed."
        )
    if p == 1:
        notes["il5"] = (
            "Not defined: one attribute has no correlations. IL is the mean of the other four parts."
        )
    return InformationLoss(
        il1=moments.relative,
        il2=mean(relative_change(moments.mean, moments.mean_after, moments.size)),
        il3=mean(relative_change(covariance[upper], covariance_after[upper], size[upper])),
        il4=mean(relative_change(covariance.diagonal(), covariance_after.diagonal(), size.diagonal())),
        il5=float(correlation_change.mean()) if p > 1 else float("nan"),
        il1s=moments.change,
        zero_cells=moments.zeros,
        zero_cells_changed=moments.zeros_changed,
        notes=notes,
    )
