"""Size-constrained Lloyd: k-means whose groups must keep k records, started from MDAV.

Two steps alternate while they help. Centroids: each group's mean. Assignment: among all assignments that
leave every group at least k records, the one with the least sum of squared distances to the centroids.

Statistical Dependence §II.C and §IV.B describe the probability-constrained Lloyd algorithm, PCL, whose
assignment adds a weight per cell to the squared distance and adjusts the weights (Levenberg–Marquardt) until
the sizes are right. Those weights are the multipliers of a transport problem, which is solved here as the
linear program it is, by HiGHS; its vertices are whole assignments. Each record may go to its own group or to
those with the nearest centroids: the present assignment is always among the possible ones, so that neither
step can lose more than before and the result never loses more than MDAV's.

Memory O(n · candidates). Time is the linear programs': about a second for a thousand records, ten for four
thousand. Ties between assignments are resolved by HiGHS, the same way every time. Groups may
grow beyond 2k − 1 records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.methods.mdav import mdav

if TYPE_CHECKING:
    from collections.abc import Callable

    from microagg.kernels.compiled import FloatArray, IntArray

LEAST_GAIN = 1e-9
"""Share of the sum of squares that a round must gain for another one to follow."""


def constrained_lloyd(
    points: FloatArray,
    k: int,
    *,
    candidates: int = 20,
    rounds: int = 30,
    progress: Callable[[float], None] | None = None,
) -> IntArray:
    """Partition by size-constrained Lloyd, from MDAV's partition.

    Parameters
    ----------
    points : (n, d) float64, standardised
    k : int
    candidates : int
        How many of the nearest groups a record may move to; at least 1.
    rounds : int
        Most rounds; it stops earlier when one gains nothing.
    progress : callable, optional
        Called with the share done, 0…1, between rounds.

    Returns
    -------
    (n,) int64
        Labels; every group ≥ k.

    Examples
    --------
    >>> points = np.array([[0.0], [1.0], [2.0], [9.0], [10.0], [11.0], [12.0]])
    >>> constrained_lloyd(points, 3).tolist()
    [0, 0, 0, 1, 1, 1, 1]
    """
    labels = mdav(points, k)
    centres, loss = _measure(points, labels)
    for done in range(rounds):
        if progress is not None:
            progress(done / rounds)
        proposed = _assign(points, centres, labels, k, candidates)
        proposed_centres, proposed_loss = _measure(points, proposed)
        if not proposed_loss < loss:
            break
        gain = loss - proposed_loss
        labels, centres, loss = proposed, proposed_centres, proposed_loss
        if gain <= LEAST_GAIN * loss:
            break
    if progress is not None:
        progress(1.0)
    return labels


def _measure(points: FloatArray, labels: IntArray) -> tuple[FloatArray, float]:
    """Centroids (g, d) and the sum of squares around them."""
    centres = (
        np.column_stack([np.bincount(labels, column) for column in points.T]) / np.bincount(labels)[:, None]
    )
    return centres, float(((points - centres[labels]) ** 2).sum())


def _assign(points: FloatArray, centres: FloatArray, labels: IntArray, k: int, candidates: int) -> IntArray:
    """Best assignment that leaves every group k records; the old one if none is found."""
    n, groups = len(points), len(centres)
    choices = min(candidates, groups)
    from scipy.optimize import linprog  # here, because the dashboard's start should not wait for it
    from scipy.sparse import csr_array
    from scipy.spatial import KDTree

    nearest = KDTree(centres).query(points, k=range(1, choices + 1))[1]
    absent = (nearest != labels[:, None]).all(axis=1)
    nearest[absent, -1] = labels[absent]
    cost = np.zeros(nearest.shape)
    for column, centre in zip(points.T, centres.T, strict=True):
        cost += (column[:, None] - centre[nearest]) ** 2
    edges = np.arange(n * choices)
    record = csr_array((np.ones(n * choices), (edges // choices, edges)), shape=(n, n * choices))
    group = csr_array((np.ones(n * choices), (nearest.ravel(), edges)), shape=(groups, n * choices))
    program = linprog(
        cost.ravel(), A_eq=record, b_eq=np.ones(n), A_ub=-group, b_ub=np.full(groups, -k), method="highs-ds"
    )
    if not program.success:
        return labels
    assigned: IntArray = nearest[np.arange(n), program.x.reshape(n, choices).argmax(axis=1)]
    return assigned if np.bincount(assigned, minlength=groups).min() >= k else labels
