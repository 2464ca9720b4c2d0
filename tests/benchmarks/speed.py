"""Targets beside what is measured here, with the ratio to a plain twin in the same run.

``python -m tests.benchmarks.speed [section …]``, all sections by default, under six minutes together. Times
are this process's own CPU seconds after warm-up, the best of a few runs, so that other work on the machine
disturbs them little; what runs in two threads takes about half of that on an idle machine. A twin that would
take minutes is measured on fewer records and scaled by its known growth; its time is marked ~.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import time
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

import microagg as ma
from microagg.exploration.warm_up import ready
from microagg.kernels.scaling import standardise
from microagg.measures.knowledge import DEFAULT
from microagg.measures.linkage import distance_linkage, sample_of
from microagg.methods.kward import kward
from microagg.methods.mdav import mdav
from microagg.methods.optimal import optimal_cuts, optimal_cuts_attributes
from microagg.methods.vmdav import vmdav
from microagg.protection.centroids import centroids
from tests.measures.plain import linkage_credits
from tests.methods import plain
from tests.methods.test_kward import plain_kward

if TYPE_CHECKING:
    from collections.abc import Callable

    from microagg.kernels.compiled import FloatArray

GOOD, SLOW = "met", "MISSED"
MOST_IN_TIME = {2: 1_000_000, 5: 1_000_000, 10: 1_000_000, 20: 300_000}


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
            known = n <= MOST_IN_TIME[d]  # beyond, the six minutes would not do
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


@cache
def released(n: int) -> tuple[FloatArray, FloatArray]:
    """Lognormal records of ten attributes, and MDAV's release of them, k = 5."""
    points = lognormal(n, 10)
    return points, centroids(points, mdav(points, 5))


def section_linkage() -> None:
    """DLD of large files, all and on a sample, beside comparing all pairs."""
    print("Linkage by distance (DLD), MDAV k = 5, lognormal × 10")
    everything, few = (tuple(range(10)),), DEFAULT.sets(10)
    small = released(6_000)
    distance_linkage(*small, (*everything, *few))
    one = seconds(lambda: linkage_credits(*small, everything[0])) / 6_000**2
    several = seconds(lambda: [linkage_credits(*small, known) for known in few[::25]]) / 6_000**2
    for n in (100_000, 1_000_000):
        pair, rows = released(n), sample_of(n, 10_000)
        for what, sets, drawn, twin in (
            ("all known, all looked up", everything, None, one * n),
            ("all known, a sample of 10,000", everything, rows, one * 10_000),
            ("175 sets, all looked up", few, None, 25 * several * n),
            ("175 sets, a sample of 10,000", few, rows, 25 * several * 10_000),
        ):
            if n > 100_000 and drawn is None and len(sets) > 1:
                continue  # a minute
            began = time.process_time()
            found = distance_linkage(*pair, sets, rows=drawn)
            measured = time.process_time() - began
            ratio = f"{twin * n / measured:,.0f} × all pairs (~{twin * n:,.0f} s)"
            error = "" if drawn is None else f" ± {100 * found.standard_error:.2g}"
            row(f"{n:,}: {what}", measured, None, f"{ratio}, {100 * found.rate:.2f} %{error}")


def section_kernel() -> None:
    """What else goes through MDAV's kernel, as the pipeline runs it: beside MDAV itself."""
    print("The same kernel: 100,000 × 10 lognormal, k = 5, in the pipeline")
    n = 100_000
    frame = pd.DataFrame(lognormal(n, 12), columns=[f"a{i}" for i in range(12)])
    frame["s"] = np.arange(n) % 4
    roles = dict.fromkeys(frame.columns[:10], "quasi_identifier")
    data = ma.Microdata.from_frame(
        frame, roles={**roles, "a10": "confidential", "a11": "confidential", "s": "other"}
    )
    base = None
    for what, given, plan in (
        ("MDAV", data, ma.Plan()),
        ("λ = 0.5, two confidential attributes", data, ma.Plan(lam=0.5)),
        ("two blocks of five", data, ma.Plan(blocks="contiguous:2")),
        ("four strata", data.with_roles({"s": "stratum"}), ma.Plan()),
    ):
        measured = seconds(lambda given=given, plan=plan: ma.protect(given, plan))
        base = base or measured
        row(what, measured, None, f"{measured / base:.2f} × MDAV")
    points = np.ascontiguousarray(frame.to_numpy()[:, :10])
    measured = seconds(lambda: vmdav(points, 5))
    row("V-MDAV", measured, None, f"{measured / base:.2f} × MDAV")


def section_rest() -> None:
    """k-Ward and both sides of an assessment."""
    print("k-Ward and assess")
    eia = standardise(ma.load_dataset("eia").matrix(ma.load_dataset("eia").columns("quasi_identifier")))
    small = eia[:80]
    kward(small, 3, first="attribute", attribute=small[:, 0])
    twin = seconds(lambda: plain_kward(small, small[:, 0], 3)) * (len(eia) / len(small)) ** 3
    measured = seconds(lambda: kward(eia, 3), 2)
    ratio = f"{twin / measured:,.0f} × all pairs at every join (~{twin / 3600:,.0f} h)"
    row(f"k-Ward, EIA ({len(eia):,} × {eia.shape[1]}), k = 3", measured, None, ratio)
    for n in (10_000, 100_000):
        frame = pd.DataFrame(lognormal(n, 10), columns=[f"a{i}" for i in range(10)])
        data = ma.Microdata.from_frame(frame, roles=dict.fromkeys(frame.columns, "quasi_identifier"))
        release = ma.protect(data, ma.Plan())
        whole = seconds(lambda release=release: ma.assess(release))
        part = seconds(lambda release=release: ma.lost(release))
        row(f"assess {n:,} × 10, up to 3 known", whole, None, f"of which loss {part:.3f} s")


MEMORY = r"""
import re, sys, numpy as np
from pathlib import Path
from microagg.methods.mdav import mdav

def kibibytes(what):  # getrusage would begin at the peak of whoever started this process
    return int(re.search(what + r":\s+(\d+)", Path("/proc/self/status").read_text())[1])

points = np.random.default_rng(0).normal(size=(int(sys.argv[1]), 10))
mdav(points[:4000].copy(), 5)
before = kibibytes("VmRSS")
mdav(points, 5)
print((kibibytes("VmHWM") - before) * 1024 / points.nbytes)
"""


def section_memory() -> None:
    """What MDAV takes on top of the data, in a process of its own."""
    print("Memory of MDAV on top of the data, as a multiple of the data; ≤ 4 wanted")
    for n in (100_000, 500_000):
        command = [sys.executable, "-c", MEMORY, str(n)]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        print(f"  {n:,} × 10 {float(printed):10.2f}   {GOOD if float(printed) <= 4 else SLOW}", flush=True)


LONG = {
    "mdav": 100_000,
    "vmdav": 20_000,
    "maximum_distance": 4_000,
    "kward": 4_000,
    "constrained_lloyd": 2_000,
    "refined": 4_000,
    "genetic": 2_000,
    "pcp": 300_000,
    "individual_ranking": 300_000,
    "mic1d": 300_000,
}


def section_gaps() -> None:
    """The longest time between two reports of progress, at each of which a run may be stopped."""
    print("Longest CPU time between two looks at Cancel, in the pipeline, k = 5, normal × 5; ≤ 0.1 s wanted")
    for method, n in LONG.items():
        frame = pd.DataFrame(normal(n, 5), columns=list("abcde"))
        data = ma.Microdata.from_frame(frame, roles=dict.fromkeys("abcde", "quasi_identifier"))
        ready(method)
        pauses(data, ma.Plan(method=method))  # the first run may compile
        between = pauses(data, ma.Plan(method=method))
        row(f"{method}, {n:,}", max(between), 0.1, f"{len(between) - 1:,} looks in {sum(between):.1f} s")


def pauses(data: ma.Microdata, plan: ma.Plan) -> list[float]:
    """CPU seconds between the start, the reports of progress and the end of a run."""
    looks = [time.process_time()]
    ma.protect(data, plan, progress=lambda _: looks.append(time.process_time()))
    looks.append(time.process_time())
    return [after - before for before, after in pairwise(looks)]


PARTS = {
    "sidebar": "plan.controls.sidebar",
    "protect": "explore.runs.protect",
    "measure: loss": "explore.runs.lost",
    "measure: disclosure": "explore.runs.disclosed",
    "seven figures": "results.headline.figures",
    "verdict, bound": "results.verdict.draw explore.lower_bound.line",
    "curve of λ: partitions": "explore.tradeoffs.finish",
    "curve of λ: figure": "explore.tradeoffs.dependence",
    "map of risk": "explore.tradeoffs.risk_map",
    "tab of distributions": "explore.details.tabs",
    "undo, pin, save": "results.actions.undo_and_pin results.actions.save",
}


def section_profile() -> None:
    """Where the time of one update of Explore goes: k moved on Tarragona, without a browser."""
    from streamlit.testing.v1 import AppTest

    from microagg.ui.explore import runs

    print("One update of Explore on Tarragona: milliseconds on the clock, mean of ten moves of k")
    ready("mdav")
    runs.AT_ONCE = 60.0
    spent = {part: [timed(name) for name in names.split()] for part, names in PARTS.items()}
    page = AppTest.from_file(str(Path(__file__).parents[2] / "app.py"), default_timeout=60)
    page.query_params["data"] = "tarragona"
    page.run()
    page.switch_page("pages/explore.py").run()
    for clocks in spent.values():
        for clock in clocks:
            clock.clear()
    began, moves = time.perf_counter(), range(6, 16)
    for k in moves:
        next(slider for slider in page.slider if slider.key.startswith("k-")).set_value(k).run()
    whole = time.perf_counter() - began
    means = {part: sum(map(sum, clocks)) / len(moves) for part, clocks in spent.items()}
    means["the rest: Streamlit, frame"] = whole / len(moves) - sum(means.values())
    for part, mean in means.items():
        print(f"  {part:<28}{1000 * mean:8.1f}")
    print(f"  {'in all':<28}{1000 * whole / len(moves):8.1f}", flush=True)


def timed(name: str) -> list[float]:
    """Wrap a function of the dashboard so that each call's seconds are noted in the list."""
    room, module_name, function_name = name.split(".")
    module = importlib.import_module(f"microagg.ui.{room}.{module_name}")
    function, clock = getattr(module, function_name), list[float]()

    def wrapped(*given: object, **named: object) -> object:
        began = time.perf_counter()
        try:
            return function(*given, **named)
        finally:
            clock.append(time.perf_counter() - began)

    setattr(module, function_name, wrapped)
    return clock


SECTIONS = {
    "mdav": section_mdav,
    "growth": section_growth,
    "optimal": section_optimal,
    "linkage": section_linkage,
    "kernel": section_kernel,
    "rest": section_rest,
    "memory": section_memory,
    "gaps": section_gaps,
    "profile": section_profile,
}


def main() -> None:
    """Run the sections named on the command line, or all."""
    begin = time.perf_counter()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for name in sys.argv[1:] or SECTIONS:
        SECTIONS[name]()
    print(f"{time.perf_counter() - begin:.0f} s in all")


if __name__ == "__main__":
    main()
