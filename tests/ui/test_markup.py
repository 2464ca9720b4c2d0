"""Names and values of a file are text on every page: none becomes a link, an image, a colour or a formula."""

from __future__ import annotations

import io
import re
import zipfile
from typing import TYPE_CHECKING, Any

import openpyxl
import pandas as pd
import pytest

from microagg.io.formats import FORMATS
from microagg.io.table import Labels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.ui.conftest import Opened

NAMES = [
    "![i](http://h.org)",
    "<img src=x onerror=alert(1)>",
    "[a](javascript:go) :violet[x]",
    "$x^2$ :material/skull: x@h.org",
]
FILE_NAME = "![f](http://h.org) :violet[y] $z$.csv"
WORDS = ["[w](http://h.org)", "<b>w</b> www.h.org", ":violet[w]", "$w$"]
ROWS = [
    ",".join([f"{30 + i % 7}.5", f"{100 + i * 13 % 29}", f"{i * 7 % 11}", f'"{WORDS[i % 4]}"'])
    for i in range(40)
]
FILE = ",".join(f'"{name}"' for name in NAMES) + "\n" + "\n".join(ROWS) + "\n"
RAW = re.compile(r"\]\(|<img|<b>w|javascript:|:violet\[|\$x|\$z|\$w|material/skull:")
LINK = re.compile(r"https?://h|www\.h|x@h", re.IGNORECASE)
"""What GitHub's Markdown makes a link of, even where each of its signs is escaped."""
MARKDOWN = {"body", "label", "help", "caption"}
"""Parts of elements that are read as Markdown; lists of a selectbox and cells of a table are text."""


MARKS = ("<script>alert(1)</script>", NAMES[0], NAMES[2], WORDS[2])
SHEETS = ("![i](http://h.org) <img src=x>", "[x](javascript:go) $x$")


def labelled() -> bytes:
    """An SPSS file whose columns and codes are labelled with markup, and whose words are markup."""
    frame = pd.DataFrame(
        {
            "age": [30.5 + i % 7 for i in range(40)],
            "rent": [100.0 + i * 13 % 29 for i in range(40)],
            "code": [i % 4 for i in range(40)],
            "word": [MARKS[i % 4] for i in range(40)],
        }
    )
    labels = Labels(
        {"age": MARKS[0], "code": NAMES[0], "word": NAMES[1]}, {"code": dict(enumerate(MARKS))}, {}
    )
    write = FORMATS["spss"].write
    assert write is not None
    return write(frame, labels)


def workbook() -> bytes:
    """A workbook whose sheets bear names that no program would give them."""
    book, made, file = openpyxl.Workbook(), io.BytesIO(), io.BytesIO()
    book.active.title = "first"
    book.create_sheet("second")
    for sheet in book.worksheets:
        sheet.append(NAMES)
        for i in range(40):
            sheet.append([30.5 + i % 7, 100 + i * 13 % 29, i * 7 % 11, WORDS[i % 4]])
    book.save(made)
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(file, "w") as new:
        for member in old.namelist():
            content = old.read(member)
            for title, name in zip((b"first", b"second"), SHEETS, strict=True):
                named = name.replace("<", "&lt;").replace(">", "&gt;").encode()
                content = content.replace(b'name="' + title + b'"', b'name="' + named + b'"')
            new.writestr(member, content)
    return file.getvalue()


def texts(node: Any) -> Iterator[str]:
    """Everything of a page that is read as Markdown or HTML."""
    proto = getattr(node, "proto", None)
    yield from strings(proto)
    for child in getattr(node, "children", {}).values():
        yield from texts(child)


def strings(proto: Any) -> Iterator[str]:
    if proto is None or not hasattr(proto, "DESCRIPTOR"):
        return
    kind = proto.DESCRIPTOR.name
    for field, value in proto.ListFields():
        if (
            field.message_type is not None
            and not isinstance(value, (list, tuple))
            and hasattr(value, "DESCRIPTOR")
        ):
            yield from strings(value)
        elif field.name in MARKDOWN and isinstance(value, str):
            yield value
        elif field.name == "options" and kind in ("Radio", "ButtonGroup"):
            yield from (option if isinstance(option, str) else option.content for option in value)


def raw(page: Any) -> list[str]:
    """Texts in which something of the file would be taken for markup."""
    return [
        text
        for text in texts(page._tree)
        if RAW.search(re.sub(r"\\.", "", text)) or LINK.search(text.replace("\\", ""))
    ]


@pytest.mark.parametrize("stem", ["data", "explore", "dependence", "compare", "attack", "use", "release"])
def test_no_name_or_value_of_a_file_is_markup(opened: Opened, stem: str) -> None:
    page = opened("data", data="survey")
    page.file_uploader(key="file").upload(FILE_NAME, FILE.encode(), "text/csv").run()
    assert not page.exception
    assert not raw(page), raw(page)
    if stem != "data":
        page.switch_page(f"pages/{stem}.py").run()
        assert not page.exception
        assert not raw(page), raw(page)


def test_the_question_about_a_link_holds_no_markup(opened: Opened) -> None:
    page = opened("data", data=f"file:{FILE_NAME}", roles="ooqq", codes="0:[a](b),<img>", k="2")
    assert not raw(page), raw(page)
    page.file_uploader(key="file_again").upload(FILE_NAME, FILE.encode(), "text/csv").run()
    assert page.button(key="offer_use").label
    assert not raw(page), raw(page)


def test_a_refusal_that_quotes_the_file_holds_no_markup(opened: Opened) -> None:
    page = opened("data", data="survey")
    page.file_uploader(key="file").upload(FILE_NAME, b"", "text/csv").run()
    assert page.error
    assert not raw(page), raw(page)


@pytest.mark.parametrize("stem", ["data", "explore", "attack", "use", "release"])
@pytest.mark.parametrize(("make", "ending"), [(labelled, "sav"), (workbook, "xlsx")])
def test_no_label_of_a_code_and_no_name_of_a_sheet_is_markup(
    opened: Opened, make: Callable[[], bytes], ending: str, stem: str
) -> None:
    page = opened("data", data="survey")
    page.file_uploader(key="file").upload(f"{FILE_NAME[:-4]}.{ending}", make(), "application/x").run()
    assert not page.exception
    assert not page.error, page.error
    assert not raw(page), raw(page)
    if ending == "xlsx":
        assert list(page.selectbox(key="sheet").options) == list(SHEETS)
        page.selectbox(key="sheet").select(SHEETS[1]).run()
        assert not page.exception
        assert not page.error, page.error
        assert not raw(page), raw(page)
    if stem != "data":
        page.switch_page(f"pages/{stem}.py").run()
        assert not page.exception
        assert not raw(page), raw(page)
