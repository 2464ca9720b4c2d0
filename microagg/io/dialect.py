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
- **Header**: the first line, unless it holds numbers above columns of numbers and else words that recur.
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
from microagg.io.printed_numbers import undressed

DELIMITERS = (",", ";", "\t", "|")
ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8 with byte order mark",
    "cp1252": "Windows-1252",
    "latin-1": "Latin-1",
    "utf-16": "UTF-16",
}
THOUSANDS = (",", ".", " ", "\u00a0", "\u202f", "\u2009", "'", "\u2019")
_NAMES = {
    ",": "comma",
    ";": "semicolon",
    "\t": "tab",
    "|": "vertical bar",
    ".": "point",
    " ": "space",
    "\u00a0": "space",
    "\u202f": "space",
    "\u2009": "space",
    "'": "apostrophe",
    "\u2019": "apostrophe",
}
_SAMPLE = 1 << 18
_YEARS = (
    "The first line holds years in a row and is read as the names of the columns; choose header = no if it "
    "is a record."
)

_FIRST: dict[str, tuple[str, ...]] = {
    "names": (),
    "record": (
        "The first line looks like a record and is read as one; choose header = true if it names columns.",
    ),
    "unsure": (
        "The first line has numbers above columns of numbers; choose header = false if it is a record.",
    ),
}


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
    whole, by = r"0|[1-9]\d*", re.escape(thousands)
    if thousands:  # in threes, or as in India the last three and then in twos
        whole += rf"|[1-9]\d{{0,2}}(?:{by}\d{{3}})+|[1-9]\d?(?:{by}\d\d)+{by}\d{{3}}"
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
    if not best and _cut_by_blanks(text):
        return " "
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
        dressed = undressed(cell)
        if dressed is not None:
            votes.update(_votes(dressed.digits))
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
    alone = votes["either", "."] and not any(votes["decimal", mark] for mark in ".,")
    if delimiter == ";" and decimal == "." and alone:
        notes.append(
            "Numbers such as 12.345 are read with a decimal point; choose the decimal comma if they are "
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
    header: bool | int | None
    skip: int | None


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
    text = without_titles(_decode_sample(data, encoding).lstrip("\ufeff"), parts.get("skip"))[0]
    delimiter = Dialect(parts.get("delimiter") or guess_delimiter(text)).delimiter
    newline = next((mark for mark in ("\r\n", "\n", "\r") if mark in text), "\n")
    rows = [row for row in _rows(_single_blanks(text) if delimiter == " " else text, delimiter) if row]
    decimal, thousands, notes = guess_marks(rows[1:] or rows, delimiter)
    blanks = delimiter == " " and parts.get("delimiter") is None
    if blanks:
        thousands = thousands.strip(" ")
    told_decimal, told_thousands = parts.get("decimal"), parts.get("thousands")
    if told_thousands is not None:
        decimal, thousands, notes = {",": ".", ".": ","}.get(told_thousands, decimal), told_thousands, ()
    if told_decimal is not None:
        decimal, thousands, notes = told_decimal, told_thousands or thousands.replace(told_decimal, ""), ()
    if blanks:
        notes += ("Blanks are read as what separates cells; choose another delimiter if they do not.",)
    dialect = Dialect(delimiter, decimal, thousands, encoding, newline)
    header = parts.get("header")
    if header is None:
        header = not (rows and _all_numbers(rows[0], dialect))
        if not header and _names_years(rows):
            header = True
            notes += (_YEARS,)
        elif header:
            kind = _first_line(rows, dialect)
            header = kind != "record"
            notes += _FIRST[kind]
    return replace(dialect, header=bool(header)), notes


def without_titles(text: str, skip: int | None = None) -> tuple[str, int]:
    r"""Return a text whose lines above the table are empty, and how many of them were not.

    Parameters
    ----------
    text : str
    skip : int, optional
        How many lines stand above the table; where None, those that begin with ``#`` or fill one cell only,
        above a line that names at least two columns and has the width of those below.

    Examples
    --------
    >>> without_titles("Survey of 2020\n\nage,rent\n31,7.5\n")
    ('\n\nage,rent\n31,7.5\n', 1)
    """
    lines = text.splitlines(keepends=True)
    above = min(_titles(lines) if skip is None else skip, len(lines))
    left_out = sum(bool(line.strip()) for line in lines[:above])
    ends = [line[len(line.rstrip("\r\n")) :] for line in lines[:above]]
    return "".join([*ends, *lines[above:]]), left_out


def _titles(lines: list[str]) -> int:
    """How many lines stand above the table, under the delimiter that says so."""
    if not lines or re.match(r'"?sep=[,;\t|:]', lines[0]):
        return 0
    return max(_titles_under(lines[:200], delimiter) for delimiter in DELIMITERS)


def _titles_under(lines: list[str], delimiter: str) -> int:
    rows = [next(csv.reader([line], delimiter=delimiter), []) for line in lines]
    filled = [sum(bool(cell.strip()) for cell in row) for row in rows]
    above = 0
    while above < len(rows) and (filled[above] <= 1 or lines[above].startswith("#")):
        above += 1
    below = [row for row in rows[above:] if row]
    if not above or len(below) < 2 or not any(filled[:above]):
        return 0
    width = len(below[0])
    names = all(cell.strip() and not cell.strip()[0].isdigit() for cell in below[0])
    even = sum(len(row) == width for row in below) >= 0.9 * len(below)
    titled = all(line.startswith("#") or not line.strip() for line in lines[:above]) or width > 2
    wider = any(len(row) != width or filled[i] <= 1 for i, row in enumerate(rows[:above]) if filled[i])
    return above if width > 1 and names and even and (titled or wider) else 0


def _single_blanks(text: str) -> str:
    """The text with one blank where there are several, and none at the ends of lines."""
    return re.sub(r"(?m)^ +| +$", "", re.sub(r"[ \t]+", " ", text))


def _cut_by_blanks(text: str) -> bool:
    """Whether blanks cut all lines into as many cells, one column of them numbers."""
    rows = [line.split() for line in text.splitlines() if line.strip()]
    if len(rows) < 2 or '"' in text or len(rows[0]) < 2 or any(len(row) != len(rows[0]) for row in rows):
        return False
    return any(
        all(re.fullmatch(r"[+-]?[\d.,]*\d", cell) for cell in column)
        for column in zip(*rows[1:], strict=True)
    )


def _names_years(rows: list[list[str]]) -> bool:
    """Whether the first line counts years, one a column, and the next do not."""
    first = [cell.strip() for cell in rows[0]]
    years = [int(cell) for cell in first if re.fullmatch("(19|20)\\d\\d", cell)]
    counted = len(years) == len(first) > 1 and years == list(range(years[0], years[0] + len(years)))
    return counted and all([cell.strip() for cell in row] != first for row in rows[1:]) and len(rows) > 1


def _first_line(rows: list[list[str]], dialect: Dialect) -> str:
    """What the first line is: "names", a "record", or "unsure" where it may be either.

    A record has numbers where all lines below have some, and elsewhere words that recur below.
    """
    if len(rows) < 3 or any(len(row) != len(rows[0]) for row in rows[1:50]):
        return "names"
    pattern = number_pattern(dialect.decimal, dialect.thousands)
    numbers, recurring = [], []
    for i, first in enumerate(cell.strip() for cell in rows[0]):
        below = [row[i].strip() for row in rows[1:] if len(row) > i and row[i].strip()]
        if below and all(pattern.fullmatch(cell) for cell in below):
            numbers.append(first)
        else:
            recurring.append(not first or first in below)
    if not numbers or not all(pattern.fullmatch(cell) for cell in numbers):
        return "names"
    if all(re.fullmatch("(19|20)\\d\\d", cell) for cell in numbers):
        return "names"
    return "record" if all(recurring) else "unsure"


def _votes(cell: str) -> list[tuple[str, str]]:
    """What one cell says of its marks: ("decimal" | "thousands" | "either", mark)."""
    for mark in (mark for mark in THOUSANDS if mark in cell):
        if re.fullmatch(rf"[+-]?[1-9]\d?(?:{re.escape(mark)}\d\d)+{re.escape(mark)}\d{{3}}(?:\.\d+)?", cell):
            return [("thousands", mark), *([("decimal", ".")] if "." in cell and mark != "." else [])]
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
