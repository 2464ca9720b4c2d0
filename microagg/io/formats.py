"""The table of file formats: what each is called, which endings it has, how it is read and written."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING

from microagg.errors import DataError
from microagg.io import arrow, excel, rfiles
from microagg.io.statistical import read_statistical, write_statistical
from microagg.io.writing import csv_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from microagg.io.table import Labels, Table

    Read = Callable[[bytes, str, str | None], Table]
    Write = Callable[[pd.DataFrame, Labels], bytes]


@dataclass(frozen=True)
class Format:
    """One kind of file.

    Parameters
    ----------
    name, title : str
        The key, and what people call it.
    suffixes : tuple of str
        File name endings; the first is given to new files.
    read : callable or None
        (bytes, name, sheet) → Table; None for text, which takes a dialect.
    write : callable or None
        (frame, labels) → bytes; None where nobody can write it.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    read: Read | None
    write: Write | None


def _statistical(name: str, title: str, suffix: str, writable: bool = True) -> Format:
    def read(data: bytes, file: str, sheet: str | None) -> Table:  # noqa: ARG001 (one table a file)
        return read_statistical(data, file, name)

    return Format(name, title, (suffix,), read, partial(write_statistical, kind=name) if writable else None)


FORMATS = MappingProxyType(
    {
        row.name: row
        for row in (
            Format(
                "csv",
                "Delimited text",
                (".csv", ".tsv", ".tab", ".txt", ".dat", ".data"),
                None,
                lambda f, _: csv_bytes(f),
            ),
            Format("excel", "Excel", (".xlsx", ".xlsm"), excel.read_excel, excel.write_excel),
            Format("parquet", "Parquet", (".parquet", ".pq"), arrow.read_parquet, arrow.write_parquet),
            Format("feather", "Feather", (".feather", ".arrow"), arrow.read_feather, arrow.write_feather),
            _statistical("stata", "Stata", ".dta"),
            _statistical("spss", "SPSS", ".sav"),
            _statistical("xport", "SAS transport", ".xpt"),
            _statistical("sas", "SAS", ".sas7bdat", writable=False),
            Format("rds", "R (one object)", (".rds",), rfiles.read_rds, rfiles.write_rds),
            Format("rda", "R (workspace)", (".rda", ".rdata"), rfiles.read_rda, rfiles.write_rda),
        )
    }
)


def format_of(file_name: str) -> Format:
    """Return the format that a file name's ending stands for; text where it has none.

    Raises
    ------
    DataError
        An ending that is none of them.

    Examples
    --------
    >>> format_of("Survey.SAV").title
    'SPSS'
    """
    suffix = PurePath(file_name).suffix.lower()
    found = next((row for row in FORMATS.values() if suffix in row.suffixes), None)
    if found is None and suffix:
        known = ", ".join(row.suffixes[0] for row in FORMATS.values())
        raise DataError(
            f"{file_name}: files ending in {suffix} cannot be read or written; use one of {known}."
        )
    return found or FORMATS["csv"]
