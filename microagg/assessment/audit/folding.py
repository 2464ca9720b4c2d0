"""Values as all write them who mean the same: a secret or a household is one, however it is typed."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from typing import Any

import pandas as pd

_NUMBER = re.compile(r"[+-]?\d{1,30}(?:[.,]\d{1,30})?")


def folded(column: pd.Series[Any]) -> pd.Series[Any]:
    """A column whose text is without blanks at its ends, capitals and other ways to write the same.

    Numbers in text are as short as can be, and letters with accents one sign each; other values are as they
    are.

    Examples
    --------
    >>> folded(pd.Series(["D3", "d3 ", 3, "07", "7.0"])).tolist()
    ['d3', 'd3', 3, '7', '7']
    """
    if pd.api.types.is_numeric_dtype(column) or pd.api.types.is_datetime64_any_dtype(column):
        return column
    return column.astype(object).map(
        lambda value: _one_way(value) if isinstance(value, str) else value, na_action="ignore"
    )


def _one_way(text: str) -> str:
    """A text as all write it who mean the same."""
    plain = unicodedata.normalize("NFKC", text).strip().casefold()
    if _NUMBER.fullmatch(plain) is None:
        return plain
    return f"{Decimal(plain.replace(',', '.')).normalize():f}"
