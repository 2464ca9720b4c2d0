"""Files as offices really send them: each row is one fault, with the exact columns or message it gives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from microagg.errors import DataError
from microagg.io.reading import read_table


@dataclass(frozen=True)
class Case:
    """A file's bytes, and what reading gives: columns by name, their types, and words of the notes."""

    fault: str
    data: bytes
    columns: dict[str, list[Any]]
    types: str = ""
    note: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    summary: str = ""


READ = [
    Case(
        "points that are said to be thousands",
        b"a;b\n1.234;5\n2.345;6\n",
        {"a": [1234, 2345], "b": [5, 6]},
        "int64 int64",
        options={"thousands": "."},
    ),
    Case(
        "a decimal point and thousands commas, both said",
        b"a;b\n1,234;5\n2,345;6\n",
        {"a": [1234, 2345], "b": [5, 6]},
        "int64 int64",
        options={"decimal": ".", "thousands": ","},
    ),
    Case(
        "per cent",
        b"a;b\n12 %;x\n7,5%;y\n",
        {"a": [12.0, 7.5], "b": ["x", "y"]},
        "float64 str",
        note="Column 'a': % is left out.",
    ),
    Case(
        "per cent in some cells only",
        b"a;b\n12 %;x\n7;y\n",
        {"a": ["12 %", "7"], "b": ["x", "y"]},
        "str str",
        note="Column 'a': some cells carry % and others do not, so it stays text.",
    ),
    Case(
        "currency before and thousands",
        "a;b\n€ 1,200.50;x\n€ 900;y\n-€ 5;z\n".encode(),
        {"a": [1200.5, 900.0, -5.0], "b": ["x", "y", "z"]},
        "float64 str",
        note="Column 'a': € is left out.",
    ),
    Case(
        "currency behind",
        b"a;b\n1.200,50 EUR;x\n900 EUR;y\n",
        {"a": [1200.5, 900.0], "b": ["x", "y"]},
        "float64 str",
        note="Column 'a': EUR is left out.",
    ),
    Case(
        "two currencies",
        "a;b\n€ 5;x\n$ 5;y\n".encode(),
        {"a": ["€ 5", "$ 5"], "b": ["x", "y"]},
        "str str",
        note="its cells carry different marks ($, €), so it stays text",
    ),
    Case(
        "accounting",
        b'a,b\n"(1,200)",x\n"1,300",y\n',
        {"a": [-1200, 1300], "b": ["x", "y"]},
        "int64 str",
        note="(5) and 5- are read as less than zero.",
    ),
    Case(
        "numbers that all stand in parentheses",
        b"a,b\n(1),x\n(2),y\n",
        {"a": ["(1)", "(2)"], "b": ["x", "y"]},
        "str str",
        note="all its numbers stand in parentheses or before a minus, so it stays text.",
    ),
    Case(
        "minus signs of print",
        "a,b\n\u22125,x\n\u20131.5,y\n7,z\n".encode(),
        {"a": [-5.0, -1.5, 7.0], "b": ["x", "y", "z"]},
        "float64 str",
    ),
    Case(
        "Indian grouping",
        b"a;b\n12,34,567;x\n1,00,000.5;y\n",
        {"a": [1234567.0, 100000.5], "b": ["x", "y"]},
        "float64 str",
    ),
    Case(
        "thousands narrow no-break spaces",
        "a;b\n1\u202f234;x\n567;y\n".encode(),
        {"a": [1234, 567], "b": ["x", "y"]},
        "int64 str",
    ),
    Case(
        "thousands thin spaces",
        "a;b\n1\u2009234,5;x\n567;y\n".encode(),
        {"a": [1234.5, 567.0], "b": ["x", "y"]},
        "float64 str",
    ),
    Case(
        "thousands curly apostrophes",
        "a;b\n1\u2019234;x\n567;y\n".encode(),
        {"a": [1234, 567], "b": ["x", "y"]},
        "int64 str",
    ),
    Case(
        "points before three digits under a semicolon",
        b"a;b\n12.345;5\n13.456;6\n",
        {"a": [12.345, 13.456], "b": [5, 6]},
        "float64 int64",
        note="Numbers such as 12.345 are read with a decimal point; choose the decimal comma",
    ),
    Case(
        "title lines",
        b"Survey of 2020\nmade in May\n\nage,rent,n\n31,7.5,1\n44,8,2\n",
        {"age": [31, 44], "rent": [7.5, 8.0], "n": [1, 2]},
        "int64 float64 int64",
        note="2 lines above the table are left out; choose skip = 0 to keep every line.",
    ),
    Case(
        "a title that a spreadsheet saved",
        b"Survey;;\n;;\nage;rent;n\n31;7,5;1\n44;8;2\n",
        {"age": [31, 44], "rent": [7.5, 8.0], "n": [1, 2]},
        "int64 float64 int64",
        note="2 lines above the table are left out; choose skip = 0",
    ),
    Case(
        "comments above the header",
        b"# made by x, 2020, in May, alone\n# units: euro\nage,rent\n31,7.5\n44,8\n",
        {"age": [31, 44], "rent": [7.5, 8.0]},
        "int64 float64",
        note="2 lines above the table are left out",
    ),
    Case(
        "lines that are said to stand above the table",
        b"a,b\nage,rent\n31,7.5\n44,8\n",
        {"age": [31, 44], "rent": [7.5, 8.0]},
        "int64 float64",
        options={"skip": 1},
        note="1 line above the table is left out",
    ),
    Case(
        "two lines of names, not said",
        b"age,rent\nyears,euro\n31,7.5\n44,8\n45,9\n",
        {"age": ["years", "31", "44", "45"], "rent": ["euro", "7.5", "8", "9"]},
        "str str",
        note="The first record holds no number in 'age', 'rent', where all others do; if it belongs",
    ),
    Case(
        "two lines of names, said",
        b"2019,,2020,\nage,rent,age,rent\n31,7.5,32,8\n44,8,45,9\n",
        {"2019 age": [31, 44], "2019 rent": [7.5, 8.0], "2020 age": [32, 45], "2020 rent": [8, 9]},
        "int64 float64 int64 int64",
        options={"header": 2},
    ),
    Case(
        "blanks between cells",
        b"  age   rent town\n   31    7.5 Reus\n   44    8   Salou\n",
        {"age": [31, 44], "rent": [7.5, 8.0], "town": ["Reus", "Salou"]},
        "int64 float64 str",
        note="Blanks are read as what separates cells; choose another delimiter if they do not.",
    ),
    Case(
        "years as names",
        b"2019,2020,2021\n5,6,7\n8,9,1\n",
        {"2019": [5, 8], "2020": [6, 9], "2021": [7, 1]},
        "int64 int64 int64",
        note="The first line holds years in a row and is read as the names of the columns; choose",
    ),
    Case(
        "names of two words in one column",
        b"full name\nAnn Lee\nBob Ray\n",
        {"full name": ["Ann Lee", "Bob Ray"]},
        "str",
    ),
    Case(
        "phone numbers, dates and ranges are no numbers in print",
        b"p;d;r\n+34 612 345;1-2-2020;5-9\n+34 612 346;2-2-2020;10-19\n",
        {"p": ["+34 612 345", "+34 612 346"], "d": ["1-2-2020", "2-2-2020"], "r": ["5-9", "10-19"]},
        "str str str",
    ),
    Case("comma", b"a,b\n1,x\n2,y\n", {"a": [1, 2], "b": ["x", "y"]}, "int64 str"),
    Case("semicolon", b"a;b\n1;x\n2;y\n", {"a": [1, 2], "b": ["x", "y"]}, "int64 str"),
    Case("tab", b"a\tb\n1\tx\n2\t\n", {"a": [1, 2], "b": ["x", None]}, "int64 str"),
    Case("bar", b"a|b\n1|x, y\n2|z\n", {"a": [1, 2], "b": ["x, y", "z"]}, "int64 str"),
    Case("delimiter named in the first line", b"sep=|\na|b\n1|2\n", {"a": [1], "b": [2]}, "int64 int64"),
    Case(
        "delimiter given",
        b"a b;c\n1 2;3\n",
        {"a": [1], "b;c": ["2;3"]},
        "int64 str",
        options={"delimiter": " "},
    ),
    Case("one column only", b"age\n31\n44\n", {"age": [31, 44]}, "int64"),
    Case("one column of decimal commas", b"rent\n7,5\n8,25\n", {"rent": [7.5, 8.25]}, "float64"),
    Case(
        "the wrong delimiter asked for",
        b"a;b\n1;2\n",
        {"a;b": ["1;2"]},
        "str",
        note="with the semicolon as delimiter there would be more",
        options={"delimiter": ","},
    ),
    Case("decimal comma", b"a;b\n1,5;x\n-0,25;y\n", {"a": [1.5, -0.25], "b": ["x", "y"]}, "float64 str"),
    Case(
        "decimal comma in quotes",
        b'a,b\n"1,5",x\n"2,25",y\n',
        {"a": [1.5, 2.25], "b": ["x", "y"]},
        "float64 str",
    ),
    Case(
        "a comma that could be either",
        b"a;b\n1,234;5\n2,345;6\n",
        {"a": [1.234, 2.345], "b": [5, 6]},
        "float64 int64",
        note="choose the decimal point if they are thousands",
    ),
    Case(
        "a comma that is said to be thousands",
        b"a;b\n1,234;5\n2,345;6\n",
        {"a": [1234, 2345], "b": [5, 6]},
        "int64 int64",
        options={"thousands": ","},
    ),
    Case(
        "thousands commas in quotes",
        b'a,b\n"1,234",x\n12,y\n',
        {"a": [1234, 12], "b": ["x", "y"]},
        "int64 str",
    ),
    Case(
        "thousands points and decimal comma",
        b"a;b\n1.234,5;1.234.567\n7;8\n",
        {"a": [1234.5, 7.0], "b": [1234567, 8]},
        "float64 int64",
    ),
    Case(
        "thousands spaces", b"a;b\n12 345,6;x\n7,5;y\n", {"a": [12345.6, 7.5], "b": ["x", "y"]}, "float64 str"
    ),
    Case(
        "thousands no-break spaces",
        "a;b\n1\u00a0234;x\n567;y\n".encode(),
        {"a": [1234, 567], "b": ["x", "y"]},
        "int64 str",
    ),
    Case(
        "thousands apostrophes",
        b"a;b\n1'234.5;x\n7;y\n",
        {"a": [1234.5, 7.0], "b": ["x", "y"]},
        "float64 str",
    ),
    Case(
        "a point between digits that is no thousand",
        b"a;b\n1.234;x\n2.5;y\n",
        {"a": [1.234, 2.5], "b": ["x", "y"]},
        "float64 str",
    ),
    Case(
        "dates that look like grouped digits",
        b"d;n\n01.02.2024;1\n",
        {"d": ["01.02.2024"], "n": [1]},
        "str int64",
    ),
    Case(
        "scientific notation",
        b"a,b\n1e-3,1E5\n2.5e2,3\n",
        {"a": [0.001, 250.0], "b": [1e5, 3.0]},
        "float64 float64",
    ),
    Case(
        "quotes and delimiters in cells",
        b'a,b\n"x, ""y""",1\nz,2\n',
        {"a": ['x, "y"', "z"], "b": [1, 2]},
        "str int64",
    ),
    Case("a line break in a cell", b'a,b\n"x\ny",1\nz,2\n', {"a": ["x\ny", "z"], "b": [1, 2]}, "str int64"),
    Case(
        "a space after each comma", b'a, b\n1, "x, y"\n2, z\n', {"a": [1, 2], "b": ["x, y", "z"]}, "int64 str"
    ),
    Case(
        "signs that begin comments elsewhere",
        b"#id,b\n#1,% 5\n2,// x\n",
        {"#id": ["#1", "2"], "b": ["% 5", "// x"]},
        "str str",
    ),
    Case("UTF-8", "town,n\nMünster,1\n".encode(), {"town": ["Münster"], "n": [1]}, summary="UTF-8"),
    Case(
        "byte order mark",
        b"\xef\xbb\xbf" + "town,n\nMünster,1\n".encode(),
        {"town": ["Münster"], "n": [1]},
        summary="UTF-8 with byte order mark",
    ),
    Case(
        "Windows-1252",
        "town;€\nMünster;1\n".encode("cp1252"),
        {"town": ["Münster"], "€": [1]},
        summary="Windows-1252",
    ),
    Case("Latin-1", b"town;n\nM\xfcnster\x81;1\n", {"town": ["Münster\x81"], "n": [1]}, summary="Latin-1"),
    Case(
        "UTF-16", "town\tn\nMünster\t1\n".encode("utf-16"), {"town": ["Münster"], "n": [1]}, summary="UTF-16"
    ),
    Case(
        "the encoding given",
        "a,b\né,1\n".encode("cp850"),
        {"a": ["é"], "b": [1]},
        options={"encoding": "cp850"},
        summary="cp850",
    ),
    Case(
        "trailing delimiters everywhere",
        b"a,b,\n1,2,\n3,4,\n",
        {"a": [1, 3], "b": [2, 4]},
        note="empty last column",
    ),
    Case(
        "trailing delimiters below the header",
        b"a,b\n1,2,\n3,4,\n",
        {"a": [1, 3], "b": [2, 4]},
        note="empty last column",
    ),
    Case(
        "a trailing delimiter in the header",
        b"a,b,\n1,2\n3,4\n",
        {"a": [1, 3], "b": [2, 4]},
        note="empty last column",
    ),
    Case(
        "row names without a header",
        b"a b\nr1 1 2\nr2 3 4\n",
        {"column 1": ["r1", "r2"], "a": [1, 3], "b": [2, 4]},
        note="the row's name",
        options={"delimiter": " "},
    ),
    Case(
        "duplicated names",
        b"a,a,a (2)\n1,2,3\n",
        {"a": [1], "a (3)": [2], "a (2)": [3]},
        note="same name as another, 'a'",
    ),
    Case(
        "an empty name", b"a,,c\n1,2,3\n", {"a": [1], "column 2": [2], "c": [3]}, note="Column 2 has no name"
    ),
    Case("names in other scripts", "größe;年齢\n1;2\n".encode(), {"größe": [1], "年齢": [2]}),
    Case(
        "names that programs use",
        b"k,labels,index,n\n1,2,3,4\n",
        {"k": [1], "labels": [2], "index": [3], "n": [4]},
    ),
    Case("spaces around names", b" a ,b \n1,2\n", {"a": [1], "b": [2]}),
    Case("no header", b"1,2.5\n3,4\n", {"column 1": [1, 3], "column 2": [2.5, 4.0]}, note="no header line"),
    Case(
        "a header said to be a record",
        b"a,b\n1,2\n",
        {"column 1": ["a", "1"], "column 2": ["b", "2"]},
        options={"header": False},
        note="no header line",
    ),
    Case("Windows line ends", b"a,b\r\n1,2\r\n3,\r\n", {"a": [1, 3], "b": [2, None]}, "int64 Int64"),
    Case("old Mac line ends", b"a,b\r1,2\r3,4\r", {"a": [1, 3], "b": [2, 4]}, "int64 int64"),
    Case("no line end at the end", b"a,b\n1,2", {"a": [1], "b": [2]}),
    Case("empty lines before, between and after", b"\n\na,b\n1,2\n\n3,4\n\n\n", {"a": [1, 3], "b": [2, 4]}),
    Case("an empty line in a single column is a record", b"a\n1\n\n3\n", {"a": [1, None, 3]}, "Int64"),
    Case(
        "leading zeros",
        b"zip,n\n01234,1\n90210,2\n",
        {"zip": ["01234", "90210"], "n": [1, 2]},
        "str int64",
        note="leading zeros",
    ),
    Case(
        "integers beyond 2**53",
        b"id,x\n9007199254740993,\n,2\n",
        {"id": [9007199254740993, None], "x": [None, 2]},
        "Int64 Int64",
    ),
    Case(
        "more digits than an integer",
        b"id\n123456789012345678901234\n1\n",
        {"id": ["123456789012345678901234", "1"]},
        "str",
        note="more digits",
    ),
    Case("numbers with gaps", b"a,b\n1.5,x\n,y\n", {"a": [1.5, None], "b": ["x", "y"]}, "float64 str"),
    Case(
        "words for missing among numbers",
        b"a,b\n1,NA\nNULL,2.5\n",
        {"a": [1, None], "b": [None, 2.5]},
        "Int64 float64",
        note="'NULL' is read as missing",
    ),
    Case("NA as a value of text", b"country\nNA\nDE\n", {"country": ["NA", "DE"]}, "str"),
    Case("a code that could mean missing", b"age\n-999\n31\n", {"age": [-999, 31]}, "int64"),
    Case("a column without any value", b"a,b\n1,\n2,\n", {"a": [1, 2], "b": [None, None]}, "int64 float64"),
    Case("TRUE and FALSE", b"a,b\nTRUE,1\nFALSE,0\n", {"a": ["TRUE", "FALSE"], "b": [1, 0]}, "str int64"),
    Case("text in a column of numbers", b"a,b\n1,2\nx,3\n", {"a": ["1", "x"], "b": [2, 3]}, "str int64"),
]

DELIMITED = "The delimiter taken is the comma; choose another or mend the line."
REFUSED = [
    ("nothing", b"", {}, "file.csv: the file is empty."),
    ("only empty lines", b"\n \r\n\n", {}, "file.csv: the file is empty."),
    ("only a byte order mark", b"\xef\xbb\xbf", {}, "file.csv: the file is empty."),
    ("a header and no record", b"a,b\n", {}, "file.csv: there is a header but no record below it."),
    (
        "a short line",
        b"a,b,c\n1,2,3\n4,5\n",
        {},
        f"file.csv: line 3 has 2 values, the header has 3. {DELIMITED}",
    ),
    (
        "a long line",
        b"a,b\n1,2\n\n3,4,5\n",
        {},
        f"file.csv: line 4 has 3 values, the header has 2. {DELIMITED}",
    ),
    (
        "a long line after a line break in a cell",
        b'a,b\n"x\ny",2\n3,4,5\n',
        {},
        f"file.csv: line 4 has 3 values, the header has 2. {DELIMITED}",
    ),
    (
        "a quotation mark never closed",
        b'a,b\n1,2\n3,"4\n5,6\n',
        {},
        "file.csv: line 3 cannot be read: a quotation mark is opened and never closed.",
    ),
    (
        "another encoding than asked for",
        "a,b\n1,2\nñ,3\n".encode("cp1252"),
        {"encoding": "utf-8"},
        "file.csv: byte 9, in line 3, is not UTF-8; choose another encoding, such as Windows-1252 or UTF-8.",
    ),
    (
        "an encoding that does not exist",
        b"a\n1\n",
        {"encoding": "utf-9"},
        "There is no encoding 'utf-9'; try utf-8, windows-1252 or latin-1.",
    ),
    (
        "two characters as delimiter",
        b"a\n1\n",
        {"delimiter": "::"},
        "The delimiter is '::'; it must be one character such as ',' or ';'.",
    ),
    ("a PDF", b"%PDF-1.7\n", {}, "file.csv: this is not a text table but a PDF document."),
    (
        "a web page",
        b"\n<!DOCTYPE html><html></html>",
        {},
        "file.csv: this is not a text table but a web page (save the data as CSV).",
    ),
    ("JSON", b'[{"a": 1}]\n', {}, "file.csv: this is not a text table but JSON (save the data as CSV)."),
    (
        "a workbook with the wrong ending",
        b"PK\x03\x04xx",
        {},
        (
            "file.csv: this is not a text table but a zip archive or an Excel workbook "
            "(name it .xlsx to read it as one)."
        ),
    ),
    ("binary", b"a,b\n\x00\x01,2\n", {}, "file.csv: this is a binary file, not a text table."),
]


@pytest.mark.parametrize("case", READ, ids=lambda case: case.fault)
def test_an_awkward_file_is_read_as_it_is_meant(case):
    table = read_table(case.data, name="file.csv", **case.options)
    frame = table.frame.astype(object).where(table.frame.notna(), None)
    assert {name: frame[name].tolist() for name in frame} == case.columns
    if case.types:
        assert " ".join(map(str, table.frame.dtypes)) == case.types
    if case.summary:
        assert table.dialect.summary.rsplit(", ", 1)[-1] == case.summary
    assert case.note in " ".join(table.notes)
    assert bool(case.note) == bool(table.notes)


@pytest.mark.parametrize(
    ("data", "options", "message"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_a_file_that_is_no_table_is_refused_in_one_sentence(data, options, message):
    with pytest.raises(DataError) as refusal:
        read_table(data, name="file.csv", **options)
    assert str(refusal.value) == message


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(DataError, match="There is no file"):
        read_table(tmp_path / "gone.csv")


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(DataError, match="cannot be read"):
        read_table(tmp_path)


def test_an_ending_nobody_reads_lists_those_that_are():
    with pytest.raises(DataError, match=r"files ending in \.doc cannot be read or written; use one of \.csv"):
        read_table(b"x", name="letter.doc")


def test_the_same_bytes_give_the_same_guess():
    data = b"a;b\n1,5;2\n"
    assert read_table(data, name="x.csv").dialect == read_table(data, name="y.csv").dialect
