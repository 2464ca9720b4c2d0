"""Whether somebody's secret is told by a class: all who are released alike share one confidential value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from microagg.assessment.audit.anonymity import without_unknown
from microagg.assessment.audit.folding import folded
from microagg.model.categories import distinguished
from microagg.model.findings import Finding
from microagg.model.phrases import counted, listed
from microagg.model.roles import says_nothing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from microagg.assessment.audit.released import Classes, Released
    from microagg.kernels.compiled import FloatArray
    from microagg.model.plan_fields import Codes


NEARLY = 1e-3
"""Numbers that differ by less than this share of the larger tell as much as one."""


def secrets(seen: Released) -> Finding:
    """Count classes over the exposed columns in which all share one value of a confidential column.

    A confidential column that is protected too is looked at by its original values, where rows have one. Text
    is compared as `folded` writes it; missing is a value, so that red is where all share one. Amber is where
    all who answered share one, or all numbers lie within `NEARLY` of each other, relative to the largest in
    size; words such as "refused", and codes that the file's labels call no value, are no answer.
    """
    found = seen.exposed_classes
    confidential = seen.of_role("confidential")
    told, close = np.zeros(len(found.sizes), dtype=bool), np.zeros(len(found.sizes), dtype=bool)
    parts, nearly = [], []
    for name in confidential:
        column = seen.column(name) if name in seen.confidential else seen.original_column(name)
        if column is None:
            continue
        codes = distinguished([folded(column)])[:, 0]
        same = found.kinds(codes) == 1
        silent = _silent(column, seen.data[name].codes if name in seen.data.frame.columns else ())
        low, high = _extremes(found, np.where(silent, np.nan, codes))
        answered = ~same & (low == high)
        alike = ~same & ~answered & _near(found, column.mask(silent))
        told, close = told | same, close | answered | alike
        parts += _counted(name, found, same)
        nearly += _counted(f"all who answered share one value of {name}", found, answered)
        nearly += _counted(f"{name} differs by less than {NEARLY:.1%}", found, alike)
    also = f"Of those released alike, {'; '.join(nearly)}." if nearly else ""
    if parts:
        said = f"All who are released alike share one value of {'; '.join(parts)}. {also}".strip()
        return without_unknown(seen, Finding("secrets", "red", int(found.sizes[told].sum()), said))
    if nearly:
        return without_unknown(seen, Finding("secrets", "amber", int(found.sizes[close].sum()), also))
    if not confidential:
        return _none(seen)
    said = "No class of records released alike shares one confidential value."
    return without_unknown(seen, Finding("secrets", "green", 0, said))


def _silent(column: pd.Series[Any], codes: Codes) -> NDArray[np.bool_]:
    """Which values say that there is none, (n,) bool."""
    places, values = pd.factorize(column)
    silent = [value in codes or says_nothing(value) for value in values]
    return np.array([*silent, False])[places]  # a missing value has the place −1, the last


def _near(found: Classes, column: pd.Series[Any]) -> NDArray[np.bool_]:
    """Whether all numbers of a class lie within `NEARLY` of each other, (c,); categories never do.

    By the values themselves, as long integers are compared by codes, which say nothing of how far they are.
    """
    kind = pd.api.types.infer_dtype(column, skipna=True)
    if kind not in ("integer", "floating", "mixed-integer-float", "decimal"):
        return np.zeros(len(found.sizes), dtype=bool)
    low, high = _extremes(found, pd.to_numeric(column).to_numpy(np.float64, na_value=np.nan))
    return np.asarray(high - low < NEARLY * np.maximum(np.abs(low), np.abs(high)))


def _extremes(found: Classes, codes: FloatArray) -> tuple[NDArray[Any], NDArray[Any]]:
    """Smallest and largest value of each class that are not missing, (c,) float64; nan where all are."""
    by = pd.Series(codes).groupby(found.labels)
    return by.min().to_numpy(), by.max().to_numpy()


def _counted(what: str, found: Classes, where: NDArray[np.bool_]) -> list[str]:
    if not where.any():
        return []
    records = counted(int(found.sizes[where].sum()), "record")
    return [f"{what} in {counted(int(where.sum()), 'class', 'classes')} ({records})"]


def _none(seen: Released) -> Finding:
    """No column is confidential: what nobody gave a meaning may be a secret all the same."""
    used = (*seen.protected, *((seen.plan.strata or ()) if seen.plan is not None else ()))
    bare = seen.of_role("other", "undecided", "quasi_identifier")
    loose = [name for name in bare if name not in used and name not in seen.unknown]
    if not loose:
        return Finding("secrets", "green", 0, "No column that is released is confidential.")
    said = f"No column is named as confidential, and {listed(loose)} may be: give each its role."
    return Finding("secrets", "amber", 0, said)
