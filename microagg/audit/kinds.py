"""What a column of values is that stays as it is: dates, addresses, free text, or nearly unique values.

Text is looked at value by value, each different value once. A single e-mail address or link counts, wherever
it stands in a text; telephone numbers and dates count where most values are such.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from numpy.typing import NDArray

_EMAIL = re.compile(r"[^\s@<>]+@[^\s@<>]+\.[A-Za-z]{2,}")
_URL = re.compile(r"(?:https?|ftp)://|\bwww\.", re.IGNORECASE)
_DATE = re.compile(r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2}))(?:[ T]\d.*)?")
_PHONE = re.compile(r"(?=(?:\D*\d){7,15}\D*$)(?:\+|0|\(|\d+[ /.-]\d+[ /.-])[\d ()/.-]+")
_MOST = 0.8
_LONG = 60


def look(column: pd.Series[Any]) -> tuple[str, NDArray[np.bool_]]:
    """Say what the values of a column are, and in which records they are so.

    Parameters
    ----------
    column : Series, (n,)

    Returns
    -------
    kind : {"", "dates", "e-mail addresses", "links", "telephone numbers", "free text"}
    where : (n,) bool

    Examples
    --------
    >>> look(pd.Series(["a@b.org", None, "none"]))[0], look(pd.Series(["N", "S"]))[0]
    ('e-mail addresses', '')
    """
    present = column.notna().to_numpy()
    if pd.api.types.is_datetime64_any_dtype(column) or isinstance(column.dtype, pd.PeriodDtype):
        return "dates", present
    if pd.api.types.is_numeric_dtype(column):
        return "", np.zeros(len(column), dtype=bool)
    if pd.api.types.infer_dtype(column, skipna=True) in ("date", "datetime", "datetime64"):
        return "dates", present
    codes, values = pd.factorize(column)
    texts = [str(value) for value in values]
    kind, marked = _kind(texts)
    return kind, np.append(marked, False)[codes]  # a missing value has the code −1, the last


def _kind(texts: list[str]) -> tuple[str, NDArray[np.bool_]]:
    """The kind of some different texts, and which of them are of it."""
    count = len(texts)
    for kind, pattern in (("e-mail addresses", _EMAIL), ("links", _URL)):
        marked = np.fromiter((pattern.search(text) is not None for text in texts), bool, count)
        if marked.any():
            return kind, marked
    for kind, pattern in (("dates", _DATE), ("telephone numbers", _PHONE)):
        marked = np.fromiter((pattern.fullmatch(text.strip()) is not None for text in texts), bool, count)
        if count and marked.mean() >= _MOST:
            return kind, marked
    marked = np.fromiter((len(text) >= _LONG and " " in text for text in texts), bool, count)
    return ("free text", marked) if marked.any() else ("", marked)
