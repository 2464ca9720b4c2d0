"""A written file is red for whatever leaves with it beside its table, in every format."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pyreadstat
import pytest
import rdata

import microagg as ma
from microagg.handover.verification import check
from microagg.io.formats import FORMATS
from microagg.io.reading import read_table
from microagg.io.saving import table_bytes
from microagg.io.table import Labels

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from microagg.handover.file_check import Check

NAME = "Nothing beside the table"
PEOPLE = pd.DataFrame(
    {
        "age": [20, 21, 22, 40, 41, 42, 43, 44],
        "town": pd.Categorical(["Reus", "Reus", "Salou", "Salou"] * 2, categories=["Reus", "Salou", "Vila"]),
        "grade": [1, 2, 1, 2, 1, 2, 1, 2],
    }
)
ROLES = {"age": "quasi_identifier", "town": "other", "grade": "other"}
LABELS = Labels({"age": "Age in years"}, {"grade": {1: "good", 2: "bad", 77: "only Ann refused"}})
RELEASE = ma.protect(ma.Microdata.from_frame(PEOPLE, roles=ROLES), ma.Plan(k=4))
WRITABLE = [row for row in FORMATS.values() if row.write is not None]


def looked(written: bytes, ending: str, labels: Labels = LABELS) -> Check:
    found = {one.name: one for one in check(written, f"x{ending}", RELEASE, labels=labels)}
    return found[NAME]


def own(kind: str) -> bytes:
    return table_bytes(RELEASE.protected, kind, labels=LABELS)


@pytest.mark.parametrize("row", WRITABLE, ids=lambda row: row.name)
def test_what_this_program_writes_is_green_and_holds_no_value_that_was_replaced(row) -> None:
    one = looked(own(row.name), row.suffixes[0])
    assert (one.status, one.sentence[:28]) == ("green", "The file is, byte for byte, ")
    table = read_table(own(row.name), name=f"x{row.suffixes[0]}")
    assert 77 not in table.labels.values.get("grade", {})
    assert not table.beside


def test_a_release_has_no_category_that_no_record_has() -> None:
    assert RELEASE.protected["town"].cat.categories.tolist() == ["Reus", "Salou"]


def book(change: Callable[[openpyxl.Workbook], object]) -> bytes:
    workbook = openpyxl.load_workbook(io.BytesIO(own("excel")))
    change(workbook)
    file = io.BytesIO()
    workbook.save(file)
    return file.getvalue()


def sheet(state: str) -> Callable[[openpyxl.Workbook], object]:
    def change(workbook: openpyxl.Workbook) -> None:
        page = workbook.create_sheet("original")
        page.sheet_state = state
        for row in PEOPLE.itertuples(index=False):
            page.append(list(row))

    return change


def comment(workbook: openpyxl.Workbook) -> None:
    workbook.active["A2"].comment = openpyxl.comments.Comment("Ann is 20", "me")


def defined(workbook: openpyxl.Workbook) -> None:
    workbook.defined_names["ann"] = openpyxl.workbook.defined_name.DefinedName("ann", attr_text='"20"')


def above(workbook: openpyxl.Workbook) -> None:
    workbook.active.insert_rows(1)
    workbook.active["A1"] = "Ann is 20"


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (sheet("visible"), "the sheet 'original'"),
        (sheet("hidden"), "the hidden sheet 'original'"),
        (sheet("veryHidden"), "the very hidden sheet 'original'"),
        (comment, "comment"),
        (defined, "the defined name 'ann'"),
        (above, "text above the table"),
        (lambda w: setattr(w.properties, "description", "Ann is 20"), "the property description"),
        (lambda w: setattr(w.properties, "creator", "Ann is 20 " * 20), "the property creator"),
        (lambda w: setattr(w.active.oddHeader.center, "text", "Ann is 20"), "the element headerFooter"),
        (lambda w: w.active.__setitem__("A2", "=20+0"), "formulas"),
        (lambda w: setattr(w.active["A2"], "number_format", '"Ann"0'), "number formats that show words"),
        (lambda w: setattr(w.active["A2"], "number_format", r"\A\n\n0"), "number formats that show words"),
    ],
)
def test_a_workbook_is_red_for_what_it_holds_beside_its_sheet(change, what) -> None:
    one = looked(book(change), ".xlsx")
    assert one.status == "red"
    assert what in one.sentence


def test_whoever_wrote_a_workbook_is_amber_and_one_of_another_program_is_never_green() -> None:
    named = looked(book(lambda w: setattr(w.properties, "creator", "Ann")), ".xlsx")
    assert (named.status, "property creator" in named.sentence) == ("amber", True)
    other = looked(book(lambda _: None), ".xlsx")
    assert (other.status, other.sentence[:18]) == ("amber", "Nothing was found,")


def zipped(name: str, content: bytes) -> bytes:
    file = io.BytesIO(own("excel"))
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr(name, content)
    return file.getvalue()


def test_a_further_part_of_the_archive_and_a_text_that_no_cell_shows_are_red() -> None:
    part = looked(zipped("xl/original.csv", PEOPLE.to_csv().encode()), ".xlsx")
    assert (part.status, "the part xl/original.csv" in part.sentence) == ("red", True)
    lost = looked(zipped("xl/worksheets/sheet9.xml", b"<worksheet>Ann</worksheet>"), ".xlsx")
    assert (lost.status, "xl/worksheets/sheet9.xml" in lost.sentence) == ("red", True)
    texts = b"<sst><si><t>Ann is 20</t></si></sst>"
    one = looked(zipped("xl/sharedStrings.xml", texts), ".xlsx")
    assert (one.status, "1 text that no cell shows" in one.sentence) == ("red", True)


def arrow(kind: str, change: Callable[[pa.Table], pa.Table]) -> bytes:
    read = {"parquet": pyarrow.parquet.read_table, "feather": pyarrow.feather.read_table}[kind]
    write = {"parquet": pyarrow.parquet.write_table, "feather": pyarrow.feather.write_feather}[kind]
    file = io.BytesIO()
    write(change(read(io.BytesIO(own(kind)))), file)
    return file.getvalue()


def with_attrs(_: pa.Table) -> pa.Table:
    frame = RELEASE.protected.copy()
    frame.attrs["original"] = PEOPLE["age"].tolist()
    return pa.Table.from_pandas(frame)


def more_categories(table: pa.Table) -> pa.Table:
    frame = table.to_pandas()
    frame["town"] = frame["town"].cat.add_categories(["Ann is 20"])
    return pa.Table.from_pandas(frame)


@pytest.mark.parametrize("kind", ["parquet", "feather"])
@pytest.mark.parametrize(
    ("change", "what"),
    [
        (with_attrs, "attributes of pandas"),
        (lambda t: t.replace_schema_metadata({**t.schema.metadata, b"ids": b"1,2,3"}), "metadata 'ids'"),
        (more_categories, "a category of 'town' that no record has"),
        (
            lambda t: t.cast(t.schema.set(0, t.schema.field(0).with_metadata({"ids": "1,2"}))),
            "metadata of column 'age'",
        ),
        (
            lambda t: t.cast(t.schema.set(0, t.schema.field(0).with_metadata({"label": "Ann"}))),
            "a label of column 'age' that the original has not",
        ),
    ],
)
def test_metadata_of_arrow_files_are_red(kind, change, what) -> None:
    one = looked(arrow(kind, change), f".{kind}")
    assert one.status == "red"
    assert what in one.sentence


@pytest.mark.parametrize(("kind", "ending"), [("stata", ".dta"), ("spss", ".sav")])
@pytest.mark.parametrize(
    ("options", "what"),
    [
        (
            {"variable_value_labels": {"grade": {1: "good", 77: "Ann"}}},
            "of a value of 'grade' that no record",
        ),
        (
            {"variable_value_labels": {"grade": {1: "Ann"}}},
            "value labels of 'grade' that the original has not",
        ),
        ({"column_labels": {"age": "Ann is 20"}}, "a label of column 'age'"),
        ({"file_label": "Ann is 20"}, "a label of the file"),
    ],
)
def test_labels_of_statistical_files_are_red(kind, ending, options, what, tmp_path: Path) -> None:
    frame = RELEASE.protected.assign(town=RELEASE.protected["town"].astype(str))
    write = {"stata": pyreadstat.write_dta, "spss": pyreadstat.write_sav}[kind]
    write(frame, str(tmp_path / "x"), **options)
    one = looked((tmp_path / "x").read_bytes(), ending)
    assert one.status == "red"
    assert what in one.sentence


@pytest.mark.parametrize("options", [{"note": "Ann is 20"}, {"missing_ranges": {"grade": [77]}}])
def test_notes_and_values_declared_missing_are_red_in_spss(options, tmp_path: Path) -> None:
    frame = RELEASE.protected.assign(town=RELEASE.protected["town"].astype(str))
    pyreadstat.write_sav(frame, str(tmp_path / "x"), **options)
    assert looked((tmp_path / "x").read_bytes(), ".sav").status == "red"


def test_another_object_of_an_r_workspace_is_red(tmp_path: Path) -> None:
    objects = {"data": pd.DataFrame({"age": RELEASE.protected["age"]}), "original": PEOPLE[["age"]]}
    rdata.write_rda(tmp_path / "x.rda", objects)
    one = looked((tmp_path / "x.rda").read_bytes(), ".rda")
    assert (one.status, "the object 'original'" in one.sentence) == ("red", True)


def test_a_marked_cell_is_told() -> None:
    def marked(workbook: openpyxl.Workbook) -> None:
        workbook.active["A3"].fill = openpyxl.styles.PatternFill("solid", fgColor="FF0000")

    found = looked(book(marked), ".xlsx")
    assert (found.status, "cells in several styles in 1 column" in found.sentence) == ("amber", True)


def test_a_workbook_of_formulas_is_red_where_formulas_are_looked_for() -> None:
    written = book(lambda workbook: workbook.active.__setitem__("A2", "=20+0"))
    (found,) = [one for one in check(written, "x.xlsx", RELEASE) if one.name == "Formula cells"]
    assert found.status == "red"
