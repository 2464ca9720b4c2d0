"""A plan in words: what a person who never saw the program needs to know to judge it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microagg.methods import METHODS
from microagg.preparation.blocks import parse
from microagg.preparation.refinement_rounds import rounds_asked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from microagg.model.plan import Plan
    from microagg.model.release import Release

_BLOCKS = {
    "all": "all together",
    "single": "each on its own",
    "contiguous": "in blocks of {size} in the file's order",
    "correlated": "in blocks of {size} that correlate",
    "apart": "in blocks of {size} that do not correlate",
}
_ROUNDING = {"half even": "halves to the even neighbour", "half up": "halves upwards"}


def plan_in_words(release: Release) -> list[tuple[str, str]]:
    """What was decided, a subject and a sentence each.

    Parameters
    ----------
    release : Release

    Returns
    -------
    list of (str, str)
        Empty for a release without a plan.

    Examples
    --------
    >>> import pandas as pd
    >>> from microagg.protection.protect import protect
    >>> from microagg.model.microdata import Microdata
    >>> from microagg.model.plan import Plan
    >>> data = Microdata.from_frame(pd.DataFrame({"age": [20, 21, 60, 64]}))
    >>> plan_in_words(protect(data, Plan(k=2)))[1]
    ('Group size', 'At least k = 2 records.')
    """
    plan = release.plan
    if plan is None:
        return []
    return [said for words in dict.fromkeys(WORDS.values()) for said in words(release, plan)]


def _method(_: Release, plan: Plan) -> Iterator[tuple[str, str]]:
    method = METHODS[plan.method]
    yield (
        "Method",
        f"{method.title}: {method.summary} {method.guarantees} Defined in: {method.reference}.",
    )


def _k(_: Release, plan: Plan) -> Iterator[tuple[str, str]]:
    counted = "records" if METHODS[plan.method].kind == "partition" else "values, not records"
    yield "Group size", f"At least k = {plan.k} {counted}."


def _protected(release: Release, plan: Plan) -> Iterator[tuple[str, str]]:
    yield "Protected", f"{', '.join(release.attributes)}; {_blocks(release, plan)}."


def _blocks(release: Release, plan: Plan) -> str:
    if not isinstance(plan.blocks, str):
        how = "in blocks drawn by hand"
    else:
        rule, size = parse(plan.blocks)
        how = _BLOCKS[rule].format(size=size)
    if len(release.blocks) > 1 and plan.blocks != "single":
        how += ": " + "; ".join(" + ".join(block) for block in release.blocks)
    return how


def _lam(_: Release, plan: Plan) -> Iterator[tuple[str, str]]:
    if plan.lam:
        yield "Link kept", f"Groups also agree on the confidential attributes, with weight λ = {plan.lam:g}."


def _aggregate(_: Release, plan: Plan) -> Iterator[tuple[str, str]]:
    if plan.aggregate != "mean":
        yield "Centroid", f"The group's {plan.aggregate}."


def _weighted(release: Release, plan: Plan) -> Iterator[tuple[str, str]]:
    if plan.weighted:
        yield "Weights", f"Averages weigh records by {', '.join(release.data.columns('weight'))}."


def _options(_: Release, plan: Plan) -> Iterator[tuple[str, str]]:
    titles = {option.name: option.title for option in METHODS[plan.method].options}
    for name, value in plan.options.items():
        yield "Option", f"{titles.get(name, name)}: {value}."


def _refinement(_: Release, plan: Plan) -> Iterator[tuple[str, str]]:
    rounds = rounds_asked(plan)
    if rounds is not None:
        stopped = f", stopped after {plan.stop_at:.1%} of them" if plan.stop_at < 1 else ""
        yield "Refinement", f"Groups are refined in {rounds:,} rounds{stopped}."


def _seed(_: Release, plan: Plan) -> Iterator[tuple[str, str]]:
    if "seed" in METHODS[plan.method].inputs or rounds_asked(plan) is not None:
        yield "Seed", f"Random choices follow from {plan.seed}."


def _missing(_: Release, plan: Plan) -> Iterator[tuple[str, str]]:
    if plan.missing != "refuse":
        how = {
            "drop": "Records that miss a quasi-identifier are left out.",
            "patterns": "Records that miss the same quasi-identifiers are protected among themselves.",
        }
        yield "Missing values", how[plan.missing]


def _missing_codes(_: Release, plan: Plan) -> Iterator[tuple[str, str]]:
    for column, codes in plan.missing_codes.items():
        where = "every protected column" if column == "*" else column
        yield "Missing codes", f"In {where}, {', '.join(map(str, codes))} stands for a missing value."


def _strata(release: Release, plan: Plan) -> Iterator[tuple[str, str]]:
    strata = release.data.columns("stratum") if plan.strata is None else plan.strata
    if strata:
        merged = "" if plan.small_strata == "refuse" else f" Small ones: {plan.small_strata}."
        yield "Strata", f"Each combination of {', '.join(strata)} is protected apart.{merged}"


def _rounding(_: Release, plan: Plan) -> Iterator[tuple[str, str]]:
    if plan.rounding != "none":
        yield "Rounding", f"Columns of whole numbers are released as such, {_ROUNDING[plan.rounding]}."


def _shuffle(_: Release, plan: Plan) -> Iterator[tuple[str, str]]:
    if plan.shuffle is not None:
        yield "Shuffle", f"Rows stand in a random order, from seed {plan.shuffle}; who knows it can undo it."


def _identifiers(_: Release, plan: Plan) -> Iterator[tuple[str, str]]:
    if plan.keep_identifiers:
        yield "Identifiers", "They are released too, against the usual practice."


def _accepted(_: Release, plan: Plan) -> Iterator[tuple[str, str]]:
    for name, reason in plan.accept.items():
        yield f"Accepted: {name}", f"“{reason}”"


def _scales(release: Release, _: Plan) -> Iterator[tuple[str, str]]:
    """How protected columns are read that are not plain numbers, and the order of categories."""
    for name in release.attributes:
        scale = release.data[name].scale
        if scale != "continuous":
            order = " < ".join(map(str, release.data.order(name)))
            yield f"Scale of {name}", f"{scale.capitalize()}{f': {order}' if order else ''}."


WORDS: dict[str, Callable[[Release, Plan], Iterator[tuple[str, str]]]] = {
    "method": _method,
    "k": _k,
    "columns": _protected,
    "roles": _protected,
    "blocks": _protected,
    "lam": _lam,
    "aggregate": _aggregate,
    "weighted": _weighted,
    "options": _options,
    "refine": _refinement,
    "stop_at": _refinement,
    "seed": _seed,
    "scales": _scales,
    "orders": _scales,
    "missing": _missing,
    "missing_codes": _missing_codes,
    "strata": _strata,
    "small_strata": _strata,
    "rounding": _rounding,
    "shuffle": _shuffle,
    "keep_identifiers": _identifiers,
    "accept": _accepted,
}
"""What says each field of the plan, in the order of the report."""
