"""Whether somebody's secret is told by a class: all who are released alike share one confidential value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.audit.anonymity import without_unknown
from microagg.audit.words import counted, listed
from microagg.findings import Finding

if TYPE_CHECKING:
    from microagg.audit.released import Released


def secrets(seen: Released) -> Finding:
    """Count classes over the exposed columns in which all share one value of a confidential column.

    A confidential column that is protected too is looked at by its original values, where rows have one.
    """
    found = seen.exposed_classes
    told = np.zeros(len(found.sizes), dtype=bool)
    parts = []
    confidential = seen.of_role("confidential")
    for name in confidential:
        codes = seen.codes(name) if name in seen.confidential else seen.original(name)
        if codes is None:
            continue
        same = found.kinds(codes) == 1
        told |= same
        if same.any():
            records = counted(int(found.sizes[same].sum()), "record")
            parts.append(f"{name} in {counted(int(same.sum()), 'class', 'classes')} ({records})")
    if parts:
        said = f"All who are released alike share one value of {'; '.join(parts)}."
        return without_unknown(seen, Finding("secrets", "red", int(found.sizes[told].sum()), said))
    if not confidential:
        return _none(seen)
    said = "No class of records released alike shares one confidential value."
    return without_unknown(seen, Finding("secrets", "green", 0, said))


def _none(seen: Released) -> Finding:
    """No column is confidential: what nobody gave a meaning may be a secret all the same."""
    used = (*seen.protected, *((seen.plan.strata or ()) if seen.plan is not None else ()))
    loose = [name for name in seen.of_role("other", "undecided") if name not in used]
    if not loose:
        return Finding("secrets", "green", 0, "No column that is released is confidential.")
    said = f"No column is named as confidential, and {listed(loose)} may be: give each its role."
    return Finding("secrets", "amber", 0, said)
