"""Findings on who is hidden among others: k over what is protected and over what is exposed, and in units."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from microagg.assessment.audit.folding import folded
from microagg.methods import METHODS
from microagg.model.categories import distinguished
from microagg.model.findings import Finding
from microagg.model.phrases import counted, fewer, listed, of_all, others
from microagg.model.roles import gathering

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from microagg.assessment.audit.released import Classes, Released
    from microagg.kernels.compiled import IntArray


def k_protected(seen: Released) -> Finding:
    """Whether classes over the protected columns have k records."""
    name, k = "k, protected", seen.k
    lacking = [column for column in seen.protected if column not in seen.columns]
    if lacking or not seen.protected:
        what = f"{listed(lacking)} is not in it" if lacking else "no column is protected"
        return Finding(name, "red", len(seen), f"k cannot hold over the protected columns: {what}.")
    found = seen.protected_classes
    return k_measured(found.below(k), len(seen), found.smallest, k)


def k_measured(below: int, records: int, smallest: int, k: int) -> Finding:
    """What classes over the protected columns come to: records below k, and the size of the smallest."""
    where = "in the protected columns"
    if below:
        said = f"{of_all(below, records)} released like {fewer(k)} {where}."
        return Finding("k, protected", "red", below, said)
    said = f"Every record is released like at least {others(smallest - 1)} {where}."
    return Finding("k, protected", "green", 0, said)


def k_exposed(seen: Released) -> Finding:
    """Whether classes over everything that is released and not confidential have k records."""
    found, k = seen.exposed_classes, seen.k
    below = found.below(k)
    if not below:
        said = f"Every record is like at least {others(found.smallest - 1)} in all that is not confidential."
        return without_unknown(seen, Finding("k, exposed", "green", 0, said))
    bare = [column for column in seen.exposed if column not in seen.protected]
    with_what = (
        f", which includes {listed(bare)} as {'they are' if len(bare) > 1 else 'it is'}" if bare else ""
    )
    said = (
        f"{of_all(below, len(seen))} like {fewer(k)} in all that is released and not confidential{with_what}."
    )
    return without_unknown(seen, Finding("k, exposed", "red", below, said))


def singled_out(seen: Released) -> Finding:
    """Whether a record is like nobody else in what is exposed."""
    alone = seen.exposed_classes.below(2)
    if alone:
        said = f"{of_all(alone, len(seen))} like nobody else in all that is released and not confidential."
        return without_unknown(seen, Finding("singled out", "red", alone, said))
    return without_unknown(seen, Finding("singled out", "green", 0, "No record is like nobody else."))


def units(seen: Released) -> Finding | None:
    """Whether classes hold records of k different households, firms or patients; None where there are none.

    A column of the file that looks like one, in another role, is amber: nobody has said whether it counts.
    """
    named = seen.data.columns("unit")
    if not named:
        return _units_by_look(seen)
    found, failing, parts, unsure = seen.exposed_classes, 0, [], []
    for name in named:
        column = seen.column(name) if name in seen.columns else seen.original_column(name)
        if column is None:
            said = (
                f"It cannot be looked at: {name} is not in the file, and rows have no original beside them."
            )
            return Finding("units", "amber", 0, said)
        kinds, gaps = _different(found, column)
        records = int(found.sizes[kinds < seen.k].sum())
        unsure += [name] if (kinds - gaps < seen.k).any() else []
        failing = max(failing, records)
        shown = ", which is itself released" if name in seen.exposed else ""
        if records:
            parts.append(
                f"{of_all(records, len(seen))} in classes of fewer than {seen.k} different {name}{shown}."
            )
    if parts:
        return without_unknown(seen, Finding("units", "red", failing, " ".join(parts)))
    if unsure:
        said = (
            f"Classes hold records of at least {seen.k} different {listed(named)} only if those without a "
            f"value of {listed(unsure)} are of others than the rest."
        )
        return without_unknown(seen, Finding("units", "amber", 0, said))
    said = f"Every class holds records of at least {seen.k} different {listed(named)}."
    return without_unknown(seen, Finding("units", "green", 0, said))


def _different(found: Classes, column: pd.Series[Any]) -> tuple[IntArray, NDArray[np.bool_]]:
    """How many values each class has, (c,), missing being one, and whether some are missing, (c,)."""
    codes = distinguished([folded(column)])[:, 0]
    gaps = np.bincount(found.labels, weights=np.isnan(codes), minlength=len(found.sizes)) > 0
    return found.kinds(codes), gaps


def _units_by_look(seen: Released) -> Finding | None:
    """Columns without the role that look like units, and how many records have fewer than k of them."""
    alike = [a.name for a in seen.data.attributes if gathering(a.name, seen.data.frame[a.name])]
    if not alike:
        return None
    failing, counts = 0, []
    for name in alike:
        column = seen.original_column(name)
        if column is None:
            continue
        found = seen.exposed_classes
        records = int(found.sizes[_different(found, column)[0] < seen.k].sum())
        failing = max(failing, records)
        counts.append(f"{of_all(records, len(seen))} in classes of fewer than {seen.k} different {name}.")
    one = len(alike) == 1
    said = (
        f"{listed(alike)} look{'s like a unit' if one else ' like units'}, and k counts records; give "
        f"{'it' if one else 'one of them'} the role unit. {' '.join(counts)}"
    )
    return without_unknown(seen, Finding("units", "amber", failing, said.strip()))


def promise(seen: Released) -> Finding:
    """What the method promises, and whether it is so in this release."""
    name = "promise of the method"
    lacking = [column for column in seen.protected if column not in seen.columns]
    if lacking:
        said = f"It cannot hold: of what was to be protected, the file lacks {listed(lacking)}."
        return Finding(name, "red", len(seen), said)
    missed = seen.protected_classes.below(seen.k)
    exposed = seen.exposed_classes.below(seen.k)
    title, why = no_promise(seen)
    if not why:
        if missed:
            said = (
                f"{title} forms groups of k records or more; {counted(missed, 'record')} came out otherwise."
            )
            return Finding(name, "red", missed, said)
        said = f"{title} forms groups of at least {seen.k} records, and so they were released."
        return Finding(name, "green", 0, said)
    if missed or exposed:
        said = f"{title} {why}, and k does not hold in this release."
        return Finding(name, "red", max(missed, exposed), said)
    said = f"{title} {why}; k holds all the same in this release, as was measured."
    return Finding(name, "amber", 0, said)


def no_promise(seen: Released) -> tuple[str, str]:
    """The method's name, and why nothing follows from it for records; empty where k does."""
    if seen.plan is None:
        return "What made this file", "is not known, and so what it promises"
    method = METHODS[seen.plan.method]
    if method.kind == "values":
        return method.title, "groups values, not records, and promises nothing about records"
    if len(seen.blocks) > 1:
        return method.title, f"works in {len(seen.blocks)} blocks one by one, and promises k in each alone"
    return method.title, ""


def without_unknown(seen: Released, found: Finding) -> Finding:
    """Green is amber where a person has taken columns out of what may be known."""
    if not seen.taken_out:
        return found
    said = f"{found.sentence} Taken as known to nobody: {listed(seen.taken_out)}."
    quoted = " ".join(f"{name}: {seen.unknown[name]}" for name in seen.taken_out)
    if found.status == "red":
        return replace(found, sentence=said)
    return replace(found, status="amber", sentence=said, reason=quoted)
