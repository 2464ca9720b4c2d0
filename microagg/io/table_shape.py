"""Is it a table? Every line must have as many cells as the header, or say plainly which one has not.

pandas fills short lines with missing values and takes a surplus first cell for an index; both would change
records unseen. Two habits of other programs are let through: a delimiter at the end of every line, and R's
``write.table``, whose header lacks the name of the row names. O(bytes).
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

import numpy as np

from microagg.errors import DataError
from microagg.io.dialect import Dialect, mark_name
from microagg.io.table import unique_names
from microagg.model.column_limit import refuse_wide


@dataclass(frozen=True)
class Shape:
    """The columns of a text table.

    Parameters
    ----------
    names : tuple of str
        Unique, not empty.
    width : int
        Cells in each line; one more than the names where lines end with a delimiter.
    preamble : int
        Lines before the first record.
    spaced : bool
        Whether a space follows each delimiter and is no part of the cell.
    notes : tuple of str
    """

    names: tuple[str, ...]
    width: int
    preamble: int
    spaced: bool
    notes: tuple[str, ...]


def find_shape(payload: bytes, dialect: Dialect, name: str) -> Shape:
    r"""Names and width of a table.

    Parameters
    ----------
    payload : bytes
        UTF-8, beginning with the first line that counts.
    dialect : Dialect
    name : str
        For messages.

    Returns
    -------
    Shape

    Raises
    ------
    DataError
        No record, lines of unequal length, or a quotation mark that is never closed.

    Examples
    --------
    >>> find_shape(b"a,b,\n1,2,\n", Dialect(), "x").names
    ('a', 'b')
    """
    survey = _survey(payload, dialect, name)
    header, widths = survey.header, set(survey.first_lines)
    if not widths:
        raise DataError(f"{name}: there is a header but no record below it.")
    h = len(header)
    notes = [] if dialect.header else ["The file has no header line; the columns are numbered."]
    unnamed_end = h > 1 and not header[-1].strip()
    if (widths == {h - 1} and unnamed_end) or (widths == {h} and unnamed_end and not survey.ends_filled):
        header = header[:-1]
        notes.append("Every line ends with a delimiter; the empty last column is left out.")
    elif widths == {h + 1} and survey.ends_filled:
        header = ["", *header]
        notes.append("Every line has one value more than the header; the first is taken for the row's name.")
    elif widths == {h + 1}:
        notes.append("Every line ends with a delimiter; the empty last column is left out.")
    elif widths != {h}:
        line, width = min((line, width) for width, line in survey.first_lines.items() if width != h)
        raise DataError(
            f"{name}: line {line} has {width} {'value' if width == 1 else 'values'}, the "
            f"{'header' if dialect.header else 'first line'} has {h}. The delimiter taken is the "
            f"{mark_name(dialect.delimiter)}; choose another or mend the line."
        )
    names, renamed = unique_names(header)
    notes += renamed if dialect.header else ()
    return Shape(tuple(names), max(widths), survey.preamble, survey.spaced, tuple(notes))


@dataclass
class _Survey:
    """What one pass over the lines finds."""

    header: list[str]
    preamble: int
    spaced: bool
    first_lines: dict[int, int]  # for each width below the header, the number of the first such line
    ends_filled: bool = False  # whether any of those lines has something in its last cell


def _survey(payload: bytes, dialect: Dialect, name: str) -> _Survey:
    first_line = payload[: payload.find(b"\n")].decode(errors="ignore")
    spaced = dialect.delimiter not in "\t " and dialect.delimiter + " " in first_line
    if '"' not in first_line:
        refuse_wide(name, first_line.count(dialect.delimiter))  # before they are cut
    if dialect.header and _is_even(payload, dialect.delimiter):
        header = first_line.rstrip("\r").split(dialect.delimiter)
        return _Survey(header, 1, spaced, {len(header): 2}, ends_filled=True)
    lines = io.TextIOWrapper(io.BytesIO(payload), "utf-8", newline="")
    rows = csv.reader(lines, delimiter=dialect.delimiter, strict=True, skipinitialspace=spaced)
    limit = csv.field_size_limit(2**31 - 1)
    found: _Survey | None = None
    line = 1
    try:
        for number, row in enumerate(rows, start=1):
            width = len(row)
            if found is None:
                if width and not _names_delimiter(row):
                    found = _Survey(row, number, spaced, {})
                    if not dialect.header:
                        found = _Survey([""] * width, number - 1, spaced, {width: line}, row[-1] != "")
            elif width:
                found.first_lines.setdefault(width, line)
                found.ends_filled = found.ends_filled or row[-1] != ""
            line = rows.line_num + 1
    except csv.Error as error:
        opened = "a quotation mark is opened and never closed" if "end of data" in str(error) else str(error)
        raise DataError(f"{name}: line {line} cannot be read: {opened}.") from None
    finally:
        csv.field_size_limit(limit)
    if found is None:
        raise DataError(f"{name}: the file is empty.")
    return found


def _is_even(payload: bytes, delimiter: str) -> bool:
    """Whether it is plain to see, without cutting lines, that all have as many cells and none ends empty."""
    mark = delimiter.encode()
    if b'"' in payload or payload.startswith((b"sep=", b"\r", b"\n")):
        return False
    if payload.count(b"\r") > payload.count(b"\r\n"):
        return False
    codes = np.frombuffer(payload, np.uint8)
    ends = np.append(np.flatnonzero(codes == ord("\n")), len(codes))
    last = codes[ends - 1]
    last = np.where(last == ord("\r"), codes[ends - 2], last)
    if len(ends) < 2 or np.isin(last, [ord("\n"), ord(mark)]).any():
        return False
    cuts = np.searchsorted(np.flatnonzero(codes == ord(mark)), ends)
    return bool((np.diff(cuts, prepend=0) == cuts[0]).all())


def _names_delimiter(row: list[str]) -> bool:
    """Whether this is the line "sep=;" that spreadsheets put before the header."""
    return "".join(row) in ("sep=", "sep=,", "sep=;", "sep=\t", "sep=|", "sep=:")
