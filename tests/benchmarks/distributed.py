"""Files beyond one machine: throughput as they grow, memory of the workers, and the price of dividing them.

``python -m tests.benchmarks.distributed [--largest N] [--price-only]``: lognormal records of ten attributes,
any two of whose logarithms correlate by 0.5, MDAV with k = 5, from one Parquet folder to another on two
worker processes of one thread. They are made partition by partition; nothing holds them whole. By default up
to 1,000,000 records; ``--largest 10000000`` takes some ten minutes and 2 GB of disk.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self

import dask.dataframe as dd
import numpy as np
import pandas as pd
import psutil

import microagg as ma
from microagg.distributed import parts
from microagg.distributed.cluster import MEMORY, cluster
from microagg.distributed.engine import protect_lazily
from microagg.kernels.scaling import standardise
from microagg.measures.loss import sums_of_squares
from microagg.methods.mdav import mdav

if TYPE_CHECKING:
    from distributed import Client

    from microagg.kernels.compiled import FloatArray

K = 5
SIZES = (100_000, 1_000_000, 10_000_000)
PARTS = (1, 2, 4, 8, 16, 32)
FILE = 250_000


def lognormal(n: int, seed: int = 1) -> FloatArray:
    """Ten lognormal attributes, any two of whose logarithms correlate by 0.5."""
    rng = np.random.default_rng(seed)
    common = rng.normal(size=(n, 1))
    return np.exp(np.sqrt(0.5) * common + np.sqrt(0.5) * rng.normal(size=(n, 10)))


def price(n: int) -> None:
    """Print the loss of MDAV in parts beside that of one run over all records."""
    points, ids = standardise(lognormal(n)), np.arange(n)
    whole = 0.0
    print(f"\nThe price of parts: MDAV, k = {K}, {n:,} records")
    print("  parts  records of each   SSE/SST    to one part")
    for count in PARTS:
        part = parts.part_of(parts.grow(points, ids, count), points, ids)
        labels = np.empty(n, dtype=np.int64)
        for number in range(count):
            rows = np.flatnonzero(part == number)
            labels[rows] = number * n + mdav(
                np.ascontiguousarray(points[rows] - points[rows].mean(axis=0)), K
            )
        sse, sst = sums_of_squares(points, labels)
        whole = whole or sse
        print(f"  {count:5d}{n // count:17,d}{sse / sst:10.4%}{sse / whole:15.4f}", flush=True)


class Watched:
    """The largest resident memory of each worker process while something runs."""

    def __init__(self, client: Client) -> None:
        self.processes = [
            psutil.Process(pid) for pid in client.run(lambda: __import__("os").getpid()).values()
        ]
        self.most = [0] * len(self.processes)
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._look)

    def _look(self) -> None:
        while not self.ended.wait(0.1):
            for i, process in enumerate(self.processes):
                if process.is_running():
                    self.most[i] = max(self.most[i], process.memory_info().rss)

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self.thread.join()


def throughput(largest: int) -> None:
    """Print time, memory and loss as files grow."""
    print(f"\nOn two workers ({MEMORY} each): MDAV, k = {K}, ten attributes, with all measures")
    print(
        "       records  parts   seconds  protecting  records/s  growth   GiB of each    SSE/SST  to one part"
    )
    last = base = 0.0
    with cluster() as client, tempfile.TemporaryDirectory() as folder:
        for n in (size for size in SIZES if size <= largest):
            source = Path(folder) / str(n)
            source.mkdir()
            for number, first in enumerate(range(0, n, FILE)):
                values = lognormal(min(FILE, n - first), seed=number)
                names = [f"x{j}" for j in range(10)]
                pd.DataFrame(values, columns=names).to_parquet(source / f"{number:04d}.parquet")
            if not base:
                frame = dd.read_parquet(source)
                base = protect_lazily(frame, ma.Plan(k=K), part=n).write(f"{source}-one-part").l
            with Watched(client) as seen:
                began = time.perf_counter()
                release = ma.protect(dd.read_parquet(source), ma.Plan(k=K))
                begun = time.perf_counter()
                found = release.write(f"{source}-protected")
                seconds, writing = time.perf_counter() - began, time.perf_counter() - begun
            speed = n / seconds
            growth = f"{speed / last:.2f}×" if last else "–"
            memory = ", ".join(f"{most / 2**30:.2f}" for most in seen.most)
            print(
                f"  {n:12,d}{release.parts[0]:7d}{seconds:10.1f}{writing:12.1f}{speed:11,.0f}"
                f"{growth:>8}{memory:>14}{found.l:11.4%}{found.l / base:13.4f}",
                flush=True,
            )
            last = speed


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--largest", type=int, default=1_000_000)
    asked.add_argument("--price-only", action="store_true")
    chosen = asked.parse_args()
    price(50_000)
    if not chosen.price_only:
        throughput(chosen.largest)
