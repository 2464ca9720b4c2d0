"""The verdict as the command line prints it: a line a finding, and every column by what becomes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from microagg.model.findings import Findings, Status

MARKS: dict[Status, str] = {"red": "RED", "amber": "amber", "green": "ok"}
_WORDS = {"protected": "Protected", "untouched": "Released as they are", "dropped": "Left out"}
_WORDS["changed"] = "Neither the plan's values nor the original's"


def print_line(status: Status, name: str, sentence: str) -> None:
    """Print one thing that was looked at."""
    typer.echo(f"{MARKS[status]:<5}  {name:<22} {sentence}".rstrip())


def print_verdict(findings: Findings, columns: Mapping[str, Sequence[str]]) -> None:
    """Print all findings and all columns.

    Parameters
    ----------
    findings : Findings
    columns : mapping of str to sequence of str
        As `microagg.assessment.audit.columns_of`.
    """
    for found in findings:
        print_line(found.status, found.name, found.said)
    for what, names in columns.items():
        typer.echo(f"{_WORDS[what]}: {', '.join(names) or 'none'}")


def as_json(findings: Findings, columns: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The same for machines."""
    return {"audit": findings.to_list(), "columns": {what: list(names) for what, names in columns.items()}}
