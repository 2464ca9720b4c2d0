"""Whether the release names its records: by a column, by one that looks as if it did, or by the index."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from microagg.audit.words import listed
from microagg.findings import Finding
from microagg.roles import guess

if TYPE_CHECKING:
    from microagg.audit.released import Released


def identifiers(seen: Released) -> Finding:
    """Look for what names records."""
    name = "identifiers"
    released = seen.of_role("identifier")
    alike = _alike(seen)
    index = _index(seen)
    parts = []
    if released:
        parts.append(
            f"The identifier{'s' if len(released) > 1 else ''} {listed(released)} "
            f"{'are' if len(released) > 1 else 'is'} released."
        )
    if alike:
        parts.append(
            f"{listed(alike)} look{'' if len(alike) > 1 else 's'} like an identifier and "
            f"{'are' if len(alike) > 1 else 'is'} released."
        )
    if index:
        parts.append(index)
    if parts:
        accepted = [column for column in alike if column in seen.unknown]
        if not released and not index and len(accepted) == len(alike):
            quoted = " ".join(f"{column}: {seen.unknown[column]}" for column in accepted)
            return Finding(name, "amber", len(seen), " ".join(parts), quoted)
        return Finding(name, "red", len(seen), " ".join(parts))
    gone = [a.name for a in seen.data.attributes if a.role == "identifier"]
    out = f"{listed(gone)} {'is' if len(gone) == 1 else 'are'} left out" if gone else "none was named as one"
    return Finding(name, "green", 0, f"No released column looks like an identifier; {out}.")


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


def _alike(seen: Released) -> tuple[str, ...]:
    """Columns that stay as they are, whatever their role, and would be guessed to be identifiers."""
    return tuple(
        name
        for name in seen.untouched
        if seen.roles[name] != "identifier" and guess(name, seen.column(name)).role == "identifier"
    )


def _index(seen: Released) -> str:
    """What the index tells, where it is more than the rows' own numbers."""
    index = seen.index
    if index.name is None and pd.api.types.is_integer_dtype(index.dtype):
        rows = np.arange(len(index))
        kept = np.setdiff1d(np.arange(len(index) + len(seen.left_out)), seen.left_out)
        if np.array_equal(index, rows) or np.array_equal(index, kept):
            return ""
    named = "" if index.name is None else f" {index.name}"
    return f"The index{named} holds values that tell records apart, and some formats keep it."
