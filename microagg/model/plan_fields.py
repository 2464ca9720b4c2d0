"""What each field of a plan may hold, and how it is read from what people, files and libraries write.

Read means checked and brought to one form, so that equal plans are equal values and JSON can hold each of
them. What is written on a command line may be written in a plan as well: "a+b,c+d" are blocks drawn by hand,
"low<middle<high" is an order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from microagg.errors import PlanError
from microagg.model import arguments
from microagg.model.arguments import plain_value, shown, whole_number

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


def read_blocks(value: object, what: str) -> Blocks:
    """Read a rule, or blocks of names."""
    if isinstance(value, str):
        return blocks_from(value)
    if not isinstance(value, Iterable) or isinstance(value, Mapping | bytes):
        raise PlanError(f"{what} is {shown(value)}; it must be a rule such as 'single', or lists of names.")
    return tuple(arguments.names(block, f"A block in {what}") for block in value)


def words(allowed: Any) -> Callable[[object, str], str]:
    """Read one of some words."""
    return lambda value, what: arguments.one_of(value, what, get_args(allowed))


def words_by_name(allowed: Any) -> Callable[[object, str], Mapping[str, str]]:
    """Read one of some words for each of several columns."""

    def read(value: object, what: str) -> Mapping[str, str]:
        given = arguments.by_name(value, what)
        return MappingProxyType({n: words(allowed)(word, f"{what} of {n!r}") for n, word in given.items()})

    return read


def read_options(value: object, what: str) -> Mapping[str, OptionValue]:
    """Read values by the name of an option."""
    given = arguments.by_name(value, what)
    return MappingProxyType({n: plain_value(one, f"Option {n!r}") for n, one in given.items()})


def read_codes(value: object, what: str) -> Mapping[str, Codes]:
    """Read one value or several by the name of a column."""
    given = arguments.by_name(value, what)
    return MappingProxyType({n: _listed(codes, f"A code of {n!r}") for n, codes in given.items()})


def read_orders(value: object, what: str) -> Mapping[str, Codes]:
    """Read categories from lowest to highest by the name of a column."""
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


def optional(read: Callable[[object, str], Any]) -> Callable[[object, str], Any]:
    """Read nothing, or what another reads."""
    return lambda value, what: None if value is None else read(value, what)


MOST_ROUNDS = 100_000
"""Of refinement: it stops gaining long before, and a mistyped number would run for years."""


def count(meant: str, most: int = arguments.LARGEST_WHOLE) -> Callable[[object, str], int]:
    """Read a whole number of at least 0."""
    return lambda value, what: whole_number(value, what, least=0, most=most, meant=meant)


Changes = Literal["groups", "values", "rows", "nothing"]


@dataclass(frozen=True)
class Flag:
    """An option of the command line by which a field of the plan is asked for, or a part of it.

    Parameters
    ----------
    name : str
        How it is written, without the dashes in front.
    help : str
        One sentence; ``{methods}`` stands for the names of all methods.
    kind : type
        str, int, float, bool, or list where it may be repeated.
    """

    name: str
    help: str
    kind: type = str

    @property
    def parameter(self) -> str:
        """Its name among the parameters of a function."""
        return self.name.replace("-", "_")


@dataclass(frozen=True)
class PlanField:
    """What is said of a field of the plan, once, for all that read, show or write it.

    Parameters
    ----------
    read : callable
        ``read(value, name)`` checks a value and brings it to one form, or raises `PlanError`.
    title, help : str
        Of its control on the page.
    changes : {"groups", "values", "rows", "nothing"}
        What of a release another value changes: the groups, only what they are released as, only the order of
        the rows, or no byte.
    setting : str
        The part of the address that holds it.
    kind : type
        Of what that part holds: str, int, float or bool.
    flags : tuple of Flag
        Of the command line; none where only a saved plan says it.
    """

    read: Callable[[object, str], Any]
    title: str
    help: str
    changes: Changes
    setting: str
    kind: type
    flags: tuple[Flag, ...]


def said(
    read: Callable[[object, str], Any],
    title: str,
    help_: str,
    *flags: Flag,
    changes: Changes = "groups",
    setting: str,
    kind: type = str,
) -> dict[str, PlanField]:
    """What a field's declaration carries (``metadata``): see `PlanField`."""
    return {SAID: PlanField(read, title, help_, changes, setting, kind, flags)}


SAID = "said"
