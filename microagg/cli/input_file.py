"""Files as the command line is given them: opened with what was guessed said aloud, kept beside the data."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from microagg.errors import PlanError
from microagg.handover.reproduction import Source
from microagg.io.catalogue import CATALOGUE
from microagg.io.datasets import load_dataset
from microagg.io.reading import microdata_of, read_table
from microagg.io.table import Labels
from microagg.model.microdata import Microdata
from microagg.model.plan import Plan
from microagg.model.safe_repr import discreet

if TYPE_CHECKING:
    from microagg.io.dialect import Dialect

PARTS = ("sheet", "delimiter", "decimal", "thousands", "encoding", "header", "skip")
File = Annotated[str, typer.Argument(help="A file, or the name of a reference data set.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")]
Read = Annotated[
    list[str] | None,
    typer.Option("--read", help=f"NAME=VALUE instead of a guess, of {', '.join(PARTS)}; may be repeated."),
]
ReadProtected = Annotated[
    list[str] | None,
    typer.Option("--read-protected", help="As --read, for PROTECTED where it is written otherwise."),
]
Force = Annotated[
    bool, typer.Option("--force", help="Replace the output where it exists; a file that is read never is.")
]
Neutralise = Annotated[
    bool, typer.Option("--neutralise", help="Put an apostrophe before what a spreadsheet would run.")
]


@dataclass(frozen=True, eq=False)
class Opened:
    """A file that was read, and what is needed to write another like it.

    Parameters
    ----------
    data : Microdata
    source : Source
    dialect : Dialect or None
        How its text is written; None for other formats and for reference data sets.
    labels : Labels
    """

    data: Microdata
    source: Source
    dialect: Dialect | None = None
    labels: Labels = field(default_factory=Labels)

    __repr__ = discreet


def opened(file: str, read: list[str] | None = None) -> Opened:
    """Read a file or a reference data set; what was changed or guessed goes to standard error.

    Raises
    ------
    DataError
        It cannot be read.
    PlanError
        ``read`` names no part of a file.
    """
    return _opened(file, _parts(read or []))


def _opened(file: str, parts: dict[str, Any]) -> Opened:
    if file in CATALOGUE and not Path(file).exists():
        return Opened(load_dataset(file), Source(file))
    table = read_table(file, **parts)
    for note in table.notes:
        typer.echo(f"note: {note}", err=True)
    return Opened(microdata_of(table), Source(file, parts), table.dialect, table.labels)


def opened_release(file: str, original: Opened, read: list[str] | None = None) -> Opened:
    """Read a released file as its original was read, unless ``read`` says otherwise.

    What was told of the original's text holds for the release as well, but for lines above the table, which
    no release has; its first line holds names where the original's does, even where these are numbers.
    """
    told = {name: value for name, value in original.source.parts.items() if name not in ("sheet", "skip")}
    header = original.dialect is None or original.dialect.header
    return _opened(file, told | {"header": header} | _parts(read or []))


def opened_plan(path: Path) -> Plan:
    """Read a saved plan.

    Raises
    ------
    PlanError
        There is none, or it is no plan.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PlanError(f"The plan {path} cannot be read: {error}.") from None
    return Plan.from_json(text)


def _parts(pairs: list[str]) -> dict[str, Any]:
    parts: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or name not in PARTS:
            raise PlanError(f"--read {pair!r} must be NAME=VALUE with a name of {', '.join(PARTS)}.")
        parts[name] = _part(name, value)
    return parts


def _part(name: str, value: str) -> str | bool | int:
    if name == "skip" or (name == "header" and value == "2"):
        if not value.isdecimal():
            raise PlanError(f"--read skip={value} must be a number of lines, such as skip=2.")
        return int(value)
    return value.lower() in ("true", "yes", "1") if name == "header" else value
