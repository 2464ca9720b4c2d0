"""``microagg assess``: what a released file has lost of the original, and what it still discloses."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Annotated, cast

import typer

from microagg.assessment.assess import Assessment, assess
from microagg.assessment.audit import audit, columns_of
from microagg.assessment.pairing import compare
from microagg.cli import audit_printing
from microagg.cli.choices import Exact, Knows, Weights, accepted, named_as, names, roles_named
from microagg.cli.input_file import (
    AsJson,
    File,
    Read,
    ReadProtected,
    opened,
    opened_plan,
    opened_release,
)
from microagg.cli.plan_options import Accept, Columns, Confidential
from microagg.exploration.least_loss import least_loss
from microagg.measures.catalogue import MEASURES
from microagg.measures.intervals import Width
from microagg.measures.knowledge import DEFAULT
from microagg.measures.matching import Direction


def assess_file(
    original: File,
    protected: Annotated[str, typer.Argument(help="The released file.")],
    columns: Columns = "",
    confidential: Confidential = "",
    knowledge: Knows = str(DEFAULT),
    k: Annotated[
        int | None, typer.Option(help="The group size that was promised; default: the plan's, or 2.")
    ] = None,
    plan: Annotated[
        Path | None, typer.Option(help="The plan it was released by: gives roles and k, undoes the shuffle.")
    ] = None,
    align: Annotated[
        str,
        typer.Option(help="What says which row is whose: index (row numbers where none), row, or a COLUMN."),
    ] = "index",
    weights: Weights = "paper 3",
    loss_weight: Annotated[
        float, typer.Option(help="Weight of IL in the score, 0…1; DR has the rest.")
    ] = 0.5,
    linkage_direction: Annotated[
        str, typer.Option(help="Who is looked up: 'protected to original' or 'original to protected'.")
    ] = "protected to original",
    interval_width: Annotated[
        str, typer.Option(help="Of interval disclosure, per cent of: ranks, 'standard deviations' or value.")
    ] = "ranks",
    exact: Exact = False,
    read: Read = None,
    read_protected: ReadProtected = None,
    accept: Accept = None,
    as_json: AsJson = False,
) -> None:
    """Measure what PROTECTED has lost of ORIGINAL and what it still discloses."""
    roles = named_as(columns=columns, confidential=confidential)
    given = opened(original, read)
    before = given.data.with_roles(roles_named(roles))
    release = compare(
        before,
        opened_release(protected, given, read_protected).data,
        columns=names(columns) or None,
        k=k,
        align="position" if align == "row" else align,
        plan=None if plan is None else opened_plan(plan),
    )
    found = assess(
        release,
        knowledge=knowledge,
        weights=weights,
        loss_weight=loss_weight,
        direction=cast("Direction", linkage_direction),  # what is none is refused there, in words
        width=cast("Width", interval_width),
        exact=exact,
    )
    for note in release.notes:
        typer.echo(f"note: {note}", err=True)
    findings, by_fate = audit(release, accepted(accept)), columns_of(release)
    if as_json:
        told = _figures(found, least_loss(release)) | audit_printing.as_json(findings, by_fate)
        typer.echo(json.dumps(told | {"notes": list(release.notes)}))
        return
    _print_assessment(found, least_loss(release), release.k)
    audit_printing.print_verdict(findings, by_fate)


def _figures(assessment: Assessment, least: float) -> dict[str, float | None]:
    """Every figure for machines; None where it is not defined."""
    figures = assessment.figures() | {"l_at_least": least}
    for name, found in assessment.linkages.items():
        if found.looked_up is not None:
            figures |= {f"{name}_looked_up": found.looked_up, f"{name}_standard_error": found.standard_error}
    return {name: value if math.isfinite(value) else None for name, value in figures.items()}


def _print_assessment(assessment: Assessment, least: float, k: int) -> None:
    linkages = assessment.linkages
    for name, value in assessment.figures().items():
        measure = MEASURES[name]
        typer.echo(f"{measure.title:<16} {measure.show(value):>12}   {assessment.sentence(name)}")
        if name in linkages and linkages[name].sampled:
            typer.echo(f"{'':<16} {'':>12}   {linkages[name].sampled.capitalize()} (standard error).")
        if name == "l" and math.isfinite(least):
            bound = f"The lowest possible loss in groups of at least {k} records."
            typer.echo(f"{'L, at least':<16} {measure.show(least):>12}   {bound}")
