"""What the roles alone decide of the verdict, before anything is protected.

The kindest release is looked at: all records that leave are alike in every protected column. What is red in
it stays red whatever the groups; what is not is known only once the release was made, and is amber.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from microagg.assessment.audit import looked_at
from microagg.assessment.audit.anonymity import no_promise
from microagg.assessment.audit.copied_values import copied
from microagg.assessment.audit.released import Released
from microagg.model.findings import NAMES, Finding, Findings
from microagg.preparation.prepare import prepare, settle

if TYPE_CHECKING:
    from microagg.model.findings import Reasons
    from microagg.model.microdata import Microdata
    from microagg.model.plan import Plan
    from microagg.preparation.prepare import Settled

MEASURED = ("k, protected", "k, exposed", "singled out", "secrets", "units")
"""Findings that depend on which records become alike."""


def forecast(data: Microdata, plan: Plan, accept: Reasons | None = None) -> Findings:
    """Say what the roles decide already.

    Parameters
    ----------
    data : Microdata
    plan : Plan
    accept : mapping of str to str, optional
        As for `microagg.assessment.audit.audit`, beside the plan's own.

    Returns
    -------
    Findings
        Red where no grouping can help; green only where no grouping can harm.

    Raises
    ------
    PlanError, DataError
        The plan cannot be carried out on columns like these.
    """
    settled = settle(data, plan)
    whole = settled.data if plan.missing == "refuse" else prepare(data, plan).data  # else none is left out
    given = dict(plan.accept) | dict(accept or {})
    frame = whole.frame.assign(**{name: _kindest(whole.frame, settled, name) for name in settled.columns})
    if not plan.keep_identifiers:
        frame = frame.drop(columns=list(whole.columns("identifier")))
    alone = (settled.method.blocks or plan.blocks) != "all"
    blocks = tuple((name,) for name in settled.columns) if alone else (settled.columns,)
    seen = Released(
        frame,
        whole,
        settled.columns,
        blocks,
        plan.k,
        plan,
        {name: reason for name, reason in given.items() if name not in NAMES},
        pd.RangeIndex(len(frame)),
        np.empty(0, dtype=np.int64),
    )
    return Findings(_foretold(one, seen) for one in looked_at(seen, given))


def _kindest(frame: pd.DataFrame, settled: Settled, name: str) -> Any:
    """The value of a column with which all may be released: its most frequent one where it has no mean."""
    column = frame[name]
    averaged = settled.scales[name] == "continuous" and pd.api.types.is_numeric_dtype(column)
    often = column.mode()
    return 0 if averaged or not len(often) else often.iloc[0]


def _foretold(found: Finding, seen: Released) -> Finding:
    """One finding of the kindest release, as far as it can be known."""
    if found.name == "promise of the method":
        title, why = no_promise(seen)
        if why:
            return Finding(found.name, "amber", 0, f"{title} {why}; what comes of it is measured.")
        return Finding(found.name, "green", 0, f"{title} forms groups of at least {seen.k} records.")
    if found.name in ("identifiers", "untouched columns"):
        if found.status == "green" and any(one.rare for one in copied(seen)):
            return replace(found, status="amber", sentence="Known once the records are protected.")
        return found
    if found.name not in MEASURED or (found.name == "units" and not seen.data.columns("unit")):
        return found
    if found.status == "red":
        return replace(found, sentence=f"However records are grouped: {found.sentence}")
    if (found.name == "secrets" and not seen.of_role("confidential")) or found.reason:
        return found
    return replace(found, status="amber", sentence="Known once the records are protected.")
