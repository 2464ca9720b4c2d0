"""Targets beside what is measured here, with the ratio to a plain twin in the same run.

``python -m tests.benchmarks.speed [section …]``, all sections by default, under six minutes together. Times
are this process's own CPU seconds after warm-up, the best of a few runs, so that other work on the machine
disturbs them little. A twin that would take minutes is measured on fewer records and scaled by its known
growth; its time is marked ~.
"""

from __future__ import annotations

import os
import sys
import time
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from microagg.methods.mdav import mdav
from microagg.methods.optimal import optimal_cuts, optimal_cuts_attributes
from microagg.scaling import standardise
from tests.methods import plain

if TYPE_CHECKING:
    from collections.abc import Callable

    from microagg.compiled import FloatArray

GOOD, SLOW = "met", "MISSED"


def lognormal(n: int, d: int) -> FloatArray:
    """Standardised exponentials of normals with correlation 0.5^|i−j|."""
    r = np.random.default_rng(0)
    correlation = 0.5 ** np.abs(np.subtract.outer(np.arange(d), np.arange(d)))
    return standardise(np.exp(r.normal(size=(n, d)) @ np.linalg.cholesky(correlation).T))


def normal(n: int, d: int) -> FloatArray:
    """Independent standard normals."""
    return np.random.default_rng(0).normal(size=(n, d))


def seconds(run: Callable[[], object], times: int = 1) -> float:
    """CPU seconds of the best of some runs."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        run()
        taken.append(time.process_time() - start)
    return min(taken)


def row(what: str, measured: float, target: float | None = None, twin: str = "") -> None:
    """Print one line of a section."""
    wanted = (
        f"≤ {target:g} s".rjust(10) + f"  {GOOD if measured <= target else SLOW:6s}" if target else " " * 18
    )
    print(f"  {what:42s}{measured:10.3f} s{wanted}  {twin}", flush=True)


@cache
def seconds_of_mdav(make: Callable[[int, int], FloatArray], n: int, d: int) -> float:
    """CPU seconds of MDAV, k = 5."""
    points = make(n, d)
    return seconds(lambda: mdav(points, 5), 3 if n <= 100_000 else 1)


def section_mdav() -> None:
    """MDAV, k = 5, both data sets, beside the plain twin."""
    print("MDAV, k = 5")
    mdav(normal(3000, 10), 5)
    points = normal(4000, 10)
    per_square = seconds(lambda: plain.mdav(points, 5)) / 4000**2
    targets = {
        (lognormal, 10_000): 0.05,
        (normal, 10_000): 0.05,
        (lognormal, 100_000): 0.6,
        (normal, 100_000): 0.9,
        (lognormal, 1_000_000): 15.0,
        (normal, 1_000_000): 30.0,
    }
    for (make, n), target in targets.items():
        measured = seconds_of_mdav(make, n, 10)
        twin = per_square * n * n
        row(
            f"{make.__name__} {n:,} × 10",
            measured,
            target,
            f"{twin / measured:,.0f} × the plain twin (~{twin:,.0f} s)",
        )


def section_growth() -> None:
    """Seconds of MDAV from 10⁴ to 10⁶ records."""
    print("MDAV, k = 5, lognormal: seconds as n grows")
    sizes = (10_000, 30_000, 100_000, 300_000, 1_000_000)
    print("  d   " + "".join(f"{n:>12,}" for n in sizes))
    for d in (2, 5, 10, 20):
        line = f"  {d:<4d}"
        for n in sizes:
            known = d < 20 or n <= 100_000  # beyond, minutes
            line += f"{seconds_of_mdav(lognormal, n, d):12.3f}" if known else "–".rjust(12)
        print(line, flush=True)


def section_optimal() -> None:
    """Optimal cuts of a sorted axis, small and large k, and by attributes."""
    print("Optimal partition of a sorted axis")
    axis = np.sort(normal(10_000_000, 1).ravel())
    optimal_cuts(axis[:1000], 5)
    optimal_cuts(axis[:1000], 50)
    small = axis[::1000]
    twin = seconds(lambda: plain.optimal_cuts(small, 5)) / len(small)
    for n, k, target in (
        (1_000_000, 5, 1.0),
        (10_000_000, 5, 3.0),
        (1_000_000, 100, None),
        (1_000_000, 5000, None),
    ):
        part = axis[:: len(axis) // n]
        measured = seconds(lambda part=part, k=k: optimal_cuts(part, k), 2)
        ratio = f"{twin * n / measured:,.0f} × the plain twin (~{twin * n:,.0f} s)" if k == 5 else ""
        row(f"{n:,} values, k = {k}", measured, target, ratio)
    points = normal(1_000_000, 10)
    optimal_cuts_attributes(points[:1000], 5)
    row("1,000,000 × 10 by attributes, k = 5", seconds(lambda: optimal_cuts_attributes(points, 5)))


SECTIONS = {"mdav": section_mdav, "growth": section_growth, "optimal": section_optimal}


def main() -> None:
    """Run the sections named on the command line, or all."""
    begin = time.perf_counter()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for name in sys.argv[1:] or SECTIONS:
        SECTIONS[name]()
    print(f"{time.perf_counter() - begin:.0f} s in all")


if __name__ == "__main__":
    main()
