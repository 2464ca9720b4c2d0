"""Options of the command line that ask for a plan: one for each flag that the plan's fields declare."""

from __future__ import annotations

import inspect
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

import typer

from microagg.cli.choices import (
    ROLE_OF,
    accepted,
    listed_codes,
    listed_options,
    listed_orders,
    named_as,
    names,
    order_seed,
    roles_named,
)
from microagg.methods import METHODS
from microagg.model.plan import SCHEMA, Plan

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from microagg.model.plan_fields import Flag

FLAGS = {flag.parameter: flag for declared in SCHEMA.values() for flag in declared.flags}
_KINDS: dict[type, tuple[Any, Any]] = {
    str: (str, ""),
    int: (int | None, None),
    float: (float | None, None),
    bool: (bool, False),
    list: (list[str] | None, None),
}
"""How a kind of flag is annotated, and what stands for one that is left out."""
_READ: dict[str, Callable[[Any], Any]] = {
    "columns": names,
    "strata": names,
    "options": listed_options,
    "orders": listed_orders,
    "missing_codes": listed_codes,
    "shuffle": order_seed,
    "accept": accepted,
}
"""How the text of a field's flag is read, where the plan does not read it itself."""


def flag_option(parameter: str) -> Any:
    """Make the Typer option of one flag."""
    flag = FLAGS[parameter]
    return typer.Option(f"--{flag.name}", help=flag.help.replace("{methods}", ", ".join(METHODS)))


Columns = Annotated[str, flag_option("columns")]
Confidential = Annotated[str, flag_option("confidential")]
Accept = Annotated[list[str] | None, flag_option("accept")]


def asks_for_plan(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command every flag of the plan, in the place of its parameter ``asked``, a mapping of them."""
    signature = inspect.signature(command, eval_str=True)
    parameters: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        if parameter.name == "asked":
            parameters += [_parameter(name, flag) for name, flag in FLAGS.items()]
        else:
            parameters.append(parameter)

    @wraps(command)
    def run(**given: Any) -> None:
        asked = {name: given.pop(name) for name in FLAGS}
        command(**given, asked=asked)

    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _parameter(name: str, flag: Flag) -> inspect.Parameter:
    kind, default = _KINDS[flag.kind]
    return inspect.Parameter(
        name,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        default=default,
        annotation=Annotated[kind, flag_option(name)],
    )


def plan_asked(asked: Mapping[str, Any], base: Plan) -> Plan:
    """The plan that flags ask for, on top of another.

    Parameters
    ----------
    asked : mapping
        A value for each of `FLAGS`; what was left out is empty or None.
    base : Plan

    Raises
    ------
    PlanError
        A value that no data could make valid, or a column named as two things.

    Examples
    --------
    >>> left_out = {name: _KINDS[flag.kind][1] for name, flag in FLAGS.items()}
    >>> plan_asked(left_out | {"k": 3, "weight": "w"}, Plan()).to_json()
    '{"method": "mdav", "k": 3, "roles": {"w": "weight"}, "weighted": true}'
    """
    given = {name: value for name, value in asked.items() if value not in (_KINDS[FLAGS[name].kind][1], [])}
    roles = named_as(**{name: given.get(name, "") for name in ("columns", *ROLE_OF)})
    changes: dict[str, Any] = {}
    for name, declared in SCHEMA.items():
        if len(declared.flags) == 1 and declared.flags[0].parameter in given:
            value = given[declared.flags[0].parameter]
            changes[name] = _READ[name](value) if name in _READ else value
    if changes.get("method", base.method) != base.method:
        changes.setdefault("options", {})
    if "weight" in given:
        changes["weighted"] = True
    for name in ("columns", "strata"):
        if name in changes and not changes[name]:
            del changes[name]
    scales = named_as(nominal=given.get("nominal", ""), ordinal=given.get("ordinal", ""))
    changes["roles"] = {**base.roles, **roles_named(roles)}
    changes["scales"] = {**base.scales, **scales}
    changes["accept"] = {**base.accept, **changes.get("accept", {})}
    return base.replace(**changes)
