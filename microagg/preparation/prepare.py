"""What a plan means for some data, found out before the run: everything it asks for is possible, or refused.

A `Task` is the plan with every default filled in, the records that will be released, and the sets of records
that are protected among themselves.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from microagg.errors import DataError, PlanError
from microagg.kernels.scaling import standardise
from microagg.methods import METHODS
from microagg.methods.cost_limits import refuse_hopeless
from microagg.methods.refine import LARGEST_K
from microagg.model.categories import nominal_codes, ordinal_codes
from microagg.model.findings import refuse_unknown
from microagg.model.safe_repr import discreet
from microagg.preparation.blocks import by_hand, by_rule, parse
from microagg.preparation.cells import division
from microagg.preparation.missing import averaged_codes, decoded, unmatched
from microagg.preparation.refinement_rounds import rounds_asked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from microagg.kernels.compiled import FloatArray
    from microagg.kernels.scaling import Scaling
    from microagg.methods.method import Method
    from microagg.model.microdata import Microdata
    from microagg.model.plan import Plan
    from microagg.preparation.cells import Division

CORRELATING = ("correlated", "apart")


@dataclass(frozen=True, eq=False)
class Task:
    """A plan that has been found possible for some data, with every default filled in.

    Parameters
    ----------
    data : Microdata
        The records that will be released, with the roles and scales that the plan gives.
    plan : Plan
    method : Method
    options : dict
        Complete; a column option holds its column's name.
    columns : tuple of str
        The attributes to protect, in the plan's order.
    blocks : tuple of tuples of str
    confidential : tuple of str
        The attributes of Y; empty where λ = 0 and none is a number.
    matrix : (n, q) float64
        The attributes to protect as numbers: in original units, or as codes; nan where missing.
    scales : dict of str to str
        The scale on which the method protects each attribute.
    weights : (n,) float64, optional
    division : Division
        The cells within which each block is partitioned, and the records that are left out.
    scaling : Scaling, optional
        Of the whole file, where the records are a part of it; None: they are the whole.
    notes : tuple of str
        What the reader of the release should know, one sentence each.
    """

    data: Microdata
    plan: Plan
    method: Method
    options: dict[str, Any]
    columns: tuple[str, ...]
    blocks: tuple[tuple[str, ...], ...]
    confidential: tuple[str, ...]
    matrix: FloatArray
    scales: dict[str, str]
    weights: FloatArray | None
    division: Division
    scaling: Scaling | None = None
    notes: tuple[str, ...] = ()

    __repr__ = discreet

    @property
    def solver(self) -> Method:
        """The method that forms the groups; where the plan's own only refines, the one it starts from."""
        return METHODS[self.method.starts_from] if self.method.starts_from else self.method

    @property
    def rounds(self) -> int | None:
        """Rounds of refinement that follow; None: groups stay as they are formed."""
        return rounds_asked(self.plan)

    def values(self, names: Sequence[str]) -> FloatArray:
        """Some of the attributes as numbers, (n, len(names)) float64; no copy where they are all of them."""
        places = [self.columns.index(name) for name in names]
        return self.matrix if places == list(range(len(self.columns))) else self.matrix[:, places]


@dataclass(frozen=True, eq=False)
class Settled:
    """What roles and types of columns decide of a plan, whatever the number of records.

    Parameters
    ----------
    data : Microdata
        With the roles and scales that the plan gives; codes for "missing" are missing.
    method : Method
    options : dict
        Complete; a column option holds its column's name.
    columns : tuple of str
        The attributes to protect.
    strata : tuple of str
        Columns that make strata.
    scales : dict of str to str
        The scale on which the method protects each attribute.
    notes : tuple of str
        Columns that leave as they are although they tell people apart, or nobody has said what they are for;
        codes for "missing" that no record has, or that are averaged.
    """

    data: Microdata
    method: Method
    options: dict[str, Any]
    columns: tuple[str, ...]
    strata: tuple[str, ...]
    scales: dict[str, str]
    notes: tuple[str, ...]

    __repr__ = discreet


def settle(data: Microdata, plan: Plan) -> Settled:
    """Find out what a plan means for columns like these, and refuse what they cannot give.

    Raises
    ------
    PlanError, DataError
        As `prepare`, but for what depends on the records' number or on missing values.
    """
    method = _method(plan)
    data = data.with_roles(plan.roles_for(data)).with_scales(plan.scales, plan.orders)
    refuse_unknown(plan.accept, data.frame.columns)
    if plan.shuffle is not None and data.index == "keep":
        raise PlanError(
            "The plan shuffles the rows, and the index, which the data keep, would tell where each one "
            "stood; leave out one or the other."
        )
    options = method.complete(plan.options)
    columns = _columns(data, plan, method)
    strata = _strata(data, plan, columns)
    _refuse_limits(method, options, plan, strata)
    for option in method.options:
        if option.column:
            options[option.name] = _sorting_column(options[option.name], columns, option.name)
    coded = data
    data = decoded(coded, plan, columns)
    scales = {name: _scale(data, name, method) for name in columns}
    averaged = [name for name, scale in scales.items() if scale == "continuous" and data.averages(name)]
    notes = (
        *unmatched(coded, plan, columns),
        *averaged_codes(data, averaged),
        *_bare(data, method, columns, strata),
    )
    return Settled(data, method, options, columns, strata, scales, notes)


def prepare(data: Microdata, plan: Plan) -> Task:
    """Check a plan against the data, so that what cannot be honoured is refused before the run.

    Raises
    ------
    PlanError
        Unknown method, option, column or block rule; a combination the method cannot honour; k > n; a run of
        hours.
    DataError
        Nothing to protect; text, missing or infinite values, weights or strata that cannot be dealt with as
        the plan says.
    """
    if _method(plan).kind == "partition":  # first: of a file of one record nobody need hear more
        refuse_k(plan.k, len(data), "record")
    found = settle(data, plan)
    data, method, options, columns, scales = (
        found.data,
        found.method,
        found.options,
        found.columns,
        found.scales,
    )
    refuse_k(plan.k, method.largest_k(len(data), len(columns)), method.counts)
    matrix = _matrix(data, scales)
    missing = np.isnan(matrix)
    if plan.missing == "patterns":
        refuse_gaps_to_sort_by(method, options, columns, np.asarray(missing.any(axis=0)))
    divided = division(
        data, plan, columns, found.strata, missing, method.fewest_records(plan.k, len(columns))
    )
    if len(divided.kept) < len(data):
        data, matrix = data.records(divided.kept), matrix[divided.kept]
    blocks, confidential = blocks_of(plan, method, matrix, scales), confidential_of(data, plan, columns)
    further = len(confidential) if plan.lam > 0 else 0
    parts = [(len(cell), len(block) + further) for block in blocks for cell in divided.cells]
    refuse_hopeless(method, options, plan.k, parts)
    return Task(
        data,
        plan,
        method,
        options,
        columns,
        blocks,
        confidential,
        matrix,
        scales,
        _weights(data, columns) if plan.weighted else None,
        divided,
        notes=(*found.notes, *divided.notes),
    )


def _method(plan: Plan) -> Method:
    if plan.method not in METHODS:
        raise PlanError(f"There is no method {plan.method!r}; the methods are {', '.join(METHODS)}.")
    return METHODS[plan.method]


def able(data: Microdata, method: Method) -> tuple[str, ...]:
    """Quasi-identifiers that a method can protect: numbers, and categories where it takes them.

    They are what a plan protects that names no columns. Where there is none, it is all quasi-identifiers, of
    which the plan is then refused in words.
    """
    columns = data.columns("quasi_identifier")
    taken = tuple(
        c for c in columns if data.averages(c) or data[c].scale in set(method.scales) - {"continuous"}
    )
    return taken or columns


def _bare(
    data: Microdata, method: Method, columns: tuple[str, ...], strata: tuple[str, ...]
) -> tuple[str, ...]:
    """Sentences on columns that leave as they are and should be looked at."""
    notes = []
    left = [c for c in data.columns("quasi_identifier") if c not in columns and c not in strata]
    left = [name for name in left if data.frame[name].nunique(dropna=False) > 1]
    if left:
        wider = [row.name for row in METHODS.values() if set(row.scales) > set(method.scales)]
        one = len(left) == 1
        offer = f"; a method for categories ({', '.join(wider)}) protects {'it' if one else 'them'} too"
        notes.append(
            f"{_listed(left)} {'is a quasi-identifier' if one else 'are quasi-identifiers'} and "
            f"{'leaves' if one else 'leave'} as {'it is' if one else 'they are'}, not protected"
            f"{offer if wider else ''}."
        )
    open_ones = [name for name in data.columns("undecided") if name not in columns and name not in strata]
    if open_ones:
        one = len(open_ones) == 1
        notes.append(
            f"{_listed(open_ones)} {'leaves' if one else 'leave'} as {'it is' if one else 'they are'}, and "
            "nobody has said what for; give "
            f"{'it a role' if one else 'them roles'}."
        )
    return tuple(notes)


def _listed(names: Sequence[str]) -> str:
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _columns(data: Microdata, plan: Plan, method: Method) -> tuple[str, ...]:
    columns = plan.columns
    if columns is None:
        columns = tuple(name for name in able(data, method) if name not in (plan.strata or ()))
    if not columns:
        roles = ", ".join(f"{a.name}: {a.role}" for a in data.attributes[:6])
        more = ", …" if len(data.attributes) > 6 else ""
        raise DataError(
            f"{data.name}: there is nothing to protect, as no column is a quasi-identifier ({roles}{more}); "
            "give a column of numbers that role, or name the columns."
        )
    unknown = [name for name in columns if name not in data.frame.columns]
    if unknown:
        raise DataError(f"{data.name}: there is no column {unknown[0]!r}.")
    repeated = [name for name, times in Counter(columns).items() if times > 1]
    if repeated:
        raise PlanError(f"The plan names column {repeated[0]!r} more than once.")
    identifiers = [name for name in columns if data[name].role == "identifier"]
    if identifiers:
        raise PlanError(
            f"Column {identifiers[0]!r} is an identifier, which is left out, not averaged; "
            "change its role or take it out of the plan."
        )
    return columns


def _strata(data: Microdata, plan: Plan, columns: tuple[str, ...]) -> tuple[str, ...]:
    strata = data.columns("stratum") if plan.strata is None else plan.strata
    both = [name for name in strata if name in columns]
    if both:
        raise PlanError(
            f"Column {both[0]!r} makes strata, which stay as they are; it cannot be protected too."
        )
    return strata


def _refuse_limits(method: Method, options: dict[str, Any], plan: Plan, strata: tuple[str, ...]) -> None:
    asked = {
        "lam": plan.lam > 0,
        "aggregate": plan.aggregate != "mean",
        "blocks": plan.blocks not in ("all", method.blocks),
        "strata": bool(strata),
        "patterns": plan.missing == "patterns",
        "weighted": plan.weighted,
        "refine": plan.refine is not None,
    }
    for feature, reason in method.limits(options).items():
        if asked[feature]:
            raise PlanError(f"{method.title}: {reason}")
    if plan.stop_at < 1 and rounds_asked(plan) is None:
        raise PlanError("The plan says where refinement stops, and refines nothing; leave out stop_at.")
    if rounds_asked(plan) is not None and plan.k > LARGEST_K:
        raise PlanError(f"Refinement works up to k = {LARGEST_K}, and k is {plan.k}; leave it out.")


def refuse_k(k: int, most: int, what: str) -> None:
    """Refuse a k above the number of records, or of values."""
    if k > most:
        there = f"there is only 1 {what}" if most == 1 else f"there are only {most} {what}s"
        raise PlanError(f"k is {k}, but {there}; choose a k of at most {most}.")


def _sorting_column(chosen: str, columns: tuple[str, ...], option: str) -> str:
    if chosen and chosen not in columns:
        raise PlanError(f"Option {option!r} names {chosen!r}, which is not among the protected columns.")
    return chosen or columns[0]


def refuse_gaps_to_sort_by(
    method: Method, options: dict[str, Any], columns: tuple[str, ...], gaps_in: NDArray[np.bool_]
) -> None:
    """Refuse to sort by a column in which values are missing; ``gaps_in`` (q,) says in which they are."""
    named = [options[option.name] for option in method.options if option.column]
    gaps = [name for name in named if gaps_in[columns.index(name)] and "attribute" in options.values()]
    if gaps:
        raise PlanError(
            f"{method.title}: records that miss {gaps[0]!r} cannot be sorted by it; sort by another column."
        )


def _scale(data: Microdata, name: str, method: Method) -> str:
    """The scale on which the method protects a column: numbers in an order may pass as plain numbers."""
    scale = data[name].scale
    if scale in method.scales or (scale == "ordinal" and data.numeric(name)):
        return scale if scale in method.scales else "continuous"
    if data.numeric(name):
        able = ", ".join(row.name for row in METHODS.values() if scale in row.scales)
        raise PlanError(
            f"Column {name!r} is nominal: its values are names, which {method.title} would average; take a "
            f"method for categories ({able}), or call it continuous."
        )
    return "continuous"


def _matrix(data: Microdata, scales: dict[str, str]) -> FloatArray:
    """The columns as numbers or codes, in the order of the plan."""
    continuous = [name for name, scale in scales.items() if scale == "continuous"]
    numbers = data.numbers(continuous) if continuous else np.empty((len(data), 0))
    if len(continuous) == len(scales):
        return numbers
    coded = dict(zip(continuous, numbers.T, strict=True))
    for name, scale in scales.items():
        if scale == "ordinal":
            coded[name] = ordinal_codes(data.frame[name], data.order(name))
        elif scale == "nominal":
            coded[name] = nominal_codes(data.frame[name])
    return np.column_stack([coded[name] for name in scales])


def blocks_of(
    plan: Plan, method: Method, matrix: FloatArray, scales: dict[str, str]
) -> tuple[tuple[str, ...], ...]:
    """The blocks of attributes, by name; rules that look at correlations take them from ``matrix`` (n, q)."""
    columns = tuple(scales)
    rule = method.blocks or plan.blocks
    groups = (
        by_rule(rule, _correlated(rule, matrix, scales)) if isinstance(rule, str) else by_hand(rule, columns)
    )
    if method.single_attribute and any(len(group) > 1 for group in groups):
        raise PlanError(
            f"{method.title} works on one attribute a block; set the blocks to 'single' or choose one column."
        )
    return tuple(tuple(columns[j] for j in group) for group in groups)


def _correlated(rule: str, matrix: FloatArray, scales: dict[str, str]) -> FloatArray:
    """What a rule needs to know of the attributes: their number, or the complete records, standardised."""
    if parse(rule)[0] not in CORRELATING:
        return np.empty((0, len(scales)))
    names = [name for name, scale in scales.items() if scale != "continuous"]
    if names:
        raise PlanError(f"Blocks {rule!r} need numbers that correlate, and {names[0]!r} holds categories.")
    complete = matrix[~np.isnan(matrix).any(axis=1)]
    if not len(complete):
        raise DataError(
            f"Blocks {rule!r} need records without missing values to correlate, and there are none."
        )
    return standardise(complete)


def confidential_of(data: Microdata, plan: Plan, columns: tuple[str, ...]) -> tuple[str, ...]:
    """The attributes of Y; none of them being there is refused where λ > 0."""
    usable = tuple(name for name in data.confidential_numbers if name not in columns)
    if plan.lam > 0:
        incomplete = [
            name
            for name in data.columns("confidential")
            if data.numeric(name) and name not in usable and name not in columns
        ]
        if incomplete:
            raise DataError(
                f"Column {incomplete[0]!r} has missing or infinite values, so λ > 0 cannot weigh it."
            )
        if not usable:
            raise PlanError(
                "λ > 0 needs a confidential attribute that is a number; set a role or take λ = 0."
            )
    return usable


def _weights(data: Microdata, columns: tuple[str, ...]) -> FloatArray:
    named = data.columns("weight")
    if len(named) != 1:
        there = f"there are {len(named)}: {', '.join(named)}" if named else "there is none"
        raise PlanError(f"Weighted centroids need one column with the role weight; {there}.")
    if named[0] in columns:
        raise PlanError(
            f"Column {named[0]!r} is the weight, which stays as it is; it cannot be protected too."
        )
    weights = data.matrix(named)[:, 0]
    wrong = weights <= 0
    if wrong.any():
        raise DataError(
            f"Column {named[0]!r} weighs {int(wrong.sum())} records with 0 or less, the first being record "
            f"{int(wrong.argmax()) + 1}; weights must be above 0."
        )
    return weights
