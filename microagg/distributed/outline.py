"""What a plan means for a file of which only a sample has been seen: roles, columns, blocks.

Roles that the plan does not give are guessed from a seeded sample, as they are guessed from all records on
one machine. What the guess needs all records for, whether whole numbers that rise are the records' own, is
asked of whoever made the plan. What this engine cannot honour is refused here, before anything is counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from microagg.errors import DataError, PlanError
from microagg.methods import METHODS
from microagg.model.microdata import Attribute, Microdata
from microagg.model.plan import EVERY_COLUMN, SCHEMA, Plan
from microagg.model.roles import rises
from microagg.preparation.missing import decoded
from microagg.preparation.prepare import blocks_of, settle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microagg.kernels.compiled import FloatArray
    from microagg.methods.method import Method

SAMPLE = 20_000
"""Records from which roles are guessed."""
IN_PARTS = dict.fromkeys(SCHEMA, "") | {
    "shuffle": "On Dask the rows keep the order of the file; leave out the shuffle.",
    "stop_at": "A refinement that was left early cannot be repeated in parts; leave out stop_at.",
}
"""Why a field of the plan must have its default where a file is protected in parts; empty: it is honoured."""


@dataclass(frozen=True, eq=False)
class Outline:
    """A plan with what the columns decide of it.

    Parameters
    ----------
    plan : Plan
        With every role and scale spelled out.
    attributes : tuple of Attribute
    options : dict
        Complete; a column option holds its column's name.
    columns : tuple of str
        The attributes to protect.
    strata : tuple of str
    blocks : tuple of tuples of str
    confidential : tuple of str
        Confidential numbers; whether all of their values are there is not known yet.
    weight : str
        The column of weights; empty where centroids weigh all records alike.
    notes : tuple of str
        What the reader of the release should know of its columns, one sentence each.
    """

    plan: Plan
    attributes: tuple[Attribute, ...]
    options: dict[str, Any]
    columns: tuple[str, ...]
    strata: tuple[str, ...]
    blocks: tuple[tuple[str, ...], ...]
    confidential: tuple[str, ...]
    weight: str
    notes: tuple[str, ...]

    @property
    def method(self) -> Method:
        """The plan's method."""
        return METHODS[self.plan.method]

    @property
    def numbers(self) -> tuple[str, ...]:
        """Columns that are read as numbers: those to protect, the confidential ones, the weight."""
        return (*self.columns, *self.confidential, *([self.weight] if self.weight else []))

    @property
    def identifiers(self) -> tuple[str, ...]:
        """Columns that stay at home."""
        keep = self.plan.keep_identifiers
        return () if keep else tuple(a.name for a in self.attributes if a.role == "identifier")

    def read(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return a chunk, of all columns or some, in which the plan's codes for "missing" are missing."""
        if not self.plan.missing_codes:
            return frame
        there = [*frame.columns, EVERY_COLUMN]
        codes = {name: own for name, own in self.plan.missing_codes.items() if name in there}
        coded = self.columns if EVERY_COLUMN in codes else tuple(set(codes) & set(frame.columns))
        by_name = {a.name: a for a in self.attributes}
        named = tuple(by_name[str(name)] for name in frame.columns)
        for name in coded:  # whether or not this chunk has gaps, it must have the type of the others
            if name in frame.columns and isinstance(frame[name].dtype, np.dtype):
                nullable = frame[name].dtype.name.replace("i", "I").replace("u", "U")
                if frame[name].dtype.kind in "iu":
                    frame = frame.assign(**{name: frame[name].astype(pd.api.types.pandas_dtype(nullable))})
        if not len(frame):
            return frame
        present = [name for name in self.columns if name in frame.columns]
        return decoded(Microdata(frame, named), self.plan.replace(missing_codes=codes), present).frame

    def matrix(self, frame: pd.DataFrame, names: Sequence[str]) -> FloatArray:
        """Columns of a chunk that was read, as numbers (n, len(names)) float64, nan where missing."""
        columns = [frame[name].to_numpy(np.float64, na_value=np.nan) for name in names]
        return np.column_stack(columns) if columns else np.empty((len(frame), 0))


def outline(pieces: list[pd.DataFrame], plan: Plan, records: int) -> Outline:
    """Find out what a plan means for a file.

    Parameters
    ----------
    pieces : list of DataFrame
        The sample, in the order of the file.
    plan : Plan
    records : int
        Of the file.

    Raises
    ------
    PlanError, DataError
        As `microagg.preparation.prepare.settle`, or the plan asks for what cannot be had in parts.
    """
    frame = pd.concat(pieces)
    data = Microdata.from_frame(frame)
    found = settle(data, plan)
    _refuse(plan, found.method)
    data = found.data
    if len(frame) < records:
        _refuse_serial(data, [a.name for a in data.attributes if a.name not in {*plan.roles, *found.columns}])
    for name in found.columns:
        if not data.numeric(name):
            raise DataError(
                f"Column {name!r} holds text; on Dask only numbers are protected. Give it another role."
            )
    numbers = data.frame[list(found.columns)].to_numpy(np.float64, na_value=np.nan)
    numbers = np.where(np.isfinite(numbers), numbers, np.nan)
    blocks = blocks_of(plan, found.method, numbers, found.scales)
    confidential = tuple(
        c for c in data.columns("confidential") if data.numeric(c) and c not in found.columns
    )
    if plan.lam > 0 and not confidential:
        raise PlanError("λ > 0 needs a confidential attribute that is a number; set a role or take λ = 0.")
    return Outline(
        plan.pinned(data),
        data.attributes,
        found.options,
        found.columns,
        found.strata,
        blocks,
        confidential,
        _weight(data, found.columns) if plan.weighted else "",
        found.notes,
    )


def _refuse(plan: Plan, method: Method) -> None:
    """Refuse what cannot be had where every worker sees a part."""
    if method.kind == "values":
        raise PlanError(
            f"{method.title} ranks all values of the file, which no worker sees; take another method."
        )
    if "nominal" in method.scales:
        raise PlanError(
            f"{method.title} compares categories by their ranks in the whole file, which no worker sees; "
            "protect them on one machine."
        )
    for name, why in IN_PARTS.items():
        if why and getattr(plan, name) != getattr(Plan(), name):
            raise PlanError(why)


def _weight(data: Microdata, columns: Sequence[str]) -> str:
    named = data.columns("weight")
    if len(named) != 1:
        there = f"there are {len(named)}: {', '.join(named)}" if named else "there is none"
        raise PlanError(f"Weighted centroids need one column with the role weight; {there}.")
    if named[0] in columns or not data.numeric(named[0]):
        raise PlanError(f"Column {named[0]!r} is the weight: it must hold numbers, and stays as it is.")
    return named[0]


def _refuse_serial(data: Microdata, guessed: Sequence[str]) -> None:
    """Refuse to guess by a sample whether whole numbers that rise are the records' own."""
    for name in guessed:
        if data[name].role == "undecided" and rises(data.frame[name]):
            raise DataError(
                f"Column {name!r} holds whole numbers that rise from record to record, like a serial number; "
                "give it the role identifier, or whatever else it is."
            )
