"""Values that stand for "missing", and orders of categories, as the address holds them.

Columns are positions and categories are ranks among the sorted ones, so that an address tells no name and no
value of a private file; a code such as −999 is the user's own word and stands as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from microagg.errors import PlanError
from microagg.model.arguments import shown
from microagg.model.plan import EVERY_COLUMN
from microagg.model.plan_fields import value_from

if TYPE_CHECKING:
    from microagg.model.microdata import Microdata
    from microagg.model.plan_fields import Codes


_DIGITS = 6


def place(text: str) -> int | None:
    """Read the position of a column, or the rank of a category; None where it is none.

    Examples
    --------
    >>> place("12"), place("²"), place("9" * 5000), place("-1")
    (12, None, None, None)
    """
    fits = text.isascii() and text.isdigit() and len(text) <= _DIGITS
    return int(text) if fits else None


def read_codes(text: str) -> dict[str, Codes]:
    """Position of a column, or "*" for every one, → its codes.

    Raises
    ------
    PlanError
        A part without column or without code.

    Examples
    --------
    >>> read_codes("*:-999;3:98,none")
    {'*': (-999,), '3': (98, 'none')}
    """
    found: dict[str, Codes] = {}
    for part in filter(None, text.split(";")):
        column, colon, values = part.partition(":")
        codes = listed(values)
        if not colon or not codes or not (place(column) is not None or column == EVERY_COLUMN):
            raise PlanError(f"Codes for missing values are written as *:-999;3:98,99, not as {shown(part)}.")
        found[column] = codes
    return found


def write_codes(codes: dict[str, Codes]) -> str:
    """The reverse of `read_codes`; columns without codes are left out.

    Examples
    --------
    >>> write_codes({"*": (-999,), "2": ()})
    '*:-999'
    """
    return ";".join(f"{column}:{','.join(map(str, values))}" for column, values in codes.items() if values)


def listed(text: str) -> Codes:
    """Codes as typed, separated by commas or blanks; a ";" or ":" is part of none.

    Examples
    --------
    >>> listed("-999, 98.5 none")
    (-999, 98.5, 'none')
    """
    return tuple(value_from(word) for word in text.translate(str.maketrans(",;:", "   ")).split())


def categories(data: Microdata, column: str) -> list[str | int | float]:
    """Distinct values of a column, sorted as text, in which an order counts them."""
    return sorted(data.frame[column].dropna().unique().tolist(), key=str)


def read_orders(text: str, data: Microdata) -> dict[str, Codes]:
    """Column → its categories from lowest to highest; what does not fit the data is left out.

    Of several orders of one column the last counts, so that no text takes longer than the data's columns.
    """
    parts = {place(column): ranks for column, _, ranks in (part.partition(":") for part in text.split(";"))}
    orders: dict[str, Codes] = {}
    for position, ranks in parts.items():
        if position is None or position >= len(data.attributes):
            continue
        name = data.attributes[position].name
        known, places = categories(data, name), [place(rank) for rank in ranks.split(".")]
        found = [rank for rank in places if rank is not None]
        if len(known) > 1 and len(found) == len(places) and sorted(found) == list(range(len(known))):
            orders[name] = tuple(known[rank] for rank in found)
    return orders


def write_orders(orders: dict[str, Codes], data: Microdata) -> str:
    """The reverse of `read_orders`; categories that the data do not have are passed over."""
    parts = []
    for position, a in enumerate(data.attributes):
        if a.name in orders:
            known = categories(data, a.name)
            places = [str(known.index(value)) for value in orders[a.name] if value in known]
            parts.append(f"{position}:{'.'.join(places)}")
    return ";".join(parts)
