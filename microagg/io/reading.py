"""One way in for every kind of file: by its ending, from a path, bytes or an uploaded file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Unpack

from microagg.errors import DataError
from microagg.io.child_reader import read_apart
from microagg.io.formats import format_of
from microagg.io.text import read_text
from microagg.model.microdata import Microdata

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from microagg.io.dialect import Dialect, Parts
    from microagg.io.table import Table
    from microagg.model.roles import Role

_MOST_NOTES = 50
Source = str | Path | bytes | BinaryIO


def read_table(
    source: Source,
    *,
    name: str | None = None,
    sheet: str | None = None,
    dialect: Dialect | None = None,
    wanted: Callable[[], object] | None = None,
    **parts: Unpack[Parts],
) -> Table:
    r"""Read a file into columns, with what was guessed on the way.

    Parameters
    ----------
    source : str, Path, bytes or binary file
    name : str, optional
        File name where the source does not carry one; its ending decides the format.
    sheet : str, optional
        Sheet of a workbook or object of an R workspace; the first where None.
    dialect : Dialect, optional
        How a text table is written; nothing is guessed then.
    wanted : callable, optional
        Called often in this thread while a file that is not text is read; what it raises ends the reading.
    **parts
        What is known of a text table instead of guessed: delimiter, decimal, thousands, encoding, header (2
        where two lines name the columns), skip (lines above the table).

    Returns
    -------
    Table

    Raises
    ------
    DataError
        There is no such file, or it is not a table, or it takes more memory or time than a file may; the
        message says where.

    Examples
    --------
    >>> read_table(b"age,rent\n31,7.5\n44,8\n", name="rents.csv").frame["age"].tolist()
    [31, 44]
    """
    data, file_name = _bytes(source, name)
    chosen = format_of(file_name)
    if chosen.read is None:
        return _briefly(read_text(data, file_name, dialect, **parts))
    if not data:
        raise DataError(f"{file_name}: the file is empty.")
    table = replace(read_apart(chosen, data, file_name, sheet, wanted), name=Path(file_name).stem)
    if table.frame.empty:
        raise DataError(f"{file_name}: there is a header but no record below it.")
    return _briefly(table)


def read_microdata(
    source: Source,
    *,
    roles: Mapping[str, Role] | None = None,
    name: str | None = None,
    sheet: str | None = None,
    dialect: Dialect | None = None,
    **parts: Unpack[Parts],
) -> Microdata:
    r"""Read a file as microdata; roles that are not given are guessed.

    Parameters
    ----------
    source, name, sheet, dialect, **parts
        As for `read_table`.
    roles : mapping of str to str, optional
        Column → identifier, quasi_identifier, confidential, weight, unit, stratum, other or undecided.

    Returns
    -------
    Microdata

    Raises
    ------
    DataError
        As for `read_table`, or a role for a column that is not there.

    Examples
    --------
    >>> data = read_microdata(b"name,age\nAnn,31\nBen,44\nCy,31\n", name="people.csv")
    >>> data.columns("quasi_identifier")
    ('age',)
    """
    return microdata_of(read_table(source, name=name, sheet=sheet, dialect=dialect, **parts), roles)


def microdata_of(table: Table, roles: Mapping[str, Role] | None = None) -> Microdata:
    """A table that was read, as microdata; roles that are not given are guessed, with what its labels say."""
    labels = table.labels
    return Microdata.from_frame(
        table.frame, roles=roles, name=table.name, labels=labels.values, measures=labels.measures
    )


def _briefly(table: Table) -> Table:
    """The table with as many notes as somebody reads; thousands of nameless columns have one each."""
    more = len(table.notes) - _MOST_NOTES
    if more <= 1:
        return table
    return replace(
        table, notes=(*table.notes[:_MOST_NOTES], f"{more:,} more notes such as these are left out.")
    )


def _bytes(source: Source, name: str | None) -> tuple[bytes, str]:
    if isinstance(source, bytes):
        return source, name or "data.csv"
    if isinstance(source, str | Path):
        try:
            return Path(source).read_bytes(), name or Path(source).name
        except FileNotFoundError:
            raise DataError(f"There is no file {source}.") from None
        except OSError as error:
            raise DataError(f"{source} cannot be read: {error.strerror or error}.") from None
    return source.read(), name or Path(str(getattr(source, "name", "data.csv"))).name
