"""What the visitor has set, as one small value: it is what the address holds, what Undo goes back to.

Columns are named by position here, and only here, so that an address never carries a name from a private
file. `plan_settings` makes a plan, which names them, from settings and data together. Settings keep what was
*asked*: what one method cannot honour comes back with the next.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, get_args

from microagg.errors import MicroaggError, PlanError
from microagg.measures.knowledge import Knowledge
from microagg.methods import METHODS
from microagg.model.arguments import shown
from microagg.model.plan import SCHEMA, Plan
from microagg.model.roles import Role, Scale
from microagg.preparation.blocks import parse
from microagg.ui.state.accepted_findings import of_columns, read_accept
from microagg.ui.state.column_codes import read_codes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from microagg.methods.method import Option
    from microagg.model.plan_fields import Aggregate, Missing, Rounding, SmallStrata

OptionValue = str | int | float
UPLOADED = "file:"
ROLE_OF: dict[str, Role] = {
    "i": "identifier",
    "q": "quasi_identifier",
    "c": "confidential",
    "w": "weight",
    "h": "unit",
    "s": "stratum",
    "o": "other",
    "u": "undecided",
}
"""Roles by their letters in the address: a letter's meaning never changes."""
LETTER_OF = {role: letter for letter, role in ROLE_OF.items()}
SCALE_OF: dict[str, Scale] = {scale[0]: scale for scale in get_args(Scale)}
LONGEST = 100_000
"""Characters of one part of an address: a letter for each column of the widest file, and more."""
AS_IN_PLAN = {name: declared for name, declared in SCHEMA.items() if declared.setting == name}
"""Fields of a plan that settings have under the same name."""
NAMING_COLUMNS = {"roles", "scales", "orders", "blocks", "options", "accept"}
"""Those in which the plan names columns and the settings say their positions."""
_CHECKED_BY_PLAN = {"aggregate", "missing", "small_strata", "rounding"}
_BESIDE = {"knowledge", "stop_at"} | {
    declared.setting for declared in SCHEMA.values() if declared.changes != "groups"
}
"""What may change without a change of the groups, as far as refinement is stopped where it was."""
_OF_ONE_RELEASE = {"knowledge", "exact"} | {
    declared.setting for declared in SCHEMA.values() if declared.changes in ("rows", "nothing")
}
"""What may change without a change of the values that are released, which a typed reason was given for."""


@dataclass(frozen=True)
class Settings:
    """One configuration, free of data.

    Parameters
    ----------
    data : str
        Name of a bundled data set, or "file:" and the name of an uploaded file.
    roles, scales : str
        A letter for each column (roles as in `ROLE_OF`; scales c, o, n), or "" for the data's own.
    orders : str
        Orders of categories, as in `column_codes`.
    method, k, lam, aggregate, seed, refine, stop_at, missing, small_strata, weighted, rounding, shuffle
        As in `Plan`, and so is keep_identifiers.
    codes : str
        Values that stand for "missing", as in `column_codes`.
    blocks : str
        A rule, or "hand:0.2-1" for blocks drawn by hand, columns by position.
    options : tuple of (name, value)
        The method's options that differ from their defaults; columns by position.
    knowledge : str
        A form of `Knowledge`.
    accept : str
        What is accepted of the verdict, as in `accepted_findings`.
    all_records : bool
        Whether a large file is looked at as a whole, and not on a sample.
    exact : bool
        Whether linkage looks up every record, however long it takes.
    """

    data: str = "tarragona"
    roles: str = ""
    method: str = "mdav"
    k: int = 5
    blocks: str = "all"
    lam: float = 0.0
    aggregate: Aggregate = "mean"
    seed: int = 0
    refine: int | None = None
    stop_at: float = 1.0
    knowledge: str = "up-to:3"
    options: tuple[tuple[str, OptionValue], ...] = ()
    scales: str = ""
    orders: str = ""
    missing: Missing = "refuse"
    codes: str = ""
    small_strata: SmallStrata = "refuse"
    weighted: bool = False
    rounding: Rounding = "none"
    shuffle: int | None = None
    keep_identifiers: bool = False
    accept: str = ""
    all_records: bool = False
    exact: bool = False

    def replace(self, **changes: Any) -> Settings:
        """Return the same settings with some changed.

        A new method starts from its default options. Where groups change, refinement is not stopped where it
        was. What was accepted of one release is not accepted of another; that nobody can know a column holds
        as long as the data are the same.
        """
        changed = {name for name, value in changes.items() if getattr(self, name) != value}
        if changed - _OF_ONE_RELEASE:
            changes.setdefault("accept", "" if "data" in changed else of_columns(self.accept))
        if changes.get("method", self.method) != self.method:
            changes.setdefault("options", ())
        if changed - _BESIDE:
            changes.setdefault("stop_at", 1.0)
        return replace(self, **changes)

    def query(self) -> dict[str, str]:
        """The settings as the address holds them: data, method and k always, else what differs."""
        always = ("data", "method", "k")
        written = {
            f.name: f"{getattr(self, f.name)}"
            for f in fields(self)
            if f.name != "options" and (f.name in always or getattr(self, f.name) != f.default)
        }
        return written | {f"{_OPTION}{name}": f"{value}" for name, value in self.options}


_OPTION = "option."


def is_setting(name: str) -> bool:
    """Whether a part of the address belongs to the settings; the rest is what was chosen on one page.

    Examples
    --------
    >>> is_setting("k"), is_setting("option.cost"), is_setting("use_model")
    (True, True, False)
    """
    return name.startswith(_OPTION) or name in Settings.__dataclass_fields__


def read_query(query: Mapping[str, str]) -> tuple[Settings, list[str]]:
    """Read an address; what cannot be used is left at its default, with a sentence that says so.

    A part of more than `LONGEST` characters is not looked at.

    Examples
    --------
    >>> read_query({"data": "eia", "k": "7"})[0].k
    7
    >>> read_query({"k": "one"})[1]
    ["The link says k = 'one', which cannot be used; k is 5 instead."]
    """
    found: dict[str, Any] = {}
    complaints = []
    for f in fields(Settings):
        if f.name == "options" or f.name not in query:
            continue
        try:
            found[f.name] = _checked(f.name, query[f.name])
        except (ValueError, OverflowError, MicroaggError):
            complaints.append(
                f"The link says {f.name} = {shown(query[f.name])}, which cannot be used; "
                f"{f.name} is {f.default or 'empty'} instead."
            )
    settings, chosen = Settings(**found), []
    for option in METHODS[settings.method].options:
        if f"{_OPTION}{option.name}" in query:
            try:
                chosen.append((option.name, _option_value(option, query[f"{_OPTION}{option.name}"])))
            except (ValueError, OverflowError, MicroaggError):
                complaints.append(f"The link's option {option.name} cannot be used; it is at its default.")
    return replace(settings, options=tuple(chosen)), complaints


def _checked(name: str, text: str) -> str | int | float | None:
    if len(text) > LONGEST:
        raise PlanError(f"no {name} of so many characters")
    kind = AS_IN_PLAN[name].kind if name in AS_IN_PLAN else str
    if kind is bool or name in ("all_records", "exact"):
        return ("False", "True").index(text) == 1
    if kind is not str or name in _CHECKED_BY_PLAN:
        read: str | int | float = getattr(Plan(**{name: kind(text)}), name)
        return read
    match name:
        case "codes":
            read_codes(text)
        case "accept":
            read_accept(text)
        case "scales" if set(text) - set(SCALE_OF):
            raise PlanError(f"no scales {text}")
        case "method" if text not in METHODS:
            raise PlanError(f"no method {text}")
        case "blocks" if not text.startswith("hand:"):
            parse(text)
        case "knowledge":
            return str(Knowledge.parse(text))
        case "roles" if set(text) - set(ROLE_OF):
            raise PlanError(f"no roles {text}")
    return text


def _option_value(option: Option, text: str) -> OptionValue:
    if isinstance(option.default, str):
        return text if option.column else option.check(text, "")
    return option.check(type(option.default)(float(text)), "")
