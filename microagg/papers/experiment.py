"""A published table or figure that can be measured again, and how well the two agree.

An experiment knows its rows, what is printed in each, and how to measure a row under a *reading*: a paper
that leaves a step open has several, named, the default first. Defaults were chosen by looking: their figures,
or ranks, come near the printed ones, and a correlation is on the kind side. A run gives one line a cell:
published, measured, difference, agreement. Ranks are compared per column by Spearman's correlation, because a
paper that does not print its scales can still be right about what is better than what.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pandas as pd
from scipy.stats import spearmanr

from microagg.errors import PlanError
from microagg.io.datasets import dataset_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Row = tuple[str | int | float, ...]
Figures = dict[str, float]
CLOSE = 0.10

EXACT, NEAR, OFF, UNPRINTED = "exact", "close", "off", ""
AGREEMENT = {
    EXACT: "within one unit of the last printed digit",
    NEAR: f"within {CLOSE:.0%} of the printed figure",
    OFF: "farther away",
}


@dataclass(frozen=True)
class Column:
    """A column of figures: its name, its heading, printed decimals, and the one line that says what it is.

    ``group`` is what several columns of a wide table stand under, "" where there is nothing of the kind.
    """

    name: str
    title: str
    decimals: int
    sentence: str
    group: str = ""


@dataclass(frozen=True)
class Variant:
    """One way to read a paper: a name, a sentence, and whatever the paper's module makes of it."""

    name: str
    sentence: str
    reading: Any


@dataclass(frozen=True)
class Experiment:
    """A table or figure.

    Parameters
    ----------
    name : str
        The paper and the table, such as "modeling-projections/table-1".
    title, about, differs : str
        A heading; what is shown; one sentence on what is known to differ and why.
    datasets : tuple of str
        Reference data sets it needs.
    keys : tuple of str
        What tells its rows apart.
    columns : tuple of Column
    variants : tuple of Variant
        The default first.
    printed : callable
        The figures printed in each row, by column; an empty row where a paper draws a point without a number.
    measure : callable
        (row, reading) → the same figures measured here.
    drawn : str
        How it is drawn (`microagg.figures.papers`); "" for a table.
    explained : mapping
        (row, column) → why this cell does not come out.
    decimals : mapping
        Printed decimals of a row, where they are not its column's.
    expected : str
        What the figures to compare with are called: not "published" where some of them are not.
    ranked : bool
        Whether the cells of a column can be ranked: not where each row has a unit of its own.
    """

    name: str
    title: str
    about: str
    differs: str
    datasets: tuple[str, ...]
    keys: tuple[str, ...]
    columns: tuple[Column, ...]
    variants: tuple[Variant, ...]
    printed: Callable[[], Mapping[Row, Figures]]
    measure: Callable[[Row, Any], Figures]
    drawn: str = ""
    explained: Mapping[tuple[Row, str], str] = field(default_factory=dict)
    decimals: Mapping[Row, int] = field(default_factory=dict)
    expected: str = "published"
    ranked: bool = True

    def as_saved(self, cells: pd.DataFrame) -> pd.DataFrame:
        """Cells with the column "published" called what its figures are."""
        return cells.rename(columns={"published": self.expected})

    @property
    def compared(self) -> bool:
        """Whether figures are printed and can be ranked."""
        return self.ranked and any(self.printed().values())

    @property
    def paper(self) -> str:
        """The paper's part of the name."""
        return self.name.partition("/")[0]

    def missing(self) -> tuple[str, ...]:
        """The data sets that are not on this machine."""
        return tuple(name for name in self.datasets if dataset_file(name) is None)

    def variant(self, name: str = "") -> Variant:
        """Return the variant of that name, the default for "".

        Raises
        ------
        PlanError
            There is none.
        """
        found = [v for v in self.variants if v.name == (name or self.variants[0].name)]
        if not found:
            names = ", ".join(v.name for v in self.variants)
            raise PlanError(f"{self.name} has no variant {name!r}; it has {names}.")
        return found[0]

    def rows(self, variant: str = "") -> Iterator[pd.DataFrame]:
        """Measure row by row.

        Parameters
        ----------
        variant : str
            Default where empty.

        Yields
        ------
        DataFrame
            The cells of a row, as `run` gives them for all.
        """
        reading = self.variant(variant).reading
        for row, printed in self.printed().items():
            yield self._cells(row, printed, self.measure(row, reading))

    def run(self, variant: str = "", progress: Callable[[float], None] | None = None) -> pd.DataFrame:
        """Measure everything.

        Parameters
        ----------
        variant : str
            Default where empty.
        progress : callable, optional
            Called with the share of rows done, 0…1; it may raise to stop.

        Returns
        -------
        DataFrame
            One line a cell: the keys, column, published, measured, difference, agreement, note.

        Raises
        ------
        PlanError
            There is no such variant.
        DataError
            A data set is not on this machine.
        """
        parts, count = [], len(self.printed())
        for cells in self.rows(variant):
            parts.append(cells)
            if progress is not None:
                progress(len(parts) / count)
        return pd.concat(parts, ignore_index=True)

    def _cells(self, row: Row, printed: Figures, measured: Figures) -> pd.DataFrame:
        lines = []
        for column in self.columns:
            before, after = (figures.get(column.name, math.nan) for figures in (printed, measured))
            lines.append(
                {
                    **dict(zip(self.keys, row, strict=True)),
                    "column": column.name,
                    "published": before,
                    "measured": after,
                    "difference": after - before,
                    "agreement": agreement(before, after, self.decimals.get(row, column.decimals)),
                    "note": self.explained.get((row, column.name), ""),
                }
            )
        return pd.DataFrame(lines)


def agreement(published: float, measured: float, decimals: int) -> str:
    """How near a measured figure comes to a printed one.

    Parameters
    ----------
    published, measured : float
    decimals : int
        Of the printed figure.

    Returns
    -------
    str
        A key of `AGREEMENT`; "" where nothing is printed.

    Examples
    --------
    >>> agreement(23.87, 23.885, 2), agreement(10.0, 10.9, 1), agreement(10.0, 12.0, 1)
    ('exact', 'close', 'off')
    """
    if math.isnan(published):
        return UNPRINTED
    if math.isnan(measured):
        return OFF
    unit = 10**decimals
    if abs(round(measured * unit) - round(published * unit)) <= 1:
        return EXACT
    return NEAR if abs(measured - published) <= CLOSE * abs(published) else OFF


def summary(cells: pd.DataFrame) -> pd.DataFrame:
    """How a run agrees with what is printed, column by column.

    Parameters
    ----------
    cells : DataFrame
        As `Experiment.run` gives it.

    Returns
    -------
    DataFrame
        column, cells (printed ones), exact, close, off, spearman (nan for fewer than three cells or a column
        of equal figures); columns without a printed cell are left out.
    """
    lines = []
    for column, part in cells[cells["published"].notna()].groupby("column", sort=False):
        counts = part["agreement"].value_counts()
        varies = len(part) > 2 and part["published"].nunique() > 1 and part["measured"].nunique() > 1
        rho = float(spearmanr(part["published"], part["measured"]).statistic) if varies else math.nan
        tally = {name: int(counts.get(name, 0)) for name in AGREEMENT}
        lines.append({"column": column, "cells": len(part), **tally, "spearman": rho})
    return pd.DataFrame(lines, columns=["column", "cells", *AGREEMENT, "spearman"])


def lowest(cells: pd.DataFrame) -> str:
    """Say which method is lowest at each k, as published and as measured.

    Parameters
    ----------
    cells : DataFrame
        Of an experiment with the keys method and k and one column; rows may still be to come.

    Examples
    --------
    >>> rows = [("PCP", 5, 1.0, 4.0), ("Sugeno", 5, 2.0, 3.0), ("PCP", 9, 1.0, 1.0), ("Sugeno", 9, 0.5, 2.0)]
    >>> lowest(pd.DataFrame(rows, columns=["method", "k", "published", "measured"]))
    'Lowest published: PCP at k = 5, Sugeno at k = 9. Lowest measured: Sugeno at k = 5, PCP at k = 9.'
    """
    sentences = []
    for what in ("published", "measured"):
        where: dict[str, list[str]] = {}
        for k, part in cells.dropna(subset=[what]).groupby("k"):
            method = part.sort_values(what, kind="stable")["method"].iloc[0]
            where.setdefault(str(method), []).append(f"{k}")
        parts = [f"{method} at k = {', '.join(ks)}" for method, ks in where.items()]
        sentences.append(f"Lowest {what}: {', '.join(parts)}.")
    return " ".join(sentences)
