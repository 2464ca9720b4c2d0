"""Delimited text to columns, losing nothing: pandas splits and converts, this module watches over it.

pandas alone reads ``0123`` as 123, takes ``NA`` (Namibia) for missing and turns an integer column with a
gap into floats. Here a column with a leading zero, or with more digits than a number holds, stays text;
integers stay integers (``Int64`` where some are missing); TRUE and FALSE stay as they are written. Only an
empty cell is missing, except in a column that is numbers throughout but for the usual words for "missing";
a note names them. No number such as -999 ever stands for missing. Reading is O(bytes).
"""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any, Unpack

import pandas as pd

from microagg.errors import DataError
from microagg.io.dialect import (
    DELIMITERS,
    ENCODINGS,
    Dialect,
    Parts,
    guess,
    guess_delimiter,
    mark_name,
    number_pattern,
    without_titles,
)
from microagg.io.lossless_floats import LOST, some_digit_lost
from microagg.io.memory_estimate import refuse_vast
from microagg.io.printed_numbers import Dressed, same_dress, told_undressed, undressed
from microagg.io.table import Table, simplest
from microagg.io.table_shape import Shape, find_shape

MISSING_WORDS = frozenset(
    (
        "NA",
        "N/A",
        "n/a",
        "#N/A",
        "NaN",
        "nan",
        "NULL",
        "Null",
        "null",
        "None",
        "none",
        ".",
        "?",
        "-",
        "\u2013",
        "\u2014",
        "*",
        "",
    )
)
_LONG = re.compile(rb"[0-9][0-9.,]{15}|[eE][+-]?[0-9]{2}")  # all that a floating number may not give back
_ENDLESS = 400  # digits; more than any number that a column can hold
_SIGNATURES = (
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a zip archive or an Excel workbook (name it .xlsx to read it as one)"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook (save it as .xlsx or CSV)"),
    (b"\x1f\x8b", "a gzip archive (unpack it first)"),
    (b"PAR1", "a Parquet file (name it .parquet to read it as one)"),
    (b"ARROW1", "a Feather file (name it .feather to read it as one)"),
    (b"$FL", "an SPSS file (name it .sav to read it as one)"),
    (b"<stata_dta>", "a Stata file (name it .dta to read it as one)"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"<!doctype", "a web page (save the data as CSV)"),
    (b"<html", "a web page (save the data as CSV)"),
    (b"<?xml", "an XML document (save the data as CSV)"),
)


def read_text(data: bytes, name: str, given: Dialect | None = None, **parts: Unpack[Parts]) -> Table:
    r"""Read delimited text.

    Parameters
    ----------
    data : bytes
        The whole file.
    name : str
        The file's name, for messages.
    given : Dialect, optional
        Taken whole: nothing is guessed, and parts count for nothing.
    **parts
        Fields of `Dialect` to use instead of the guess.

    Returns
    -------
    Table

    Raises
    ------
    DataError
        Empty, not text, not a table, lines of unequal length, or bytes that the encoding does not know.

    Examples
    --------
    >>> table = read_text(b"town;rent\nReus;7,5\nSalou;8,25\n", "rents")
    >>> table.frame["rent"].tolist(), table.dialect.delimiter
    ([7.5, 8.25], ';')
    """
    _refuse_not_text(data, name)
    dialect, guessed = (given, ()) if given else guess(data, **parts)
    payload = _as_utf8(data, dialect.encoding, name)
    _refuse_vast(payload, dialect, name)
    if not given:
        payload, above = _prepared(payload, dialect, parts)
        guessed = (*guessed, *above)
    shape = find_shape(payload, dialect, name)
    try:
        frame, settled = _settle(_parse(payload, dialect, shape), payload, dialect, shape)
    except pd.errors.ParserError as error:
        raise DataError(f"{name}: the lines cannot be cut into cells ({error}).") from None
    notes = (
        *guessed,
        *shape.notes,
        *settled,
        *_second_header(frame, dialect),
        *_one_column(frame, payload, dialect),
    )
    return Table(frame, Path(name).stem, "csv", dialect, notes=notes)


def _prepared(payload: bytes, dialect: Dialect, parts: Parts) -> tuple[bytes, tuple[str, ...]]:
    """The text as a table: no titles above it, one line of names, one blank where blanks separate cells."""
    end = payload.find(b"\n", 1 << 16) + 1 or len(payload)
    lead, left_out = without_titles(payload[:end].decode(errors="ignore"), parts.get("skip"))
    notes: tuple[str, ...] = ()
    if left_out:
        payload = lead.encode() + payload[end:]
        what = "line above the table is" if left_out == 1 else "lines above the table are"
        notes = (f"{left_out} {what} left out; choose skip = 0 to keep every line.",)
    if dialect.delimiter == " " and not parts.get("delimiter"):
        payload = re.sub(rb"(?m)^ +| +$", b"", re.sub(rb"[ \t]+", b" ", payload))
    if parts.get("header") == 2:
        payload = _one_header(payload, dialect)
    return payload, notes


def _one_header(payload: bytes, dialect: Dialect) -> bytes:
    """The text with the first two lines as one: a name above several columns is put before those below."""
    lines = payload.split(b"\n")
    first, second = [i for i, line in enumerate(lines) if line.strip()][:2]
    upper, lower = (
        next(csv.reader([lines[i].decode()], delimiter=dialect.delimiter)) for i in (first, second)
    )
    names, above = [], ""
    for i, below in enumerate(lower):
        above = (upper[i].strip() if i < len(upper) else "") or above
        names.append(" ".join(part for part in (above, below.strip()) if part))
    joined = io.StringIO()
    csv.writer(joined, delimiter=dialect.delimiter, lineterminator="").writerow(names)
    lines[first], lines[second] = joined.getvalue().encode(), b""
    return b"\n".join(lines)


def _refuse_not_text(data: bytes, name: str) -> None:
    start = data[:512].removeprefix(b"\xef\xbb\xbf").lstrip()
    for signature, what in _SIGNATURES:
        if start.startswith(signature) or (signature[:1] == b"<" and start.lower().startswith(signature)):
            raise DataError(f"{name}: this is not a text table but {what}.")
    if start[:1] in (b"{", b"[") and data.rstrip()[-1:] in (b"}", b"]"):
        raise DataError(f"{name}: this is not a text table but JSON (save the data as CSV).")


def _as_utf8(data: bytes, encoding: str, name: str) -> bytes:
    """The same text in UTF-8, without byte order mark and empty lines at the end."""
    try:
        text = "" if encoding == "utf-8" and data.isascii() else data.decode(encoding)
    except UnicodeError as error:
        at = getattr(error, "start", 0)
        line = data.count(b"\n", 0, at) + 1
        raise DataError(
            f"{name}: byte {at + 1}, in line {line}, is not "
            f"{ENCODINGS.get(encoding, encoding)}; choose another encoding, such as Windows-1252 or UTF-8."
        ) from None
    payload = data if encoding in ("utf-8", "utf-8-sig") else text.encode("utf-8")
    if b"\x00" in payload:
        raise DataError(f"{name}: this is a binary file, not a text table.")
    payload = payload.removeprefix(b"\xef\xbb\xbf").rstrip(b"\r\n\x1a")
    if not payload.strip():
        raise DataError(f"{name}: the file is empty.")
    if payload.count(b"\r") > payload.count(b"\r\n") and (b"\n" not in payload or b'"' not in payload):
        payload = payload.replace(b"\r\n", b"\n").replace(b"\r", b"\n")  # pandas stumbles over a lone \r
    return payload


def _refuse_vast(payload: bytes, dialect: Dialect, name: str) -> None:
    """Lines and cells take memory of their own: a file of line breaks takes more than one of words."""
    lines, cuts = payload.count(b"\n") + 1, payload.count(dialect.delimiter.encode())
    refuse_vast(name, 3.0 * len(payload) + 48.0 * lines + 16.0 * cuts)


def _parse(payload: bytes, dialect: Dialect, shape: Shape, usecols: list[int] | None = None) -> pd.DataFrame:
    """All columns with the types that pandas finds, or some of them as text."""
    surplus = [f"\x00{i}" for i in range(shape.width - len(shape.names))]
    return pd.read_csv(
        io.BytesIO(payload),
        sep=dialect.delimiter,
        decimal=dialect.decimal,
        header=None,
        skiprows=shape.preamble,
        names=[*shape.names, *surplus],
        index_col=False,
        keep_default_na=False,
        na_values=[""],
        skipinitialspace=shape.spaced,
        skip_blank_lines=shape.width > 1,  # in a single column an empty line is a record without a value
        low_memory=False,
        usecols=usecols or range(len(shape.names)),
        dtype="string" if usecols else None,
        dtype_backend="numpy_nullable",
    )


def _settle(
    frame: pd.DataFrame, payload: bytes, dialect: Dialect, shape: Shape
) -> tuple[pd.DataFrame, list[str]]:
    """Give every column the type that keeps what the file says; a note for each choice."""
    columns = {name: frame[name] for name in shape.names}
    written = _as_written(columns, payload, dialect, shape)
    notes = []
    for name, column in columns.items():
        if name in written:
            columns[name], note = written[name]
            notes += [f"Column {name!r} {note}"] if note else []
        elif isinstance(column.dtype, pd.StringDtype):
            columns[name], note = _numbers(column, dialect)
            notes += [f"Column {name!r}: {note}"] if note else []
    return pd.DataFrame({name: simplest(column) for name, column in columns.items()}), notes


def _as_written(
    columns: dict[str, pd.Series[Any]], payload: bytes, dialect: Dialect, shape: Shape
) -> dict[str, tuple[pd.Series[Any], str]]:
    """The columns whose conversion would lose how they are written, as text, each with what is said of it."""
    zero = re.compile(rb'[\n\r"' + re.escape(dialect.delimiter.encode()) + rb"] *[+-]?0[0-9]")
    zeros = zero.search(payload) or zero.match(b"\n" + payload[:4])
    long = _LONG.search(payload)
    positions = [
        i
        for i, column in enumerate(columns.values())
        if pd.api.types.is_bool_dtype(column)
        or (zeros and pd.api.types.is_numeric_dtype(column))
        or (long and pd.api.types.is_float_dtype(column))
    ]
    if not positions:
        return {}
    kept = {}
    for name, text in _parse(payload, dialect, shape, positions).items():
        column = columns[str(name)]
        if pd.api.types.is_bool_dtype(column):
            kept[str(name)] = text, ""
        elif text.str.match(r"\s*[+-]?0[0-9]").any():
            kept[str(name)] = text, "has leading zeros and stays text."
        elif pd.api.types.is_float_dtype(column) and _loses(text, dialect.decimal):
            kept[str(name)] = text, "has more digits than a number holds and stays text."
    return kept


def _loses(column: pd.Series[Any], decimal: str) -> bool:
    """Whether a floating number is not what a cell says; words such as "inf" say what they say."""
    cells = (cell.strip().replace(decimal, ".") for cell in column.dropna().unique())
    return some_digit_lost(cell for cell in cells if cell[-1:].isdigit() or cell[-1:] == ".")


def _numbers(column: pd.Series[Any], dialect: Dialect) -> tuple[pd.Series[Any], str]:
    """A text column as numbers where every cell is one, in any dress, or a word for "missing"."""
    dressed: list[Dressed] = []
    pattern = number_pattern(dialect.decimal, dialect.thousands)
    values: dict[str, int | float | None] = {}
    words, plains = set(), []
    for cell in column.dropna().unique():
        text = cell.strip()
        worn = undressed(text)
        if worn is not None and pattern.fullmatch(worn.digits):
            dressed.append(worn)
            plain = worn.digits.replace(dialect.thousands, "") if dialect.thousands else worn.digits
            plain = plain.replace(dialect.decimal, ".")
            if len(plain) > _ENDLESS:  # int() and float() read no more than 4,300 digits
                return column, LOST
            plains.append(plain)
            values[cell] = int(plain) if plain.lstrip("+-").isdigit() else float(plain)
        elif text in MISSING_WORDS:
            values[cell] = None
            words.add(text)
        else:
            return column, ""
    numbers = [value for value in values.values() if value is not None]
    if not numbers:
        return column, ""
    whole = all(isinstance(value, int) for value in numbers)
    if reason := same_dress(dressed):
        return column, reason
    if (whole and max(map(abs, numbers)) >= 2**63) or (not whole and some_digit_lost(plains)):
        return column, LOST
    converted = column.map(values).astype("Int64" if whole else "Float64")
    shown = ", ".join(repr(word) for word in sorted(words - {""}))
    said = (told_undressed(dressed), f"{shown} is read as missing." if shown else "")
    return converted, " ".join(part for part in said if part)


def _second_header(frame: pd.DataFrame, dialect: Dialect) -> list[str]:
    """A note where the first record holds words above columns of numbers."""
    if not dialect.header or len(frame) < 3:
        return []
    texts = [name for name in frame if isinstance(frame[name].dtype, pd.StringDtype)]
    pattern = number_pattern(dialect.decimal, dialect.thousands)

    def number(cell: object) -> bool:
        return isinstance(cell, str) and pattern.fullmatch(cell.strip()) is not None

    below = {name: frame[name].iloc[1:].dropna() for name in texts if not number(frame[name].iloc[0])}
    above = [name for name, cells in below.items() if len(cells) and all(map(number, cells))]
    if not above:
        return []
    shown = ", ".join(map(repr, above[:3]))
    said = f"The first record holds no number in {shown}, where all others do; "
    return [f"{said}if it belongs to the header, choose header = 2."]


def _one_column(frame: pd.DataFrame, payload: bytes, dialect: Dialect) -> list[str]:
    better = (
        guess_delimiter(payload[:65536].decode(errors="ignore")) if frame.shape[1] == 1 else dialect.delimiter
    )
    if (
        better == dialect.delimiter
        or better not in DELIMITERS
        or better.encode() not in payload.split(b"\n", 1)[0]
    ):
        return []
    return [f"There is one column only; with the {mark_name(better)} as delimiter there would be more."]
