"""Dates and times in files: which a format can hold, and what becomes of the others.

A format that has no time zones, or none finer than a millisecond, would shift or round moments unseen. Here
such a column is written as text instead, as ISO 8601 says (periods and intervals as pandas prints them), and
a note says so (`told_as_text`): an untouched column reads back as the same moments.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Callable

Kind = Literal["moments", "zoned moments", "days", "times", "spans", "periods", "intervals", ""]
_WORDS = MappingProxyType(
    {
        "moments": "dates",
        "zoned moments": "dates with a time zone",
        "days": "dates",
        "times": "times of day",
        "spans": "time spans",
        "periods": "periods",
        "intervals": "intervals",
    }
)
_MILLISECOND = pd.Timedelta(milliseconds=1)
_NEARLY = pd.Timedelta(microseconds=50)  # more than floating seconds since 1582 are off by


@dataclass(frozen=True)
class Holds:
    """What a format holds of dates and times; moments to the millisecond, none of them zoned.

    Parameters
    ----------
    title : str
    moments, spans : bool
    since : str
        The first day that can be written.
    """

    title: str
    moments: bool = True
    spans: bool = False
    since: str = "0001-01-01"


HOLDS = MappingProxyType(
    {
        "excel": Holds("Excel", spans=True, since="1900-03-01"),  # before, Excel has a day too many
        "stata": Holds("Stata"),
        "spss": Holds("SPSS"),
        "xport": Holds("SAS transport files"),
        "rds": Holds("R, as it is written here,", moments=False),
        "rda": Holds("R, as it is written here,", moments=False),
    }
)
"""Formats that are not here, Parquet and Feather, hold all; text has no types."""


def moment_kind(column: pd.Series[Any]) -> Kind:
    """Return which dates or times a column holds; empty where it holds something else, or different ones.

    Examples
    --------
    >>> moment_kind(pd.Series([dt.date(2024, 5, 1), None])), moment_kind(pd.Series([1, 2]))
    ('days', '')
    """
    dtype: Any = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return moment_kind(pd.Series(dtype.categories))
    if isinstance(dtype, pd.DatetimeTZDtype):
        return "zoned moments"
    if isinstance(dtype, pd.PeriodDtype):
        return "periods"
    if isinstance(dtype, pd.IntervalDtype):
        return "intervals"
    if isinstance(dtype, np.dtype) and dtype.kind in "mM":
        return "moments" if dtype.kind == "M" else "spans"
    if pd.api.types.is_object_dtype(dtype) or isinstance(dtype, pd.ArrowDtype):
        return _kind_of_values(column.dropna().astype(object))
    return ""


def _kind_of_values(values: pd.Series[Any]) -> Kind:
    kinds = {type(value) for value in values}
    if not kinds:
        return ""
    if kinds == {dt.date}:
        return "days"
    if kinds <= {dt.date, dt.datetime, pd.Timestamp}:
        zoned = any(getattr(value, "tzinfo", None) is not None for value in values)
        return "zoned moments" if zoned else "moments"
    if kinds == {dt.time}:
        return "times"
    if kinds <= {dt.timedelta, pd.Timedelta, np.timedelta64}:
        return "spans"
    return ""


def words(column: pd.Series[Any]) -> str:
    """What a column that holds no numbers holds, in a word or two.

    Examples
    --------
    >>> words(pd.Series([dt.time(12)])), words(pd.Series(["Reus"]))
    ('times of day', 'text')
    """
    return _WORDS.get(moment_kind(column), "text")


def told_as_text(frame: pd.DataFrame, kind: str) -> tuple[str, ...]:
    """A sentence for each column of dates or times that a format does not hold and that is written as text.

    Parameters
    ----------
    frame : DataFrame, (n, columns)
    kind : str
        A key of `microagg.io.formats.FORMATS`.

    Examples
    --------
    >>> told_as_text(pd.DataFrame({"at": pd.to_datetime(["2024-05-01T12:00Z"])}), "excel")
    ("Column 'at' is written as text: Excel has no time zones.",)
    """
    if kind not in HOLDS:
        return ()
    reasons = ((name, _reason(frame[name], HOLDS[kind])) for name in frame.columns)
    return tuple(f"Column {str(name)!r} is written as text: {reason}." for name, reason in reasons if reason)


def fitted(frame: pd.DataFrame, kind: str) -> pd.DataFrame:
    """Return the frame as a format holds it: moments that it cannot hold as text, others to the microsecond.

    Parameters
    ----------
    frame, kind
        As for `told_as_text`.
    """
    holds, fit = HOLDS[kind], frame.copy(deep=False)
    for name in frame.columns:
        column = frame[name]
        if _reason(column, holds):
            fit[name] = column.astype(object).map(_text, na_action="ignore")
        elif moment_kind(column) == "moments":
            fit[name] = _plain(column)
    return fit


def whole_milliseconds(column: pd.Series[Any]) -> pd.Series[Any]:
    """Moments that a floating number of seconds has put beside a whole millisecond, back on it.

    Examples
    --------
    >>> whole_milliseconds(pd.Series(pd.to_datetime(["2024-05-01 12:00:00.122999"])))[0].microsecond
    123000
    """
    rounded = column.dt.round(_MILLISECOND)
    return column.where((column - rounded).abs() > _NEARLY, rounded)


def same_moments(one: pd.Series[Any], other: pd.Series[Any]) -> np.ndarray[Any, np.dtype[np.bool_]] | None:
    """Where two columns without gaps hold the same moments or spans, one of them perhaps as text.

    Parameters
    ----------
    one, other : Series, (n,)

    Returns
    -------
    (n,) bool, or None where neither column holds dates or times

    Examples
    --------
    >>> same_moments(pd.Series([dt.date(2024, 5, 1)]), pd.Series(["2024-05-01 00:00:00"])).tolist()
    [True]
    """
    kinds = {moment_kind(one), moment_kind(other)} - {""}
    convert: Callable[[pd.Series[Any]], pd.Series[Any]]
    if kinds and kinds <= {"moments", "days"}:
        convert = _as_moments
    elif kinds == {"zoned moments"}:
        convert = _as_instants
    elif kinds == {"spans"}:
        convert = _as_spans
    else:
        return None
    first, second = (convert(column.reset_index(drop=True)) for column in (one, other))
    return np.asarray((first == second).to_numpy(bool, na_value=False))


def _reason(column: pd.Series[Any], holds: Holds) -> str:
    """Why a column of dates or times is written as text; empty where it is not."""
    kind = moment_kind(column)
    if not kind or (kind == "times" and holds.moments and not holds.spans):
        return ""
    if kind in ("periods", "intervals") or not holds.moments or (kind == "spans" and not holds.spans):
        return f"{holds.title} has no {_WORDS[kind]}"
    if kind == "zoned moments":
        return f"{holds.title} has no time zones"
    if kind == "times":
        finer = any(value.microsecond % 1000 for value in column.dropna())
        return f"{holds.title} has no times finer than a millisecond" if finer else ""
    values = _as_spans(column) if kind == "spans" else _plain(column)
    if (values.dropna() != values.dropna().dt.floor(_MILLISECOND)).any():
        return f"{holds.title} has no times finer than a millisecond"
    if kind != "spans" and (values.dropna() < pd.Timestamp(holds.since)).any():
        return f"{holds.title} has no dates before {holds.since}"
    return ""


def _plain(column: pd.Series[Any]) -> pd.Series[Any]:
    """Moments in NumPy's type, to the microsecond at least: writers of these formats mis-scale seconds."""
    numpy = isinstance(column.dtype, np.dtype) and column.dtype.kind == "M"
    values = column if numpy else pd.Series(pd.to_datetime(column.astype(object)), column.index)
    return values if values.dtype == "datetime64[ns]" else values.astype("datetime64[us]")


def _text(value: Any) -> str:
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    return str(pd.Timedelta(value)) if isinstance(value, dt.timedelta | np.timedelta64) else str(value)


def _as_moments(column: pd.Series[Any]) -> pd.Series[Any]:
    if moment_kind(column):
        return _plain(column)
    return pd.to_datetime(column.astype(str), errors="coerce", format="ISO8601")


def _as_instants(column: pd.Series[Any]) -> pd.Series[Any]:
    """Moments of one zone; text without a zone is no instant."""
    if moment_kind(column):
        return pd.to_datetime(column.astype(object), utc=True)
    texts = column.astype(str)
    zoned = texts.str.contains(r"(?:Z|[+-]\d\d:?\d\d(?::\d\d)?)$")
    return pd.to_datetime(texts.where(zoned), errors="coerce", format="ISO8601", utc=True)


def _as_spans(column: pd.Series[Any]) -> pd.Series[Any]:
    if moment_kind(column):
        return pd.to_timedelta(column.astype(object))
    return pd.to_timedelta(column.astype(str), errors="coerce")
