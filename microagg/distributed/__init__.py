"""Beyond one machine: the same plan on Dask, for files that no machine holds.

A file is cut anew into chunks of a fixed number of records (`chunks`), so that nothing which follows depends
on the partitions it came in, nor on the number of workers. The first passes count and add up
(`file_statistics`), and divide the records into parts that a worker can hold, by splits at quantiles along
principal directions (`parts`); strata and patterns of missing values come first. Then each part is a cell of
the file, as a stratum is on one machine: its records are gathered on a worker, partitioned and replaced by
the plan's own solver (`solving`), and go back to their places. `measures` are taken of what was written,
`result_writing` puts it in place whole or not at all, and `engine` and `release` are the order of all this.

What reaches the client are moments, quantiles and counts, never records.

The package dask, which `microagg[dask]` brings, is needed for this alone: the rest of the library works
without it, and `result_folder` opens a result without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from microagg.protection.protect import ENGINES

if TYPE_CHECKING:
    from microagg.distributed.release import DistributedRelease
    from microagg.model.plan import Plan


def protect_in_parts(frame: Any, plan: Plan) -> DistributedRelease:
    """Protect a dask DataFrame, as `microagg.protect` does; dask is imported now and not before."""
    from microagg.distributed.engine import protect_lazily

    return protect_lazily(frame, plan)


ENGINES["dask"] = protect_in_parts
