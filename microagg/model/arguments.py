"""Arguments as they come from people, files and other libraries: each becomes the one kind it stands for.

A single name is a name, never its letters; numbers of NumPy are numbers; true, nan and text are none. What
cannot be meant is refused with its name and what would do. Plans, measures and the command line ask here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np

from microagg.errors import PlanError

LARGEST_WHOLE = 2**63 - 1
"""What 64 bits hold; a count beyond it counts nothing."""


def whole_number(value: object, what: str, *, least: int, most: int = LARGEST_WHOLE, meant: str = "") -> int:
    """Read a whole number.

    Parameters
    ----------
    value : object
    what : str
        How a message calls it.
    least, most : int
    meant : str
        What a message says it must be; made from ``least`` where empty.

    Raises
    ------
    PlanError
        It is none (true and 3.0 are none either), below ``least`` or above ``most`` (64 bits).

    Examples
    --------
    >>> whole_number(np.int64(5), "k", least=2)
    5
    """
    whole = isinstance(value, Integral) and not isinstance(value, bool | np.bool_)
    if not whole or not least <= int(value) <= most:  # type: ignore[call-overload] # an Integral
        raise PlanError(
            f"{what} is {shown(value)}; it must be {meant or f'a whole number of at least {least}'}."
        )
    return int(value)  # type: ignore[call-overload,no-any-return]


def share(value: object, what: str) -> float:
    """Read a number between 0 and 1.

    Raises
    ------
    PlanError
        It is none, or lies outside; nan lies nowhere.

    Examples
    --------
    >>> share(np.float32(0.5), "λ")
    0.5
    """
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real) or not 0 <= float(value) <= 1:
        raise PlanError(f"{what} is {shown(value)}; it must be a number between 0 and 1.")
    return float(value)


def truth(value: object, what: str) -> bool:
    """Read true or false.

    Raises
    ------
    PlanError
        It is neither; 1 and "yes" are not taken for one.
    """
    if not isinstance(value, bool | np.bool_):
        raise PlanError(f"{what} is {shown(value)}; it must be true or false.")
    return bool(value)


def one_of(value: object, what: str, words: Iterable[str]) -> str:
    """Read one of the words.

    Raises
    ------
    PlanError
        It is none of them.
    """
    allowed = tuple(words)
    if not isinstance(value, str) or value not in allowed:
        raise PlanError(f"{what} is {shown(value)}; it must be one of {', '.join(map(repr, allowed))}.")
    return str(value)


def text(value: object, what: str) -> str:
    """Read a text that a file can hold.

    Raises
    ------
    PlanError
        It is none, or halves of characters stand in it.
    """
    if not isinstance(value, str):
        raise PlanError(f"{what} is {shown(value)}; it must be a text.")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise PlanError(f"{what} is {shown(value)}, which is no text that a file can hold.") from None
    return str(value)


def name(value: object, what: str) -> str:
    """Read the name of a column: text, or the whole number that a table has for it.

    Raises
    ------
    PlanError
        It is neither.

    Examples
    --------
    >>> name(2020, "A column")
    '2020'
    """
    if isinstance(value, bool | np.bool_) or not isinstance(value, str | Integral):
        raise PlanError(f"{what} is {shown(value)}; it must be the name of a column.")
    return text(str(value), what)


def names(value: object, what: str) -> tuple[str, ...]:
    """Read names of columns; a text is one of them.

    Raises
    ------
    PlanError
        It is no list, or a member is no name.

    Examples
    --------
    >>> names("age", "columns"), names(["age", "rent"], "columns")
    (('age',), ('age', 'rent'))
    """
    if isinstance(value, str | Integral):
        return (name(value, what),)
    if not isinstance(value, Iterable) or isinstance(value, Mapping | bytes):
        raise PlanError(f"{what} is {shown(value)}; it must be a list of names of columns.")
    return tuple(name(one, f"A name in {what}") for one in value)


def by_name(value: object, what: str) -> dict[str, Any]:
    """Read values by name, sorted by it.

    Raises
    ------
    PlanError
        It gives none by name.

    Examples
    --------
    >>> by_name({"b": 1, "a": 2}, "options")
    {'a': 2, 'b': 1}
    """
    if not isinstance(value, Mapping):
        raise PlanError(f"{what} is {shown(value)}; it must give a value by name, such as {{'age': …}}.")
    return dict(sorted((name(key, f"A name in {what}"), one) for key, one in value.items()))


def plain_value(value: object, what: str) -> str | int | float:
    """Read a text or a finite number, as JSON can hold it; NumPy's become Python's.

    Raises
    ------
    PlanError
        It is neither.

    Examples
    --------
    >>> plain_value(np.int64(-999), "A code"), plain_value("low", "A code")
    (-999, 'low')
    """
    if isinstance(value, np.generic):
        value = value.item()
    if not isinstance(value, str | int | float) or (isinstance(value, float) and not math.isfinite(value)):
        raise PlanError(f"{what} is {shown(value)}; it must be a text or a finite number.")
    return text(value, what) if isinstance(value, str) else value


def shown(value: object) -> str:
    """Write a value for a message: short, whatever it is.

    Examples
    --------
    >>> shown("five"), len(shown([1] * 10_000))
    ("'five'", 60)
    """
    if isinstance(value, int) and abs(value) > 10**50:
        return "a number of more than fifty digits"
    try:
        written = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)
    except (RecursionError, ValueError):
        return f"a {type(value).__name__}"
    return written if len(written) <= 60 else f"{written[:59]}…"
