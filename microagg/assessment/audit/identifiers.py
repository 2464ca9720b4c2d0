"""Whether the release names its records: by a column, by one that looks as if it did, or by the index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from microagg.assessment.audit.copied_values import copied
from microagg.model.findings import Finding, Status, worst
from microagg.model.phrases import counted, listed
from microagg.model.roles import guess, naming

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from microagg.assessment.audit.released import Released


_MOST = 0.9


def identifiers(seen: Released) -> Finding:
    """Look for what names records: columns by role and by look, protected ones by the values they give back.

    Red where a value is shared by fewer than k; amber where k share each, as more than a name may be known.
    """
    name = "identifiers"
    parts = [part for part in (_by_role(seen), *_alike(seen), *_copied(seen), _index(seen)) if part]
    if not parts:
        gone = [a.name for a in seen.data.attributes if a.role == "identifier"]
        out = (
            f"{listed(gone)} {'is' if len(gone) == 1 else 'are'} left out"
            if gone
            else "none was named as one"
        )
        return Finding(name, "green", 0, f"No released column looks like an identifier; {out}.")
    status = worst(part.status for part in parts)
    records = int(np.logical_or.reduce([part.where for part in parts if part.status == status]).sum())
    reasons = " ".join(part.reason for part in parts if part.reason) if status != "red" else ""
    return Finding(name, status, records, " ".join(part.said for part in parts), reasons)


@dataclass(frozen=True, eq=False)
class _Part:
    """One thing that names records, and which."""

    status: Status
    said: str
    where: NDArray[np.bool_]
    reason: str = ""


def _by_role(seen: Released) -> _Part | None:
    named = seen.of_role("identifier")
    if not named:
        return None
    said = f"The identifier{'s' if len(named) > 1 else ''} {listed(named)} {_are(named)} released."
    return _Part("red", said, _everybody(seen))


def _alike(seen: Released) -> list[_Part]:
    """Columns that stay as they are, whatever their role, and look like identifiers."""
    found: dict[tuple[Status, bool], list[str]] = {}
    for name in seen.untouched:
        if seen.roles[name] == "identifier" or not (naming(name, seen.column(name)) or _texts(seen, name)):
            continue
        guessed = guess(name, seen.column(name)).role == "identifier"
        status: Status = "red" if guessed or seen.alone(name).any() else "amber"
        accepted = status == "red" and name in seen.unknown
        found.setdefault(("amber" if accepted else status, accepted), []).append(name)
    parts = []
    for (status, accepted), names in found.items():
        look = "look" if len(names) > 1 else "looks"
        said = f"{listed(names)} {look} like an identifier and {_are(names)} released"
        shared = "" if status == "red" or accepted else f", each value in at least {seen.k} records"
        reason = " ".join(f"{name}: {seen.unknown[name]}" for name in names) if accepted else ""
        parts.append(_Part(status, f"{said}{shared}.", _everybody(seen), reason))
    return parts


def _texts(seen: Released, name: str) -> bool:
    """Whether a column is text of which most records have their own."""
    column = seen.column(name)
    return bool(
        pd.api.types.infer_dtype(column, skipna=True) == "string"
        and column.nunique() >= _MOST * len(seen) > 2
    )


def _copied(seen: Released) -> list[_Part]:
    """Protected columns whose released values name people, as a mode of names does."""
    parts = []
    for found in copied(seen):
        if not found.names:
            continue
        few = (found.shared > 0) & (found.shared < seen.k)
        where, kind = (few, f"fewer than {seen.k} people") if few.any() else (found.shared > 0, "people")
        if where.any():
            own = f", {counted(int(found.own.sum()), 'record')} with its own" if found.own.any() else ""
            said = (
                f"{found.name} is protected, and its released values name {kind}: "
                f"{counted(int(where.sum()), 'record')} {'shows' if where.sum() == 1 else 'show'} one{own}."
            )
            parts.append(_Part("red" if few.any() else "amber", said, where))
    return parts


def _everybody(seen: Released) -> NDArray[np.bool_]:
    return np.ones(len(seen), dtype=bool)


def _are(names: Sequence[str]) -> str:
    return "are" if len(names) > 1 else "is"


def undecided(seen: Released) -> Finding | None:
    """Columns of which nobody has said what they are for; None where there is none."""
    named = seen.of_role("undecided")
    if not named:
        return None
    said = (
        f"Nobody has decided what {listed(named)} {'is' if len(named) == 1 else 'are'} for; "
        f"{'it counts' if len(named) == 1 else 'they count'} as known."
    )
    return Finding("undecided", "amber", len(seen), said)


def _index(seen: Released) -> _Part | None:
    """What the index tells, where it is more than the rows' own numbers."""
    index = seen.index
    if index.name is None and pd.api.types.is_integer_dtype(index.dtype):
        rows = np.arange(len(index))
        kept = np.setdiff1d(np.arange(len(index) + len(seen.left_out)), seen.left_out)
        if np.array_equal(index, rows) or np.array_equal(index, kept):
            return None
    named = "" if index.name is None else f" {index.name}"
    said = f"The index{named} holds values that tell records apart, and some formats keep it."
    return _Part("red", said, _everybody(seen))
