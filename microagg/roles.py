"""A first guess at what each column is for, with its reason, so that nobody starts from a blank list.

The guess only opens the conversation: the Data page shows it beside its reason and lets it be changed.
Weights and strata are never guessed: a column called "weight" may well be a body's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

Role = Literal[
    "identifier", "quasi_identifier", "confidential", "weight", "unit", "stratum", "other", "undecided"
]
Scale = Literal["continuous", "ordinal", "nominal"]

_NAMED_AS_IDENTIFIER = re.compile(
    r"(^|[\W_])(id|ids|name|names|ssn|passport|key|uuid|record)($|[\W_])", re.IGNORECASE
)


@dataclass(frozen=True)
class Guess:
    """A role and a scale for one column, and why."""

    role: Role
    scale: Scale
    reason: str


def guess(name: str, column: pd.Series[Any]) -> Guess:
    """Guess a column's role and scale from its name and values.

    Parameters
    ----------
    name : str
    column : Series, (n,)

    Returns
    -------
    Guess

    Examples
    --------
    >>> guess("age", pd.Series([31, 44, 31, 27])).role
    'quasi_identifier'
    >>> guess("name", pd.Series(["Ann", "Ben", "Cy", "Di"])).role
    'identifier'
    """
    present = column.dropna()
    distinct = len(present) > 1 and present.is_unique
    named = _NAMED_AS_IDENTIFIER.search(name) is not None
    if isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered:
        return Guess("other", "ordinal", "categories in an order; only some methods protect them")
    if pd.api.types.is_bool_dtype(column) or not pd.api.types.is_numeric_dtype(column):
        if distinct:
            return Guess("identifier", "nominal", "text, different in every record")
        return Guess("other", "nominal", "text; only some methods protect it")
    numbers = present.to_numpy(np.float64)
    if not len(numbers):
        return Guess("other", "continuous", "empty")
    low, high = float(numbers.min()), float(numbers.max())  # whose difference may be infinite, or none
    serial = len(numbers) >= 10 and high - low < 2 * len(numbers)
    if distinct and (numbers == np.round(numbers)).all() and (named or serial):
        return Guess(
            "identifier", "continuous", "whole numbers, different in every record, like a serial number"
        )
    if high == low:
        return Guess("other", "continuous", "the same number in every record")
    return Guess("quasi_identifier", "continuous", "numbers that vary from record to record")
