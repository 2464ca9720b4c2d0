"""``microagg papers``: the published tables measured again, without a browser."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import pandas as pd
import typer

from microagg.errors import DataError
from microagg.papers import EXPERIMENTS, PAPERS, named
from microagg.papers.experiment import AGREEMENT, Experiment, lowest, summary
from microagg.papers.result_store import keep

papers_app = typer.Typer(help="Measure the papers' tables and figures again, and compare.")
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")]


@papers_app.callback(invoke_without_command=True)
def list_papers(context: typer.Context, as_json: AsJson = False) -> None:
    """List the tables and figures of each paper, with their variants."""
    if context.invoked_subcommand is not None:
        return
    if as_json:
        listed = [
            {
                "name": e.name,
                "title": e.title,
                "variants": {v.name: v.sentence for v in e.variants},
                "missing": e.missing(),
            }
            for e in EXPERIMENTS.values()
        ]
        typer.echo(json.dumps(listed, ensure_ascii=False))
        return
    for paper, title in PAPERS.items():
        typer.echo(f"{paper}: {title}")
        for experiment in named(paper):
            typer.echo(f"  {experiment.name:<38} {experiment.title}")
            typer.echo(f"  {'':<38} variants: {', '.join(v.name for v in experiment.variants)}")


@papers_app.command("run")
def run_paper(
    name: Annotated[str, typer.Argument(help="A paper, or one of its tables or figures.")],
    variant: Annotated[str, typer.Option(help="A reading of what the paper leaves open.")] = "",
    as_json: AsJson = False,
) -> None:
    """Measure a paper's tables again and print published beside measured."""
    found = []
    for experiment in named(name):
        cells = _run(experiment, variant)
        if as_json:
            chosen = experiment.variant(variant)
            found.append(
                {
                    "name": experiment.name,
                    "variant": chosen.name,
                    "reading": chosen.sentence,
                    "differs": experiment.differs,
                    "summary": json.loads(summary(cells).to_json(orient="records")),
                    "cells": json.loads(
                        experiment.as_saved(cells).to_json(orient="records", double_precision=15)
                    ),
                }
            )
        else:
            _print(experiment, variant, cells)
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False))


@papers_app.command("ranks")
def print_ranks(
    name: Annotated[str, typer.Argument(help="A paper or a table; all where left out.")] = "",
) -> None:
    """Print as Markdown how ranks agree with the printed ones in each column, and which variant is best."""
    chosen = named(name) if name else tuple(EXPERIMENTS.values())
    typer.echo("| table | column | cells | exact | close | off | Spearman | highest of any variant |")
    typer.echo("|---|---|--:|--:|--:|--:|--:|---|")
    for experiment in chosen:
        if not experiment.compared:
            continue
        runs = {v.name: _by_column(_run(experiment, v.name)) for v in experiment.variants}
        for column in experiment.columns:
            ranks = pd.Series({v: run[column.name]["spearman"] for v, run in runs.items()}).round(3)
            default = runs[experiment.variants[0].name][column.name]
            counts = " | ".join(str(default[part]) for part in ("cells", *AGREEMENT))
            heading = f"{column.group} {column.title}".strip().replace("|", r"\|")
            best = f"{ranks.max():.3f} ({ranks.idxmax()})"
            typer.echo(f"| {experiment.name} | {heading} | {counts} | {ranks.iloc[0]:.3f} | {best} |")


def _by_column(cells: pd.DataFrame) -> dict[str, dict[Any, Any]]:
    """The summary, line by line."""
    return {str(line["column"]): line for line in summary(cells).to_dict("records")}


def _run(experiment: Experiment, variant: str) -> pd.DataFrame:
    """Run with a bar, and keep the result for the page."""
    missing = experiment.missing()
    if missing:
        raise DataError(
            f"{experiment.name} needs {', '.join(missing)}, not on this machine; "
            f"`microagg datasets get {missing[0]}` fetches it."
        )
    with typer.progressbar(length=1000, label=experiment.name, file=sys.stderr) as bar:
        cells = experiment.run(variant, lambda done: bar.update(round(1000 * done) - bar.pos))
    keep(experiment, variant, cells)
    return cells


def _print(experiment: Experiment, variant: str, cells: pd.DataFrame) -> None:
    chosen = experiment.variant(variant)
    typer.echo(
        f"\n{experiment.title}\n{chosen.name}: {chosen.sentence}\nKnown to differ: {experiment.differs}"
    )
    if experiment.drawn == "by k":
        typer.echo(lowest(cells))
    shown = experiment.as_saved(cells.drop(columns="note"))
    if not any(experiment.printed().values()):
        shown = shown.drop(columns=[experiment.expected, "difference", "agreement"])
    typer.echo(shown.to_string(index=False, float_format="{:.2f}".format, na_rep=""))
    for why in cells.loc[cells["note"] != ""].itertuples():
        typer.echo(f"{' '.join(str(getattr(why, key)) for key in ('method', 'k'))}, {why.column}: {why.note}")
    agreed = summary(cells) if experiment.ranked else summary(cells).drop(columns="spearman")
    if len(agreed):
        typer.echo(agreed.to_string(index=False, float_format="{:.3f}".format))
