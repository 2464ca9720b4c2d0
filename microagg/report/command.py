"""``microagg check`` and ``microagg report``: whether a file may leave, and the paper that goes with it."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from microagg.assess import assess
from microagg.check import check
from microagg.errors import DataError
from microagg.io.destination import claim
from microagg.io.formats import format_of
from microagg.io.writing import write_atomic
from microagg.measures.knowledge import DEFAULT, Knowledge
from microagg.opened import AsJson, File, Force, Neutralise, Read, opened, opened_plan
from microagg.outgoing import Outgoing
from microagg.protect import protect
from microagg.report import report

Plan = Annotated[Path, typer.Option(help="The plan that protects it.", show_default=False)]


def check_file(
    original: File,
    protected: Annotated[Path, typer.Argument(help="The file that is to leave.", show_default=False)],
    plan: Plan,
    read: Read = None,
    neutralised: Annotated[
        bool, typer.Option("--neutralised", help="Apostrophes stand before formulas, as asked.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Hold PROTECTED against ORIGINAL and the plan; exit status 1 where a check is red."""
    given = opened(original, read)
    release = protect(given.data, opened_plan(plan))
    try:
        written = Path(protected).read_bytes()
    except OSError as error:
        raise DataError(f"{protected} cannot be read: {error.strerror or error}.") from None
    text = format_of(protected.name).name == "csv"
    found = check(
        written, protected.name, release, dialect=given.dialect if text else None, neutralised=neutralised
    )
    if as_json:
        typer.echo(json.dumps([asdict(one) for one in found], ensure_ascii=False))
    else:
        for one in found:
            typer.echo(
                f"{'ok ' if one.passed else 'RED'}  {one.name:<22} {one.sentence} {one.detail}".rstrip()
            )
    raise typer.Exit(0 if all(one.passed for one in found) else 1)


def report_file(
    original: File,
    plan: Plan,
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
    read: Read = None,
    force: Force = False,
) -> None:
    """Protect ORIGINAL by a plan and report on it in one HTML file."""
    claim(out, (original, plan), force=force)
    given = opened(original, read)
    release = protect(given.data, opened_plan(plan))
    leaving = Outgoing(release, kind, given.dialect, given.labels, neutralise)
    result = assess(release, knowledge=Knowledge.parse(knowledge, release.columns), exact=exact)
    text = report(leaving, result, date=_date(date), source=given.source, external=external)
    write_atomic(out, text.encode())
    typer.echo(f"{out}: report on {leaving.file_name}")


def _date(text: str) -> dt.date:
    if not text:
        return dt.datetime.now().astimezone().date()
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise DataError(f"--date {text!r} must be a day such as 2026-01-31.") from None
