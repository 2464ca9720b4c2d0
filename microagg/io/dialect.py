"""How a text table is written down, and a first guess at it from the bytes.

A CSV file does not say how it is to be read, so somebody has to guess, and a silent wrong guess turns
1,234 into 1.234. Every guess here is one simple rule over the first 256 kB (the encoding: over all bytes),
the same for the same bytes; it is shown as a `Dialect`, and any part of it can be given instead.

- **Encoding**: a byte order mark decides; else UTF-8 where all bytes allow it; else Windows-1252; else
  Latin-1 (five bytes are letters only there).
- **Delimiter**: of ``, ; tab |`` the one that cuts most lines into as many parts as the header; then the
  one that makes more parts; then the order above. Where none cuts the header, one that cuts no line at all.
  A first line ``sep=;`` decides.
- **Decimal mark and thousands**: the marks vote. ``2,5`` speaks for a comma, ``1.234.567`` for points between
  thousands. ``1,234`` alone could be either: between commas, or beside decimal points, it is a thousand; in a
  file cut by another delimiter it is a decimal, and a note says so.
- **Header**: the first line, unless all its cells are numbers.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import TypedDict, Unpack

from microagg.errors import DataError

DELIMITERS = (",", ";", "\t", "|")
ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8 with byte order mark",
    "cp1252": "Windows-1252",
    "latin-1": "Latin-1",
    "utf-16": "UTF-16",
}
THOUSANDS = (",", ".", " ", "\u00a0", "\u202f", "'", "\u2019")
_NAMES = {
    ",": "comma",
    ";": "semicolon",
    "\t": "tab",
    "|": "vertical bar",
    ".": "point",
    " ": "space",
    "\u00a0": "space",
    "\u202f": "space",
    "'": "apostrophe",
    "\u2019": "apostrophe",
}
_SAMPLE = 1 << 18


@dataclass(frozen=True)
class Dialect:
    """How a text table is written: what separates cells, marks decimals, and encodes letters.

    Parameters
    ----------
    delimiter : str
        One character.
    decimal : {".", ","}
    thousands : str
        What stands between groups of three digits, or "".
    encoding : str
        A codec that Python knows.
    newline : str
        What ends a line when the table is written again.
    header : bool
        Whether the first line holds the names of the columns.

    Raises
    ------
    DataError
        A part that no file could have.

    Examples
    --------
    >>> Dialect(delimiter=";", decimal=",", encoding="windows-1252").summary
    'semicolon between cells, decimal comma, Windows-1252'
    """

    delimiter: str = ","
    decimal: str = "."
    thousands: str = ""
    encoding: str = "utf-8"
    newline: str = "\n"
    header: bool = True

    def __post_init__(self) -> None:
        if len(self.delimiter) != 1 or not self.delimiter.isascii() or self.delimiter in '"\r\n\0':
            raise DataError(
                f"The delimiter is {self.delimiter!r}; it must be one character such as ',' or ';'."
            )
        if self.decimal not in (".", ","):
            raise DataError(f"The decimal mark is {self.decimal!r}; it must be '.' or ','.")
        if self.thousands not in ("", *THOUSANDS) or self.thousands == self.decimal:
            raise DataError(
                f"The thousands separator is {self.thousands!r}; it must be a comma, point, space or "
                "apostrophe, and not the decimal mark."
            )
        try:
            known = codecs.lookup(self.encoding).name
        except LookupError:
            raise DataError(
                f"There is no encoding {self.encoding!r}; try utf-8, windows-1252 or latin-1."
            ) from None
        object.__setattr__(self, "encoding", "latin-1" if known == "iso8859-1" else known)

    @property
    def summary(self) -> str:
        """One line for the page."""
        parts = [f"{mark_name(self.delimiter)} between cells", f"decimal {mark_name(self.decimal)}"]
        if self.thousands:
            parts.append(f"{mark_name(self.thousands)} between thousands")
        if not self.header:
            parts.append("no header")
        return ", ".join([*parts, ENCODINGS.get(self.encoding, self.encoding)])


def mark_name(mark: str) -> str:
    """Word for a delimiter, decimal mark or thousands separator."""
    return _NAMES.get(mark, repr(mark))


@cache
def number_pattern(decimal: str, thousands: str) -> re.Pattern[str]:
    """Pattern of a whole cell that is a number; a leading zero ("0123") makes it a code, not a number."""
    whole = r"0|[1-9]\d*" + (rf"|[1-9]\d{{0,2}}(?:{re.escape(thousands)}\d{{3}})+" if thousands else "")
    mark = re.escape(decimal)
    return re.compile(rf"[+-]?(?:(?:{whole})(?:{mark}\d*)?|{mark}\d+)(?:[eE][+-]?\d+)?")


def guess_encoding(data: bytes) -> str:
    """Return the codec for these bytes.

    Examples
    --------
    >>> guess_encoding("año".encode("utf-8")), guess_encoding("año".encode("cp1252"))
    ('utf-8', 'cp1252')
    """
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    for encoding in ("utf-8", "cp1252"):
        try:
            data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return encoding
    return "latin-1"


def guess_delimiter(text: str) -> str:
    r"""Return the delimiter that makes the text a table.

    Examples
    --------
    >>> guess_delimiter("town;rent\nReus;7,5\nSalou;8,25\n")
    ';'
    """
    told = re.match(r'"?sep=([,;\t|:])"?[\r\n]', text)
    if told:
        return told[1]
    best, best_score = "", (0.0, 0)
    widest: dict[str, int] = {}
    for delimiter in DELIMITERS:
        counts = [len(row) for row in _rows(text, delimiter) if row]
        widest[delimiter] = max(counts, default=0)
        if not counts or counts[0] < 2:
            continue
        near = sum(1.0 if count == counts[0] else 0.5 * (abs(count - counts[0]) == 1) for count in counts)
        score = (round(near / len(counts), 2), counts[0])
        if score > best_score:
            best, best_score = delimiter, score
    return best or next((delimiter for delimiter in DELIMITERS if widest[delimiter] < 2), ",")


def guess_marks(rows: list[list[str]], delimiter: str) -> tuple[str, str, tuple[str, ...]]:
    """Return decimal mark, thousands separator and notes, from the cells of some rows.

    Examples
    --------
    >>> guess_marks([["1.234,5", "7"]], ";")
    (',', '.', ())
    >>> guess_marks([["1,234", "0.5"]], ",")
    ('.', ',', ())
    """
    votes: Counter[tuple[str, str]] = Counter()
    for cell in (cell.strip() for row in rows for cell in row):
        if cell[-1:].isdigit() or cell[:1].isdigit():
            votes.update(_votes(cell))
    decimal, notes = ".", []
    if votes["decimal", ","] or votes["decimal", "."]:
        decimal = "," if votes["decimal", ","] > votes["decimal", "."] else "."
    elif votes["thousands", "."] and not votes["thousands", ","]:
        decimal = ","
    elif votes["either", ","] and delimiter != "," and not (votes["either", "."] or votes["thousands", ","]):
        decimal = ","
        notes.append(
            "Numbers such as 1,234 are read with a decimal comma; choose the decimal point if they are "
            "thousands."
        )
    grouped = [
        mark for mark in THOUSANDS if mark != decimal and (votes["thousands", mark] or votes["either", mark])
    ]
    return decimal, grouped[0] if grouped else "", tuple(notes)


class Parts(TypedDict, total=False):
    """Parts of a dialect that are given instead of guessed; None is the same as not given."""

    delimiter: str | None
    decimal: str | None
    thousands: str | None
    encoding: str | None
    header: bool | None


def guess(data: bytes, **parts: Unpack[Parts]) -> tuple[Dialect, tuple[str, ...]]:
    """Return a dialect for these bytes.

    Parameters
    ----------
    data : bytes
        The whole file.
    **parts
        Fields of `Dialect` that are known.

    Returns
    -------
    Dialect, tuple of str
        And a sentence for each guess that could well be wrong.

    Raises
    ------
    DataError
        A part is no part of a dialect.
    """
    encoding = Dialect(encoding=parts.get("encoding") or guess_encoding(data)).encoding
    text = _decode_sample(data, encoding)
    delimiter = Dialect(parts.get("delimiter") or guess_delimiter(text)).delimiter
    newline = next((mark for mark in ("\r\n", "\n", "\r") if mark in text), "\n")
    rows = [row for row in _rows(text.lstrip("\ufeff"), delimiter) if row]
    decimal, thousands, notes = guess_marks(rows[1:] or rows, delimiter)
    told_decimal, told_thousands = parts.get("decimal"), parts.get("thousands")
    if told_thousands is not None:
        decimal, thousands, notes = {",": ".", ".": ","}.get(told_thousands, decimal), told_thousands, ()
    if told_decimal is not None:
        decimal, thousands, notes = told_decimal, told_thousands or thousands.replace(told_decimal, ""), ()
    dialect = Dialect(delimiter, decimal, thousands, encoding, newline)
    header = parts.get("header")
    if header is None:
        header = not (rows and _all_numbers(rows[0], dialect))
    return replace(dialect, header=header), notes


def _votes(cell: str) -> list[tuple[str, str]]:
    """What one cell says of its marks: ("decimal" | "thousands" | "either", mark)."""
    for mark in (mark for mark in THOUSANDS if mark in cell):
        grouped = re.fullmatch(rf"[+-]?[1-9]\d{{0,2}}((?:{re.escape(mark)}\d{{3}})+)(?:([.,])\d+)?", cell)
        if grouped and grouped[2] and grouped[2] != mark:
            return [("thousands", mark), ("decimal", grouped[2])]
        if grouped and not grouped[2]:
            sure = mark not in ",." or len(grouped[1]) > 4
            return [("thousands" if sure else "either", mark)]
    plain = re.fullmatch(r"[+-]?\d*([.,])\d+(?:[eE][+-]?\d+)?", cell)
    return [("decimal", plain[1])] if plain else []


def _all_numbers(row: list[str], dialect: Dialect) -> bool:
    pattern = number_pattern(dialect.decimal, dialect.thousands)
    return bool(row) and all(pattern.fullmatch(cell.strip()) for cell in row)


def _decode_sample(data: bytes, encoding: str) -> str:
    text = data[:_SAMPLE].decode(encoding, errors="ignore")
    if len(data) <= _SAMPLE:
        return text
    cut = max(text.rfind("\n"), text.rfind("\r"))
    return text[: cut + 1] if cut > 0 else text


def _rows(text: str, delimiter: str) -> list[list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        return list(islice(reader, 10_000))
    except csv.Error:
        return []
