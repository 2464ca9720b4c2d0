"""Statistical dependence: how much the groups should also know about the confidential attributes.

k-Anonymous Microaggregation with Preservation of Statistical Dependence, §III–IV. The quasi-identifiers X are
released as centroids, the confidential attributes Y as they are; what a reader can predict of Y from a
released X is its group's mean. Two distortions compete, D_X = SSE_X/SST_X and D_Y = SSE_Y/SST_Y, and λ weighs
them: D = (1−λ) D_X + λ D_Y. Any method can serve, unchanged, if it is fed the extended vectors (X, βY) with
β = √(λ/(1−λ) · m_X/m_Y) (§IV.A).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from microagg.measures.loss import ratio, sums_of_squares

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microagg.kernels.compiled import FloatArray, IntArray


@dataclass(frozen=True)
class Dependence:
    """Both distortions of a release and their weighted sum.

    Parameters
    ----------
    d_x : float in [0, 1]
        Share of the quasi-identifiers' variance that is lost; low is good for the reader.
    d_y : float in [0, 1] or nan
        Share of the confidential attributes' variance that groups do not explain; low means that the link
        between X and Y survives. Not defined without a numeric confidential attribute.
    lam : float in [0, 1]
    """

    d_x: float
    d_y: float
    lam: float

    @property
    def d(self) -> float:
        """The Lagrangian distortion D = (1−λ) D_X + λ D_Y; D_X where λ is 0."""
        return self.d_x if self.lam == 0 else (1 - self.lam) * self.d_x + self.lam * self.d_y


def confidential_distortion(Y: FloatArray, partitions: Sequence[IntArray]) -> float:
    """D_Y: the mean over blocks of SSE_Y/SST_Y.

    Parameters
    ----------
    Y : (n, m_Y) float64, standardised
    partitions : sequence of (n,) int64 labels, one a block

    Returns
    -------
    float in [0, 1], nan without Y or without partitions
    """
    return mean_distortion([sums_of_squares(Y, labels) for labels in partitions if Y.shape[1]])


def mean_distortion(sums: Sequence[tuple[float, float]]) -> float:
    """D_Y from SSE_Y and SST_Y of each block; nan where there is none."""
    return float(np.mean([ratio(sse, sst) for sse, sst in sums])) if sums else float("nan")
