"""The plan: everything that decides a release, as one value.

It is at once what the page's address holds, what caches key on, what the report prints and what the command
line reads, so it is checked where it is made and survives JSON unchanged. Each field is declared once, in
`Plan`, with what page, address, command line and report say of it; `SCHEMA` is the list of these. dataclasses
serve, as what a value may be and the sentence that refuses it are ours.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from microagg.errors import PlanError
from microagg.model import arguments
from microagg.model.arguments import shown, whole_number
from microagg.model.findings import reasons
from microagg.model.plan_fields import (
    MOST_ROUNDS,
    SAID,
    Aggregate,
    Blocks,
    Codes,
    Flag,
    Missing,
    OptionValue,
    PlanField,
    Rounding,
    SmallStrata,
    count,
    optional,
    read_blocks,
    read_codes,
    read_options,
    read_orders,
    said,
    words,
    words_by_name,
)
from microagg.model.roles import Role, Scale

if TYPE_CHECKING:
    from microagg.model.microdata import Microdata

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

    method: str = field(
        default="mdav",
        metadata=said(
            arguments.text,
            "Method",
            "How records are put into groups.",
            Flag("method", "One of {methods}."),
            setting="method",
        ),
    )
    k: int = field(
        default=5,
        metadata=said(
            lambda value, what: whole_number(value, what, least=2),
            "k, smallest group",
            "Fewest records of a group. Larger k: less risk, more loss. The verdict says who is hidden.",
            Flag("k", "Minimum group size; 5 where neither this nor a plan says.", int),
            setting="k",
            kind=int,
        ),
    )
    columns: tuple[str, ...] | None = field(
        default=None,
        metadata=said(
            optional(arguments.names),
            "Columns to protect",
            "Quasi-identifiers are replaced by group averages.",
            Flag("columns", "Columns to protect, separated by commas; default: all quasi-identifiers."),
            setting="roles",
        ),
    )
    blocks: Blocks = field(
        default="all",
        metadata=said(
            read_blocks,
            "Blocks of attributes",
            "Each block is protected on its own: less is lost, and k counts inside a block only.",
            Flag("blocks", "all, single, contiguous:3, correlated:3, apart:3, or by hand: a+b,c+d."),
            setting="blocks",
        ),
    )
    lam: float = field(
        default=0.0,
        metadata=said(
            lambda value, _: arguments.share(value, "λ"),
            "λ, weight of the link to Y",
            "0 groups records alike in the quasi-identifiers X; 1 those alike in the confidential ones, Y.",
            Flag("lam", "λ: weight of the confidential attributes, 0…1.", float),
            setting="lam",
            kind=float,
        ),
    )
    aggregate: Aggregate = field(
        default="mean",
        metadata=said(
            words(Aggregate),
            "A group is released as its",
            "Means keep totals and averages exactly; medians resist a group's outliers.",
            Flag("aggregate", "mean or median."),
            changes="values",
            setting="aggregate",
        ),
    )
    options: Mapping[str, OptionValue] = field(
        default_factory=dict,
        metadata=said(
            read_options,
            "Options",
            "The method's own options.",
            Flag("option", "NAME=VALUE of the method; may be repeated.", list),
            setting="options",
        ),
    )
    seed: int = field(
        default=0,
        metadata=said(
            count("a whole number of at least 0"),
            "Seed",
            "The same seed gives the same release.",
            Flag("seed", "For methods that draw random numbers.", int),
            setting="seed",
            kind=int,
        ),
    )
    refine: int | None = field(
        default=None,
        metadata=said(
            optional(count(f"a number of rounds, from 0 to {MOST_ROUNDS:,}", MOST_ROUNDS)),
            "Refine groups",
            "Local search after the method: it loses less, for some seconds of work.",
            Flag("refine", "Rounds of refinement after the method.", int),
            setting="refine",
            kind=int,
        ),
    )
    stop_at: float = field(
        default=1.0,
        metadata=said(
            arguments.share,
            "Refinement stopped at",
            "The share of the refinement after which it was stopped.",
            setting="stop_at",
            kind=float,
        ),
    )
    roles: Mapping[str, Role] = field(
        default_factory=dict,
        metadata=said(
            words_by_name(Role),
            "Role",
            "What a column is for.",
            Flag("confidential", "Columns with the role confidential, separated by commas."),
            Flag("identifiers", "Columns with the role identifier, separated by commas."),
            Flag("weight", "Column by which centroids weigh records; keeps weighted totals."),
            Flag(
                "unit",
                "Column of the household, firm or patient that a record belongs to; the audit counts them.",
            ),
            setting="roles",
        ),
    )
    keep_identifiers: bool = field(
        default=False,
        metadata=said(
            arguments.truth,
            "Keep identifiers",
            "Off, the columns that name people are left out of the file.",
            Flag("keep-identifiers", "Release them too.", bool),
            changes="values",
            setting="keep_identifiers",
            kind=bool,
        ),
    )
    scales: Mapping[str, Scale] = field(
        default_factory=dict,
        metadata=said(
            words_by_name(Scale),
            "Scale",
            "How a column's values are compared and released.",
            Flag("nominal", "Columns whose values are names, separated by commas."),
            Flag("ordinal", "Columns of numbers that are ranks, separated by commas."),
            setting="scales",
        ),
    )
    orders: Mapping[str, Codes] = field(
        default_factory=dict,
        metadata=said(
            read_orders,
            "Order of categories",
            "Categories from lowest to highest.",
            Flag("order", "COLUMN=low<middle<high of categories; may be repeated.", list),
            setting="orders",
        ),
    )
    missing: Missing = field(
        default="refuse",
        metadata=said(
            words(Missing),
            "Records that miss a value are",
            "Missing stays missing: nothing is ever filled in. Among their like, records are grouped by "
            "what they have; those with fewer than k of their like are left out.",
            Flag(
                "missing",
                "Records that miss a value: refuse, drop, or patterns (protected among their like).",
            ),
            setting="missing",
        ),
    )
    missing_codes: Mapping[str, Codes] = field(
        default_factory=dict,
        metadata=said(
            read_codes,
            "Codes that mean “missing”",
            "In every column to protect, separated by commas. The table below takes codes of one column. "
            "Without this, −999 is a value like any other.",
            Flag(
                "missing-codes",
                "COLUMN=VALUE that stands for missing, *=VALUE in every column; may be repeated.",
                list,
            ),
            setting="codes",
        ),
    )
    strata: tuple[str, ...] | None = field(
        default=None,
        metadata=said(
            optional(arguments.names),
            "Strata",
            "Groups never reach across the values of these columns.",
            Flag("strata", "Columns whose combinations are protected apart, by commas."),
            setting="roles",
        ),
    )
    small_strata: SmallStrata = field(
        default="refuse",
        metadata=said(
            words(SmallStrata),
            "Strata of fewer than k records are",
            "Merged strata are protected together until they have k records; k then holds in them together.",
            Flag("small-strata", "Strata of fewer than k records: refuse, merge next or merge together."),
            setting="small_strata",
        ),
    )
    weighted: bool = field(
        default=False,
        metadata=said(
            arguments.truth,
            "Weighted means",
            "Means weigh each record by its weight, which keeps weighted totals; k counts records.",
            changes="values",
            setting="weighted",
            kind=bool,
        ),
    )
    rounding: Rounding = field(
        default="none",
        metadata=said(
            words(Rounding),
            "Columns of whole numbers",
            "Rounded averages look like the originals; totals are then no longer kept exactly.",
            Flag("rounding", "Columns of whole numbers released so: none, half even or half up."),
            changes="values",
            setting="rounding",
        ),
    )
    shuffle: int | None = field(
        default=None,
        metadata=said(
            optional(count("a seed, a whole number of at least 0")),
            "Shuffle rows",
            "The order of a file can tell who is who. Whoever knows the seed can undo it: keep seed and plan "
            "to yourself.",
            Flag(
                "shuffle",
                "Random order of the rows: random draws a seed that nobody can guess, or a seed; "
                "keep it to yourself, as it undoes the shuffle.",
            ),
            changes="rows",
            setting="shuffle",
            kind=int,
        ),
    )
    accept: Mapping[str, str] = field(
        default_factory=dict,
        metadata=said(
            lambda value, _: MappingProxyType(reasons(value)),
            "Accepted",
            "What a person accepts of the verdict, with the reason.",
            Flag(
                "accept",
                "NAME=REASON: a finding of the audit that you accept, or a column that no intruder can know, "
                "and why; may be repeated.",
                list,
            ),
            changes="nothing",
            setting="accept",
        ),
    )

    def __post_init__(self) -> None:
        for name, declared in SCHEMA.items():
            object.__setattr__(self, name, declared.read(getattr(self, name), name))
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


SCHEMA: dict[str, PlanField] = {f.name: f.metadata[SAID] for f in fields(Plan)}
"""What is said of each field of a plan, by its name."""


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
