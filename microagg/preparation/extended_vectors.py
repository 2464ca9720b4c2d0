"""The extended vectors (X, βY), by which groups also know about the confidential attributes.

k-Anonymous Microaggregation with Preservation of Statistical Dependence, §IV.A: any method serves, unchanged,
if it is fed these, with β = √(λ/(1−λ) · m_X/m_Y).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray


def stretch(lam: float, attributes: int, confidential: int) -> float:
    """The factor β by which confidential attributes are stretched, for 0 < λ < 1.

    Parameters
    ----------
    lam : float in (0, 1)
    attributes, confidential : int
        m_X (of the block) and m_Y.

    Examples
    --------
    >>> stretch(0.5, 2, 2)
    1.0
    """
    return float(np.sqrt(lam / (1 - lam) * attributes / confidential))


def extended(X: FloatArray, Y: FloatArray, lam: float) -> FloatArray:
    """The extended vectors: X alone for λ = 0, Y alone for λ = 1, else (X, βY).

    Parameters
    ----------
    X : (n, m_X) float64, standardised
    Y : (n, m_Y) float64, standardised
    lam : float in [0, 1]

    Returns
    -------
    (n, d) float64, C-contiguous
    """
    if lam == 0:
        return np.ascontiguousarray(X)
    if lam == 1:
        return np.ascontiguousarray(Y)
    return np.hstack([X, stretch(lam, X.shape[1], Y.shape[1]) * Y])
