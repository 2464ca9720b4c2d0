"""Missing values: refused, left out with their records, or protected among records that miss the same.

Nothing ever stands for a missing value. With "patterns", records that miss the same quasi-identifiers are
protected among themselves, by what they have; what they miss stays missing in the release, so that a pattern
is itself something an intruder sees, and one with fewer than k records may not leave the house.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from microagg.errors import DataError, PlanError
from microagg.model.microdata import Microdata, counted
from microagg.model.plan import EVERY_COLUMN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from microagg.kernels.compiled import FloatArray
    from microagg.model.plan import Plan
    from microagg.model.plan_fields import Codes


_CODES = frozenset(
    sign * (10**digits - less)
    for sign, fewest in ((-1, 1), (1, 3))
    for digits in range(fewest, 8)
    for less in (1, 2, 3)
)
"""-9, -98, -999, 999, 9999 and the like."""


def decoded(data: Microdata, plan: Plan, columns: Sequence[str]) -> Microdata:
    """Return the same file with the plan's codes for "missing" taken for what they mean.

    Parameters
    ----------
    data : Microdata
    plan : Plan
    columns : sequence of str
        Those to protect, which the code for every column is meant for.

    Raises
    ------
    PlanError
        Codes for a column that is not there.
    """
    unknown = sorted(set(plan.missing_codes) - set(data.frame.columns) - {EVERY_COLUMN})
    if unknown:
        raise PlanError(f"There is no column {unknown[0]!r} in which a code could stand for missing values.")
    everywhere = plan.missing_codes.get(EVERY_COLUMN, ())
    codes = dict.fromkeys(columns, everywhere) if everywhere else {}
    codes |= {n: (*codes.get(n, ()), *own) for n, own in plan.missing_codes.items() if n != EVERY_COLUMN}
    if not codes:
        return data
    return replace(data, frame=data.frame.assign(**{n: _without(data.frame[n], c) for n, c in codes.items()}))


def _without(column: pd.Series[Any], codes: Codes) -> pd.Series[Any]:
    """The column with codes missing; NumPy's whole numbers, which have no room for that, widen."""
    found = column.isin(list(codes))
    if not found.any():
        return column
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iu":
        wider = pd.api.types.pandas_dtype(column.dtype.name.replace("i", "I").replace("u", "U"))
        column = column.astype(wider)
    return column.mask(found)


def unmatched(data: Microdata, plan: Plan, columns: Sequence[str]) -> tuple[str, ...]:
    """Sentences on codes that stand for missing values and that no record has."""
    notes = []
    for name, codes in plan.missing_codes.items():
        looked = columns if name == EVERY_COLUMN else [name]
        none = [code for code in codes if not any(data.frame[one].isin([code]).any() for one in looked)]
        if none:
            where = "any protected column" if name == EVERY_COLUMN else f"column {name!r}"
            notes.append(
                f"No record has {', '.join(map(repr, none))} in {where}, said to mean a missing value."
            )
    return tuple(notes)


def suspicious(column: pd.Series[Any]) -> dict[float, int]:
    """Values such as -9, -99 or 9999 that stand apart from all others, with the number of their records.

    Examples
    --------
    >>> suspicious(pd.Series([1200, 900, -999, 1500, -999]))
    {-999.0: 2}
    >>> suspicious(pd.Series([-9, -3, 4, 9])), suspicious(pd.Series([20, 65, 99]))
    ({}, {})
    """
    numbers = column.dropna().astype("float64")
    coded = numbers.isin(_CODES)
    rest = numbers[~coded]
    if rest.nunique() < 2:
        return {}
    apart = rest.max() + (rest.max() - rest.min())
    values, counts = np.unique(numbers[coded].to_numpy(), return_counts=True)
    return {
        float(value): int(count)
        for value, count in zip(values, counts, strict=True)
        if (value < 0 <= rest.min()) or (value > 0 and value > apart)
    }


def averaged_codes(data: Microdata, columns: Sequence[str]) -> tuple[str, ...]:
    """Sentences on values that look like codes for "missing" and enter the means of columns.

    Raises
    ------
    PlanError
        The file's own labels say of such a value that it is none.
    """
    notes = []
    for name in columns:
        labelled = [code for code in data[name].codes if data.frame[name].isin([code]).any()]
        if labelled:
            raise PlanError(
                f"Column {name!r} holds {', '.join(map(_said, labelled))}, which the file's labels call none "
                f"and a mean would count; give it as a code for missing values ({name}={_said(labelled[0])})."
            )
        for value, count in suspicious(data.frame[name]).items():
            notes.append(
                f"Column {name!r} has {value:g} in {count:,} {'record' if count == 1 else 'records'}, which "
                f"looks like a code for a missing value and is averaged; if it is one, say so "
                f"by a code for missing values ({name}={value:g})."
            )
    return tuple(notes)


def _said(code: object) -> str:
    return f"{code:g}" if isinstance(code, float) else str(code)


def refuse(missing: NDArray[np.bool_], columns: Sequence[str]) -> None:
    """Say what is missing where, and what can be done.

    Raises
    ------
    DataError
        Anything is missing.
    """
    if missing.any():
        raise DataError(
            f"There are missing values in {counted(missing, columns)}, the first in record "
            f"{int(missing.any(axis=1).argmax()) + 1}; drop those records, protect them by patterns of "
            "what is missing, fill the values, or leave the column out."
        )


def pattern_name(missing: NDArray[np.bool_], columns: Sequence[str]) -> str:
    """What one record misses, in words.

    Examples
    --------
    >>> pattern_name(np.array([True, False, True]), ["age", "rent", "wage"])
    'age and wage missing'
    """
    names = [name for name, gone in zip(columns, missing, strict=True) if gone]
    if not names:
        return "nothing missing"
    return f"{', '.join(names[:-1])} and {names[-1]} missing" if names[1:] else f"{names[0]} missing"


def describe(data: Microdata, columns: Sequence[str]) -> pd.DataFrame:
    """Patterns of missingness, the most frequent first.

    Parameters
    ----------
    data : Microdata
    columns : sequence of str
        The quasi-identifiers.

    Returns
    -------
    DataFrame
        Columns pattern (in words) and records.

    Examples
    --------
    >>> frame = pd.DataFrame({"age": [31, None, 44], "rent": [7.5, 8, 9]})
    >>> describe(Microdata.from_frame(frame), ["age", "rent"]).values.tolist()
    [['nothing missing', 2], ['age missing', 1]]
    """
    missing = np.column_stack([data.frame[name].isna().to_numpy() for name in columns])
    patterns, sizes = np.unique(missing, axis=0, return_counts=True)
    order = np.argsort(-sizes, kind="stable")
    names = [pattern_name(patterns[i], columns) for i in order]
    return pd.DataFrame({"pattern": names, "records": sizes[order]})


def over_present(scale: Callable[[FloatArray], FloatArray], values: FloatArray) -> FloatArray:
    """Apply a scaling that works attribute by attribute to what is there; missing stays missing.

    Parameters
    ----------
    scale : callable
        One of `microagg.kernels.scaling`.
    values : (n, p) float64, nan where missing

    Returns
    -------
    (n, p) float64
    """
    missing = np.isnan(values)
    if not missing.any():
        return scale(values)
    scaled = np.full(values.shape, np.nan)
    for column, gone, out in zip(values.T, missing.T, scaled.T, strict=True):
        if not gone.all():
            out[~gone] = scale(column[~gone, np.newaxis])[:, 0]
    return scaled
