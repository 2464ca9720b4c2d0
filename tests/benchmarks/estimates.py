"""Estimated beside measured time of every method that has a cost, on skewed and on round clouds of records.

Run with ``python -m tests.benchmarks.estimates``, some minutes. What a run takes depends on the records as
well as on their number: estimates are for skewed attributes, as money is. The machine's speed is taken out by
the median of the ratios on skewed records; each of these must then lie within a factor of three. Methods
without a cost must be done with 20,000 records within five seconds.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from microagg.methods import METHODS
from microagg.methods.costs import small
from microagg.model.microdata import Microdata
from microagg.model.plan import Plan
from microagg.protection.protect import protect

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST = 3.0
QUICK = 5.0
SIZES: dict[str, tuple[tuple[int, int, int, dict[str, Any]], ...]] = {
    "mixed": ((10_000, 3, 5, {}), (20_000, 10, 5, {}), (20_000, 10, 20, {})),
    "maximum_distance": ((10_000, 3, 5, {}), (20_000, 3, 5, {}), (10_000, 10, 5, {}), (10_000, 10, 20, {})),
    "kward": ((10_000, 3, 5, {}), (20_000, 3, 5, {}), (10_000, 10, 20, {})),
    "kward_univariate": ((20_000, 3, 5, {}), (40_000, 3, 5, {})),
    "constrained_lloyd": ((1_000, 3, 5, {}), (2_000, 3, 5, {}), (2_000, 3, 20, {"candidates": 5})),
    "genetic": ((2_000, 3, 5, {}), (10_000, 3, 5, {"generations": 100})),
}


def records(n: int, d: int, *, skewed: bool) -> Microdata:
    """Records of d attributes that correlate: lognormal, or normal."""
    rng = np.random.default_rng(n + d)
    values = 0.7 * rng.normal(size=(n, d)) + 0.7 * rng.normal(size=(n, 1))
    frame = pd.DataFrame(np.exp(values) if skewed else values, columns=[f"x{j}" for j in range(d)])
    return Microdata.from_frame(frame, roles=dict.fromkeys(frame.columns, "quasi_identifier"))


def seconds(name: str, n: int, d: int, k: int, options: dict[str, Any], *, skewed: bool) -> float:
    """CPU time of one run, everything compiled."""
    blocks = "single" if METHODS[name].single_attribute else "all"
    plan = Plan(method=name, k=k, options=options, blocks=blocks)
    protect(records(60, d, skewed=skewed), plan)
    data, began = records(n, d, skewed=skewed), time.process_time()
    protect(data, plan)
    return time.process_time() - began


def measured() -> Iterator[tuple[str, bool, float, float]]:
    """What was run, whether on skewed records, estimated and measured seconds."""
    for name, cases in SIZES.items():
        for n, d, k, options in cases:
            method = METHODS[name]
            said = method.cost(n, d, k, method.complete(options)).seconds
            for skewed in (True, False):
                what = f"{name}, {n:,} × {d}, k = {k}, {'skewed' if skewed else 'round'}"
                yield what, skewed, said, seconds(name, n, d, k, options, skewed=skewed)


def main() -> None:
    """Print estimate, measured and ratio; leave with status 1 where one is off."""
    found = []
    for what, skewed, said, took in measured():
        print(f"{what:58} said {said:8.2f} s   measured {took:8.2f} s   ratio {took / said:6.2f}", flush=True)
        found.append((what, skewed, took / said))
    machine = float(np.median([ratio for _, skewed, ratio in found if skewed]))
    print(f"this machine: × {machine:.2f}")
    off = [what for what, skewed, ratio in found if skewed and not 1 / MOST <= ratio / machine <= MOST]
    for name, method in METHODS.items():
        if method.cost is small:
            took = seconds(name, 20_000, 5, 5, {"rounds": 5} if name == "refined" else {}, skewed=True)
            print(f"{name:58} said    quick     measured {took:8.2f} s", flush=True)
            off += [name] * (took > QUICK * max(machine, 1))
    sys.exit(f"off: {'; '.join(off)}" if off else 0)


if __name__ == "__main__":
    main()
