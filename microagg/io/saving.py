"""One way out for every kind of file: as bytes for a download, or put in place on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microagg.errors import DataError
from microagg.io.formats import FORMATS, format_of
from microagg.io.table import Labels
from microagg.io.writing import csv_bytes, write_atomic

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from microagg.io.dialect import Dialect


def table_bytes(
    frame: pd.DataFrame, kind: str = "csv", *, dialect: Dialect | None = None, labels: Labels | None = None
) -> bytes:
    r"""Write columns in a format.

    Parameters
    ----------
    frame : DataFrame, (n, columns)
    kind : str
        A key of `microagg.io.formats.FORMATS`.
    dialect : Dialect, optional
        For text: commas, decimal point and UTF-8 where None.
    labels : Labels, optional
        Written where the format has a place for them; those of other columns and values are left out.

    Returns
    -------
    bytes
        The same for the same arguments.

    Raises
    ------
    DataError
        The format does not exist, cannot be written, or cannot hold a name or value of the table.

    Examples
    --------
    >>> import pandas as pd
    >>> table_bytes(pd.DataFrame({"age": [31, 44]}))
    b'age\n31\n44\n'
    """
    if kind not in FORMATS:
        raise DataError(f"There is no format {kind!r}; there are {', '.join(FORMATS)}.")
    if kind == "csv":
        return csv_bytes(frame, dialect)
    write = FORMATS[kind].write
    if write is None:
        raise DataError(
            f"{FORMATS[kind].title} files can be read but not written; save as .xpt, which SAS reads."
        )
    return write(frame, (labels or Labels()).occurring(frame))


def write_table(
    frame: pd.DataFrame, path: str | Path, *, dialect: Dialect | None = None, labels: Labels | None = None
) -> Path:
    """Write columns to a file in the format of its ending, whole or not at all.

    Parameters
    ----------
    frame, dialect, labels
        As for `table_bytes`.
    path : str or Path

    Returns
    -------
    Path

    Raises
    ------
    DataError
        As for `table_bytes`, or the file cannot be put there.
    """
    return write_atomic(path, table_bytes(frame, format_of(str(path)).name, dialect=dialect, labels=labels))
