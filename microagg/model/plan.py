"""The plan: everything that decides a release, as one value.

It is at once what the page's address holds, what caches key on, what the report prints and what the command
line reads, so it is checked where it is made and survives JSON unchanged.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from microagg.errors import PlanError
from microagg.model.arguments import shown
from microagg.model.plan_fields import (
    READ,
    Aggregate,
    Blocks,
    Codes,
    Missing,
    OptionValue,
    Rounding,
    SmallStrata,
)

if TYPE_CHECKING:
    from microagg.model.microdata import Microdata
    from microagg.model.roles import Role, Scale

EVERY_COLUMN = "*"


@dataclass(frozen=True)
class Plan:
    """Everything that decides a release, and what a person accepts of it: same data and plan, same bytes.

    Parameters
    ----------
    method : str
        A row of `microagg.METHODS`.
    k : int
        Minimum group size, at least 2.
    columns : tuple of str, optional
        Quasi-identifiers to protect; None: all columns with that role.
    blocks : str or tuple of tuples of str
        How the attributes are split: a rule of `microagg.preparation.blocks` ("all", "single",
        "contiguous:3", "correlated:3", "apart:3") or the blocks themselves.
    lam : float in [0, 1]
        Weight of the confidential attributes' predictability, λ (paper 2).
    aggregate : {"mean", "median"}
        What a group's numbers are replaced by; categories have medians and modes
        (`microagg.protection.centroids`).
    options : mapping
        The method's own options; what is not named takes its default.
    seed : int
        For methods that draw random numbers, and for refining.
    refine : int, optional
        Rounds of refinement that follow the method (`microagg.methods.refine`), per group; 0: only the local
        search; None: the method's partition stays as it is.
    stop_at : float in [0, 1]
        Share of the refinement after which it stops with the best so far (`microagg.protection.refinement`);
        what a run that was stopped is repeated by.
    roles : mapping
        Roles of columns, where they differ from the data's own.
    keep_identifiers : bool
        Whether identifiers stay in the released file. Off unless asked for.
    scales : mapping
        Column → "continuous", "ordinal" or "nominal", where it differs from the data's own.
    orders : mapping
        Column → its categories from lowest to highest; makes the column ordinal.
    missing : {"refuse", "drop", "patterns"}
        What happens to records that miss a quasi-identifier (`microagg.preparation.missing`).
    missing_codes : mapping
        Column → values that stand for "missing" in it, such as ``{"income": (-999,)}``; the name "*" means
        every column to protect. They are released as missing. Without this, −999 is a value.
    strata : tuple of str, optional
        Columns whose combinations are protected apart (`microagg.preparation.strata`); None: those with that
        role.
    small_strata : {"refuse", "merge next", "merge together"}
        What happens to strata of fewer than k records.
    weighted : bool
        Centroids of numbers weigh each record by the column with the role "weight", which keeps weighted
        totals; k still counts records.
    rounding : {"none", "half even", "half up"}
        Whether columns of whole numbers are released as whole numbers (`microagg.protection.rounding`).
    shuffle : int, optional
        Seed of a random order of the released rows; None: the file's own order. Whoever knows or guesses the
        seed can undo the shuffle: draw it at random, 2³² or more, and keep it, and this plan, to yourself.
    accept : mapping of str to str
        What a person accepts of the verdict (`microagg.audit`): a finding, or a column that no intruder can
        know, with a typed reason. It changes no byte of the release.

    Raises
    ------
    PlanError
        A value that no data could make valid.

    Examples
    --------
    >>> Plan.from_json(Plan(method="pcp", k=3).to_json()) == Plan(method="pcp", k=3)
    True
    """

    method: str = "mdav"
    k: int = 5
    columns: tuple[str, ...] | None = None
    blocks: Blocks = "all"
    lam: float = 0.0
    aggregate: Aggregate = "mean"
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    seed: int = 0
    refine: int | None = None
    stop_at: float = 1.0
    roles: Mapping[str, Role] = field(default_factory=dict)
    keep_identifiers: bool = False
    scales: Mapping[str, Scale] = field(default_factory=dict)
    orders: Mapping[str, Codes] = field(default_factory=dict)
    missing: Missing = "refuse"
    missing_codes: Mapping[str, Codes] = field(default_factory=dict)
    strata: tuple[str, ...] | None = None
    small_strata: SmallStrata = "refuse"
    weighted: bool = False
    rounding: Rounding = "none"
    shuffle: int | None = None
    accept: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, read in READ.items():
            object.__setattr__(self, name, read(getattr(self, name), name))
        if self.weighted and self.aggregate != "mean":
            raise PlanError(
                "Weighted totals are kept by means, not medians; choose the mean as the aggregate."
            )
        both = [name for name in self.columns or () if self.roles.get(name) == "confidential"]
        if both:
            raise PlanError(
                f"Column {both[0]!r} is confidential, which is released as it is, and named as one to "
                "protect; take it out of the columns, or give it another role."
            )

    def replace(self, **changes: Any) -> Plan:
        """Return the same plan with some fields changed."""
        return replace(self, **changes)

    def roles_for(self, data: Microdata) -> dict[str, Role]:
        """The plan's roles; a column it protects is a quasi-identifier, also where data say confidential."""
        named = [name for name in self.columns or () if name in data.columns("confidential")]
        return {**dict.fromkeys(named, "quasi_identifier"), **self.roles}

    def pinned(self, data: Microdata) -> Plan:
        """Spell out every role and scale, so that the plan means the same whatever a reader would guess."""
        attributes = data.with_roles(self.roles_for(data)).with_scales(self.scales, self.orders).attributes
        protected = set(self.columns or ())
        compared = [a for a in attributes if a.role == "quasi_identifier" or a.name in protected]
        orders = {a.name: data.order(a.name) for a in compared if a.scale != "continuous"}
        return self.replace(
            roles={a.name: a.role for a in attributes},
            scales={a.name: a.scale for a in compared} | dict(self.scales),
            orders={name: order for name, order in orders.items() if _writable(order)} | dict(self.orders),
        )

    def to_json(self) -> str:
        """One line of JSON: only what differs from the defaults, besides method and k."""
        default = Plan(self.method, self.k)
        chosen = {
            f.name: _plain(getattr(self, f.name))
            for f in fields(self)
            if f.name in ("method", "k") or getattr(self, f.name) != getattr(default, f.name)
        }
        return json.dumps(chosen, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """Read what `to_json` wrote.

        Raises
        ------
        PlanError
            Not JSON, no object, an unknown name, or a value of the wrong kind.
        """
        try:
            chosen = json.loads(text, object_pairs_hook=_each_once)
        except ValueError as error:
            raise PlanError(f"The plan is not valid JSON: {error}.") from None
        except RecursionError:
            raise PlanError("The plan is not valid JSON: brackets stand within brackets too deep.") from None
        names = [f.name for f in fields(cls)]
        if not isinstance(chosen, dict):
            raise PlanError('A plan is a JSON object such as {"method": "mdav", "k": 5}.')
        unknown = sorted(set(chosen) - set(names))
        if unknown:
            raise PlanError(f"A plan has no {shown(unknown[0])}; it may name {', '.join(names)}.")
        return cls(**chosen)

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __reduce__(self) -> tuple[Any, ...]:
        return Plan.from_json, (self.to_json(),)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        twice = next(name for i, (name, _) in enumerate(pairs) if name in dict(pairs[:i]))
        raise PlanError(f"The plan says {shown(twice)} twice; say it once.")
    return read


def _writable(order: Codes) -> bool:
    """Whether JSON can hold these categories, which it cannot with intervals or dates."""
    return bool(order) and all(isinstance(category, str | int | float) for category in order)


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else value
