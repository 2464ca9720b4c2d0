"""``microagg protect``: a file and a plan in, the protected file out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from microagg.assessment.audit import audit, columns_of
from microagg.cli import audit_printing
from microagg.cli.distributing import protect_folder
from microagg.cli.input_file import (
    AsJson,
    File,
    Force,
    Neutralise,
    Read,
    opened,
    opened_plan,
)
from microagg.cli.plan_options import asks_for_plan, plan_asked
from microagg.cli.refinement_progress import watched
from microagg.errors import PlanError
from microagg.handover.verification import formulas
from microagg.io.destination import claim
from microagg.io.formats import format_of
from microagg.io.saving import write_table
from microagg.io.writing import neutralise
from microagg.model.dates import told_as_text
from microagg.model.plan import Plan
from microagg.model.release import Release
from microagg.protection.protect import protect


@asks_for_plan
def protect_file(
    file: File,
    out: Annotated[str, typer.Option(help="Where it goes; the ending says the format.", show_default=False)],
    asked: Mapping[str, Any],
    plan: Annotated[
        Path | None, typer.Option(help="A plan saved by the page; other choices go on top of it.")
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(help="Seconds of refinement; then, or on Ctrl-C, the best so far is taken."),
    ] = None,
    read: Read = None,
    neutral: Neutralise = False,
    engine: Annotated[str, typer.Option(help="dask: in parts, from a Parquet folder to another one.")] = "",
    scheduler: Annotated[
        str, typer.Option(help="Of a Dask cluster, tcp://…; without it, two processes on this machine.")
    ] = "",
    part: Annotated[int | None, typer.Option(help="Records of a part, with --engine dask.")] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Protect FILE and write the result to OUT."""
    if budget is not None and not budget >= 0:
        raise PlanError(f"--budget is {budget:g}; it must be a number of seconds, 0 or more.")
    chosen = plan_asked(asked, Plan() if plan is None else opened_plan(plan))
    if engine or scheduler or part:
        if engine != "dask":
            raise PlanError(f"There is no engine {engine!r}; --scheduler and --part need --engine dask.")
        if read or neutral or force or budget is not None:
            raise PlanError(
                "--read, --neutralise, --force and --budget are for one machine; leave out --engine."
            )
        if "://" not in str(out):
            claim(out, (file, plan))
        protect_folder(file, str(out), chosen, scheduler=scheduler, part=part, as_json=as_json)
        return
    claim(out, (file, plan), force=force)
    given = opened(file, read)
    if asked["weight"]:  # of several that look like weights, this one weighs
        rest = set(given.data.columns("weight")) - set(chosen.roles)
        chosen = chosen.replace(roles={**chosen.roles, **dict.fromkeys(rest, "other")})
    with watched(budget) as watch:
        release = protect(given.data, chosen, watch=watch)
    table = neutralise(release.protected) if neutral else release.protected
    write_table(table, Path(out), dialect=given.dialect, labels=given.labels)
    risk = formulas(table, Path(out).name)
    if risk.status == "red":
        typer.echo(f"warning: {risk.sentence} --neutralise marks them as text.", err=True)
    notes = (*release.notes, *told_as_text(table, format_of(str(out)).name))
    for note in notes:
        typer.echo(f"note: {note}", err=True)
    left_out = len(given.data) - len(release.protected)
    _print_release(release, release.plan or chosen, out, left_out, notes, as_json=as_json)


def _print_release(
    release: Release, plan: Plan, out: str, left_out: int, notes: tuple[str, ...], *, as_json: bool
) -> None:
    records = len(release.protected)
    findings, by_fate = audit(release), columns_of(release)
    if not as_json:
        typer.echo(f"{out}: {records} records protected by {plan.to_json()}")
        audit_printing.print_verdict(findings, by_fate)
        return
    done = {
        "written": str(out),
        "records": records,
        "left_out": left_out,
        "notes": notes,
        "seconds": round(release.seconds, 3),
        "plan": plan.to_json(),
    }
    typer.echo(json.dumps(done | audit_printing.as_json(findings, by_fate), ensure_ascii=False))
