"""``microagg check`` and ``microagg report``: whether a file may leave, and the paper that goes with it."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from microagg.assessment.assess import assess
from microagg.cli import audit_printing
from microagg.cli.choices import accepted
from microagg.cli.input_file import (
    AsJson,
    File,
    Force,
    Neutralise,
    Read,
    opened,
    opened_plan,
)
from microagg.cli.plan_options import Accept
from microagg.errors import DataError
from microagg.handover.release_file import Outgoing
from microagg.handover.report import report
from microagg.handover.verification import look
from microagg.io.destination import claim
from microagg.io.formats import format_of
from microagg.io.writing import write_atomic
from microagg.measures.knowledge import DEFAULT, Knowledge
from microagg.model.findings import worst
from microagg.protection.protect import protect

if TYPE_CHECKING:
    from microagg.model.plan import Plan

PlanFile = Annotated[Path, typer.Option(help="The plan that protects it.", show_default=False)]


def check_file(
    original: File,
    protected: Annotated[Path, typer.Argument(help="The file that is to leave.", show_default=False)],
    plan: PlanFile,
    read: Read = None,
    neutralised: Annotated[
        bool, typer.Option("--neutralised", help="Apostrophes stand before formulas, as asked.")
    ] = False,
    accept: Accept = None,
    as_json: AsJson = False,
) -> None:
    """Hold PROTECTED against ORIGINAL and the plan, and audit it; exit status 1 where something is red."""
    given = opened(original, read)
    release = protect(given.data, _with(opened_plan(plan), accept))
    try:
        written = Path(protected).read_bytes()
    except OSError as error:
        raise DataError(f"{protected} cannot be read: {error.strerror or error}.") from None
    text = format_of(protected.name).name == "csv"
    checks, findings, columns = look(
        written,
        protected.name,
        release,
        dialect=given.dialect if text else None,
        neutralised=neutralised,
        labels=given.labels,
    )
    if as_json:
        told = {"checks": [asdict(one) for one in checks]} | audit_printing.as_json(findings, columns)
        typer.echo(json.dumps(told, ensure_ascii=False))
    else:
        for one in checks:
            audit_printing.print_line(one.status, one.name, f"{one.sentence} {one.detail}")
        audit_printing.print_verdict(findings, columns)
    red = worst((findings.status, *(one.status for one in checks))) == "red"
    raise typer.Exit(1 if red else 0)


def report_file(
    original: File,
    plan: PlanFile,
    out: Annotated[Path, typer.Option(help="Where the report goes (HTML).", show_default=False)],
    kind: Annotated[
        str, typer.Option("--format", help="Format of the protected file: csv, excel, parquet, stata, …")
    ] = "csv",
    external: Annotated[
        bool, typer.Option("--external", help="Leave out what would help an intruder.")
    ] = False,
    knowledge: Annotated[str, typer.Option(help="What the intruder may know, as for assess.")] = str(DEFAULT),
    exact: Annotated[
        bool, typer.Option("--exact", help="Look up every record in linkage, however long it takes.")
    ] = False,
    date: Annotated[str, typer.Option(help="YYYY-MM-DD; today where left out.")] = "",
    neutralise: Neutralise = False,
    accept: Accept = None,
    read: Read = None,
    force: Force = False,
) -> None:
    """Protect ORIGINAL by a plan and report on it in one HTML file."""
    claim(out, (original, plan), force=force)
    given = opened(original, read)
    release = protect(given.data, _with(opened_plan(plan), accept))
    leaving = Outgoing(release, kind, given.dialect, given.labels, neutralise)
    result = assess(release, knowledge=Knowledge.parse(knowledge, release.columns), exact=exact)
    text = report(leaving, result, date=_date(date), source=given.source, external=external)
    write_atomic(out, text.encode())
    typer.echo(f"{out}: report on {leaving.file_name}")


def _with(plan: Plan, accept: list[str] | None) -> Plan:
    return plan.replace(accept=dict(plan.accept) | accepted(accept))


def _date(text: str) -> dt.date:
    if not text:
        return dt.datetime.now().astimezone().date()
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise DataError(f"--date {text!r} must be a day such as 2026-01-31.") from None
