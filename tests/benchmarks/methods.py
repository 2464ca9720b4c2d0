"""k-Ward and MFS-MD beside plain NumPy twins that keep every pair in a matrix.

Run with ``python -m tests.benchmarks.methods``; a few minutes, nearly all of them the twins'. Both sides must
find the same partition. The twin's n × n matrix takes 8n² bytes, the methods O(n·d): the growth of the peak
memory while they run is printed first, before any twin has raised it.
"""

from __future__ import annotations

import resource
import time
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from microagg.kernels.scaling import standardise
from microagg.methods.fixed import cut_every
from microagg.methods.genetic import genetic
from microagg.methods.kward import kward, kward_univariate
from microagg.methods.maximum_distance import maximum_distance
from microagg.methods.projections import first_component
from tests.conftest import reference_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from microagg.kernels.compiled import FloatArray, IntArray

K = 5


def squared_distances(points: FloatArray, others: FloatArray) -> FloatArray:
    """All pairs, summed column by column: `sum(axis=…)` rounds otherwise, and EIA has ties."""
    total = np.zeros((len(points), len(others)))
    for column, other in zip(points.T, others.T, strict=True):
        total += (column[:, None] - other) ** 2
    return total


def plain_kward(points: FloatArray, axis: FloatArray, k: int) -> IntArray:
    """Algorithm 1 of the comparative study, the least entry of a matrix of costs at every join."""
    labels, waiting, groups = np.empty(len(points), dtype=np.int64), [np.arange(len(points))], 0
    while waiting:
        records = waiting.pop()
        if len(records) < 2 * k or (points[records] == points[records[0]]).all():
            cut = cut_every(np.arange(len(records)), k)
            labels[records] = groups + cut
            groups += cut[-1] + 1
        else:
            joined = _plain_joins(points[records], axis[records], k)
            waiting += [records[joined == group] for group in np.unique(joined)]
    return labels


def _plain_joins(points: FloatArray, axis: FloatArray, k: int) -> IntArray:
    n = len(points)
    order = np.argsort(axis, kind="stable")
    centres, sizes, group, alive = points.copy(), np.ones(n), np.arange(n), np.ones(n, dtype=bool)
    for end in (order[:k], order[-k:]):
        first = end.min()
        group[end], alive[end], alive[first] = first, False, True
        centres[first], sizes[first] = points[end].mean(axis=0), k
    cost = squared_distances(centres, centres) * (sizes[:, None] * sizes / (sizes[:, None] + sizes))
    cost[~alive] = cost[:, ~alive] = np.inf
    cost[np.ix_(sizes >= k, sizes >= k)] = np.inf
    np.fill_diagonal(cost, np.inf)
    while (sizes[alive] < k).any():
        low, high = np.unravel_index(cost.argmin(), cost.shape)
        centres[low] += (centres[high] - centres[low]) * (sizes[high] / (sizes[low] + sizes[high]))
        sizes[low] += sizes[high]
        group[group == high] = low
        alive[high] = False
        cost[high] = cost[:, high] = np.inf
        row = squared_distances(centres, centres[[low]])[:, 0] * (sizes * sizes[low] / (sizes + sizes[low]))
        row[~alive | ((sizes >= k) & (sizes[low] >= k))] = np.inf
        row[low] = np.inf
        cost[low] = cost[:, low] = row
    return group


def plain_maximum_distance(points: FloatArray, k: int) -> IntArray:
    """Algorithm 2 of the comparative study, the largest entry of the matrix of distances in every round."""
    cost, labels, groups = squared_distances(points, points), np.full(len(points), -1), 0
    np.fill_diagonal(cost, -1)
    free = np.ones(len(points), dtype=bool)
    while free.sum() >= 2 * k:
        pair = np.unravel_index(cost.argmax(), cost.shape)
        free[list(pair)] = False
        for seed in pair:
            members = [seed]
            while len(members) < k:
                squared = ((points - points[members].mean(axis=0)) ** 2).sum(axis=1)
                members.append(int(np.where(free, squared, np.inf).argmin()))
                free[members[-1]] = False
            labels[members] = groups
            groups += 1
        cost[~free] = cost[:, ~free] = -1
    left = np.flatnonzero(~(labels >= 0))
    if len(left) >= k:
        labels[left] = groups
    else:
        centres = np.array([points[labels == group].mean(axis=0) for group in range(groups)])
        labels[left] = ((centres - points[left, None]) ** 2).sum(axis=2).argmin(axis=1)
    return labels


def timed(run: Callable[[], IntArray]) -> tuple[float, IntArray]:
    """Seconds and result."""
    start = time.perf_counter()
    labels = run()
    return time.perf_counter() - start, labels


def same(one: IntArray, other: IntArray) -> bool:
    """Whether two labellings are one partition."""
    pairs = np.unique(np.column_stack([one, other]), axis=0)
    return len(pairs) == len(np.unique(one)) == len(np.unique(other))


def main() -> None:
    """Print one line a method and file."""
    files = {
        "tarragona": pd.read_csv(reference_file("tarragona")),
        "eia": pd.read_csv(reference_file("eia")).drop(columns=["UTILNAME", "STATE", "YEAR", "MONTH"]),
    }
    cases = {}
    for name, frame in files.items():
        points = standardise(frame.to_numpy(dtype=np.float64))
        axis = first_component(points)
        cases[f"k-Ward, records, {name}"] = (
            lambda points=points: kward(points, K),
            lambda points=points, axis=axis: plain_kward(points, axis, K),
        )
        cases[f"k-Ward, one axis, {name}"] = (
            lambda points=points: kward_univariate(points, K),
            lambda axis=axis: plain_kward(axis[:, None], axis, K),
        )
        cases[f"MFS-MD, {name}"] = (
            lambda points=points: maximum_distance(points, K),
            lambda points=points: plain_maximum_distance(points, K),
        )
    for fast, _ in cases.values():
        fast()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = {case: timed(fast) for case, (fast, _) in cases.items()}
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"k = {K}; peak memory {before / 1024:.0f} MiB after one run of each, {grown:.0f} more after two")
    points = standardise(files["tarragona"].to_numpy(dtype=np.float64))
    genetic(points, K, generations=1)
    print(f"{'genetic, tarragona':28} {timed(lambda: genetic(points, K))[0]:8.3f} s")
    for case, (seconds, labels) in found.items():
        twin, expected = timed(cases[case][1])
        agree = "same partition" if same(labels, expected) else "DIFFERENT PARTITIONS"
        print(f"{case:28} {seconds:8.3f} s   plain {twin:8.2f} s   × {twin / seconds:6.0f}   {agree}")


if __name__ == "__main__":
    main()
