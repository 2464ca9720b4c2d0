"""``microagg datasets``: the reference data sets, listed or fetched."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from microagg.cli.input_file import AsJson
from microagg.io.catalogue import CATALOGUE
from microagg.io.datasets import dataset_file
from microagg.io.download import download

datasets_app = typer.Typer(help="List the reference data sets, or fetch one that is not bundled.")


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
        typer.echo(json.dumps(rows, ensure_ascii=False))
        return
    for row in rows:
        state = "here" if row["here"] else f"microagg datasets get {row['name']}"
        typer.echo(f"{row['name']:<18} {row['records']:>6} records   {state:<34} {row['title']}")


@datasets_app.command("get")
def get_dataset(name: Annotated[str, typer.Argument(help="Name of the data set.")]) -> None:
    """Download a data set that is not bundled, check it and keep it in the user's cache folder."""
    typer.echo(f"{name}: {download(name)}")
