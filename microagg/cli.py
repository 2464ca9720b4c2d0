"""The ``microagg`` command: the same computation as the page, for scripts and for files too large to look at.

Exit status 2 and one plain line for bad input; progress on long work; ``--json`` for machines.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from microagg.assess import Assessment, assess, compare
from microagg.check import formulas
from microagg.errors import MicroaggError, PlanError
from microagg.io.catalogue import CATALOGUE
from microagg.io.datasets import dataset_file
from microagg.io.download import download
from microagg.io.saving import write_table
from microagg.io.writing import csv_bytes, neutralise, write_atomic
from microagg.measures.catalogue import MEASURES
from microagg.measures.intervals import Width
from microagg.measures.knowledge import DEFAULT, Knowledge
from microagg.measures.matching import Direction
from microagg.measures.risk import RiskWeights
from microagg.methods import METHODS
from microagg.opened import AsJson, File, Neutralise, Read, opened, opened_plan
from microagg.papers.command import papers_app
from microagg.protect import protect
from microagg.report.command import check_file, report_file
from microagg.sweep import sweep as run_sweep
from microagg.types import Plan

app = typer.Typer(
    help="Microaggregation: protect microdata, and see what that costs and what it still gives away.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
)
datasets_app = typer.Typer(help="List the reference data sets, or fetch one that is not bundled.")
app.add_typer(datasets_app, name="datasets")
app.add_typer(papers_app, name="papers")
app.command("check")(check_file)
app.command("report")(report_file)

Method = Annotated[str, typer.Option(help=f"One of {', '.join(METHODS)}.")]
Columns = Annotated[
    str, typer.Option(help="Columns to protect, separated by commas; default: all quasi-identifiers.")
]
Confidential = Annotated[str, typer.Option(help="Columns with the role confidential, separated by commas.")]
Identifiers = Annotated[str, typer.Option(help="Columns with the role identifier, separated by commas.")]
BlockRule = Annotated[
    str, typer.Option(help="all, single, contiguous:3, correlated:3, apart:3, or by hand: a+b,c+d.")
]
Missing = Annotated[
    str,
    typer.Option(help="Records that miss a value: refuse, drop, or patterns (protected among their like)."),
]
MissingCodes = Annotated[
    list[str] | None,
    typer.Option(help="COLUMN=VALUE that stands for missing, *=VALUE in every column; may be repeated."),
]
Strata = Annotated[str, typer.Option(help="Columns whose combinations are protected apart, by commas.")]
SmallStrata = Annotated[
    str, typer.Option(help="Strata of fewer than k records: refuse, merge next or merge together.")
]
Weight = Annotated[str, typer.Option(help="Column by which centroids weigh records; keeps weighted totals.")]
Nominal = Annotated[str, typer.Option(help="Columns whose values are names, separated by commas.")]
Ordinal = Annotated[str, typer.Option(help="Columns of numbers that are ranks, separated by commas.")]
Orders = Annotated[
    list[str] | None, typer.Option("--order", help="COLUMN=low<middle<high of categories; may be repeated.")
]
Rounding = Annotated[
    str, typer.Option(help="Columns of whole numbers released so: none, half even or half up.")
]
Shuffle = Annotated[int | None, typer.Option(help="Seed of a random order of the rows; keep it to yourself.")]
Knows = Annotated[
    str, typer.Option(help="What the intruder may know: all, up-to:3, unions, sets:a+b,c or sample:200:0.")
]
Weights = Annotated[
    str,
    typer.Option(help="Of DLD, PLD and ID in DR: paper 3, paper 1, or three numbers such as 0.3,0.2,0.5."),
]


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _blocks(text: str) -> str | tuple[tuple[str, ...], ...]:
    """A rule, or blocks drawn by hand as a+b,c+d."""
    if "+" not in text and "," not in text:
        return text
    return tuple(tuple(name.strip() for name in block.split("+")) for block in text.split(","))


def _options(pairs: list[str]) -> dict[str, str | int | float]:
    chosen: dict[str, str | int | float] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise PlanError(f"--option {pair!r} must be NAME=VALUE.")
        chosen[name.strip()] = _number(value.strip())
    return chosen


def _codes(pairs: list[str]) -> dict[str, tuple[str | int | float, ...]]:
    """COLUMN=VALUE, several of them for a column if need be."""
    codes: dict[str, tuple[str | int | float, ...]] = {}
    for pair in pairs:
        name, equals, value = pair.rpartition("=")
        if not equals:
            raise PlanError(f"--missing-codes {pair!r} must be COLUMN=VALUE.")
        codes[name.strip()] = (*codes.get(name.strip(), ()), _number(value.strip()))
    return codes


def _orders(pairs: list[str]) -> dict[str, tuple[str | int | float, ...]]:
    """COLUMN=low<middle<high."""
    orders = {}
    for pair in pairs:
        name, equals, categories = pair.partition("=")
        if not equals or "<" not in categories:
            raise PlanError(f"--order {pair!r} must be COLUMN=LOWEST<…<HIGHEST.")
        orders[name.strip()] = tuple(_number(category.strip()) for category in categories.split("<"))
    return orders


def _number(text: str) -> str | int | float:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _say(text: str) -> None:
    typer.echo(text)


def _print_assessment(assessment: Assessment, *, as_json: bool) -> None:
    figures = assessment.figures()
    if as_json:
        _say(json.dumps({name: value if math.isfinite(value) else None for name, value in figures.items()}))
        return
    for name, value in figures.items():
        measure = MEASURES[name]
        _say(f"{measure.title:<16} {measure.show(value):>12}   {measure.sentence}")


@app.command("protect")
def protect_file(
    file: File,
    out: Annotated[Path, typer.Option(help="Where it goes; the ending says the format.", show_default=False)],
    plan: Annotated[
        Path | None, typer.Option(help="A plan saved by the page; other choices go on top of it.")
    ] = None,
    method: Method = "",
    k: Annotated[
        int | None, typer.Option(help="Minimum group size; 5 where neither this nor a plan says.")
    ] = None,
    columns: Columns = "",
    blocks: BlockRule = "",
    lam: Annotated[float | None, typer.Option(help="λ: weight of the confidential attributes, 0…1.")] = None,
    aggregate: Annotated[str, typer.Option(help="mean or median.")] = "",
    option: Annotated[
        list[str] | None, typer.Option(help="NAME=VALUE of the method; may be repeated.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="For methods that draw random numbers.")] = None,
    refine: Annotated[int | None, typer.Option(help="Rounds of refinement after the method.")] = None,
    confidential: Confidential = "",
    identifiers: Identifiers = "",
    keep_identifiers: Annotated[bool, typer.Option("--keep-identifiers", help="Release them too.")] = False,
    missing: Missing = "",
    missing_codes: MissingCodes = None,
    strata: Strata = "",
    small_strata: SmallStrata = "",
    weight: Weight = "",
    nominal: Nominal = "",
    ordinal: Ordinal = "",
    orders: Orders = None,
    rounding: Rounding = "",
    shuffle: Shuffle = None,
    read: Read = None,
    neutral: Neutralise = False,
    as_json: AsJson = False,
) -> None:
    """Protect FILE and write the result to OUT."""
    given = opened(file, read)
    base = Plan() if plan is None else opened_plan(plan)
    changes: dict[str, Any] = {
        "method": method or None,
        "k": k,
        "columns": _names(columns) or None,
        "blocks": _blocks(blocks) if blocks else None,
        "lam": lam,
        "aggregate": aggregate or None,
        "options": _options(option) if option else ({} if method and method != base.method else None),
        "seed": seed,
        "refine": refine,
        "keep_identifiers": keep_identifiers or None,
        "missing": missing or None,
        "missing_codes": _codes(missing_codes) if missing_codes else None,
        "strata": _names(strata) or None,
        "small_strata": small_strata or None,
        "weighted": bool(weight) or None,
        "orders": _orders(orders) if orders else None,
        "rounding": rounding or None,
        "shuffle": shuffle,
    }
    chosen = base.replace(**{name: value for name, value in changes.items() if value is not None})
    chosen = chosen.replace(
        roles={
            **chosen.roles,
            **dict.fromkeys(_names(confidential), "confidential"),
            **dict.fromkeys(_names(identifiers), "identifier"),
            **dict.fromkeys(_names(weight), "weight"),
        },
        scales={
            **chosen.scales,
            **dict.fromkeys(_names(nominal), "nominal"),
            **dict.fromkeys(_names(ordinal), "ordinal"),
        },
    )
    release = protect(given.data, chosen)
    table = neutralise(release.protected) if neutral else release.protected
    write_table(table, out, dialect=given.dialect, labels=given.labels)
    risk = formulas(table, out.name)
    if not risk.passed:
        typer.echo(f"warning: {risk.sentence} --neutralise marks them as text.", err=True)
    for note in release.notes:
        typer.echo(f"note: {note}", err=True)
    records = len(release.protected)
    done = {
        "written": str(out),
        "records": records,
        "left_out": len(given.data) - records,
        "notes": release.notes,
        "seconds": round(release.seconds, 3),
        "plan": chosen.to_json(),
    }
    _say(
        json.dumps(done, ensure_ascii=False)
        if as_json
        else f"{out}: {records} records protected by {chosen.to_json()}"
    )


@app.command("assess")
def assess_file(
    original: File,
    protected: Annotated[str, typer.Argument(help="The released file: the same records in the same order.")],
    columns: Columns = "",
    confidential: Confidential = "",
    knowledge: Knows = str(DEFAULT),
    k: Annotated[int, typer.Option(help="The group size that was promised.")] = 2,
    weights: Weights = "paper 3",
    loss_weight: Annotated[
        float, typer.Option(help="Weight of IL in the score, 0…1; DR has the rest.")
    ] = 0.5,
    linkage_direction: Annotated[
        str, typer.Option(help="Who is looked up: 'protected to original' or 'original to protected'.")
    ] = "protected to original",
    interval_width: Annotated[
        str, typer.Option(help="Of interval disclosure, per cent of: ranks, 'standard deviations' or value.")
    ] = "ranks",
    as_json: AsJson = False,
) -> None:
    """Measure what PROTECTED has lost of ORIGINAL and what it still discloses."""
    before = opened(original).data.with_roles(dict.fromkeys(_names(confidential), "confidential"))
    release = compare(before, opened(protected).data, columns=_names(columns), k=k)
    known = Knowledge.parse(knowledge, release.columns)
    found = assess(
        release,
        knowledge=known,
        weights=RiskWeights.parse(weights),
        loss_weight=loss_weight,
        direction=cast("Direction", linkage_direction),  # what is none is refused there, in words
        width=cast("Width", interval_width),
    )
    _print_assessment(found, as_json=as_json)


@app.command("sweep")
def sweep_file(
    file: File,
    methods: Annotated[str, typer.Option(help="Methods, separated by commas.")] = "mdav",
    ks: Annotated[str, typer.Option("--k", help="Group sizes: 3,5,10 or a range 3-10.")] = "3,5,10",
    blocks: Annotated[str, typer.Option(help="Block rules, separated by commas.")] = "all",
    lams: Annotated[str, typer.Option("--lam", help="Values of λ, separated by commas.")] = "0",
    confidential: Confidential = "",
    knowledge: Knows = str(DEFAULT),
    weights: Weights = "paper 3",
    out: Annotated[Path | None, typer.Option(help="Write the table here (CSV).")] = None,
    as_json: AsJson = False,
) -> None:
    """Protect and assess FILE under every combination of methods, k, blocks and λ."""
    data = opened(file).data.with_roles(dict.fromkeys(_names(confidential), "confidential"))
    plans = [
        Plan(method=method, k=k, blocks=rule, lam=lam)
        for method in _names(methods)
        for k in _whole_numbers(ks)
        for rule in _names(blocks)
        for lam in _ratios(lams)
    ]
    with typer.progressbar(length=len(plans), label="plans", file=sys.stderr) as bar:
        found = run_sweep(
            data,
            plans,
            knowledge=Knowledge.parse(knowledge, data.columns("quasi_identifier")),
            weights=RiskWeights.parse(weights),
            progress=lambda _share: bar.update(1),
        )
    if out is not None:
        write_atomic(out, csv_bytes(found))
    if as_json:
        _say(found.to_json(orient="records", force_ascii=False))
    elif out is None:
        shown = ["method", "k", "blocks", "lam", "il", "dr", "score", "dld", "id", "k_prime", "reason"]
        _say(found[shown].to_string(index=False, float_format="{:.4g}".format))


def _whole_numbers(text: str) -> list[int]:
    numbers: list[int] = []
    for part in _names(text):
        low, dash, high = part.partition("-")
        if not low.isdecimal() or (dash and not high.isdecimal()):
            raise PlanError(f"--k {text!r} must be whole numbers such as 3,5,10 or a range such as 3-10.")
        numbers += range(int(low), int(high or low) + 1)
    return numbers


def _ratios(text: str) -> list[float]:
    try:
        return [float(part) for part in _names(text)]
    except ValueError:
        raise PlanError(f"--lam {text!r} must be numbers between 0 and 1, such as 0,0.5,1.") from None


@datasets_app.callback(invoke_without_command=True)
def list_datasets(context: typer.Context, as_json: AsJson = False) -> None:
    """List the reference data sets and say which are on this machine."""
    if context.invoked_subcommand is not None:
        return
    rows = [
        {"name": d.name, "records": d.rows, "here": dataset_file(d.name) is not None, "title": d.title}
        for d in CATALOGUE.values()
    ]
    if as_json:
        _say(json.dumps(rows, ensure_ascii=False))
        return
    for row in rows:
        state = "here" if row["here"] else f"microagg datasets get {row['name']}"
        _say(f"{row['name']:<18} {row['records']:>6} records   {state:<34} {row['title']}")


@datasets_app.command("get")
def get_dataset(name: Annotated[str, typer.Argument(help="Name of the data set.")]) -> None:
    """Download a data set that is not bundled, check it and keep it in the user's cache folder."""
    _say(f"{name}: {download(name)}")


@app.command("app", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def open_dashboard(context: typer.Context) -> None:
    """Open the dashboard; further arguments go to Streamlit, such as --server.port 8600."""
    from streamlit.web import cli as streamlit  # noqa: TID251 - the core works without it

    sys.argv = ["streamlit", "run", str(_entry()), *context.args]
    raise SystemExit(streamlit.main())


def _entry() -> Path:
    """The dashboard's script: inside an installed package, or beside the package in a checkout."""
    package = Path(__file__).parent
    inside = package / "_app" / "app.py"
    return inside if inside.exists() else package.parent / "app.py"


def main() -> None:
    """Run the command; a request that cannot be carried out prints one line and exits with status 2."""
    try:
        app()
    except MicroaggError as error:
        typer.echo(f"microagg: {error}", err=True)
        raise SystemExit(2) from None


if __name__ == "__main__":
    main()
