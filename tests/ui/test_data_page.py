"""Data: choosing, uploading, roles, and problems in plain words."""

from __future__ import annotations

import pandas as pd
import pytest

from microagg.io.formats import FORMATS
from microagg.io.reading import read_table
from microagg.io.saving import table_bytes
from tests.ui.conftest import Opened, address, figures, said

SURVEY = b"name,age,zip,wage\n" + b"".join(
    f"P{i},{20 + i % 40},{1000 + i * 7 % 50},{9.5 + i % 13}\n".encode() for i in range(60)
)


@pytest.mark.parametrize(
    "name", ["tarragona", "eia", "survey", "household_survey", "gaussian_05", "gaussian_09"]
)
def test_every_bundled_set_is_ready(name: str, opened: Opened):
    assert "Ready" in said(opened("data", data=name))


def test_an_upload_becomes_the_data_in_use(opened: Opened):
    page = opened("data", data="tarragona")
    page.file_uploader(key="file").upload("people.csv", SURVEY, "text/csv").run()
    assert address(page)["data"] == "file:people.csv"
    assert "60 records to release, 2 attributes to protect" in said(page)
    assert "zip is a quasi-identifier and leaves as it is" in said(page)
    page.switch_page("pages/explore.py").run()
    assert figures(page)["Smallest class"] == "5"


def test_the_address_of_an_upload_names_no_column(opened: Opened):
    page = opened("data", data="tarragona")
    page.file_uploader(key="file").upload("people.csv", SURVEY, "text/csv").run()
    assert "wage" not in str(address(page))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "empty"),
        (b"\x00\x01\x02PNG\xff", "bad.csv"),
        (b"a,b\n", "no record"),
    ],
)
def test_a_bad_upload_is_one_sentence_and_changes_nothing(content: bytes, sentence: str, opened: Opened):
    page = opened("data", data="tarragona")
    page.file_uploader(key="file").upload("bad.csv", content, "text/csv").run()
    assert not page.exception
    assert sentence in page.error[0].value.replace("\\", "")
    assert address(page)["data"] == "tarragona"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"city,town\nReus,x\nSalou,y\nReus,x\nCambrils,z\n", "'city' holds text"),
        (b"a,b\n1,2\n1.5,\n3.5,4\n7,8\n2,9\n", "Missing values in b (1)"),
        (b"a,b\n1.5,2\n", "1 record"),
    ],
)
def test_what_stands_in_the_way_is_said_in_plain_words(content: bytes, sentence: str, opened: Opened):
    page = opened("data", data="tarragona")
    page.file_uploader(key="file").upload("people.csv", content, "text/csv").run()
    assert not page.exception
    assert sentence in said(page)


def test_what_was_changed_in_reading_is_said(opened: Opened):
    page = opened("data", data="tarragona")
    page.file_uploader(key="file").upload("people.csv", b"a,a\n1,2\n3,4\n5,6\n9,9\n", "text/csv").run()
    assert "it is called 'a (2)'" in said(page)


def test_markup_in_names_is_shown_as_it_is(opened: Opened):
    page = opened("data", data="tarragona")
    content = b"<script>alert(1)</script>,b\n1.5,\n2.5,4\n4.5,5\n7.5,6\n9.5,7\n"
    page.file_uploader(key="file").upload("people.csv", content, "text/csv").run()
    assert not page.exception
    page.switch_page("pages/explore.py").run()
    assert not page.exception


def test_choosing_another_set_starts_its_roles_afresh_and_keeps_k(opened: Opened):
    page = opened("data", data="tarragona", roles="q" * 13, k="9")
    page.selectbox(key="data_set").set_value("eia").run()
    assert "roles" not in address(page)
    assert address(page)["k"] == "9"


def rents(delimiter: str = ";") -> bytes:
    rows = [f"{1950 + i % 41}{delimiter}{('Reus', 'Mañé')[i % 2]}{delimiter}{7 + i % 5},5" for i in range(40)]
    return "\r\n".join([f"Año{delimiter}Pueblo{delimiter}Renta", *rows]).encode("cp1252")


def test_how_text_was_read_is_said_and_can_be_changed(opened: Opened):
    page = opened("data", data="tarragona")
    page.file_uploader(key="file").upload("rents.csv", rents(), "text/csv").run()
    assert "semicolon between cells, decimal comma, Windows-1252" in said(page)
    page.selectbox(key="read_decimal").set_value(".").run()
    assert "decimal point" in said(page)
    assert "Pueblo and Renta are quasi-identifiers and leave as they are" in said(page)
    page.selectbox(key="read_delimiter").set_value("|").run()
    assert not page.exception


def titled() -> bytes:
    """Three lines above the table, none of which looks like a title, and two lines of names."""
    lines = ["made,in,may", "by,the,office", "for,all,uses", "person,,home", "age,sex,rent"]
    return "\n".join([*lines, *(f"{20 + i % 41},{'fm'[i % 2]},{7 + i % 5}.5" for i in range(40))]).encode()


def test_lines_above_the_table_and_names_on_two_lines_can_be_told(opened: Opened):
    page = opened("data", data="tarragona")
    page.file_uploader(key="file").upload("people.csv", titled(), "text/csv").run()
    assert (page.number_input(key="read_skip").value, page.selectbox(key="read_header").value) == (None, 1)
    page.number_input(key="read_skip").set_value(3).run()
    page.selectbox(key="read_header").set_value(2).run()
    frame = page.session_state["upload"].table.frame
    expected = read_table(titled(), name="people.csv", skip=3, header=2).frame
    pd.testing.assert_frame_equal(frame, expected)
    assert len(frame) == 40
    assert frame.columns.tolist() == ["person age", "person sex", "home rent"]
    assert (page.number_input(key="read_skip").value, page.selectbox(key="read_header").value) == (3, 2)
    page.switch_page("pages/release.py").run()
    command = next(code.value for code in page.code if "microagg protect" in code.value)
    assert "--read skip=3" in command
    assert "--read header=2" in command


def test_what_cannot_be_read_so_is_said_and_the_file_stays_as_it_was(opened: Opened):
    page = opened("data", data="tarragona")
    page.file_uploader(key="file").upload("rents.csv", rents(), "text/csv").run()
    page.selectbox(key="read_encoding").set_value("utf-8").run()
    assert "still read as before" in said(page)
    assert "Windows-1252" in said(page)


def test_a_sheet_of_a_workbook_is_chosen(opened: Opened, tmp_path):
    numbers = pd.DataFrame({"age": range(20, 60), "rent": [7.5 + i % 9 for i in range(40)]})
    with pd.ExcelWriter(tmp_path / "book.xlsx") as book:
        numbers.to_excel(book, sheet_name="people", index=False)
        numbers.assign(more=numbers["rent"] ** 2).to_excel(book, sheet_name="houses", index=False)
    page = opened("data", data="tarragona")
    page.file_uploader(key="file").upload("book.xlsx", (tmp_path / "book.xlsx").read_bytes()).run()
    assert page.selectbox(key="sheet").options == ["people", "houses"]
    page.selectbox(key="sheet").set_value("houses").run()
    assert "3 attributes to protect" in said(page)


@pytest.mark.parametrize("kind", ["parquet", "feather", "stata", "spss", "xport", "rds", "rda"])
def test_every_format_that_is_read_is_opened(kind: str, opened: Opened):
    frame = pd.DataFrame({"age": [20 + i % 40 for i in range(60)], "rent": [7.5 + i % 13 for i in range(60)]})
    page = opened("data", data="tarragona")
    name = f"people{FORMATS[kind].suffixes[0]}"
    page.file_uploader(key="file").upload(name, table_bytes(frame, kind)).run()
    assert "60 records to release, 2 attributes to protect" in said(page)
    assert FORMATS[kind].title in said(page)


def test_missing_values_ask_for_a_policy_and_then_say_who_is_left_out(opened: Opened):
    page = opened("data", data="tarragona")
    gaps = b"a,b\n" + b"".join(f"{i}.5,{'' if i < 7 else i % 9}\n".encode() for i in range(40))
    page.file_uploader(key="file").upload("gaps.csv", gaps, "text/csv").run()
    assert "Missing values in b (7)" in said(page)
    page.selectbox(key="missing").set_value("drop").run()
    assert "7 of 40 records are not released" in said(page)
    assert "Ready" in said(page)
    page.selectbox(key="missing").set_value("patterns").run()
    assert "not released" not in said(page)


def test_a_code_stands_for_missing_once_it_is_named(opened: Opened):
    page = opened("data", data="tarragona")
    content = b"a,b\n" + b"".join(f"{i}.5,{-999 if i < 7 else i % 9}\n".encode() for i in range(40))
    page.file_uploader(key="file").upload("codes.csv", content, "text/csv").run()
    assert "Ready" in said(page)
    page.text_input(key="codes").set_value("-999").run()
    assert "Missing values in b (7)" in said(page)


def test_strata_are_shown_before_the_run_with_those_that_are_too_small(opened: Opened):
    page = opened("data", data="survey", roles="isqqcc", k="150")
    assert "Strata with fewer than k = 150" in said(page)
    assert "2 strata of Gender, 2 with fewer than k = 150 records" in said(page)
    page.selectbox(key="small_strata").set_value("merge next").run()
    assert "protected in 1 part" in said(page)
    assert "Ready" in said(page)


def test_categories_ask_for_a_method_that_protects_them(opened: Opened):
    page = opened("data", data="survey", roles="iqqqcc")
    assert "Gender is a quasi-identifier and leaves as it is" in said(page)
    assert "2 attributes to protect" in said(page)
    page.button(key="use_mixed").click().run()
    assert "3 attributes to protect" in said(page)


def test_what_is_read_from_a_file_is_written_in_its_own_way(opened: Opened):
    page = opened("data", data="tarragona")
    page.file_uploader(key="file").upload("rents.csv", rents(), "text/csv").run()
    dialect = page.session_state["upload"].table.dialect
    assert (dialect.delimiter, dialect.decimal, dialect.encoding) == (";", ",", "cp1252")
    page.switch_page("pages/explore.py").run()
    save = next(button for button in page.get("download_button") if button.proto.label == "Save file")
    assert "semicolon between cells" in save.proto.help


UNDECIDED = pd.DataFrame(
    {
        "age": [20 + i % 40 for i in range(60)],
        "vat": [f"ATU{i:08d}" for i in range(60)],
        "town": ["Reus", "Salou", "Valls"] * 20,
        "weight": [61.5 + i % 30 for i in range(60)],
    }
)


def test_several_columns_get_a_role_at_once(opened: Opened):
    page = opened("data", data="tarragona")
    page.file_uploader(key="file").upload("firms.csv", UNDECIDED.to_csv(index=False).encode()).run()
    assert "vat and weight leave as they are, and nobody has said what for" in said(page)
    chosen = next(widget for widget in page.multiselect if widget.label == "Set the role of several columns")
    assert chosen.value == [1, 3]  # vat and weight
    page.selectbox(key="several_role").set_value("other")
    page.button(key="several_set").click().run()
    assert not page.exception
    assert address(page)["roles"] == "qoqo"
    assert "nobody has said" not in said(page)
    assert page.button(key="several_set").disabled


def test_every_column_is_named_by_what_becomes_of_it(opened: Opened):
    page = opened("data", data="household_survey")
    assert "**Protected** (3): age, income, hours" in said(page)
    untouched = "household, sex, region, education, occupation, weight, diagnosis"
    assert f"**Released as they are** (7): {untouched}" in said(page)
    assert "**Left out** (1): id" in said(page)
    assert "sex, region, education and occupation are quasi-identifiers and leave as they are" in said(page)
    page.button(key="use_mixed").click().run()
    assert "**Protected** (7): sex, age, region, education, occupation, income, hours" in said(page)
    assert "leave as they are" not in said(page)


def test_undecided_columns_come_first_in_amber(opened: Opened):
    page = opened("data", data="tarragona")
    page.file_uploader(key="file").upload("firms.csv", UNDECIDED.to_csv(index=False).encode()).run()
    table = page.dataframe[0]
    assert table.value["column"].tolist() == ["vat", "weight", "age", "town"]
    assert table.value["role"].tolist() == ["Undecided", "Undecided", "Quasi-identifier", "Quasi-identifier"]
    assert "255, 176, 32" in table.proto.arrow_data.styler.styles
