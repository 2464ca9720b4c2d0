"""Our guesses at how a text table is written, beside those of clevercsv, charset-normalizer and chardet.

Each guess is put in the place of ours, and a file counts as right if our reader then gives its exact columns.
The awkward files are cases that our rules were made for; the written ones were made for nobody: three small
tables, by the standard library in every dialect and encoding. Where a library becomes right on all of them, a
test says so, and ours can go. ``python -m tests.io.test_dialect_against_libraries`` prints the table:
on the awkward files (72) and the written ones (84) our delimiter is right on 72 and 84, clevercsv 0.8.5 on 65
and 84, csv.Sniffer on 60 and 84; our encoding on 72 and 84, charset-normalizer 3.5.3 on 67 and 68, chardet
7.7.0 on 72 and 70. None of them guesses decimal marks and thousands.
"""

from __future__ import annotations

import csv
import io
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import chardet
import charset_normalizer
import clevercsv
import pytest

from microagg.errors import DataError
from microagg.io.dialect import DELIMITERS, guess, guess_encoding
from microagg.io.reading import read_table
from tests.io.test_awkward_files import READ

if TYPE_CHECKING:
    from collections.abc import Callable


class File(NamedTuple):
    data: bytes
    columns: dict[str, list[object]]


AWKWARD = [File(case.data, case.columns) for case in READ if not case.options]
TABLES: list[dict[str, list[object]]] = [
    {"town": ["Köln", "Málaga", "Besançon", "Århus"], "rent": [7.5, 8.25, 10.75, 6.5], "rooms": [2, 3, 1, 4]},
    {"Größe": [1.5, 2.25, 3.125], "Stück": [10, 200, 3000]},
    {"id": [1, 2, 3, 4, 5], "née": ["Müller", "Sørensen", "Peña", "Lund", "O'Brien"], "x": [0.5] * 5},
]


def written() -> list[File]:
    """Tables × delimiter × decimal mark × encoding, without those in which a mark stands for two things."""
    made = []
    for table, delimiter, decimal, encoding in product(
        TABLES, DELIMITERS, ".,", ("utf-8", "utf-8-sig", "cp1252", "utf-16")
    ):
        if delimiter != decimal:
            text = io.StringIO()
            writer = csv.writer(text, delimiter=delimiter)
            writer.writerow(table)
            for row in zip(*table.values(), strict=True):
                writer.writerow([str(v).replace(".", decimal) if isinstance(v, float) else v for v in row])
            made.append(File(text.getvalue().encode(encoding), table))
    return made


FILES = {"awkward": AWKWARD, "written": written()}


def decoded(data: bytes) -> str:
    return data.decode(guess_encoding(data)).removeprefix("\ufeff")


def clever(data: bytes) -> str | None:
    found = clevercsv.Sniffer().sniff(decoded(data), verbose=False)
    return found.delimiter if found else None


def standard(data: bytes) -> str | None:
    try:
        return csv.Sniffer().sniff(decoded(data)).delimiter
    except csv.Error:
        return None


def normalised(data: bytes) -> str | None:
    best = charset_normalizer.from_bytes(data).best()
    return best.encoding if best else None


GUESSES: dict[str, tuple[str, Callable[[bytes], str | None]]] = {
    "our delimiter": ("delimiter", lambda data: guess(data)[0].delimiter),
    "clevercsv": ("delimiter", clever),
    "csv.Sniffer": ("delimiter", standard),
    "our encoding": ("encoding", guess_encoding),
    "charset-normalizer": ("encoding", normalised),
    "chardet": ("encoding", lambda data: chardet.detect(data)["encoding"]),
}


def right(file: File, part: str, guessing: Callable[[bytes], str | None]) -> bool:
    """Whether a file is read as it is meant with this guess."""
    guessed = guessing(file.data)
    if not guessed:
        return False
    given = {} if guessed == getattr(guess(file.data)[0], part) else {part: guessed}
    try:
        frame = read_table(file.data, name="file.csv", **given).frame
    except DataError:
        return False
    frame = frame.astype(object).where(frame.notna(), None)
    return {name: frame[name].tolist() for name in frame} == file.columns


def count(name: str, kind: str) -> int:
    return sum(right(file, *GUESSES[name]) for file in FILES[kind])


@pytest.mark.parametrize("name", ["our delimiter", "our encoding"])
@pytest.mark.parametrize("kind", FILES)
def test_our_guess_is_right_on_every_file(name, kind):
    assert count(name, kind) == len(FILES[kind])


@pytest.mark.parametrize("name", ["clevercsv", "csv.Sniffer", "charset-normalizer", "chardet"])
def test_a_librarys_guess_is_wrong_on_some(name):
    assert sum(count(name, kind) for kind in FILES) < sum(map(len, FILES.values()))


if __name__ == "__main__":
    for name in GUESSES:
        found = ", ".join(f"{count(name, kind)} of {len(files)} {kind}" for kind, files in FILES.items())
        print(f"{name}: {found}")
