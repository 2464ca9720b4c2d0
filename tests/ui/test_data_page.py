"""Data: choosing, uploading, roles, and problems in plain words."""

from __future__ import annotations

import pytest

from tests.ui.conftest import Opened, address, figures, said

SURVEY = b"name,age,zip,wage\n" + b"".join(
    f"P{i},{20 + i % 40},{1000 + i * 7 % 50},{9.5 + i % 13}\n".encode() for i in range(60)
)


@pytest.mark.parametrize("name", ["tarragona", "eia", "survey", "gaussian_05", "gaussian_09"])
def test_every_bundled_set_is_ready(name: str, opened: Opened):
    assert "Ready" in said(opened("data", data=name))


def test_an_upload_becomes_the_data_in_use(opened: Opened):
    page = opened("data", data="tarragona")
    page.file_uploader(key="file").upload("people.csv", SURVEY, "text/csv").run()
    assert address(page)["data"] == "file:people.csv"
    assert "60 records, 3 attributes to protect" in said(page)
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
        (b"city,town\nReus,x\nSalou,y\nReus,x\nCambrils,z\n", "No column is a quasi-identifier"),
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
