"""The verdict on a release: what it shows to everybody, looked at column by column and record by record.

Not what the method promises but what is released is looked at: protected columns together, all that is
exposed (`audit.released`), secrets that a class gives away, units, columns that leave as they are, the
method's promise, identifiers. One implementation serves page, reports and command line. Green needs that all
was looked at; what a person accepts with a reason is amber, and so is what could not be looked at. O(n·p).
"""

from __future__ import annotations

from typing import Protocol
from weakref import WeakKeyDictionary

import numpy as np

from microagg.assessment.audit.anonymity import k_exposed, k_protected, promise, singled_out, units
from microagg.assessment.audit.attribute_disclosure import secrets
from microagg.assessment.audit.identifiers import identifiers, undecided
from microagg.assessment.audit.released import Released, columns_unchanged, nothing_changed
from microagg.assessment.audit.untouched import untouched
from microagg.model.findings import NAMES, Findings, Reasons, reasons, refuse_unknown
from microagg.model.release import Release


class InParts(Protocol):
    """A release that is not at hand: it says itself what is known of it."""

    def audit(self, accept: Reasons | None = None) -> Findings:
        """Look at what can be looked at."""


_KNOWN: WeakKeyDictionary[Release, dict[tuple[tuple[str, str], ...], Findings]] = WeakKeyDictionary()


def audit(release: Release | InParts, accept: Reasons | None = None) -> Findings:
    """Look at everything that a release shows, and say of each thing whether it holds.

    Parameters
    ----------
    release : Release or DistributedRelease
        Made by `protect`, or of a pair of files by `compare`. What was released in parts is amber throughout,
        as no part shows who is alike in the others.
    accept : mapping of str to str, optional
        What a person accepts beside the plan's own ``accept``: the name of a finding, or of an exposed column
        that no intruder can know, each with a reason. Where a column is called like a finding, the finding is
        meant.

    Returns
    -------
    Findings
        In the order of `NAMES`; "undecided" only where there is such a column.

    Raises
    ------
    PlanError
        ``accept`` names neither a finding nor a column, or gives no reason.

    Examples
    --------
    >>> import pandas as pd
    >>> from microagg.protection.protect import protect
    >>> from microagg.model.microdata import Microdata
    >>> from microagg.model.plan import Plan
    >>> people = pd.DataFrame({"age": [20, 21, 22, 60, 61, 62], "diagnosis": list("xxxyyz")})
    >>> roles = {"age": "quasi_identifier", "diagnosis": "confidential"}
    >>> found = audit(protect(Microdata.from_frame(people, roles=roles), Plan(k=3)))
    >>> found.status, found.named("secrets").records
    ('red', 3)
    """
    if not isinstance(release, Release):
        return release.audit(accept)
    given = dict(release.plan.accept) if release.plan is not None else {}
    given |= reasons(accept or {})
    refuse_unknown(given, [*release.data.frame.columns, *map(str, release.protected.columns)])
    known = _KNOWN.setdefault(release, {})
    key = tuple(sorted(given.items()))
    if key not in known:
        known[key] = looked_at(released(release, given), given)
    return known[key]


def released(release: Release, accept: Reasons) -> Released:
    """What everybody sees of a release."""
    as_many = len(release.protected) == len(release.data)
    gone = [out.positions for out in release.left_out]
    protected = set(columns_of(release)["protected"]) if release.plan is None else set(release.attributes)
    return Released(
        release.aligned if as_many else release.protected,
        release.data,
        tuple(name for name in release.attributes if name in protected),
        release.blocks,
        release.k if release.plan is None else release.plan.k,
        release.plan,
        {name: reason for name, reason in accept.items() if name not in NAMES},
        release.protected.index,
        np.concatenate(gone) if gone else np.empty(0, dtype=np.int64),
        nothing_changed(release, protected),
    )


def looked_at(seen: Released, accept: Reasons) -> Findings:
    """All findings, those that a person accepts with the reason."""
    looks = (
        k_protected,
        k_exposed,
        singled_out,
        secrets,
        units,
        untouched,
        promise,
        identifiers,
        undecided,
    )
    found = [one for look in looks if (one := look(seen)) is not None]
    return Findings(one.accepted(accept[one.name]) if one.name in accept else one for one in found)


def columns_of(release: Release) -> dict[str, list[str]]:
    """Every column by what becomes of it: protected, untouched (released as it is) or dropped.

    Without a plan nothing is known of what was meant: a column that has not changed is untouched, unless none
    has.
    """
    there = set(map(str, release.protected.columns))
    same = set(columns_unchanged(release)) if release.plan is None else set()
    changed = [name for name in release.attributes if name in there and name not in same]
    protected = changed or [name for name in release.attributes if name in there]
    return {
        "protected": protected,
        "untouched": [name for name in map(str, release.protected.columns) if name not in protected],
        "dropped": list(release.columns_dropped),
    }
