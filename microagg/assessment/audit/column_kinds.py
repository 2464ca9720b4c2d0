"""What a column of values is that stays as it is: dates, addresses, free text, or nearly unique values.

Text is looked at value by value, each different value once. A single e-mail address, link or bank account
counts, wherever it stands in a text; dates, telephone numbers, street and IP addresses where most are such.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from microagg.model.roles import as_digits
from microagg.model.text_patterns import DATE, EMAIL, IBAN, IP, PHONE, URL

if TYPE_CHECKING:
    from numpy.typing import NDArray

_STREET = re.compile(
    r"[^\W\d_][\w.' -]*\s\d{1,5}\s?[A-Za-z]?(?:[/-]\d+)?,?\s+(?:[A-Z]{1,2}-)?\d{4,6}\b.*"
    r"|\d{1,5}[A-Za-z]?,?\s+[^\W\d_].*\b(?:\d{4,6}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})\b.*"
)
_WHOLE = (
    ("IP addresses", IP),
    ("dates", DATE),
    ("street addresses", _STREET),
    ("telephone numbers", PHONE),
)
_MOST = 0.8
_LONG = 60


def look(column: pd.Series[Any]) -> tuple[str, NDArray[np.bool_]]:
    """Say what the values of a column are, and in which records they are so.

    Parameters
    ----------
    column : Series, (n,)

    Returns
    -------
    kind : {"", "dates", "e-mail addresses", "links", "bank accounts", "street addresses", "IP addresses", \
        "telephone numbers", "free text"}
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
        if _digits(column.dropna()):
            return "dates", present
        return "", np.zeros(len(column), dtype=bool)
    if pd.api.types.infer_dtype(column, skipna=True) in ("date", "datetime", "datetime64"):
        return "dates", present
    codes, values = pd.factorize(column)
    texts = [str(value) for value in values]
    kind, marked = _kind(texts)
    return kind, np.append(marked, False)[codes]  # a missing value has the code −1, the last


def _digits(present: pd.Series[Any]) -> bool:
    """Whether whole numbers are dates written as yyyymmdd."""
    numbers = present.to_numpy(np.float64)
    return len(numbers) > 0 and bool((numbers == np.floor(numbers)).all()) and as_digits(numbers)


def _kind(texts: list[str]) -> tuple[str, NDArray[np.bool_]]:
    """The kind of some different texts, and which of them are of it."""
    count = len(texts)
    for kind, pattern in (("e-mail addresses", EMAIL), ("links", URL), ("bank accounts", IBAN)):
        marked = np.fromiter((pattern.search(text) is not None for text in texts), bool, count)
        if marked.any():
            return kind, marked
    for kind, pattern in _WHOLE:
        marked = np.fromiter((pattern.fullmatch(text.strip()) is not None for text in texts), bool, count)
        if count and marked.mean() >= _MOST:
            return kind, marked
    marked = np.fromiter((len(text) >= _LONG and " " in text for text in texts), bool, count)
    return ("free text", marked) if marked.any() else ("", marked)
