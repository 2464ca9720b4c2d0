"""From settings to a plan, and back: here columns get their names, and the method its say.

A method that cannot honour a part of what was asked gets the plain choice instead, and the reason is shown
beside the control.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pandas as pd

from microagg.errors import PlanError
from microagg.methods import METHODS
from microagg.methods.refine import LARGEST_K
from microagg.model.arguments import shown
from microagg.model.plan import EVERY_COLUMN, Plan
from microagg.preparation.prepare import able
from microagg.ui.state.accepted_findings import by_position
from microagg.ui.state.column_codes import place, read_codes, read_orders, write_codes, write_orders
from microagg.ui.state.settings import (
    AS_IN_PLAN,
    LETTER_OF,
    NAMING_COLUMNS,
    ROLE_OF,
    SCALE_OF,
    OptionValue,
    Settings,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from microagg.methods.method import Method
    from microagg.model.microdata import Microdata


USUAL_K = 100
"""Up to here groups of records are of use to anybody, and a slider is fine enough."""


def slider_end(method: Method, data: Microdata) -> int:
    """The largest k that a slider offers for a method; the box beside it takes any.

    Groups of records: two groups or more, and no more than `USUAL_K` in each. Parts of values: all values.
    """
    n, p = len(data), len(able(data, method))
    if method.kind == "partition":
        return max(3, min(USUAL_K, method.largest_k(n, p) // 2))
    return max(3, method.largest_k(n, p))


@dataclass(frozen=True)
class Honoured:
    """A plan that the method can carry out, and why the rest of what was asked is left aside.

    Parameters
    ----------
    plan : Plan
    reasons : dict
        "lam", "blocks", "aggregate", "seed", "refine", "weighted", "rounding" or "small_strata" → one
        sentence; that control is disabled and shows it. Whatever else a plan asks for is refused where it
        cannot be done.
    """

    plan: Plan
    reasons: dict[str, str] = field(default_factory=dict)


def honoured(settings: Settings, data: Microdata) -> Honoured:
    """Make the plan for some data.

    Parameters
    ----------
    settings : Settings
    data : Microdata
        With the settings' roles.

    Raises
    ------
    PlanError
        A position that the data have no column for.
    """
    method = METHODS[settings.method]
    options = {name: _with_name(method, name, value, data) for name, value in settings.options}
    reasons = _reasons(settings, method, options, data)
    blocks: str | tuple[tuple[str, ...], ...] = settings.blocks
    if "blocks" in reasons:
        blocks = "single" if method.single_attribute else "all"
    elif settings.blocks.startswith("hand:"):
        blocks = _drawn(settings.blocks, data)
    default = Plan()
    alike = {
        name: getattr(default if name in reasons else settings, name)
        for name in AS_IN_PLAN.keys() - NAMING_COLUMNS
    }
    if not _refines(settings, reasons):
        alike["stop_at"] = 1.0
    codes = {
        column if column == EVERY_COLUMN else _name(column, data): values
        for column, values in read_codes(settings.codes).items()
    }
    plan = Plan(**alike, blocks=blocks, options=options, missing_codes=codes)
    return Honoured(plan, reasons)


def _refines(settings: Settings, reasons: Mapping[str, str]) -> bool:
    """Whether groups are refined, by the method itself or after it."""
    return bool(METHODS[settings.method].starts_from) or (
        settings.refine is not None and "refine" not in reasons
    )


def _reasons(
    settings: Settings, method: Method, options: Mapping[str, OptionValue], data: Microdata
) -> dict[str, str]:
    reasons = {
        name: f"{method.title}: {reason}" for name, reason in method.limits(method.complete(options)).items()
    }
    names = able(data, method)
    if method.single_attribute and len(names) > 1:
        reasons.setdefault("blocks", f"{method.title}: it works on one attribute a block.")
    if not set(data.confidential_numbers) - set(data.columns("quasi_identifier")):
        reasons.setdefault(
            "lam",
            "λ needs a confidential attribute that is a number and complete; choose one on the Data page.",
        )
    if settings.k > LARGEST_K:
        reasons.setdefault("refine", f"Refinement works up to k = {LARGEST_K}.")
    if "seed" not in method.inputs and not _refines(settings, reasons):
        reasons["seed"] = f"{method.title} draws no random numbers."
    if len(data.columns("weight")) != 1:
        reasons["weighted"] = "Give one column the role Weight on the Data page."
    elif settings.aggregate != "mean" and "aggregate" not in reasons:
        reasons.setdefault("weighted", "Means keep weighted totals, medians do not.")
    if not any(pd.api.types.is_integer_dtype(data.frame[name]) for name in names):
        reasons["rounding"] = "No column to protect holds whole numbers."
    if not data.columns("stratum"):
        reasons["small_strata"] = (
            "Give a column the role Stratum on the Data page; its values are then protected apart."
        )
    return reasons


def from_plan(plan: Plan, data: Microdata, settings: Settings) -> Settings:
    """Settings that ask for a given plan, for example one that was saved.

    Raises
    ------
    PlanError
        A column that the data do not have, or an option that the method does not.
    """
    roles = {a.name: a.role for a in data.attributes} | dict(plan.roles)
    unknown = sorted(set(roles) - {a.name for a in data.attributes})
    if unknown:
        raise PlanError(f"The plan names column {unknown[0]!r}, which {data.name} does not have.")
    if plan.columns is not None:
        roles |= {name: "other" for name, role in roles.items() if role == "quasi_identifier"}
        roles |= dict.fromkeys(plan.columns, "quasi_identifier")
    roles |= dict.fromkeys(plan.strata or (), "stratum")
    names = [a.name for a in data.attributes]
    method = METHODS.get(plan.method)
    if method is None:
        raise PlanError(f"There is no method {plan.method!r}; the methods are {', '.join(METHODS)}.")
    method.complete(plan.options)
    blocks = plan.blocks if isinstance(plan.blocks, str) else hand_drawn(plan.blocks, names)
    columns = {option.name for option in method.options if option.column}
    meant = data.with_roles(roles).with_scales(plan.scales, plan.orders)
    asked = {name: getattr(plan, name) for name in AS_IN_PLAN.keys() - NAMING_COLUMNS}
    return settings.replace(
        **asked,
        roles=letters(meant),
        scales=scale_letters(meant),
        orders=write_orders({a.name: a.order for a in meant.attributes if a.order}, meant),
        blocks=blocks,
        codes=_by_position(plan, names),
        accept=by_position(plan.accept, data),
        options=tuple(
            (name, str(names.index(str(value))) if name in columns and value else value)
            for name, value in plan.options.items()
        ),
    )


def _by_position(plan: Plan, names: list[str]) -> str:
    """Codes for missing values with their columns by position; columns that are not there are left out."""
    places = {EVERY_COLUMN: EVERY_COLUMN} | {name: str(position) for position, name in enumerate(names)}
    return write_codes({places[c]: values for c, values in plan.missing_codes.items() if c in places})


def letters(data: Microdata) -> str:
    """The roles of all columns, a letter each."""
    return "".join(LETTER_OF[a.role] for a in data.attributes)


def with_letters(data: Microdata, roles: str) -> Microdata:
    """The same data with the roles that the letters stand for; as it is where they do not fit."""
    if len(roles) != len(data.attributes):
        return data
    return data.with_roles({a.name: ROLE_OF[x] for a, x in zip(data.attributes, roles, strict=True)})


def scale_letters(data: Microdata) -> str:
    """The scales of all columns, a letter each."""
    return "".join(a.scale[0] for a in data.attributes)


def typed(data: Microdata, settings: Settings) -> Microdata:
    """The same data with the roles, scales and orders of the settings, as far as they fit."""
    data = with_letters(data, settings.roles)
    if len(settings.scales) == len(data.attributes):
        pairs = zip(data.attributes, settings.scales, strict=True)
        data = data.with_scales({a.name: SCALE_OF[x] for a, x in pairs})
    orders = read_orders(settings.orders, data)
    return data.with_scales({}, orders) if orders else data


def hand_drawn(blocks: tuple[tuple[str, ...], ...], names: list[str]) -> str:
    """Blocks of names as blocks of positions.

    Examples
    --------
    >>> hand_drawn((("a", "c"), ("b",)), ["a", "b", "c"])
    'hand:0.2-1'
    """
    unknown = [name for block in blocks for name in block if name not in names]
    if unknown:
        raise PlanError(f"A block names {unknown[0]!r}, which the data do not have.")
    return "hand:" + "-".join(".".join(str(names.index(name)) for name in block) for block in blocks)


def _drawn(text: str, data: Microdata) -> tuple[tuple[str, ...], ...]:
    parts = [part for part in text.removeprefix("hand:").split("-") if part]
    return tuple(tuple(_name(position, data) for position in part.split(".")) for part in parts)


def _with_name(method: Method, name: str, value: OptionValue, data: Microdata) -> OptionValue:
    by_column = any(option.name == name and option.column for option in method.options)
    return _name(str(value), data) if by_column and value != "" else value


def _name(text: str, data: Microdata) -> str:
    position = place(text)
    if position is None or position >= len(data.attributes):
        raise PlanError(f"The link speaks of column number {shown(text)}, which {data.name} does not have.")
    return data.attributes[position].name
