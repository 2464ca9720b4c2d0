"""What refinement reaches, and when: ``python -m tests.benchmarks.refine``, seventeen minutes.

For each data set and k: 100·SSE/SST of MDAV, of the lower bound and of the refined partition (worst, mean,
best of the seeds: the best is the lowest value known here), when the last of the seeds reached the target,
and the loss of the worst seed after 0.5, 1, 2, 5, 10 and 20 seconds. Then what the better groups disclose:
L, DLD and ID of MDAV and of its refined twin under the default rounds. Then the local search alone on
100,000 × 10 lognormal records, and the ratio to a plain twin that settles the same region.

A run has 20 seconds on the clock, so its result depends on the machine and on what else runs there: run it
alone. With ``--rounds 4000 --seconds inf`` the results are the same everywhere. ``--quick`` gives two seeds
three seconds each and the last part a tenth of the records, to see that all of it works.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from microagg.exploration.refined_twins import table as beside
from microagg.exploration.refined_twins import with_twins
from microagg.exploration.sweep import outcomes
from microagg.kernels.scaling import standardise
from microagg.methods.bound import lower_bound
from microagg.methods.mdav import mdav
from microagg.methods.refine import ROUNDS, Refinement, refine
from microagg.methods.refine_region import empty_region, loss, measure, settle, tally
from microagg.model.microdata import Microdata
from microagg.model.plan import Plan
from tests.conftest import reference_file
from tests.methods.test_exact import sum_of_squares
from tests.methods.test_refine import settled_plainly

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microagg.kernels.compiled import FloatArray, IntArray

TARGETS = {
    "tarragona:3": 14.52,
    "tarragona:5": 20.18,
    "tarragona:10": 30.13,
    "census:3": 4.78,
    "census:5": 7.37,
    "census:10": 11.45,
    "eia:3": 0.372,
    "eia:5": 1.10,
    "eia:10": 1.98,
}
FOREVER = 10**9
MARKS = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
"""Seconds at which the loss is told."""


def numbers(name: str) -> FloatArray:
    """A reference file, standardised; EIA with UTILITYID and its ten amounts."""
    frame = pd.read_csv(reference_file(name))
    kept = frame.drop(columns=["UTILNAME", "STATE", "YEAR", "MONTH"]) if name == "eia" else frame
    return standardise(kept.to_numpy(np.float64))


def falling_loss(
    points: FloatArray, k: int, start: IntArray, rounds: int, seconds: float, seed: int
) -> list[tuple[float, float]]:
    """(seconds on the clock, sum of squares) whenever a run had found something better, and at its end."""
    began = time.monotonic()
    run = Refinement(points, k, start, rounds=rounds, seconds=seconds, seed=seed)
    curve = [(time.monotonic() - began, run.sse)]
    share = 0.0
    while share < 1:
        share = run.step()
        if run.sse < curve[-1][1]:
            curve.append((time.monotonic() - began, run.sse))
    return [*curve, (time.monotonic() - began, run.sse)]


def reaches(case: str, target: float, rounds: int, seconds: float, seeds: int) -> None:
    """Print a line of the table and a curve."""
    name, k = case.split(":")
    points = numbers(name)
    scale = 100 / float((points**2).sum())
    start = mdav(points, int(k))
    refine(points, int(k), start, rounds=0)  # compiled before the clock runs
    curves = [
        [
            (moment, scale * value)
            for moment, value in falling_loss(points, int(k), start, rounds, seconds, seed)
        ]
        for seed in range(seeds)
    ]
    last = [curve[-1][1] for curve in curves]
    when = [next((moment for moment, value in curve if value <= target), np.inf) for curve in curves]
    bound = scale * lower_bound(points, int(k))
    print(
        f"{case:<13} MDAV {curves[0][0][1]:8.4f}  bound {bound:8.4f}  target {target:6.3f}  "
        f"worst {max(last):8.4f}  mean {np.mean(last):8.4f}  best {min(last):8.4f}  "
        f"{np.mean([curve[-1][0] for curve in curves]):.1f} s a run, "
        + (f"target reached after {max(when):.1f} s" if max(last) <= target else "target MISSED"),
        flush=True,
    )
    curve = curves[int(np.argmax(last))]
    marks = [*(mark for mark in MARKS if mark < 0.97 * curve[-1][0]), curve[-1][0]]
    print("   ", *(f"{m:.3g} s {min(v for t, v in curve if t <= max(m, curve[0][0])):.4f} " for m in marks))


def disclosure(name: str, ks: Sequence[int], rounds: int) -> None:
    """Print what the refined groups lose and disclose, beside MDAV's."""
    points = numbers(name)
    columns = [f"c{j}" for j in range(points.shape[1])]
    roles: Any = dict.fromkeys(columns, "quasi_identifier")
    data = Microdata.from_frame(pd.DataFrame(points, columns=columns), roles=roles)
    found = [outcome for _, outcome in outcomes(data, with_twins([Plan(k=k) for k in ks], rounds))]
    for row in beside(found).sort_values("k").to_dict("records"):
        figures = (
            f"{title} {row[m]:8.3f} → {row[f'{m} refined']:8.3f} ({row[f'{m} change']:+.3f})"
            for m, title in (("l", "L"), ("dld", "DLD"), ("id", "ID"), ("score", "score"))
        )
        print(f"{name}:{row['k']:<3} {rounds} rounds  ", "  ".join(figures), flush=True)


def large(n: int) -> None:
    """Print what the local search alone gains on correlated lognormal records."""
    random = np.random.default_rng(0)
    mix = random.normal(size=(10, 10)) / np.sqrt(10)
    points = standardise(np.exp(0.75 * random.normal(size=(n, 10)) @ mix))
    began = time.perf_counter()
    start = mdav(points, 5)
    first = time.perf_counter() - began
    refine(points[:1000], 5, mdav(points[:1000], 5), rounds=0)  # compiled before the clock runs
    began, began_processor = time.perf_counter(), time.process_time()
    found = refine(points, 5, start, rounds=0)
    seconds, processor = time.perf_counter() - began, time.process_time() - began_processor
    gained = 100 - 100 * total_loss(points, found) / total_loss(points, start)
    print(
        f"{n:,} × 10, k = 5: MDAV {first:.1f} s, then local search {seconds:.1f} s on the clock, "
        f"{processor:.1f} s of processor: {gained:.1f} % less loss than MDAV",
        flush=True,
    )


def total_loss(points: FloatArray, labels: IntArray) -> float:
    """Sum of squares in O(nd): the definition's loop over groups would take a pass for each."""
    centres = np.column_stack([np.bincount(labels, column) for column in points.T])
    centres /= np.maximum(np.bincount(labels), 1)[:, np.newaxis]
    return float(((points - centres[labels]) ** 2).sum())


def twin() -> None:
    """Settle one region of 40 records by the kernel and by the twin."""
    random = np.random.default_rng(1)
    k, groups = 5, 8
    points = random.normal(size=(k * groups, 10))
    start = random.permutation(np.repeat(np.arange(groups), k))
    region = empty_region(10, k, groups)
    seconds = []
    for _ in range(2):  # the first compiles
        began = time.perf_counter()
        region.coordinates[:, : len(points)], region.group[: len(points)] = points.T, start
        measure(region, len(points))
        tally(region, len(points), groups)
        settle(region, len(points), groups, k, 1e-9)
        seconds.append(time.perf_counter() - began)
    began = time.perf_counter()
    plain = settled_plainly(points, start, k)
    ratio = (time.perf_counter() - began) / seconds[-1]
    print(
        f"one region, 40 records: the plain twin takes {ratio:,.0f} times as long; "
        f"loss {loss(region, groups):.3f}, the twin's {sum_of_squares(points, plain):.3f}"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="What refinement reaches, and when.")
    parser.add_argument("--quick", action="store_true", help="two seeds, three seconds each")
    parser.add_argument("--seconds", type=float, help="time of each run on the clock; 20")
    parser.add_argument("--rounds", type=int, default=FOREVER, help="rounds of each run")
    parser.add_argument("--seeds", type=int, help="runs of each case; 5")
    parser.add_argument("--only", choices=TARGETS, nargs="*", default=list(TARGETS), help="cases to run")
    chosen = parser.parse_args()
    seconds = chosen.seconds or (3.0 if chosen.quick else 20.0)
    seeds = chosen.seeds or (2 if chosen.quick else 5)
    for only in chosen.only:
        reaches(only, TARGETS[only], chosen.rounds, seconds, seeds)
    for only in dict.fromkeys(case.split(":")[0] for case in chosen.only):
        disclosure(only, (3, 5, 10), 20 if chosen.quick else ROUNDS)
    large(10_000 if chosen.quick else 100_000)
    twin()
