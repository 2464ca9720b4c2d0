"""Excel workbooks (.xlsx): one sheet is a table, its first line the header.

Cells come with types, so little is guessed: a column of whole numbers is integers, of dates is dates, and a
column of text and numbers is text, which a note says. Formulas count with the values that Excel last stored.
Text that begins with ``=`` is written as text, never as a formula; the same frame gives the same bytes.
"""

from __future__ import annotations

import datetime as dt
import io
import math
import re
import zipfile
from typing import Any

import pandas as pd

from microagg.errors import DataError
from microagg.io.excel_extras import beside_sheet
from microagg.io.memory_estimate import archived, refuse_vast
from microagg.io.memory_file import nameless
from microagg.io.optional_packages import needed
from microagg.io.table import TEXT, Beside, Labels, Table, simplest, unique_names
from microagg.model.dates import fitted

_ROWS, _COLUMNS = 1_048_576, 16_384
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_TIMES = 4.0  # bytes in memory for a byte of an unpacked sheet
_EPOCH = (1980, 1, 1, 0, 0, 0)


def read_excel(data: bytes, name: str, sheet: str | None) -> Table:
    """Read one sheet; the first where none is named.

    Raises
    ------
    DataError
        No such sheet, or an empty one.
    """
    openpyxl = needed("openpyxl", "Excel workbooks")
    refuse_vast(name, _TIMES * archived(data))
    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    sheets = [page.title for page in book.worksheets]
    chosen = sheet or sheets[0]
    if chosen not in sheets:
        raise DataError(f"{name}: there is no sheet {chosen!r}; there are {', '.join(sheets)}.")
    rows = _rows(book[chosen], f"{name}: the sheet {chosen!r}")
    merged = _merged(data, book[chosen]._worksheet_path)
    beside = beside_sheet(
        data, book[chosen]._worksheet_path, [page._worksheet_path for page in book.worksheets]
    )
    book.close()
    filled = [i for i, row in enumerate(rows) if any(cell is not None for cell in row)]
    if not filled:
        raise DataError(f"{name}: the sheet {chosen!r} is empty.")
    above, said = _titles(rows, filled)
    if said:
        beside += (Beside("red", "text above the table"),)
    said += _fill_merged(rows, merged, above)
    rows = rows[above : filled[-1] + 1]
    width = max(i + 1 for row in rows for i, cell in enumerate(row) if cell is not None)
    names, notes = unique_names([*rows[0], *[None] * width][:width])
    notes = (*said, *notes)
    columns = {}
    for i, column in enumerate(names):
        columns[column], note = _column([row[i] if i < len(row) else None for row in rows[1:]])
        notes += (f"Column {column!r} {note}",) if note else ()
    others = tuple(title for title in sheets if title != chosen)
    return Table(pd.DataFrame(columns), name, "excel", notes=notes, sheets=(chosen, *others), beside=beside)


def _rows(page: Any, what: str) -> list[list[Any]]:
    """All lines, whatever the sheet says of its size: what is written there may be too little or too much."""
    page.reset_dimensions()
    rows: list[list[Any]] = []
    for row in page.iter_rows(values_only=True):
        if len(rows) == _ROWS or len(row) > _COLUMNS:
            raise DataError(
                f"{what} has cells beyond the {_ROWS:,} lines and {_COLUMNS:,} columns of a sheet."
            )
        rows.append(list(row))
    return rows


_EXACT = (-(2**53), 2**53)
"""Whole numbers that Excel holds with all their digits."""


def write_excel(frame: pd.DataFrame, labels: Labels) -> bytes:  # noqa: ARG001 (a workbook has no labels)
    """Write a workbook with one sheet.

    Raises
    ------
    DataError
        More rows or columns than a sheet holds, or infinite numbers.
    """
    openpyxl = needed("openpyxl", "Excel workbooks")
    if len(frame) >= _ROWS or frame.shape[1] > _COLUMNS:
        raise DataError(f"An Excel sheet holds {_ROWS - 1:,} records and {_COLUMNS:,} columns; save as CSV.")
    frame = fitted(frame, "excel")
    for name in frame.columns:
        if pd.api.types.is_integer_dtype(frame[name]) and not frame[name].dropna().between(*_EXACT).all():
            raise DataError(
                f"Column {str(name)!r} has integers of more digits than Excel holds; save as CSV."
            )
    rows = [tuple(frame.columns), *frame.astype(object).itertuples(index=False, name=None)]
    for value in {value for row in rows for value in row if isinstance(value, float | str)}:
        if isinstance(value, float) and math.isinf(value):
            raise DataError("An Excel sheet cannot hold infinite numbers; save as CSV.")
        if isinstance(value, str) and _CONTROL.search(value):
            raise DataError("A cell holds a control character that Excel does not allow; save as CSV.")
    book = openpyxl.Workbook(write_only=True)
    page = book.create_sheet("data")

    def cell(value: object) -> object:
        if isinstance(value, str):
            written = openpyxl.cell.WriteOnlyCell(page, value)
            written.data_type = "s"
            return written
        if isinstance(value, float) and value == value and float(f"{value:.16g}") != value:
            written = openpyxl.cell.WriteOnlyCell(page, value)
            written._value = repr(value)  # openpyxl itself writes sixteen digits
            return written
        return None if pd.isna(value) else value  # type: ignore[call-overload]

    file = io.BytesIO()
    with nameless() as path:
        # A sheet is written to a file first, and to one with a name unless it is told another.
        page._writer = openpyxl.worksheet._writer.WorksheetWriter(page, str(path))
        page._writer.cleanup = lambda: None
        page._writer.write_top()
        for row in rows:
            try:
                page.append([cell(value) for value in row])
            except (TypeError, ValueError):  # whose text may quote a cell
                raise DataError("Excel has no type for a cell of this table; save as CSV.") from None
        book.save(file)
    return _without_time(file.getvalue())


def _merged(data: bytes, sheet: str) -> list[tuple[int, int, int, int]]:
    """Cells of a sheet that are merged: first row and column, last row and column, counted from 0."""
    bounds = needed("openpyxl", "Excel workbooks").utils.cell.range_boundaries
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        content = archive.read(sheet.lstrip("/"))
    spans = [bounds(ref.decode()) for ref in re.findall(rb'<(?:\w+:)?mergeCell ref="([A-Z0-9:]+)"', content)]
    return [(top - 1, left - 1, bottom - 1, right - 1) for left, top, right, bottom in spans]


def _titles(rows: list[list[Any]], filled: list[int]) -> tuple[int, tuple[str, ...]]:
    """The row of the names: below rows that fill one cell, where it names at least two columns."""
    for above, i in enumerate(filled):
        cells = [cell for cell in rows[i] if cell is not None]
        if len(cells) > 1:
            if above == 0 or not all(isinstance(cell, str) for cell in cells):
                break
            what = "row above the table is" if above == 1 else "rows above the table are"
            return i, (f"{above} {what} left out.",)
    return filled[0], ()


def _fill_merged(
    rows: list[list[Any]], merged: list[tuple[int, int, int, int]], first: int
) -> tuple[str, ...]:
    """Give all cells of a merged one its value, from the row of the names on."""
    count, width = 0, max(len(row) for row in rows)
    for top, left, bottom, right in merged:
        if top < first or bottom >= len(rows) or left >= len(rows[top]) or rows[top][left] is None:
            continue
        count += 1
        end, value = min(right + 1, width), rows[top][left]
        for row in rows[top : bottom + 1]:
            row.extend([None] * (end - len(row)))
            row[left:end] = [value] * (end - left)
    what = "1 merged cell counts" if count == 1 else f"{count} merged cells count"
    cover = "it covers" if count == 1 else "they cover"
    return (f"{what} for every row and column that {cover}.",) if count else ()


def _column(values: list[Any]) -> tuple[pd.Series[Any], str]:
    kinds = {type(value) for value in values if value is not None}
    if kinds and kinds <= {int, float}:
        return _numbers(values, floating=float in kinds)
    if not kinds:
        return pd.Series(values, dtype="float64"), ""
    if kinds == {bool}:
        return pd.Series(values, dtype="boolean" if None in values else "bool"), ""
    if kinds <= {dt.datetime, dt.date}:
        return pd.Series(pd.to_datetime(pd.Series(values, dtype=object))), ""
    if kinds == {dt.timedelta}:
        return pd.Series(pd.to_timedelta(pd.Series(values, dtype=object))), ""
    if kinds == {dt.time}:
        return pd.Series(values, dtype=object), ""
    texts = [None if value is None else str(value) for value in values]
    note = "" if kinds == {str} else "holds text and other values; all are read as text."
    return pd.Series(texts, dtype=TEXT), note


def _numbers(values: list[Any], *, floating: bool) -> tuple[pd.Series[Any], str]:
    """Numbers; as text where a type for all of them would round one."""
    large = max((abs(value) for value in values if isinstance(value, int)), default=0)
    if large >= 2**63 or (floating and any(v != float(v) for v in values if isinstance(v, int))):
        texts = [None if value is None else str(value) for value in values]
        return pd.Series(texts, dtype=TEXT), "has more digits than a number holds and is read as text."
    if floating:
        return pd.Series(values, dtype="float64"), ""
    return simplest(pd.Series(values, dtype="Int64")), ""


def _without_time(workbook: bytes) -> bytes:
    """The same workbook without the moment it was made, in its properties and in the archive."""
    file = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(workbook)) as old,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for member in old.namelist():
            content = old.read(member)
            if member == "docProps/core.xml":
                content = re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", b"1980-01-01T00:00:00Z", content)
            entry = zipfile.ZipInfo(member, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(entry, content)
    return file.getvalue()
