"""Columns that leave as they are and by which alone a record is found, whatever was done to the others.

A confidential column that gives back the values of a protected one is red: who knows those finds his man.
Nearly unique: half of the records or more hold a value that fewer than k share. What is exposed is red; what
is confidential is amber, because it takes somebody who knows the secret already, but for addresses of people.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from microagg.assessment.audit.column_kinds import look
from microagg.assessment.audit.copied_values import copied
from microagg.model.findings import Finding, Status, worst
from microagg.model.phrases import counted, listed
from microagg.model.roles import guess

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from microagg.assessment.audit.copied_values import Copied
    from microagg.assessment.audit.released import Released

ADDRESSES = (
    "e-mail addresses",
    "links",
    "bank accounts",
    "street addresses",
    "IP addresses",
    "telephone numbers",
)


_SAME = "protected, and every value is still the original one"
_SEVERAL = 3
"""Values from which on two columns are not alike by chance."""


@dataclass(frozen=True, eq=False)
class Telling:
    """A column that leaves as it is, and the records that it tells of."""

    name: str
    status: Status
    what: str
    where: NDArray[np.bool_]
    reason: str = ""


def untouched(seen: Released) -> Finding:
    """Look at every column that is not protected, and at values that protected ones leave as they are."""
    name = "untouched columns"
    columns = list(seen.untouched)
    telling = [found for column in columns if (found := _look(seen, column)) is not None]
    telling += [found for one in copied(seen) if (found := _left(one)) is not None]
    if seen.unchanged:
        everybody = np.ones(len(seen), dtype=bool)
        telling += [Telling(column, "amber", _SAME, everybody) for column in seen.protected]
    if not telling:
        if not columns:
            return Finding(name, "green", 0, "No column is released as it is.")
        said = (
            f"Released as {'they are' if len(columns) > 1 else 'it is'}: {listed(columns)}. Each value is "
            f"shared by at least {seen.k} records. Looked for, and not found: dates, weights, "
            f"{', '.join(ADDRESSES)}."
        )
        return Finding(name, "green", 0, said)
    status = worst(found.status for found in telling)
    telling.sort(key=lambda found: found.status != "red")
    counts = [found for found in telling if found.status == status]
    records = int(np.logical_or.reduce([found.where for found in counts]).sum())
    named = listed([f"{found.name} ({found.what})" for found in telling], 4)
    said = f"Released as {'they are' if len(telling) > 1 else 'it is'}: {named}."
    reason = " ".join(f"{found.name}: {found.reason}" for found in telling if found.reason)
    return Finding(name, status, records, said, reason if status != "red" else "")


def _look(seen: Released, name: str) -> Telling | None:
    """What one column tells; None where nothing does."""
    if (twin := _twin(seen, name)) is not None:
        return twin
    kind, where = look(seen.column(name))
    alone = seen.alone(name)
    confidential = name in seen.confidential
    if kind in ADDRESSES:
        found = Telling(name, "red", f"{kind} in {counted(int(where.sum()), 'record')}", where)
    elif kind == "free text" and (where & alone).any():
        here = where & alone
        found = Telling(
            name, _unless(confidential), f"free text in {counted(int(here.sum()), 'record')}", here
        )
    elif 2 * int(alone.sum()) >= len(seen) > 0:
        of = f"{kind}, nearly unique" if kind == "dates" else "nearly unique"
        found = Telling(name, _unless(confidential), f"{of}: {_alone(seen, alone)}", alone)
    elif kind == "dates" or "weight" in (seen.roles[name], guess(name, seen.column(name)).role):
        found = _dated(seen, name, alone, "dates" if kind == "dates" else "weights")
    elif alone.any():
        found = Telling(name, "amber", _alone(seen, alone), alone)
    elif seen.roles[name] == "identifier":
        everybody = np.ones(len(seen), dtype=bool)
        found = Telling(name, "amber", f"an identifier, each value in at least {seen.k} records", everybody)
    else:
        return None
    if confidential and found.status != "red":
        found = Telling(name, found.status, f"confidential, {found.what}", found.where)
    if name in seen.unknown and found.status == "red":
        return Telling(name, "amber", found.what, found.where, seen.unknown[name])
    return Telling(name, found.status, found.what, found.where, seen.unknown.get(name, ""))


def _twin(seen: Released, name: str) -> Telling | None:
    """A confidential column whose values are, or stand one for one for, those of a protected one."""
    if name not in seen.confidential or not seen.paired:
        return None
    codes, values = pd.factorize(seen.column(name), use_na_sentinel=False)
    for other in seen.protected:
        original = seen.original_column(other)
        if original is None or len(values) < _SEVERAL:
            continue
        others, theirs = pd.factorize(original, use_na_sentinel=False)
        if len(values) != len(theirs) or not (codes == others).all():  # numbered by first appearance
            continue
        if 2 * len(values) <= len(codes) or list(values) == list(theirs):
            everybody = np.ones(len(seen), dtype=bool)
            return Telling(name, "red", f"gives back {other}, which is protected", everybody)
    return None


def _left(found: Copied) -> Telling | None:
    """A protected column that gives back values of single persons, as a median does."""
    if not found.single.any():
        return None
    own = bool(found.own.any())
    where = found.own if own else found.single
    whose = "their own value" if own else "a single person's value"
    what = f"protected, {counted(int(where.sum()), 'record')} with {whose}, which nobody else has"
    return Telling(found.name, "amber", what, where)


def _dated(seen: Released, name: str, alone: NDArray[np.bool_], kind: str) -> Telling:
    """Dates and weights: red where some single out, amber where others share each."""
    if alone.any():
        return Telling(name, _unless(name in seen.confidential), f"{kind}, {_alone(seen, alone)}", alone)
    everybody = np.ones(len(seen), dtype=bool)
    return Telling(name, "amber", f"{kind}, each shared by at least {seen.k} records", everybody)


def _unless(confidential: bool) -> Status:
    return "amber" if confidential else "red"


def _alone(seen: Released, alone: NDArray[np.bool_]) -> str:
    return f"{counted(int(alone.sum()), 'record')} with a value that fewer than {seen.k} share"
