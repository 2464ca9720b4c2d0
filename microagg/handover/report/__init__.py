"""The report on a release: one HTML file that needs nothing else, for the house or for the world.

The template escapes every text it is given, so that a column's name is never markup; figures are SVG in the
page. The same release, date and version give the same text.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import jinja2

from microagg.assessment.audit.released import columns_unchanged
from microagg.handover.report import contents
from microagg.handover.report.owner import HIDDEN_BY, answers
from microagg.handover.report.plan_in_words import plan_in_words
from microagg.handover.reproduction import Source, command_line, plan_text
from microagg.model.findings import WORST_FIRST, Findings, headline, worst
from microagg.model.phrases import counted, listed

if TYPE_CHECKING:
    import datetime as dt

    from microagg.assessment.assess import Assessment
    from microagg.handover.file_check import Check
    from microagg.handover.release_file import Outgoing
    from microagg.model.findings import Finding, Status

__all__ = ["report"]


def report(
    out: Outgoing,
    result: Assessment,
    *,
    date: dt.date,
    source: Source | None = None,
    external: bool = False,
) -> str:
    """Report on a release.

    Parameters
    ----------
    out : Outgoing
        The release as it is written; the report speaks of these bytes.
    result : Assessment
        Of the same release.
    date : date
        Printed on it.
    source : Source, optional
        Where the original came from; without it there is no command line to make the file again.
    external : bool
        Whether to leave out what would help an intruder, so that the report may go with the file.

    Returns
    -------
    str
        HTML.

    Raises
    ------
    DataError
        The format cannot hold a name or value of the table.
    """
    release = out.release
    checks = [found for found in out.checks if not (external and found.internal)]
    findings = contents.findings(out.audit, external=external)
    page = {
        "external": external,
        "out": out,
        "size": len(out.written),
        "release": release,
        "date": date.isoformat(),
        "checks": checks,
        "findings": findings,
        "headline": _headline(out, checks, findings),
        "hidden": _hidden(out),
        "unchanged": listed(columns_unchanged(release)),
        "columns": contents.columns(release),
        "measures": contents.measures(result, external=external),
        "figures": contents.figures(release, result, external=external),
        "versions": contents.versions(),
        "identifiers_out": bool(release.data.columns("identifier"))
        and out.audit.named("identifiers").status == "green",
        "groups": bool(release.partitions) or release.plan is None,
    }
    if not external:
        page |= {
            "answers": answers(release, result, out.checks, out.audit),
            "plan": plan_in_words(release),
            "notes": release.notes,
            "left_out": contents.left_out(release),
            "totals": contents.sums(release),
            "knowledge": str(result.disclosed.knowledge),
            "plan_text": plan_text(release),
            "command": None if source is None else command_line(source, out, f"{out.stem}_plan.json"),
        }
    return _template().render(page)


def _headline(out: Outgoing, checks: list[Check], findings: list[Finding]) -> tuple[Status, str]:
    """What the tables show, and how many further rows stay in the house, of which how many are not green."""
    shown, said = headline(Findings(findings), [found.status for found in checks])
    overall = worst([*(found.status for found in out.checks), out.audit.status])
    further = [found.status for found in out.checks if found not in checks]
    told = [counted(len(further), "further check")] if further else []
    names = {found.name for found in findings}
    more = [found.status for found in out.audit if found.name not in names]
    told += [counted(len(more), "further finding")] if more else []
    if not told:
        return shown, said
    further += more
    verb = "is" if len(further) == 1 else "are"
    counts = [(further.count(one), one) for one in WORST_FIRST if one in further]
    which = ", ".join(f"{number} {one}" for number, one in counts)
    return overall, f"{said} {' and '.join(told)} {verb} in the report for the house: {which}."


def _hidden(out: Outgoing) -> str:
    """What may be said to the world of everybody in the file; nothing where it is not green."""
    asked = worst(found.status for found in out.audit if found.name in HIDDEN_BY)
    return out.audit.named("k, exposed").sentence if asked == "green" else ""


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("microagg.handover.report", "."),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["short"] = contents.short
    environment.filters["whole"] = lambda value: "" if value is None else f"{value:,}"
    return environment.get_template("report.html")
