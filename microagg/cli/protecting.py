"""``microagg protect``: a file and a plan in, the protected file out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from microagg.assessment.audit import audit, columns_of
from microagg.cli import audit_printing
from microagg.cli.choices import (
    BlockRule,
    Columns,
    Confidential,
    Identifiers,
    Method,
    Missing,
    MissingCodes,
    Nominal,
    Orders,
    Ordinal,
    Rounding,
    Shuffle,
    SmallStrata,
    Strata,
    Unit,
    Weight,
    listed_codes,
    listed_options,
    listed_orders,
    named_as,
    names,
    order_seed,
    roles_named,
)
from microagg.cli.distributing import protect_folder
from microagg.cli.input_file import (
    Accept,
    AsJson,
    File,
    Force,
    Neutralise,
    Read,
    accepted,
    opened,
    opened_plan,
)
from microagg.cli.refinement_progress import watched
from microagg.errors import PlanError
from microagg.handover.verification import formulas
from microagg.io.destination import claim
from microagg.io.formats import format_of
from microagg.io.saving import write_table
from microagg.io.writing import neutralise
from microagg.model.dates import told_as_text
from microagg.model.plan import Plan
from microagg.protection.protect import protect


def protect_file(
    file: File,
    out: Annotated[str, typer.Option(help="Where it goes; the ending says the format.", show_default=False)],
    plan: Annotated[
        Path | None, typer.Option(help="A plan saved by the page; other choices go on top of it.")
    ] = None,
    method: Method = "",
    k: Annotated[
        int | None, typer.Option(help="Minimum group size; 5 where neither this nor a plan says.")
    ] = None,
    columns: Columns = "",
    blocks: BlockRule = "",
    lam: Annotated[float | None, typer.Option(help="λ: weight of the confidential attributes, 0…1.")] = None,
    aggregate: Annotated[str, typer.Option(help="mean or median.")] = "",
    option: Annotated[
        list[str] | None, typer.Option(help="NAME=VALUE of the method; may be repeated.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="For methods that draw random numbers.")] = None,
    refine: Annotated[int | None, typer.Option(help="Rounds of refinement after the method.")] = None,
    budget: Annotated[
        float | None,
        typer.Option(help="Seconds of refinement; then, or on Ctrl-C, the best so far is taken."),
    ] = None,
    confidential: Confidential = "",
    identifiers: Identifiers = "",
    keep_identifiers: Annotated[bool, typer.Option("--keep-identifiers", help="Release them too.")] = False,
    missing: Missing = "",
    missing_codes: MissingCodes = None,
    strata: Strata = "",
    small_strata: SmallStrata = "",
    weight: Weight = "",
    unit: Unit = "",
    nominal: Nominal = "",
    ordinal: Ordinal = "",
    orders: Orders = None,
    rounding: Rounding = "",
    shuffle: Shuffle = "",
    read: Read = None,
    neutral: Neutralise = False,
    engine: Annotated[str, typer.Option(help="dask: in parts, from a Parquet folder to another one.")] = "",
    scheduler: Annotated[
        str, typer.Option(help="Of a Dask cluster, tcp://…; without it, two processes on this machine.")
    ] = "",
    part: Annotated[int | None, typer.Option(help="Records of a part, with --engine dask.")] = None,
    accept: Accept = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Protect FILE and write the result to OUT."""
    roles = named_as(
        columns=columns, confidential=confidential, identifiers=identifiers, weight=weight, unit=unit
    )
    if budget is not None and not budget >= 0:
        raise PlanError(f"--budget is {budget:g}; it must be a number of seconds, 0 or more.")
    base = Plan() if plan is None else opened_plan(plan)
    changes: dict[str, Any] = {
        "method": method or None,
        "k": k,
        "columns": names(columns) or None,
        "blocks": blocks or None,
        "lam": lam,
        "aggregate": aggregate or None,
        "options": listed_options(option) if option else ({} if method and method != base.method else None),
        "seed": seed,
        "refine": refine,
        "keep_identifiers": keep_identifiers or None,
        "missing": missing or None,
        "missing_codes": listed_codes(missing_codes) if missing_codes else None,
        "strata": names(strata) or None,
        "small_strata": small_strata or None,
        "weighted": bool(weight) or None,
        "orders": listed_orders(orders) if orders else None,
        "rounding": rounding or None,
        "shuffle": order_seed(shuffle),
        "accept": dict(base.accept) | accepted(accept) or None,
    }
    chosen = base.replace(**{name: value for name, value in changes.items() if value is not None})
    chosen = chosen.replace(
        roles={**chosen.roles, **roles_named(roles)},
        scales={**chosen.scales, **named_as(nominal=nominal, ordinal=ordinal)},
    )
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
    if weight:  # of several that look like weights, this one weighs
        rest = set(given.data.columns("weight")) - set(chosen.roles)
        chosen = chosen.replace(roles={**chosen.roles, **dict.fromkeys(rest, "other")})
    with watched(budget) as watch:
        release = protect(given.data, chosen, watch=watch)
    chosen = release.plan or chosen
    table = neutralise(release.protected) if neutral else release.protected
    write_table(table, Path(out), dialect=given.dialect, labels=given.labels)
    risk = formulas(table, Path(out).name)
    if risk.status == "red":
        typer.echo(f"warning: {risk.sentence} --neutralise marks them as text.", err=True)
    notes = (*release.notes, *told_as_text(table, format_of(str(out)).name))
    for note in notes:
        typer.echo(f"note: {note}", err=True)
    records = len(release.protected)
    done = {
        "written": str(out),
        "records": records,
        "left_out": len(given.data) - records,
        "notes": notes,
        "seconds": round(release.seconds, 3),
        "plan": chosen.to_json(),
    }
    findings, by_fate = audit(release), columns_of(release)
    if as_json:
        typer.echo(json.dumps(done | audit_printing.as_json(findings, by_fate), ensure_ascii=False))
        return
    typer.echo(f"{out}: {records} records protected by {chosen.to_json()}")
    audit_printing.print_verdict(findings, by_fate)
