"""One attribute at a time: optimal univariate microaggregation and individual ranking.

The records are sorted by their block's only attribute. "optimal" cuts that order where the sum of squares is
least (Hansen & Mukherjee 2003), O(nk); "fixed" cuts it every k records (Comparative Study §2.1). Equal
values keep the order of the file.

With λ > 0 the order is still the attribute's own, and the optimal cuts minimise the sum of squares of the
extended vectors (x, βY).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from microagg.methods.fixed import cut_every
from microagg.methods.optimal import partition_order

if TYPE_CHECKING:
    from collections.abc import Callable

    from microagg.kernels.compiled import FloatArray, IntArray


def one_attribute(
    points: FloatArray,
    k: int,
    *,
    block: FloatArray,
    partition: Literal["optimal", "fixed"] = "optimal",
    progress: Callable[[float], None] | None = None,
) -> IntArray:
    """Partition by one attribute.

    Parameters
    ----------
    points : (n, d) float64
        The attribute, standardised, followed by βY where λ > 0.
    k : int
    block : (n, 1) float64
        The attribute, standardised.
    partition : {"optimal", "fixed"}
    progress : callable, optional
        Called with the share done, 0…1.

    Returns
    -------
    (n,) int64 labels, every group ≥ k

    Examples
    --------
    >>> x = np.array([[1.0], [7.0], [2.0], [8.0], [9.0]])
    >>> one_attribute(x, 2, block=x).tolist()
    [0, 1, 0, 1, 1]
    """
    order = np.argsort(block[:, 0], kind="stable")
    if partition == "fixed":
        return cut_every(order, k)
    return partition_order(order, points, k, progress=progress)
