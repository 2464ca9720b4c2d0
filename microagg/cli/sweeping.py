"""``microagg sweep``: many plans on one file, as a table."""

from __future__ import annotations

import math
import sys
from itertools import product
from pathlib import Path
from typing import Annotated

import typer

from microagg.cli.choices import Knows, Weights, names
from microagg.cli.input_file import AsJson, File, Force, Read, opened
from microagg.cli.plan_options import Confidential
from microagg.errors import PlanError
from microagg.exploration.refined_twins import with_twins
from microagg.exploration.sweep import sweep as run_sweep
from microagg.io.destination import claim
from microagg.io.writing import csv_bytes, write_atomic
from microagg.measures.knowledge import DEFAULT, Knowledge
from microagg.measures.risk import RiskWeights
from microagg.methods import METHODS
from microagg.model.arguments import shown
from microagg.model.phrases import counted
from microagg.model.plan import Plan

MOST_PLANS = 10_000
"""More are a mistake, such as a range with a digit too many."""


def sweep_file(
    file: File,
    methods: Annotated[str, typer.Option(help="Methods, separated by commas.")] = "mdav",
    ks: Annotated[str, typer.Option("--k", help="Group sizes: 3,5,10 or a range 3-10.")] = "3,5,10",
    blocks: Annotated[str, typer.Option(help="Block rules, separated by commas.")] = "all",
    lams: Annotated[str, typer.Option("--lam", help="Values of λ, separated by commas.")] = "0",
    refine: Annotated[
        int | None, typer.Option(help="Beside each plan, the same refined by so many rounds a group.")
    ] = None,
    confidential: Confidential = "",
    knowledge: Knows = str(DEFAULT),
    weights: Weights = "paper 3",
    out: Annotated[Path | None, typer.Option(help="Write the table here (CSV).")] = None,
    read: Read = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Protect and assess FILE under every combination of methods, k, blocks and λ."""
    if out is not None:
        claim(out, (file,), force=force)
    data = opened(file, read).data.with_roles(dict.fromkeys(names(confidential), "confidential"))
    tried = _methods(methods), _whole_numbers(ks), names(blocks), _ratios(lams)
    for option, values in zip(("--methods", "--k", "--blocks", "--lam"), tried, strict=True):
        if not values:
            raise PlanError(f"{option} names nothing to try; leave it out, or give it at least one value.")
    count = math.prod(map(len, tried))
    if count > MOST_PLANS:
        raise PlanError(f"This makes {count:,} plans, more than {MOST_PLANS:,}; name fewer values.")
    plans = [Plan(method=method, k=k, blocks=rule, lam=lam) for method, k, rule, lam in product(*tried)]
    Knowledge.parse(knowledge, data.columns("quasi_identifier"))  # refused before the bar is drawn
    weighing = RiskWeights.parse(weights)
    if refine is not None:
        plans = with_twins(plans, refine)
    with typer.progressbar(length=len(plans), label="plans", file=sys.stderr) as bar:
        found = run_sweep(
            data,
            plans,
            knowledge=knowledge,
            weights=weighing,
            progress=lambda _share: bar.update(1),
        )
    if out is not None:
        write_atomic(out, csv_bytes(found))
    if as_json:
        typer.echo(found.to_json(orient="records", force_ascii=False))
    elif out is None:
        chosen = ["method", "k", "blocks", "lam", *([] if refine is None else ["refine"])]
        left = ["unprotected"] if found["unprotected"].any() else []
        columns = [*chosen, "l", "il", "dr", "score", "dld", "id", "k_prime", *left, "reason"]
        typer.echo(found[columns].to_string(index=False, float_format="{:.4g}".format))
    else:
        typer.echo(f"{out}: {counted(len(found), 'plan')} written.")


def _whole_numbers(text: str) -> list[int]:
    numbers: list[int] = []
    for part in names(text):
        low, dash, high = part.partition("-")
        if not low.isdecimal() or (dash and not high.isdecimal()) or max(len(low), len(high)) > 18:
            raise PlanError(
                f"--k {shown(text)} must be whole numbers such as 3,5,10 or a range such as 3-10."
            )
        sizes = range(int(low), int(high or low) + 1)
        if not sizes:
            raise PlanError(f"--k {shown(text)} has a range that ends before it begins; write {high}-{low}.")
        if len(sizes) > MOST_PLANS:
            raise PlanError(f"--k {shown(text)} names {len(sizes):,} sizes, more than {MOST_PLANS:,}.")
        numbers += sizes
    return numbers


def _methods(text: str) -> tuple[str, ...]:
    unknown = [name for name in names(text) if name not in METHODS]
    if unknown:
        raise PlanError(f"There is no method {shown(unknown[0])}; the methods are {', '.join(METHODS)}.")
    return names(text)


def _ratios(text: str) -> list[float]:
    try:
        return [float(part) for part in names(text)]
    except ValueError:
        raise PlanError(f"--lam {shown(text)} must be numbers between 0 and 1, such as 0,0.5,1.") from None
