"""``microagg protect --engine dask``: a Parquet folder in, another one with the protected file out."""

from __future__ import annotations

import json
import math
import time
from typing import TYPE_CHECKING

import typer

from microagg.cli import audit_printing
from microagg.distributed.audit import columns_in_parts
from microagg.errors import DataError
from microagg.io.optional_packages import needed
from microagg.measures.catalogue import MEASURES

if TYPE_CHECKING:
    from microagg.model.plan import Plan

SHOWN = tuple(name for name in MEASURES if name != "pld")
"""Figures that are printed; probabilistic linkage is measured where it is asked for alone."""


def protect_folder(
    source: str, out: str, plan: Plan, *, scheduler: str = "", part: int | None = None, as_json: bool = False
) -> None:
    """Protect a Parquet file or folder on Dask and say what came out.

    Raises
    ------
    MicroaggError
        As `microagg.distributed.engine.protect_lazily` and `DistributedRelease.write`.
    """
    for package in ("dask.dataframe", "distributed"):
        needed(package, "Runs with --engine dask", "microagg[dask]")
    import dask.dataframe as dd

    from microagg.distributed.cluster import cluster
    from microagg.distributed.engine import protect_lazily
    from microagg.distributed.result_writing import reason

    began = time.perf_counter()
    with cluster(scheduler):
        try:
            frame = dd.read_parquet(source)
        except (OSError, ValueError, ImportError) as error:
            raise DataError(f"{source} cannot be read as a Parquet folder: {reason(error)}.") from None
        release = protect_lazily(frame, plan, part=part)
        for note in release.notes:
            typer.echo(f"note: {note}", err=True)
        typer.echo(f"parts: {', '.join(map(str, release.parts))}", err=True)
        found = release.write(out)
    figures, findings = found.as_dict(), release.audit(measures=found)
    if as_json:
        done = {"written": out, "seconds": round(time.perf_counter() - began, 3), "measures": figures}
        told = {"plan": release.plan.to_json()} | audit_printing.as_json(
            findings, columns_in_parts(release.outline)
        )
        typer.echo(json.dumps(done | told, ensure_ascii=False))
        return
    typer.echo(f"{out}: {found.records} records protected by {plan.to_json()}")
    for name in SHOWN:
        value = math.nan if figures[name] is None else float(figures[name])
        typer.echo(f"{MEASURES[name].title:<16} {MEASURES[name].show(value):>12}   {MEASURES[name].sentence}")
    audit_printing.print_verdict(findings, columns_in_parts(release.outline))
