"""Choices that several commands offer, and how they are written in words on a command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import typer

from microagg.errors import PlanError
from microagg.model.findings import reasons
from microagg.model.plan_fields import order_from, value_from
from microagg.model.roles import Role
from microagg.protection.shuffle_seed import drawn_seed

Knows = Annotated[
    str, typer.Option(help="What the intruder may know: all, up-to:3, unions, sets:a+b,c or sample:200:0.")
]
Exact = Annotated[
    bool, typer.Option("--exact", help="Look up every record in linkage, however long it takes.")
]
Weights = Annotated[
    str,
    typer.Option(help="Of DLD, PLD and ID in DR: paper 3, paper 1, or three numbers such as 0.3,0.2,0.5."),
]


ROLE_OF: dict[str, Role] = {
    "confidential": "confidential",
    "identifiers": "identifier",
    "weight": "weight",
    "unit": "unit",
}
"""The role of a column by the option that names it."""


def names(text: str) -> tuple[str, ...]:
    """Names between commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def named_as(**named: str) -> dict[str, str]:
    """Column → what it was named as: options that each take columns, separated by commas.

    Raises
    ------
    PlanError
        A column is named as two things.

    Examples
    --------
    >>> named_as(confidential="wage,debt", weight="w")
    {'wage': 'confidential', 'debt': 'confidential', 'w': 'weight'}
    """
    found: dict[str, str] = {}
    for what, text in named.items():
        for name in names(text):
            if found.setdefault(name, what) != what:
                raise PlanError(
                    f"Column {name!r} is named under --{found[name]} and --{what}; it can be one of them."
                )
    return found


def roles_named(named: Mapping[str, str]) -> dict[str, Role]:
    """The roles of columns that were named as something that is a role."""
    return {name: ROLE_OF[what] for name, what in named.items() if what in ROLE_OF}


def order_seed(text: str) -> object:
    """The seed that --shuffle gives or asks to be drawn, for the plan to check; None where it is left out.

    Examples
    --------
    >>> order_seed("7"), order_seed("")
    (7, None)
    """
    if text == "random":
        return drawn_seed()
    return value_from(text) if text else None


def listed_options(pairs: list[str]) -> dict[str, str | int | float]:
    """NAME=VALUE."""
    chosen: dict[str, str | int | float] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise PlanError(f"--option {pair!r} must be NAME=VALUE.")
        chosen[name.strip()] = value_from(value.strip())
    return chosen


def listed_codes(pairs: list[str]) -> dict[str, tuple[str | int | float, ...]]:
    """COLUMN=VALUE, several of them for a column if need be."""
    codes: dict[str, tuple[str | int | float, ...]] = {}
    for pair in pairs:
        name, equals, value = pair.rpartition("=")
        if not equals:
            raise PlanError(f"--missing-codes {pair!r} must be COLUMN=VALUE.")
        codes[name.strip()] = (*codes.get(name.strip(), ()), value_from(value.strip()))
    return codes


def listed_orders(pairs: list[str]) -> dict[str, tuple[str | int | float, ...]]:
    """COLUMN=low<middle<high."""
    orders = {}
    for pair in pairs:
        name, equals, categories = pair.partition("=")
        if not equals or "<" not in categories:
            raise PlanError(f"--order {pair!r} must be COLUMN=LOWEST<…<HIGHEST.")
        orders[name.strip()] = order_from(categories)
    return orders


def accepted(pairs: list[str] | None) -> dict[str, str]:
    """Read what a person accepts.

    Raises
    ------
    PlanError
        No NAME=REASON, or a reason without a word.
    """
    chosen = {}
    for pair in pairs or []:
        name, equals, reason = pair.partition("=")
        if not equals or not name.strip():
            raise PlanError(f"--accept {pair!r} must be NAME=REASON.")
        if name.strip() in chosen:
            raise PlanError(f"--accept names {name.strip()!r} more than once; give one reason.")
        chosen[name.strip()] = reason
    return reasons(chosen)
