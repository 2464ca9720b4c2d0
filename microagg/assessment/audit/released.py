"""A released table as everybody sees it: which columns are exposed, and which records look alike.

Exposed is every released column that is not confidential, protected or not: strata, weights, units, columns
of no role, and columns that the original does not have. A column that a person says no intruder can know does
not count, with that reason. Classes are of values as they are released; a missing value is a value. O(n·p).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from microagg.assessment.equal_cells import alike
from microagg.measures.anonymity import classes
from microagg.model.categories import distinguished
from microagg.model.safe_repr import discreet

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from microagg.kernels.compiled import FloatArray, IntArray
    from microagg.model.findings import Reasons
    from microagg.model.microdata import Microdata
    from microagg.model.plan import Plan
    from microagg.model.release import Release


def columns_unchanged(release: Release) -> tuple[str, ...]:
    """Attributes of several values, each of them still the original; none where rows are not paired."""
    return tuple(
        name for name in release.attributes if _stays(release, name) and not _constant(release, name)
    )


def nothing_changed(release: Release, names: Iterable[str]) -> bool:
    """Whether all of these attributes are as they were; the first that is not ends the look."""
    return all(_stays(release, name) or _constant(release, name) for name in names)


def _stays(release: Release, name: str) -> bool:
    """Whether rows are paired, and each value of an attribute is the original one."""
    if len(release.protected) != len(release.data) or name not in release.aligned.columns:
        return False
    return bool(alike(release.data.frame[name], release.aligned[name]).all())


def _constant(release: Release, name: str) -> bool:
    """Whether an attribute has one value, which nothing could change."""
    return bool(release.data.frame[name].nunique(dropna=False) <= 1)


@dataclass(frozen=True, eq=False)
class Classes:
    """Records that are released alike.

    Parameters
    ----------
    labels : (n,) int64
        Class of each record, from 0.
    """

    labels: IntArray

    @cached_property
    def sizes(self) -> IntArray:
        """Records of each class, (c,) int64."""
        return np.bincount(self.labels).astype(np.int64)

    @property
    def smallest(self) -> int:
        """Size of the smallest class; 0 where there is no record."""
        return int(self.sizes.min()) if len(self.sizes) else 0

    def below(self, k: int) -> int:
        """Number of records in classes of fewer than k."""
        return int(self.sizes[self.sizes < k].sum())

    def kinds(self, codes: FloatArray) -> IntArray:
        """Number of different values in each class, (c,) int64; ``codes`` as `distinguished` gives them."""
        first, _ = classes(np.column_stack([self.labels.astype(np.float64), codes]))
        return np.bincount(self.labels[first], minlength=len(self.sizes)).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Released:
    """A table that leaves, with what is known of its columns.

    Parameters
    ----------
    frame : DataFrame, (n, columns)
        As released; its rows stand in the order of ``data`` where there are as many.
    data : Microdata
        The original, with the roles.
    protected : tuple of str
        The attributes that the method replaced.
    blocks : tuple of tuples of str
    k : int
        The size that was promised.
    plan : Plan or None
    unknown : mapping of str to str
        Columns that no intruder can know, as a person says, with the reasons.
    index : Index
        As released; rows may stand in another order than those of ``frame``.
    left_out : (m,) int64
        Positions of the records of the file that are not released.
    unchanged : bool
        Whether every value of the protected columns is still the original one.
    """

    frame: pd.DataFrame
    data: Microdata
    protected: tuple[str, ...]
    blocks: tuple[tuple[str, ...], ...]
    k: int
    plan: Plan | None
    unknown: Reasons
    index: pd.Index[Any]
    left_out: IntArray
    unchanged: bool = False

    __repr__ = discreet

    def __len__(self) -> int:
        return len(self.frame)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names of the released columns."""
        return tuple(map(str, self.frame.columns))

    @cached_property
    def roles(self) -> dict[str, str]:
        """The role of each released column; undecided where the original does not have it."""
        given: dict[str, str] = {a.name: a.role for a in self.data.attributes}
        return {name: given.get(name, "undecided") for name in self.columns}

    def of_role(self, *roles: str) -> tuple[str, ...]:
        """Released columns with one of these roles."""
        return tuple(name for name in self.columns if self.roles[name] in roles)

    @property
    def confidential(self) -> tuple[str, ...]:
        """Released columns that are confidential and not protected like the others."""
        return tuple(name for name in self.of_role("confidential") if name not in self.protected)

    @property
    def untouched(self) -> tuple[str, ...]:
        """Released columns that the method did not replace."""
        return tuple(name for name in self.columns if name not in self.protected)

    @property
    def taken_out(self) -> tuple[str, ...]:
        """Columns that would be exposed if a person did not say that no intruder can know them."""
        confidential = set(self.confidential)
        return tuple(name for name in self.columns if name in self.unknown and name not in confidential)

    @property
    def exposed(self) -> tuple[str, ...]:
        """Columns by which a record may be known."""
        out = {*self.confidential, *self.taken_out}
        return tuple(name for name in self.columns if name not in out)

    @property
    def paired(self) -> bool:
        """Whether each row has its original beside it."""
        return len(self.frame) == len(self.data)

    def codes(self, name: str) -> FloatArray:
        """A released column as numbers that tell its values apart, (n,) float64."""
        if name not in self._codes:
            self._codes[name] = distinguished([self.column(name)])[:, 0]
        return self._codes[name]

    @cached_property
    def _codes(self) -> dict[str, FloatArray]:
        return {}

    def original_column(self, name: str) -> pd.Series[Any] | None:
        """The original column in the order of the rows; None where rows have no original."""
        return self.data.frame[name] if self.paired and name in self.data.frame.columns else None

    def classes_over(self, names: Sequence[str]) -> Classes:
        """Records that are alike in these columns."""
        if not names:
            return Classes(np.zeros(len(self), dtype=np.int64))
        return Classes(classes(np.column_stack([self.codes(name) for name in names]))[1])

    @cached_property
    def exposed_classes(self) -> Classes:
        """Records that are alike in all exposed columns."""
        return self.classes_over(self.exposed)

    @cached_property
    def protected_classes(self) -> Classes:
        """Records that are alike in all protected columns."""
        return self.classes_over([name for name in self.protected if name in self.columns])

    def alone(self, name: str) -> NDArray[np.bool_]:
        """Records whose value in one column is shared by fewer than k, (n,) bool."""
        found = self.classes_over([name])
        return np.asarray(found.sizes[found.labels] < self.k)

    def column(self, name: str) -> pd.Series[Any]:
        """A released column."""
        return self.frame.iloc[:, self._places[name]]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.columns)}
