"""A release as the file that leaves: its format and dialect, its bytes, and what the check says of them.

Page, report and command line take the same value, so that what is checked and reported on is what is saved.
A text table leaves in the dialect it came in; statistical formats keep the labels of the columns that stay.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from microagg.handover.verification import look
from microagg.io.formats import FORMATS
from microagg.io.saving import table_bytes
from microagg.io.table import Labels
from microagg.io.writing import neutralise
from microagg.model.safe_repr import discreet

if TYPE_CHECKING:
    import pandas as pd

    from microagg.handover.file_check import Check
    from microagg.io.dialect import Dialect
    from microagg.model.findings import Findings
    from microagg.model.release import Release


@dataclass(frozen=True, eq=False)
class Outgoing:
    r"""A release, and how it is written.

    Parameters
    ----------
    release : Release
    kind : str
        A key of `microagg.io.formats.FORMATS`.
    dialect : Dialect, optional
        For text; the original's own, or commas, decimal point and UTF-8 where None.
    labels : Labels
    neutralised : bool
        Whether an apostrophe goes before cells that a spreadsheet would run as formulas.

    Examples
    --------
    >>> import pandas as pd
    >>> from microagg.protection.protect import protect
    >>> from microagg.model.microdata import Microdata
    >>> from microagg.model.plan import Plan
    >>> people = Microdata.from_frame(pd.DataFrame({"age": [20, 21, 60, 64]}), name="people")
    >>> out = Outgoing(protect(people, Plan(k=2)))
    >>> out.file_name, out.written
    ('people_protected.csv', b'age\n20.5\n20.5\n62.0\n62.0\n')
    """

    release: Release
    kind: str = "csv"
    dialect: Dialect | None = None
    labels: Labels = field(default_factory=Labels)
    neutralised: bool = False

    __repr__ = discreet

    @property
    def stem(self) -> str:
        """The name of the data, as files are named after it."""
        return self.release.data.name

    @property
    def file_name(self) -> str:
        """What the file is called unless the person who saves it says otherwise."""
        return f"{self.stem}_protected{FORMATS[self.kind].suffixes[0]}"

    @property
    def frame(self) -> pd.DataFrame:
        """The table that is written."""
        return neutralise(self.release.protected) if self.neutralised else self.release.protected

    @cached_property
    def written(self) -> bytes:
        """The file.

        Raises
        ------
        DataError
            The format cannot hold a name or value of the table.
        """
        return table_bytes(self.frame, self.kind, dialect=self.dialect, labels=self.labels)

    @property
    def checks(self) -> tuple[Check, ...]:
        """What is found when the file is read back."""
        return self._looked_at[0]

    @property
    def audit(self) -> Findings:
        """What the file shows to everybody, as it is read back."""
        return self._looked_at[1]

    @cached_property
    def _looked_at(self) -> tuple[tuple[Check, ...], Findings, dict[str, list[str]]]:
        return look(
            self.written,
            self.file_name,
            self.release,
            dialect=self.dialect,
            neutralised=self.neutralised,
            labels=self.labels,
        )

    @property
    def digest(self) -> str:
        """SHA-256 of the file, by which anybody can tell that a report is about it."""
        return hashlib.sha256(self.written).hexdigest()
