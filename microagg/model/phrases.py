"""Numbers and names as the sentences of the audit write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun.

    Examples
    --------
    >>> counted(1, "class", "classes"), counted(4992, "record")
    ('1 class', '4,992 records')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def listed(names: Sequence[str], most: int = 8) -> str:
    """Names, the first of them where there are many.

    Examples
    --------
    >>> listed(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def of_all(number: int, whole: int) -> str:
    """How many of all records.

    Examples
    --------
    >>> of_all(6, 6), of_all(1, 6), of_all(4992, 5000)
    ('All 6 records are', '1 of 6 records is', '4,992 of 5,000 records are')
    """
    if number == whole and number > 1:
        return f"All {whole:,} records are"
    return f"{number:,} of {whole:,} records {'is' if number == 1 else 'are'}"


def others(number: int) -> str:
    """How many others.

    Examples
    --------
    >>> others(1), others(2)
    ('1 other', '2 others')
    """
    return counted(number, "other")


def fewer(k: int) -> str:
    """Like whom a record is in a class of fewer than k.

    Examples
    --------
    >>> fewer(2), fewer(5)
    ('nobody else', 'fewer than 4 others')
    """
    return "nobody else" if k <= 2 else f"fewer than {others(k - 1)}"
