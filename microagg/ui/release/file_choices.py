"""How the release leaves: format, rounding, order of rows, identifiers; and where the original came from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microagg.handover.release_file import Outgoing
from microagg.handover.reproduction import Source
from microagg.io.formats import FORMATS
from microagg.io.table import Labels
from microagg.io.writing import formula_cells
from microagg.model.phrases import counted
from microagg.ui.components import widgets
from microagg.ui.components.page_choices import Choices, one_of, switch
from microagg.ui.state import session

if TYPE_CHECKING:
    from microagg.model.release import Release
_CHOICES = Choices("release", "leave_format", "leave_neutralise")


def outgoing(release: Release) -> Outgoing:
    """Draw what decides the file alone, and give the release as it is written."""
    held = session.upload()
    titles = {row.name: f"{row.title} ({row.suffixes[0]})" for row in FORMATS.values() if row.write}
    if session.dialect() is not None:
        titles["csv"] = f"{FORMATS['csv'].title}, as it came"
    kind = widgets.choice(
        _CHOICES.place("leave_format", one_of(titles), next(iter(titles))),
        "Format",
        list(titles),
        words=titles.__getitem__,
        help="Text leaves in the dialect and encoding it came in; labels of columns and codes stay where the "
        "format has a place for them.",
    )
    cells = formula_cells(release.protected)
    place = _CHOICES.place("leave_neutralise", switch(), default=False)
    neutralised = widgets.toggle(
        place if cells else place.showing(value=False),
        "Neutralise formula cells",
        disabled=not cells,
        help=f"{counted(cells, 'cell')} or names begin like a formula; an apostrophe before them keeps a "
        "spreadsheet from running them, and changes the text."
        if cells
        else "No cell begins like a formula.",
    )
    return Outgoing(
        release,
        kind,
        session.dialect(),
        Labels() if held is None else held.table.labels,
        neutralised,
    )


def source() -> Source:
    """Where the data in use came from, and how they were read."""
    held = session.upload()
    if held is None:
        return Source(session.settings().data)
    parts = {name: value for name, value in held.parts.items() if isinstance(value, str | bool | int)}
    if len(held.sheets) > 1 and held.table.sheets:
        parts["sheet"] = held.table.sheets[0]
    return Source(held.file_name, parts)
