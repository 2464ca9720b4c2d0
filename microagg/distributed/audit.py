"""What an audit can say of a release in parts: little, because no part shows who is alike in the others.

k over the protected columns is known once the release was measured; what was not looked at is amber.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from microagg.assessment.audit.anonymity import k_measured
from microagg.model.findings import NAMES, Finding, Findings, Reasons, reasons, refuse_unknown
from microagg.model.phrases import listed

if TYPE_CHECKING:
    from microagg.distributed.measures import Measures
    from microagg.distributed.outline import Outline

NOT_LOOKED_AT = "Not looked at in parts; check the written file on one machine."


def audit_parts(
    outline: Outline, accept: Reasons | None = None, *, measures: Measures | None = None
) -> Findings:
    """Say what is known of a release in parts.

    Parameters
    ----------
    outline : Outline
        What its plan means for the file.
    accept : mapping of str to str, optional
        As for `microagg.assessment.audit.audit`.
    measures : Measures, optional
        Of the same release, once it was measured.

    Returns
    -------
    Findings

    Raises
    ------
    PlanError
        ``accept`` names neither a finding nor a column, or gives no reason.
    """
    attributes, plan = outline.attributes, outline.plan
    given = dict(plan.accept) | reasons(accept or {})
    refuse_unknown(given, [a.name for a in attributes])
    found = {name: Finding(name, "amber", 0, NOT_LOOKED_AT) for name in NAMES if name != "undecided"}
    if measures is not None:
        counts = measures.records_below_k, measures.records, measures.smallest_class
        found["k, protected"] = k_measured(*counts, plan.k)
    records = measures.records if measures is not None else 0
    kept = [a.name for a in attributes if a.role == "identifier" and a.name not in outline.identifiers]
    if kept:
        said = f"{listed(kept)}, which would name records, {'is' if len(kept) == 1 else 'are'} released."
        found["identifiers"] = Finding("identifiers", "red", records, said)
    open_ = [a.name for a in attributes if a.role == "undecided"]
    if open_:
        said = f"Nobody has decided what {listed(open_)} {'is' if len(open_) == 1 else 'are'} for."
        found["undecided"] = Finding("undecided", "amber", records, said)
    return Findings(one.accepted(given[name]) if name in given else one for name, one in found.items())


def columns_in_parts(outline: Outline) -> dict[str, list[str]]:
    """Every column of a release in parts by what becomes of it, as `microagg.assessment.audit.columns_of`."""
    names = [a.name for a in outline.attributes]
    return {
        "protected": [name for name in names if name in outline.columns],
        "untouched": [name for name in names if name not in (*outline.columns, *outline.identifiers)],
        "dropped": [name for name in names if name in outline.identifiers],
    }
