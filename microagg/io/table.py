"""What a file held once read: the columns, how they were written, and what was guessed on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from microagg.io.dialect import Dialect


@dataclass(frozen=True)
class Labels:
    """Words that statistical files keep beside names and codes.

    Parameters
    ----------
    columns : mapping of str to str
        What a column means: ``{"v12": "Monthly rent, euro"}``.
    values : mapping of str to mapping
        What a column's codes mean: ``{"sex": {1: "female", 2: "male"}}``.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[Any, str]] = field(default_factory=dict)

    def only(self, columns: pd.Index) -> Labels:
        """Labels of these columns alone."""
        return Labels(
            {name: label for name, label in self.columns.items() if name in columns},
            {name: labels for name, labels in self.values.items() if name in columns},
        )


@dataclass(frozen=True, eq=False)
class Table:
    """A file read into columns.

    Parameters
    ----------
    frame : DataFrame, (n, columns)
        Records count by position. The index is the file's own where its format has one, else 0…n−1.
    name : str
        The file's name without folder and ending.
    format : str
        A key of `microagg.io.formats.FORMATS`, such as "csv".
    dialect : Dialect or None
        How the text was written; None for formats that are not text.
    labels : Labels
        Column and value labels; empty where the format has none.
    notes : tuple of str
        What was changed or guessed, one plain sentence each.
    sheets : tuple of str
        The sheets or objects the file offers, where there is a choice.
    """

    frame: pd.DataFrame
    name: str
    format: str = "csv"
    dialect: Dialect | None = None
    labels: Labels = field(default_factory=Labels)
    notes: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
