"""What a workbook holds beside the one table: sheets, parts, names, formulas, properties."""

from __future__ import annotations

import html
import io
import re
import zipfile
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from microagg.io.table import Beside
from microagg.model.phrases import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FORMULAS = "formulas"
"""What cells are called whose values a spreadsheet works out."""
_PARTS = re.compile(
    r"\[Content_Types\]\.xml|_rels/\.rels|docProps/(app|core)\.xml|xl/workbook\.xml"
    r"|xl/_rels/workbook\.xml\.rels|xl/styles\.xml|xl/theme/theme\d\.xml|xl/sharedStrings\.xml"
)
_AROUND = frozenset(
    [
        "worksheet",
        "sheetPr",
        "outlinePr",
        "pageSetUpPr",
        "tabColor",
        "dimension",
        "sheetViews",
        "sheetView",
        "pane",
        "selection",
        "sheetFormatPr",
        "cols",
        "col",
        "pageMargins",
        "pageSetup",
        "printOptions",
        "mergeCells",
        "mergeCell",
    ]
)
"""Elements about a sheet's cells that hold no text."""
_APP = frozenset(
    [
        "Application",
        "AppVersion",
        "DocSecurity",
        "ScaleCrop",
        "HeadingPairs",
        "TitlesOfParts",
        "LinksUpToDate",
        "SharedDoc",
        "HyperlinksChanged",
    ]
)
_WRITERS = frozenset(("creator", "lastModifiedBy", "Company", "Manager"))
_TAG = re.compile(rb"<(?:\w+:)?(\w+)")
_SHEET_DATA = re.compile(rb"</?(?:\w+:)?sheetData\b[^>]*>")
_SHARED = re.compile(rb'<(?:\w+:)?c\b[^>]*\bt="s"[^>]*>\s*<(?:\w+:)?v>\s*(\d+)\s*<')
_FORMAT = re.compile(rb'\bformatCode="([^"]*)"')
_WORDS = re.compile(r'"[^"]*[^\W\d_]{2}[^"]*"|(?:\\[^\W\d_]){2}')
_CELL = re.compile(rb"<(?:\w+:)?c\b([^>]*)>")
_PLACE = re.compile(rb'\br="([A-Z]+)(\d+)"')
_STYLE = re.compile(rb'\bs="(\d+)"')
_LONGEST = 100  # characters that name whoever wrote the file


def beside_sheet(data: bytes, sheet: str, sheets: Sequence[str]) -> tuple[Beside, ...]:
    """Say what a workbook holds beside one sheet's cells.

    Parameters
    ----------
    data : bytes
    sheet : str
        The path of the sheet that was read.
    sheets : sequence of str
        Paths of all sheets.

    Returns
    -------
    tuple of Beside
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
        known = {path.lstrip("/") for path in sheets}
        content = archive.read(sheet.lstrip("/"))
        texts = archive.read("xl/sharedStrings.xml") if "xl/sharedStrings.xml" in names else b""
        found = [
            *_sheets(archive.read("xl/workbook.xml")),
            *(f"the part {name[:80]}" for name in names if not _PARTS.fullmatch(name) and name not in known),
            *(["parts of the same name"] if len(set(names)) < len(names) else []),
            *(["a comment of the archive"] if archive.comment else []),
            *_around(content),
            *_lost(content, texts),
            *(_formats(archive.read("xl/styles.xml")) if "xl/styles.xml" in names else ()),
        ]
        properties = [
            one
            for name in ("docProps/core.xml", "docProps/app.xml")
            if name in names
            for one in _properties(archive.read(name))
        ]
    return (*(Beside("red", what) for what in found), *_styles(content), *properties)


def _sheets(workbook: bytes) -> list[str]:
    """Further sheets, with what hides them, and names that the workbook defines."""
    found, tables = [], 0
    for one in ET.fromstring(workbook).iter():  # noqa: S314 (the reader, in a process with bounds, parsed it)
        tag = one.tag.rpartition("}")[2]
        if tag == "sheet":
            tables += 1
            if tables > 1 or one.get("state", "visible") != "visible":
                state = {"hidden": "hidden ", "veryHidden": "very hidden "}.get(one.get("state", ""), "")
                found.append(f"the {state}sheet {one.get('name', '')[:40]!r}")
        if tag == "definedName":
            found.append(f"the defined name {one.get('name', '')[:40]!r}")
    return found


def _around(content: bytes) -> list[str]:
    """Formulas, and elements beside the cells that may hold text."""
    marks = list(_SHEET_DATA.finditer(content))
    if not marks:
        return ["a sheet without cells"]
    around = content[: marks[0].start()] + content[marks[-1].end() :]
    inside = content[marks[0].end() : marks[-1].start()]
    formulas = [FORMULAS] if re.search(rb"<(?:\w+:)?f[\s/>]", inside) else []
    further = dict.fromkeys(tag.decode() for tag in _TAG.findall(around))
    comments = ["text between the elements"] if b"<!--" in content else []
    return [*formulas, *comments, *(f"the element {tag}" for tag in further if tag not in _AROUND)]


def _lost(content: bytes, texts: bytes) -> list[str]:
    """Texts of the workbook that no cell of the sheet shows."""
    count = len(re.findall(rb"<(?:\w+:)?si[\s>/]", texts))
    lost = count - len({int(number) for number in _SHARED.findall(content)})
    return [f"{lost:,} {'text' if lost == 1 else 'texts'} that no cell shows"] if lost > 0 else []


def _formats(styles: bytes) -> list[str]:
    """Number formats that show words beside or instead of the number."""
    codes = [html.unescape(code.decode("utf-8", "replace")) for code in _FORMAT.findall(styles)]
    return ["number formats that show words"] if any(_WORDS.search(code) for code in codes) else []


def _styles(content: bytes) -> list[Beside]:
    """Cells of one column below the header in several styles, by which some could be marked."""
    found: dict[bytes, set[bytes]] = {}
    for cell in _CELL.findall(content):
        place = _PLACE.search(cell)
        style = _STYLE.search(cell)
        if place is not None and place[2] != b"1":
            found.setdefault(place[1], set()).add(style[1] if style is not None else b"0")
    several = sum(len(styles) > 1 for styles in found.values())
    if not several:
        return []
    return [Beside("amber", f"cells in several styles in {counted(several, 'column')}")]


def _properties(content: bytes) -> Iterable[Beside]:
    """Properties of the document that hold text: who wrote it is amber, all else red."""
    root = ET.fromstring(content)  # noqa: S314 (as above)
    for one in root:
        tag, text = one.tag.rpartition("}")[2], "".join(one.itertext()).strip()
        plain = tag in _APP or (tag in ("created", "modified") and len(text) <= len("2026-01-31T00:00:00Z"))
        if not text or (plain and len(text) <= _LONGEST) or (tag, text) == ("creator", "openpyxl"):
            continue
        yield Beside("amber" if tag in _WRITERS and len(text) <= _LONGEST else "red", f"the property {tag}")
