"""What each field of a plan may hold, and how it is read from what people, files and libraries write.

Read means checked and brought to one form, so that equal plans are equal values and JSON can hold each of
them. What is written on a command line may be written in a plan as well: "a+b,c+d" are blocks drawn by hand,
"low<middle<high" is an order.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from microagg.errors import PlanError
from microagg.model import arguments
from microagg.model.arguments import plain_value, shown, whole_number
from microagg.model.findings import reasons
from microagg.model.roles import Role, Scale

if TYPE_CHECKING:
    from collections.abc import Callable

OptionValue: TypeAlias = str | int | float
Blocks: TypeAlias = str | tuple[tuple[str, ...], ...]
Codes: TypeAlias = tuple[str | int | float, ...]
Aggregate = Literal["mean", "median"]
Missing = Literal["refuse", "drop", "patterns"]
SmallStrata = Literal["refuse", "merge next", "merge together"]
Rounding = Literal["none", "half even", "half up"]


def blocks_from(text: str) -> Blocks:
    """Read blocks that were typed: a rule of `preparation.blocks`, or blocks drawn by hand as a+b,c+d.

    Examples
    --------
    >>> blocks_from("contiguous:3"), blocks_from("age+sex,rent")
    ('contiguous:3', (('age', 'sex'), ('rent',)))
    """
    if "+" not in text and "," not in text:
        return text
    return tuple(tuple(name.strip() for name in block.split("+")) for block in text.split(","))


def order_from(text: str) -> Codes:
    """Read categories that were typed from lowest to highest.

    Examples
    --------
    >>> order_from("low < middle < high")
    ('low', 'middle', 'high')
    """
    return tuple(value_from(category.strip()) for category in text.split("<"))


def value_from(text: str) -> str | int | float:
    """Read a value that was typed: a finite number where it reads as one, else the text.

    Examples
    --------
    >>> value_from("-999"), value_from("98.5"), value_from("none")
    (-999, 98.5, 'none')
    """
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        if "_" not in text and math.isfinite(number):
            return number
    return text


def _blocks(value: object, what: str) -> Blocks:
    if isinstance(value, str):
        return blocks_from(value)
    if not isinstance(value, Iterable) or isinstance(value, Mapping | bytes):
        raise PlanError(f"{what} is {shown(value)}; it must be a rule such as 'single', or lists of names.")
    return tuple(arguments.names(block, f"A block in {what}") for block in value)


def _words(allowed: Any) -> Callable[[object, str], str]:
    return lambda value, what: arguments.one_of(value, what, get_args(allowed))


def _words_by_name(allowed: Any) -> Callable[[object, str], Mapping[str, str]]:
    def read(value: object, what: str) -> Mapping[str, str]:
        given = arguments.by_name(value, what)
        return MappingProxyType({n: _words(allowed)(word, f"{what} of {n!r}") for n, word in given.items()})

    return read


def _options(value: object, what: str) -> Mapping[str, OptionValue]:
    given = arguments.by_name(value, what)
    return MappingProxyType({n: plain_value(one, f"Option {n!r}") for n, one in given.items()})


def _codes(value: object, what: str) -> Mapping[str, Codes]:
    given = arguments.by_name(value, what)
    return MappingProxyType({n: _listed(codes, f"A code of {n!r}") for n, codes in given.items()})


def _orders(value: object, what: str) -> Mapping[str, Codes]:
    given = arguments.by_name(value, what)
    orders = {
        n: order_from(order) if isinstance(order, str) else _listed(order, f"A category of {n!r}")
        for n, order in given.items()
    }
    for column, order in orders.items():
        if len(set(order)) != len(order) or len(order) < 2:
            raise PlanError(f"The order of {column!r} must name at least two categories, each once.")
    return MappingProxyType(orders)


def _listed(values: object, what: str) -> Codes:
    """One value, or several, as a tuple."""
    if isinstance(values, Iterable) and not isinstance(values, str | bytes | Mapping | np.generic):
        return tuple(plain_value(value, what) for value in values)
    return (plain_value(values, what),)


def _optional(read: Callable[[object, str], Any]) -> Callable[[object, str], Any]:
    return lambda value, what: None if value is None else read(value, what)


MOST_ROUNDS = 100_000
"""Of refinement: it stops gaining long before, and a mistyped number would run for years."""


def _count(meant: str, most: int = arguments.LARGEST_WHOLE) -> Callable[[object, str], int]:
    return lambda value, what: whole_number(value, what, least=0, most=most, meant=meant)


READ: dict[str, Callable[[object, str], Any]] = {
    "method": lambda value, what: arguments.text(value, what),
    "k": lambda value, what: whole_number(value, what, least=2),
    "columns": _optional(arguments.names),
    "blocks": _blocks,
    "lam": lambda value, _: arguments.share(value, "λ"),
    "aggregate": _words(Aggregate),
    "options": _options,
    "seed": _count("a whole number of at least 0"),
    "refine": _optional(_count(f"a number of rounds, from 0 to {MOST_ROUNDS:,}", MOST_ROUNDS)),
    "stop_at": arguments.share,
    "roles": _words_by_name(Role),
    "keep_identifiers": arguments.truth,
    "scales": _words_by_name(Scale),
    "orders": _orders,
    "missing": _words(Missing),
    "missing_codes": _codes,
    "strata": _optional(arguments.names),
    "small_strata": _words(SmallStrata),
    "weighted": arguments.truth,
    "rounding": _words(Rounding),
    "shuffle": _optional(_count("a seed, a whole number of at least 0")),
    "accept": lambda value, _: MappingProxyType(reasons(value)),
}
"""How each field of a plan is read."""
