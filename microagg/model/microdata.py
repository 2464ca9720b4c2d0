"""The nouns of the library: what is protected, how, and what came out.

All are frozen and checked where they are made, so that a wrong value is refused at the door with one
sentence and never travels. The plan and the release have files of their own and are named here as well.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import pandas as pd

from microagg.errors import DataError
from microagg.model.column_limit import refuse_wide
from microagg.model.dates import moment_kind, words
from microagg.model.roles import Role, Scale, guess, not_given
from microagg.model.safe_repr import discreet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from microagg.kernels.compiled import FloatArray, IntArray
    from microagg.model.plan_fields import Codes

Index = Literal["drop", "keep"]
LARGEST = 1e300
"""Numbers beyond this leave no room for their own sums."""


@dataclass(frozen=True)
class Attribute:
    """One column: its name, what it is for, and what kind of values it holds.

    Parameters
    ----------
    name : str
    role : str
        "identifier", "quasi_identifier", "confidential", "weight", "unit", "stratum", "other", "undecided".
        Identifiers are never released; quasi-identifiers are replaced by centroids; the others stay as they
        are, also weights, strata and units (the household, firm or patient that a record belongs to), which
        an intruder may know. Undecided: neither a person nor the values have said yet what it is for.
    scale : {"continuous", "ordinal", "nominal"}
    order : tuple
        An ordinal column's categories from lowest to highest, where its values do not say.
    codes : tuple
        Numbers that the file's labels call no value, such as -999, "refused"; they are never averaged.
    """

    name: str
    role: Role = "undecided"
    scale: Scale = "continuous"
    order: Codes = ()
    codes: Codes = ()

    def __post_init__(self) -> None:
        if self.role not in get_args(Role):
            raise DataError(
                f"Column {self.name!r}: there is no role {self.role!r}; use one of {get_args(Role)}."
            )
        if self.scale not in get_args(Scale):
            raise DataError(f"Column {self.name!r}: there is no scale {self.scale!r}.")


@dataclass(frozen=True, eq=False)
class Microdata:
    """A confidential file: one record a row, each column with a role.

    Parameters
    ----------
    frame : DataFrame, (n, columns)
        Records count by position. The index may align another file with this one.
    attributes : tuple of Attribute
        One for each column, in the frame's order.
    name : str
        Shown on the page and in the report.
    index : {"drop", "keep"}
        Whether the index, which can name every record, is left out of a release or released with it.

    Raises
    ------
    DataError
        No record, no column or more than 10,000, repeated or unnamed columns, attributes that do not match
        the columns, or a word for the index that is neither.

    Examples
    --------
    >>> people = pd.DataFrame({"age": [31, 44]}, index=pd.Index([4711, 4712], name="person_id"))
    >>> Microdata.from_frame(people).row_names
    "the index 'person_id'"
    """

    frame: pd.DataFrame
    attributes: tuple[Attribute, ...]
    name: str = "data"
    index: Index = "drop"

    __repr__ = discreet

    def __post_init__(self) -> None:
        if self.index not in get_args(Index):
            raise DataError(f"{self.name}: the index is {self.index!r}; it must be 'drop' or 'keep'.")
        columns = [str(column) for column in self.frame.columns]
        if not columns or not len(self.frame):
            raise DataError(f"{self.name}: the file holds no {'record' if columns else 'column'}.")
        refuse_wide(self.name, len(columns))
        repeated = sorted(column for column, times in Counter(columns).items() if times > 1)
        if repeated:
            raise DataError(
                f"{self.name}: more than one column is called {repeated[0]!r}; rename all but one."
            )
        if columns != [attribute.name for attribute in self.attributes]:
            raise DataError(f"{self.name}: the attributes must name the columns {columns}, in that order.")
        frame = self.frame.copy(deep=False)
        frame.columns = pd.Index(columns)
        object.__setattr__(self, "frame", frame)

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        *,
        roles: Mapping[str, Role] | None = None,
        name: str = "data",
        labels: Mapping[str, Mapping[Any, str]] | None = None,
        measures: Mapping[str, Scale] | None = None,
        index: Index = "drop",
    ) -> Microdata:
        """Build from a DataFrame; roles not given are guessed from names and values (`microagg.model.roles`).

        Parameters
        ----------
        frame : DataFrame, (n, columns)
        roles : mapping of str to str, optional
        name : str
        labels : mapping of str to mapping, optional
            What a column's values mean, where the file says it: such numbers are codes and never averaged.
        measures : mapping of str to str, optional
            A column's scale, where the file says it.
        index : {"drop", "keep"}

        Raises
        ------
        DataError
            As for the class, a column holds complex numbers or lists, or ``roles`` names one that is not
            there.
        """
        columns = [str(column) for column in frame.columns]
        refuse_wide(name, len(columns))
        for i, column in enumerate(columns):
            _refuse_strange(column, frame.iloc[:, i])
        labels, measures = labels or {}, measures or {}
        guesses = [
            guess(column, frame.iloc[:, i], labels.get(column), measures.get(column))
            for i, column in enumerate(columns)
        ]
        attributes = tuple(
            Attribute(column, guessed.role, guessed.scale, codes=not_given(labels.get(column) or {}))
            for column, guessed in zip(columns, guesses, strict=True)
        )
        return cls(frame, attributes, name, index).with_roles(roles or {})

    def with_roles(self, roles: Mapping[str, Role]) -> Microdata:
        """Return the same file with other roles for some columns.

        Raises
        ------
        DataError
            ``roles`` names a column that is not there, or a role that does not exist.
        """
        unknown = sorted(set(roles) - set(self.frame.columns))
        if unknown:
            raise DataError(f"{self.name}: there is no column {unknown[0]!r} to give a role.")
        attributes = tuple(replace(a, role=roles.get(a.name, a.role)) for a in self.attributes)
        return replace(self, attributes=attributes)

    def with_scales(
        self, scales: Mapping[str, Scale], orders: Mapping[str, Codes] | None = None
    ) -> Microdata:
        """Return the same file with other scales; a column with an order is ordinal.

        Raises
        ------
        DataError
            A column that is not there, or a scale that does not exist.
        """
        orders = orders or {}
        unknown = sorted((set(scales) | set(orders)) - set(self.frame.columns))
        if unknown:
            raise DataError(f"{self.name}: there is no column {unknown[0]!r} to give a scale.")
        chosen = dict(scales) | dict.fromkeys(orders, "ordinal")
        attributes = tuple(
            replace(a, scale=chosen.get(a.name, a.scale), order=orders.get(a.name, a.order))
            for a in self.attributes
        )
        return replace(self, attributes=attributes)

    def __len__(self) -> int:
        return len(self.frame)

    def __getitem__(self, name: str) -> Attribute:
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, Attribute]:
        return {a.name: a for a in self.attributes}

    def records(self, positions: IntArray) -> Microdata:
        """Return the file with these records only."""
        whole = len(positions) == len(self)
        return self if whole else replace(self, frame=self.frame.iloc[positions])

    @property
    def row_names(self) -> str:
        """What the index is called in a sentence; empty where it only counts the records."""
        return row_names(self.frame)

    def columns(self, role: Role) -> tuple[str, ...]:
        """Names of the columns with this role, in the file's order."""
        return tuple(a.name for a in self.attributes if a.role == role)

    def numeric(self, column: str) -> bool:
        """Whether the column holds numbers (missing ones allowed)."""
        return pd.api.types.is_numeric_dtype(self.frame[column])

    def averages(self, column: str) -> bool:
        """Whether means of the column make sense: numbers that are not mere names."""
        return self.numeric(column) and self[column].scale != "nominal"

    def order(self, column: str) -> Codes:
        """Categories from lowest to highest, as given or as the column itself has them; else empty."""
        dtype = self.frame[column].dtype
        if self[column].order or not (isinstance(dtype, pd.CategoricalDtype) and dtype.ordered):
            return self[column].order
        return tuple(dtype.categories.tolist())

    @cached_property
    def confidential_numbers(self) -> tuple[str, ...]:
        """Confidential columns that can enter sums of squares: numbers, none missing or too large."""
        return tuple(
            name
            for name in self.columns("confidential")
            if self.numeric(name)
            and (np.abs(self.frame[name].to_numpy(np.float64, na_value=np.nan)) <= LARGEST).all()
        )

    def matrix(self, columns: Sequence[str]) -> FloatArray:
        """Columns as numbers, none of them missing.

        Parameters
        ----------
        columns : sequence of str

        Returns
        -------
        (n, p) float64, original units, finite

        Raises
        ------
        DataError
            A column is not there, holds text, or has missing or infinite values; the message says where.
        """
        values = self.numbers(columns)
        _refuse(np.isnan(values), "missing", columns)
        return values

    def numbers(self, columns: Sequence[str]) -> FloatArray:
        """Columns as numbers, nan where missing.

        Parameters
        ----------
        columns : sequence of str

        Returns
        -------
        (n, p) float64, original units

        Raises
        ------
        DataError
            A column is not there, holds text, or has values that are infinite or beyond 1e300; the message
            says where.
        """
        for name in columns:
            if name not in self.frame.columns:
                raise DataError(f"{self.name}: there is no column {name!r}.")
            if not self.numeric(name):
                raise DataError(
                    f"Column {name!r} holds {_held(self.frame[name])}; protect it by a method for "
                    "categories, such as mixed, or give it another role."
                )
        values = self.frame[list(columns)].to_numpy(np.float64, na_value=np.nan)
        beyond = np.abs(values) > LARGEST
        if beyond.any():
            _refuse(np.isinf(values), "infinite", columns)
            _refuse(beyond, f"too large (beyond {LARGEST:g})", columns)
        return np.ascontiguousarray(values)

    @cached_property
    def fingerprint(self) -> str:
        """Digest of all names, roles, types, values and the index; caches key on it."""
        digest = hashlib.sha256()
        description = [
            (a.name, a.role, a.scale, a.order, a.codes, str(self.frame[a.name].dtype))
            for a in self.attributes
        ]
        digest.update(json.dumps([self.name, self.index, description], default=str).encode())
        digest.update(pd.util.hash_pandas_object(self.frame, index=True).to_numpy().tobytes())
        return digest.hexdigest()


def row_names(frame: pd.DataFrame) -> str:
    """What a frame's index is called in a sentence; empty where it only counts the records.

    Parameters
    ----------
    frame : DataFrame, (n, columns)

    Examples
    --------
    >>> row_names(pd.DataFrame({"age": [31, 44]})), row_names(pd.DataFrame({"age": [31]}, index=["Ann"]))
    ('', 'the index')
    """
    named = [str(name) for name in frame.index.names if name is not None]
    if named:
        return f"the index {', '.join(map(repr, named))}"
    counts = isinstance(frame.index, pd.RangeIndex) or frame.index.equals(pd.RangeIndex(len(frame)))
    return "" if counts else "the index"


def _refuse_strange(name: str, column: pd.Series[Any]) -> None:
    """Refuse cells that are neither numbers in an order nor values that can be told apart."""
    if pd.api.types.is_complex_dtype(column):
        raise DataError(f"Column {name!r} holds complex numbers; split it into two columns, or leave it out.")
    if column.dtype == object:
        try:
            column.map(hash)
        except TypeError:
            raise DataError(
                f"Column {name!r} holds lists or the like; turn each cell into one value, or leave it out."
            ) from None


def _held(column: pd.Series[Any]) -> str:
    """What a column holds that is no number, and where the first text stands (never the value itself)."""
    if moment_kind(column):
        return words(column)
    wrong = pd.to_numeric(column, errors="coerce").isna() & column.notna()
    return f"text (first in record {int(wrong.to_numpy().argmax()) + 1})" if wrong.any() else "text"


def _refuse(bad: NDArray[np.bool_], what: str, columns: Sequence[str]) -> None:
    if bad.any():
        raise DataError(
            f"There are {what} values in {counted(bad, columns)}, the first in record "
            f"{int(bad.any(axis=1).argmax()) + 1}; fill them, drop those records, or leave it out."
        )


def counted(cells: NDArray[np.bool_], columns: Sequence[str]) -> str:
    """Columns with the number of marked cells in each, for a message."""
    counts = zip(columns, cells.sum(axis=0), strict=True)
    return ", ".join(f"{name!r} ({count})" for name, count in counts if count)
