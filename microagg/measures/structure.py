"""What protection does to the structure of a file: variances, correlations, principal components.

The quality measures of Mateo-Sanz and Domingo-Ferrer, section 4.2 (tables 2 to 4), all on standardised
attributes. Group means pull records together: standard deviations shrink, correlations and the first
principal component grow. With λ₁ and u the first eigenvalue and vector of the correlation matrix, √λ₁·u_j is
the correlation of attribute j with the component and u_j/√λ₁ its weight in the component's scores.
Eigenvectors have no sign: the released one is turned to the original's side. O(n·p² + p³).

The eigenvalue loss is ours: Σ|λ_j − λ′_j| / p over the sorted eigenvalues of the two correlation matrices.
(sdcMicro divides by each λ_j instead, which explodes for nearly dependent attributes.) A constant attribute
correlates 0 with every other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from microagg.kernels.scaling import deviations
from microagg.measures.arrays import counterparts
from microagg.measures.moments import correlations, relative_change

if TYPE_CHECKING:
    from collections.abc import Mapping

    from microagg.kernels.compiled import FloatArray


@dataclass(frozen=True, slots=True)
class Structure:
    """How far a release keeps variances, correlations and the first principal component.

    Attributes
    ----------
    mean_standard_deviation : float
        Of the released attributes, in units of the original's; in [0, 1] for group means, 1 is best.
    delta_r, delta_w : float
        ΔR, ΔW: mean relative change of the attributes' correlations with the first component and of their
        weights in it; ratios from 0 upwards, lower is better.
    first_component, first_component_original : float
        Share of the variance on the first component, in [1/p, 1], released and original; best when equal.
    mean_correlation_change, sd_correlation_change : float
        Mean and standard deviation (divisor one less) of |r′ − r| over the pairs, in [0, 2]; lower is better.
    eigenvalue_loss : float
        Share of the variance that moved between components, in [0, 2]; lower is better.
    notes : mapping of str to str
        What is not defined, and why.
    """

    mean_standard_deviation: float
    delta_r: float
    delta_w: float
    first_component: float
    first_component_original: float
    mean_correlation_change: float
    sd_correlation_change: float
    eigenvalue_loss: float
    notes: Mapping[str, str] = field(default_factory=dict)


def structure(original: FloatArray, protected: FloatArray) -> Structure:
    """Compare the structure of a release with the original's.

    Parameters
    ----------
    original, protected : (n, p) float64, original units

    Returns
    -------
    Structure

    Examples
    --------
    >>> values = np.array([[1.0, 2.0, 0.0], [2.0, 1.0, 3.0], [3.0, 4.0, 1.0], [4.0, 3.0, 9.0]])
    >>> kept = structure(values, values)
    >>> kept.mean_standard_deviation, kept.delta_r, kept.mean_correlation_change
    (1.0, 0.0, 0.0)
    """
    original, protected = counterparts(original, protected)
    p = original.shape[1]
    notes: dict[str, str] = {}
    spread, spread_after = deviations(original), deviations(protected)
    varies = spread > 0
    if not varies.all() or not spread_after.all():
        notes["constant"] = (
            "A constant attribute correlates 0 with every other; its own deviation is left out."
        )
    ratio = spread_after[varies] / spread[varies]

    before, after = correlations(original), correlations(protected)
    values_before, first_before = _components(before)
    values_after, first_after = _components(after)
    if first_before @ first_after < 0:
        first_after = -first_after
    root_before, root_after = np.sqrt(values_before[0]), np.sqrt(values_after[0])

    change = np.abs(after - before)[np.triu_indices(p, k=1)]
    if len(change) < 2:
        notes["correlations"] = "Not defined: two attributes have one correlation, one has none."
    return Structure(
        mean_standard_deviation=float(ratio.mean()) if varies.any() else float("nan"),
        delta_r=float(relative_change(root_before * first_before, root_after * first_after, 1.0).mean()),
        delta_w=float(relative_change(first_before / root_before, first_after / root_after, 1.0).mean()),
        first_component=float(values_after[0] / p),
        first_component_original=float(values_before[0] / p),
        mean_correlation_change=float(change.mean()) if len(change) else float("nan"),
        sd_correlation_change=float(np.std(change, ddof=1)) if len(change) > 1 else float("nan"),
        eigenvalue_loss=float(np.abs(values_before - values_after).sum() / p),
        notes=notes,
    )


def component_shares(values: FloatArray) -> FloatArray:
    """Share of the standardised variance on each principal component, the largest first.

    Parameters
    ----------
    values : (n, p) float64, any units

    Returns
    -------
    (p,) float64 in [0, 1], summing to 1; for a release best when equal to the original's

    Examples
    --------
    >>> component_shares(np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]])).round(9).tolist()
    [1.0, 0.0]
    """
    shares: FloatArray = np.abs(_components(correlations(values))[0]) / values.shape[1]
    return shares


def _components(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Eigenvalues, largest first, and the first eigenvector."""
    values, vectors = np.linalg.eigh(matrix)
    return values[::-1], vectors[:, -1]
