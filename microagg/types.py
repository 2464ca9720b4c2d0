"""The nouns of the library: what is protected, how, and what came out.

All are frozen and checked where they are made, so that a wrong value is refused at the door with one
sentence and never travels. A ``Plan`` is at once what the page's address holds, what caches key on, what
the report prints and what the command line reads.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
import pandas as pd

from microagg.errors import DataError, PlanError
from microagg.roles import Role, Scale, guess

if TYPE_CHECKING:
    from microagg.compiled import FloatArray, IntArray

OptionValue: TypeAlias = str | int | float
Blocks: TypeAlias = str | tuple[tuple[str, ...], ...]
Aggregate = Literal["mean", "median"]


@dataclass(frozen=True)
class Attribute:
    """One column: its name, what it is for, and what kind of values it holds.

    Parameters
    ----------
    name : str
    role : {"identifier", "quasi_identifier", "confidential", "other"}
        Identifiers are never released; quasi-identifiers are replaced by centroids; the others stay.
    scale : {"continuous", "ordinal", "nominal"}
    """

    name: str
    role: Role = "other"
    scale: Scale = "continuous"

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
        Records count by position; the index is kept for export and used for nothing else.
    attributes : tuple of Attribute
        One for each column, in the frame's order.
    name : str
        Shown on the page and in the report.

    Raises
    ------
    DataError
        No record, no column, repeated or unnamed columns, or attributes that do not match the columns.
    """

    frame: pd.DataFrame
    attributes: tuple[Attribute, ...]
    name: str = "data"

    def __post_init__(self) -> None:
        columns = [str(column) for column in self.frame.columns]
        if not columns or not len(self.frame):
            raise DataError(f"{self.name}: the file holds no {'record' if columns else 'column'}.")
        repeated = sorted({column for column in columns if columns.count(column) > 1})
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
        cls, frame: pd.DataFrame, *, roles: Mapping[str, Role] | None = None, name: str = "data"
    ) -> Microdata:
        """Build from a DataFrame; roles not given are guessed from the values (`microagg.roles`).

        Raises
        ------
        DataError
            As for the class, or ``roles`` names a column that is not there.
        """
        columns = [str(column) for column in frame.columns]
        guesses = [guess(column, frame.iloc[:, i]) for i, column in enumerate(columns)]
        attributes = tuple(
            Attribute(column, guessed.role, guessed.scale)
            for column, guessed in zip(columns, guesses, strict=True)
        )
        return cls(frame, attributes, name).with_roles(roles or {})

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

    def __len__(self) -> int:
        return len(self.frame)

    def columns(self, role: Role) -> tuple[str, ...]:
        """Names of the columns with this role, in the file's order."""
        return tuple(a.name for a in self.attributes if a.role == role)

    def numeric(self, column: str) -> bool:
        """Whether the column holds numbers (missing ones allowed)."""
        return pd.api.types.is_numeric_dtype(self.frame[column])

    @cached_property
    def confidential_numbers(self) -> tuple[str, ...]:
        """Confidential columns that can enter sums of squares: numbers, none missing or infinite."""
        return tuple(
            name
            for name in self.columns("confidential")
            if self.numeric(name)
            and np.isfinite(self.frame[name].to_numpy(np.float64, na_value=np.nan)).all()
        )

    def matrix(self, columns: Sequence[str]) -> FloatArray:
        """Columns as numbers.

        Parameters
        ----------
        columns : sequence of str

        Returns
        -------
        (n, p) float64, original units, finite

        Raises
        ------
        DataError
            A column is missing, holds text, or has missing or infinite values; the message says where.
        """
        for name in columns:
            if name not in self.frame.columns:
                raise DataError(f"{self.name}: there is no column {name!r}.")
            if not self.numeric(name):
                raise DataError(
                    f"Column {name!r} holds text{_first_text(self.frame[name])}; "
                    "protect only columns of numbers, or give it another role."
                )
        values = self.frame[list(columns)].to_numpy(np.float64, na_value=np.nan)
        _refuse_not_finite(values, columns)
        return np.ascontiguousarray(values)

    @cached_property
    def fingerprint(self) -> str:
        """Digest of all names, roles, types, values and the index; caches key on it."""
        digest = hashlib.sha256()
        description = [(a.name, a.role, a.scale, str(self.frame[a.name].dtype)) for a in self.attributes]
        digest.update(json.dumps([self.name, description]).encode())
        digest.update(pd.util.hash_pandas_object(self.frame, index=True).to_numpy().tobytes())
        return digest.hexdigest()


def _first_text(column: pd.Series[Any]) -> str:
    """Where the first value that is no number stands, for a message (never the value itself)."""
    wrong = pd.to_numeric(column, errors="coerce").isna() & column.notna()
    return f" (first in record {int(wrong.to_numpy().argmax()) + 1})" if wrong.any() else ""


def _refuse_not_finite(values: FloatArray, columns: Sequence[str]) -> None:
    for bad, what in ((np.isnan(values), "missing"), (np.isinf(values), "infinite")):
        if bad.any():
            counts = [
                f"{name!r} ({count})" for name, count in zip(columns, bad.sum(axis=0), strict=True) if count
            ]
            raise DataError(
                f"There are {what} values in {', '.join(counts)}, the first in record "
                f"{int(bad.any(axis=1).argmax()) + 1}; fill them, drop those records, or leave it out."
            )


@dataclass(frozen=True)
class Plan:
    """Everything that decides a release, and nothing else: same data and plan, same bytes.

    Parameters
    ----------
    method : str
        A row of `microagg.METHODS`.
    k : int
        Minimum group size, at least 2.
    columns : tuple of str, optional
        Quasi-identifiers to protect; None: all columns with that role.
    blocks : str or tuple of tuples of str
        How the attributes are split: a rule of `microagg.blocks` ("all", "single", "contiguous:3",
        "correlated:3", "apart:3") or the blocks themselves.
    lam : float in [0, 1]
        Weight of the confidential attributes' predictability, λ (paper 2).
    aggregate : {"mean", "median"}
        What a group's values are replaced by.
    options : mapping
        The method's own options; what is not named takes its default.
    seed : int
        For methods that draw random numbers.
    roles : mapping
        Roles of columns, where they differ from the data's own.
    keep_identifiers : bool
        Whether identifiers stay in the released file. Off unless asked for.

    Raises
    ------
    PlanError
        A value that no data could make valid.

    Examples
    --------
    >>> Plan.from_json(Plan(method="pcp", k=3).to_json()) == Plan(method="pcp", k=3)
    True
    """

    method: str = "mdav"
    k: int = 5
    columns: tuple[str, ...] | None = None
    blocks: Blocks = "all"
    lam: float = 0.0
    aggregate: Aggregate = "mean"
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    seed: int = 0
    roles: Mapping[str, Role] = field(default_factory=dict)
    keep_identifiers: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, int | np.integer) or self.k < 2:
            raise PlanError(f"k is {self.k!r}; it must be a whole number of at least 2.")
        if isinstance(self.lam, bool) or not isinstance(self.lam, int | float) or not 0 <= self.lam <= 1:
            raise PlanError(f"λ is {self.lam!r}; it must lie between 0 and 1.")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or self.seed < 0:
            raise PlanError(f"The seed is {self.seed!r}; it must be a whole number of at least 0.")
        if self.aggregate not in get_args(Aggregate):
            raise PlanError(f"There is no aggregate {self.aggregate!r}; use 'mean' or 'median'.")
        set_field = object.__setattr__
        set_field(self, "k", int(self.k))
        set_field(self, "lam", float(self.lam))
        set_field(self, "options", MappingProxyType(dict(sorted(self.options.items()))))
        set_field(self, "roles", MappingProxyType(dict(sorted(self.roles.items()))))
        if self.columns is not None:
            set_field(self, "columns", tuple(self.columns))
        if not isinstance(self.blocks, str):
            set_field(self, "blocks", tuple(tuple(block) for block in self.blocks))

    def replace(self, **changes: Any) -> Plan:
        """Return the same plan with some fields changed."""
        return replace(self, **changes)

    def pinned(self, data: Microdata) -> Plan:
        """Spell out every role, so that the plan means the same whatever roles a reader would guess."""
        return self.replace(roles={a.name: a.role for a in data.attributes} | dict(self.roles))

    def to_json(self) -> str:
        """One line of JSON: only what differs from the defaults, besides method and k."""
        default = Plan(self.method, self.k)
        chosen = {
            f.name: _plain(getattr(self, f.name))
            for f in fields(self)
            if f.name in ("method", "k") or getattr(self, f.name) != getattr(default, f.name)
        }
        return json.dumps(chosen, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """Read what `to_json` wrote.

        Raises
        ------
        PlanError
            Not JSON, no object, an unknown name, or a value of the wrong kind.
        """
        try:
            chosen = json.loads(text)
        except ValueError as error:
            raise PlanError(f"The plan is not valid JSON: {error}.") from None
        names = [f.name for f in fields(cls)]
        if not isinstance(chosen, dict):
            raise PlanError('A plan is a JSON object such as {"method": "mdav", "k": 5}.')
        unknown = sorted(set(chosen) - set(names))
        if unknown:
            raise PlanError(f"A plan has no {unknown[0]!r}; it may name {', '.join(names)}.")
        try:
            return cls(**chosen)
        except (TypeError, AttributeError):
            raise PlanError("A value of the plan is of the wrong kind; see `Plan` for each.") from None

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __reduce__(self) -> tuple[Any, ...]:
        return Plan.from_json, (self.to_json(),)


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else value


@dataclass(frozen=True, eq=False)
class Partition:
    """Records in groups of at least k.

    Parameters
    ----------
    labels : (n,) int64
        The group of each record; any numbering is accepted, and groups are renumbered by their first
        record, so that equal partitions have equal labels.
    k : int

    Raises
    ------
    PlanError
        A group has fewer than k records.
    """

    labels: IntArray
    k: int

    def __post_init__(self) -> None:
        labels = pd.factorize(np.asarray(self.labels))[0].astype(np.int64)
        labels.flags.writeable = False
        object.__setattr__(self, "labels", labels)
        if self.sizes.min() < self.k:
            raise PlanError(f"A group has {self.sizes.min()} records, fewer than k = {self.k}.")

    @cached_property
    def sizes(self) -> IntArray:
        """Records per group, (g,) int64."""
        return np.bincount(self.labels).astype(np.int64)

    def __len__(self) -> int:
        return len(self.sizes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Partition) and np.array_equal(self.labels, other.labels)

    def __hash__(self) -> int:
        return hash(self.labels.tobytes())


@dataclass(frozen=True, eq=False)
class Release:
    """A protected file with the partition behind it.

    Parameters
    ----------
    data : Microdata
        The original.
    plan : Plan or None
        What made it; None where a released file was only read.
    protected : DataFrame
        What may leave the house: same rows, order, columns and index; identifiers left out.
    blocks : tuple of tuples of str
        The protected attributes, one tuple a block.
    partitions : tuple of Partition
        One for each block; none for a method that forms no groups (Mic1D).
    seconds : float
        Time that the protection took.
    k : int
        The group size that was promised. Whether it holds is measured, never assumed.
    """

    data: Microdata
    plan: Plan | None
    protected: pd.DataFrame
    blocks: tuple[tuple[str, ...], ...]
    partitions: tuple[Partition, ...]
    seconds: float
    k: int

    @property
    def columns(self) -> tuple[str, ...]:
        """The protected attributes in the file's order."""
        chosen = {name for block in self.blocks for name in block}
        return tuple(a.name for a in self.data.attributes if a.name in chosen)

    @cached_property
    def original_values(self) -> FloatArray:
        """The protected attributes before, (n, p) float64, original units."""
        return self.data.matrix(self.columns)

    @cached_property
    def protected_values(self) -> FloatArray:
        """The protected attributes after, (n, p) float64, original units."""
        return np.ascontiguousarray(self.protected[list(self.columns)].to_numpy(np.float64))

    @cached_property
    def confidential_values(self) -> FloatArray:
        """The confidential numbers that are not protected, (n, m_Y) float64, original units."""
        protected = set(self.columns)
        return self.data.matrix([c for c in self.data.confidential_numbers if c not in protected])
