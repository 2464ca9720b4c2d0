"""Linkage and interval disclosure against plain NumPy twins and scipy's tree.

Run ``python -m tests.benchmarks.linkage``. Times are the best of three after warm-up; a twin that would take
minutes is timed on some of the sets and scaled.
"""

from __future__ import annotations

import time
import tracemalloc
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pandas as pd
from scipy.spatial import cKDTree

from microagg.kernels.scaling import standardise
from microagg.measures.intervals import interval_disclosure
from microagg.measures.knowledge import Knowledge
from microagg.measures.linkage import distance_linkage
from microagg.measures.matching import scaled_sides
from microagg.measures.probabilistic import probabilistic_linkage
from microagg.methods.mdav import mdav
from microagg.protection.centroids import centroids
from tests.conftest import reference_file
from tests.measures.plain import linkage_credits

if TYPE_CHECKING:
    from collections.abc import Callable

    from microagg.kernels.compiled import FloatArray

_Result = TypeVar("_Result")


def best(work: Callable[[], _Result], runs: int = 3) -> tuple[tuple[float, float], _Result]:
    """Least seconds of some runs, on the clock and of all processors together, and the last result."""
    seconds = []
    for _ in range(runs):
        start, busy = time.perf_counter(), time.process_time()
        result = work()
        seconds.append((time.perf_counter() - start, time.process_time() - busy))
    return min(seconds), result


def line(what: str, ours: tuple[float, float], twin: float, note: str) -> None:
    """Print a row: what was timed, how long it took, and how many times the twin's that is."""
    clock, busy = ours
    print(
        f"{what:<52}{clock:>8.3f} s (processor {busy:.3f}) {twin / clock:>7.1f} × faster than {note}",
        flush=True,
    )


def sets_of(name: str, original: FloatArray, released: FloatArray, knowledge: str) -> None:
    """DLD, and DLD with ID, over a family of sets."""
    sets = Knowledge.parse(knowledge).sets(original.shape[1])
    distance_linkage(original, released, sets[:1])
    seconds, found = best(lambda: distance_linkage(original, released, sets))
    some = np.random.default_rng(0).choice(len(sets), min(len(sets), 20), replace=False)
    (twin, _), plain = best(lambda: [linkage_credits(original, released, sets[i]).mean() for i in some], 1)
    np.testing.assert_allclose(found.by_set[some], plain, rtol=1e-12)
    twin *= len(sets) / len(some)
    line(f"DLD, {name}, {knowledge}: {len(sets)} sets", seconds, twin, "all pairs in NumPy")
    with_id, _ = best(
        lambda: (
            distance_linkage(original, released, sets),
            interval_disclosure(original, released).rate(sets),
        )
    )
    line(f"DLD and ID, {name}, {knowledge}", with_id, twin, "DLD alone, all pairs in NumPy")


def large(what: str, original: FloatArray, released: FloatArray) -> None:
    """DLD of one set in a large file, beside scipy's tree finding the two nearest of every record."""
    known = (tuple(range(original.shape[1])),)
    seconds, found = best(lambda: distance_linkage(original, released, known), 1)
    desk, candidates = scaled_sides(original, released, "protected to original")
    some = np.random.default_rng(0).choice(len(original), len(original) // 10, replace=False)
    (twin, _), _ = best(lambda: cKDTree(candidates).query(desk[some], k=2, workers=2), 1)
    line(f"DLD {100 * found.rate:.2f} %, {what}", seconds, 10 * twin, "scipy's cKDTree, 2 threads")


def by_agreement(name: str, original: FloatArray, released: FloatArray) -> None:
    """PLD over all attributes, beside counting the patterns of all pairs in NumPy."""
    known = (tuple(range(original.shape[1])),)
    seconds, found = best(lambda: probabilistic_linkage(original, released, known))
    tracemalloc.start()
    probabilistic_linkage(original, released, known)
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    desk, candidates = scaled_sides(original, released, "protected to original")

    def plain() -> None:
        masks = np.zeros((len(desk), len(desk)), dtype=np.int32)
        for bit in range(desk.shape[1]):
            masks |= (np.abs(desk[:, [bit]] - candidates[:, bit]) <= 0.1).astype(np.int32) << bit
        np.unique(masks, return_counts=True)

    (twin, _), _ = best(plain, 1)
    line(
        f"PLD {100 * found.rate:.2f} %, {name}, peak {peak:.0f} MiB",
        seconds,
        twin,
        "only counting pairs in NumPy",
    )


def main() -> None:
    """Print every row."""
    census = pd.read_csv(reference_file("census")).to_numpy(dtype=np.float64)
    eia = pd.read_csv(reference_file("eia")).drop(columns=["UTILNAME", "STATE", "YEAR", "MONTH"])
    files = {"Census": census, "EIA": eia.to_numpy(dtype=np.float64)}
    rng = np.random.default_rng(0)
    for name, original in files.items():
        grouped = centroids(original, mdav(standardise(original), 5))
        noisy = original + 0.1 * original.std(axis=0) * rng.normal(size=original.shape)
        by_agreement(f"{name} MDAV k = 5", original, grouped)
        for what, released in ((f"{name} MDAV k = 5", grouped), (f"{name} 10 % noise", noisy)):
            sets_of(what, original, released, "up-to:3")
            if name == "Census":
                sets_of(what, original, released, "all")
    mixing = rng.normal(size=(10, 10))
    original = np.exp(standardise(rng.normal(size=(100_000, 10)) @ mixing))
    large("100,000 × 10 MDAV k = 5", original, centroids(original, mdav(standardise(original), 5)))
    for noise in (0.1, 0.5):
        noisy = original + noise * original.std(axis=0) * rng.normal(size=original.shape)
        large(f"100,000 × 10, {noise:.0%} noise", original, noisy)


if __name__ == "__main__":
    main()
