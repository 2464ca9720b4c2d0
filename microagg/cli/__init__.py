"""The ``microagg`` command: the same computation as the page, for scripts and for files too large to look at.

A file here holds one command, or one family of them. Exit status 2 and one plain line for bad input; progress
on long work; ``--json`` for machines.
"""

from __future__ import annotations

import typer

from microagg.cli.assessing import assess_file
from microagg.cli.dashboard import open_dashboard
from microagg.cli.papers import papers_app
from microagg.cli.protecting import protect_file
from microagg.cli.reference_data import datasets_app
from microagg.cli.reporting import check_file, report_file
from microagg.cli.sweeping import sweep_file
from microagg.errors import MicroaggError
from microagg.io.import_path import for_processes

app = typer.Typer(
    help="Microaggregation: protect microdata, and see what that costs and what it still gives away.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
)
app.command("protect")(protect_file)
app.command("assess")(assess_file)
app.command("sweep")(sweep_file)
app.command("check")(check_file)
app.command("report")(report_file)
app.command("app", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(
    open_dashboard
)
app.add_typer(datasets_app, name="datasets")
app.add_typer(papers_app, name="papers")


def main() -> None:
    """Run the command; a request that cannot be carried out prints one line and exits with status 2."""
    for_processes()
    try:
        app()
    except MicroaggError as error:
        typer.echo(f"microagg: {error}", err=True)
        raise SystemExit(2) from None
