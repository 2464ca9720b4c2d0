"""Columns back to a file: the same frame gives the same bytes, and a file is there whole or not at all.

Numbers are written by the shortest digits that read back as the same number; missing cells are empty; text is
quoted only where it must be, or where a program that splits it elsewhere would find a formula. In a released
column values repeat, so each is turned into text once: O(cells) look-ups, O(distinct values) conversions. The
index is not written: a text table has none. Thousands separators are not written either, as every program
that reads them reads plain digits too.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import secrets
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from microagg.errors import DataError
from microagg.io.dialect import ENCODINGS, Dialect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_UNSEEN = r"[\s\x00-\x20\x7f-\x9f\u00ad\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]*"
_RUNS = r"=+\-@|\uff1d\uff0b\uff0d\uff20\uff5c\ufe62-\ufe63\ufe66\ufe6b\u2212"
_FORMULA = re.compile(rf"[\t\r\n]|{_UNSEEN}[{_RUNS}]")
"""What a spreadsheet may take for a formula: a sign, full-width and small too, after what is not seen."""
_SPLIT = re.compile(rf"[,;\t]{_UNSEEN}[{_RUNS}]")
"""A formula for a program that splits cells at another delimiter than the file's."""
_NUMBER = re.compile(rf"{_UNSEEN}[+-]?[\d.,]+(?:[eE][+-]?\d+)?%?{_UNSEEN}")
_ROWS_AT_ONCE = 1 << 16


def csv_bytes(frame: pd.DataFrame, dialect: Dialect | None = None) -> bytes:
    r"""Write a delimited text table.

    Parameters
    ----------
    frame : DataFrame, (n, columns)
    dialect : Dialect, optional
        Commas, decimal point and UTF-8 where None.

    Returns
    -------
    bytes

    Raises
    ------
    DataError
        The encoding lacks a character.

    Examples
    --------
    >>> csv_bytes(pd.DataFrame({"town": ["Reus", None], "rent": [7.5, 8.0]}), Dialect(";", ","))
    b'town;rent\nReus;7,5\n;8,0\n'
    """
    dialect = dialect or Dialect()
    file = io.BytesIO()
    text = io.TextIOWrapper(file, dialect.encoding, newline="")
    try:
        text.writelines(_chunks(frame, dialect))
        text.flush()
    except UnicodeEncodeError as error:
        raise DataError(
            f"The character {error.object[error.start]!r} cannot be written in "
            f"{ENCODINGS.get(dialect.encoding, dialect.encoding)}; save as UTF-8 instead."
        ) from None
    text.detach()
    return file.getvalue()


def write_atomic(path: str | Path, data: bytes) -> Path:
    """Put a file in place whole or not at all: a neighbour is written, flushed to disk and renamed.

    On Linux the neighbour has no name until it is whole, so that a process killed in the middle leaves
    nothing. Elsewhere it is hidden, readable by its owner alone, and called ``.NAME.`` and some random
    letters; a kill may leave one, and no later run reads it, reuses it or stumbles over it.

    Parameters
    ----------
    path : str or Path
        Its folder must exist; a file of that name is replaced.
    data : bytes

    Returns
    -------
    Path

    Raises
    ------
    DataError
        The folder is missing or cannot be written to; nothing is left behind.
    """
    target = Path(path)
    try:
        handle, temporary = _opened(target)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(handle)
                if temporary.exists():
                    temporary.chmod(_mode(target))
                else:
                    os.fchmod(handle, _mode(target))
                    os.link(f"/proc/self/fd/{handle}", temporary, src_dir_fd=handle)  # which follows the link
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise DataError(f"{target} cannot be written: {error.strerror or error}.") from None
    return target


def _opened(target: Path) -> tuple[int, Path]:
    """A file beside the target, without a name where the system can, so that a kill leaves nothing behind."""
    if hasattr(os, "O_TMPFILE"):
        with contextlib.suppress(OSError):  # file systems that cannot; and a folder that is not there
            handle = os.open(target.parent, os.O_TMPFILE | os.O_WRONLY, 0o600)
            return handle, target.with_name(f".{target.name}.{secrets.token_hex(8)}")
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    return handle, Path(temporary)


def formula_cells(frame: pd.DataFrame) -> int:
    """Cells and column names that a spreadsheet would run as a formula: text that begins with = + - @ or |.

    Blanks, line breaks and characters without width do not hide the sign, nor does a full-width form.

    Examples
    --------
    >>> formula_cells(pd.DataFrame({"remark": ["=1+1", "fine", "-5"]}))
    1
    """
    columns = (pd.factorize(frame.iloc[:, i]) for i in _text_positions(frame))
    cells = sum(
        int(np.isin(codes, [c for c, text in enumerate(texts) if _is_formula(text)]).sum())
        for codes, texts in columns
    )
    return cells + sum(_is_formula(name) for name in frame.columns)


def neutralise(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with an apostrophe before every cell and name that a spreadsheet would run.

    Examples
    --------
    >>> neutralise(pd.DataFrame({"remark": ["=1+1", "fine"]}))["remark"].tolist()
    ["'=1+1", 'fine']
    """
    columns = {i: frame.iloc[:, i] for i in range(frame.shape[1])}
    for i in _text_positions(frame):
        columns[i] = columns[i].astype(object).map(lambda cell: f"'{cell}" if _is_formula(cell) else cell)
    safe = pd.DataFrame(columns, index=frame.index)
    safe.columns = pd.Index([f"'{name}" if _is_formula(name) else name for name in frame.columns])
    return safe


def _chunks(frame: pd.DataFrame, dialect: Dialect) -> Iterator[str]:
    """The text, some thousand lines at a time."""
    special = re.compile(f'[{re.escape(dialect.delimiter)}"\r\n]')
    empty = '""' if frame.shape[1] == 1 else ""  # an empty line would be no record

    def quoted(text: str) -> str:
        if special.search(text) or _SPLIT.search(text):
            return '"' + text.replace('"', '""') + '"'
        return text or empty

    def texts(column: pd.Series[Any]) -> list[str]:
        if pd.api.types.is_float_dtype(column):
            numbers = (column.to_numpy(np.float64, na_value=np.nan) + 0.0).tolist()  # no minus zero
            digits = [repr(number) if number == number else empty for number in numbers]
            if dialect.decimal == ".":
                return digits
            return [quoted(text.replace(".", dialect.decimal)) for text in digits]
        gaps = column.isna().tolist()
        return [empty if gap else quoted(str(cell)) for cell, gap in zip(column.tolist(), gaps, strict=True)]

    line = dialect.newline
    if dialect.header:
        yield dialect.delimiter.join(quoted(str(name)) for name in frame.columns) + line
    columns = [_cells(frame.iloc[:, i], texts) for i in range(frame.shape[1])]
    for start in range(0, len(frame), _ROWS_AT_ONCE):
        parts = [cells(slice(start, start + _ROWS_AT_ONCE)) for cells in columns]
        yield line.join(map(dialect.delimiter.join, zip(*parts, strict=True))) + line


def _cells(
    column: pd.Series[Any], texts: Callable[[pd.Series[Any]], list[str]]
) -> Callable[[slice], list[str]]:
    """Texts of any rows of a column: each value once where values repeat, row by row where they do not."""
    codes, values = pd.factorize(column)
    if 2 * len(values) > len(column):
        return lambda rows: texts(column.iloc[rows])
    known = np.array(texts(pd.Series(values)) + texts(pd.Series([None])), dtype=object)  # code −1: missing
    return lambda rows: known[codes[rows]].tolist()


def _text_positions(frame: pd.DataFrame) -> list[int]:
    return [i for i in range(frame.shape[1]) if not pd.api.types.is_numeric_dtype(frame.iloc[:, i])]


def _is_formula(cell: object) -> bool:
    return isinstance(cell, str) and _FORMULA.match(cell) is not None and _NUMBER.fullmatch(cell) is None


def _mode(target: Path) -> int:
    """Permissions of the file that is replaced; a new one is its owner's alone."""
    return target.stat().st_mode & 0o777 if target.exists() else 0o600
