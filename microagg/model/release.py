"""What came out: the protected file, the groups behind it, and the records they stand for.

The file may leave with fewer rows than came in, and in another order; whatever measures it needs original and
released values side by side. `data` and the matrices here are therefore always aligned, record by record,
and only `protected` is as it leaves the house.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from microagg.model.categories import distinguished
from microagg.model.safe_repr import discreet

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from microagg.kernels.compiled import FloatArray, IntArray
    from microagg.model.microdata import Microdata
    from microagg.model.partition import Partition
    from microagg.model.plan import Plan


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Records that do not leave the house.

    Parameters
    ----------
    reason : str
        One sentence.
    positions : (m,) int64
        Where they stand in the file, counted from 0.
    """

    reason: str
    positions: IntArray

    __repr__ = discreet


@dataclass(frozen=True, eq=False)
class Release:
    """A protected file with the partition behind it.

    Parameters
    ----------
    data : Microdata
        The original of the records that are released, in the file's order, with the plan's roles and the
        file's own index; codes for "missing" are missing. It stays in the house.
    plan : Plan or None
        What made it; None where a released file was only read.
    protected : DataFrame
        What may leave the house: the records of ``data`` with the same columns, counted from 0, or under
        their own index where ``data`` keeps it; identifiers left out; rows in another order where the plan
        shuffles.
    blocks : tuple of tuples of str
        The protected attributes, one tuple a block.
    partitions : tuple of Partition
        One for each block; none for a method that forms no groups (Mic1D). Labels follow ``data``.
    seconds : float
        Time that the protection took.
    k : int
        The group size that was promised. Whether it holds is measured, never assumed.
    left_out : tuple of LeftOut
        The records that are not released, and why.
    order : (n,) int64, optional
        Record of ``data`` in each row of ``protected``; None: the same order.
    notes : tuple of str
        What the reader of the release should know, one sentence each.
    """

    data: Microdata
    plan: Plan | None
    protected: pd.DataFrame
    blocks: tuple[tuple[str, ...], ...]
    partitions: tuple[Partition, ...]
    seconds: float
    k: int
    left_out: tuple[LeftOut, ...] = ()
    order: IntArray | None = None
    notes: tuple[str, ...] = field(default=())

    __repr__ = discreet

    @property
    def attributes(self) -> tuple[str, ...]:
        """All protected attributes in the file's order."""
        chosen = {name for block in self.blocks for name in block}
        return tuple(a.name for a in self.data.attributes if a.name in chosen)

    @property
    def columns_untouched(self) -> tuple[str, ...]:
        """The columns that are released as they are, in the file's order."""
        chosen = set(self.attributes)
        return tuple(str(name) for name in self.protected.columns if str(name) not in chosen)

    @property
    def unprotected(self) -> tuple[str, ...]:
        """The quasi-identifiers that the method leaves as they are, in the file's order."""
        untouched = set(self.columns_untouched)
        return tuple(name for name in self.data.columns("quasi_identifier") if name in untouched)

    @property
    def columns_dropped(self) -> tuple[str, ...]:
        """The columns that are not released, in the file's order."""
        released = set(map(str, self.protected.columns))
        return tuple(a.name for a in self.data.attributes if a.name not in released)

    @property
    def columns(self) -> tuple[str, ...]:
        """The protected attributes that are numbers: the columns of the matrices before and after."""
        return tuple(name for name in self.attributes if self.data.averages(name))

    @property
    def categories(self) -> tuple[str, ...]:
        """The protected attributes that are not numbers."""
        return tuple(name for name in self.attributes if not self.data.averages(name))

    @cached_property
    def block_positions(self) -> tuple[tuple[int, ...], ...]:
        """Each block's numbers by their positions in `columns`; none for a block of categories alone."""
        place = {name: position for position, name in enumerate(self.columns)}
        return tuple(tuple(place[name] for name in block if name in place) for block in self.blocks)

    @cached_property
    def aligned(self) -> pd.DataFrame:
        """The protected file in the order of ``data``."""
        return self.protected if self.order is None else self.protected.iloc[np.argsort(self.order)]

    @cached_property
    def original_values(self) -> FloatArray:
        """The protected numbers before, (n, p) float64, original units, nan where missing."""
        return self.data.numbers(self.columns)

    @cached_property
    def protected_values(self) -> FloatArray:
        """The protected numbers after, (n, p) float64, original units, nan where missing."""
        values = self.aligned[list(self.columns)].to_numpy(np.float64, na_value=np.nan)
        return np.ascontiguousarray(values)

    @cached_property
    def protected_codes(self) -> FloatArray:
        """All protected attributes after, as numbers that tell values apart, (n, q) float64."""
        return distinguished([self.aligned[name] for name in self.attributes])

    @cached_property
    def complete(self) -> NDArray[np.bool_]:
        """Records without a missing number among the protected ones, (n,) bool."""
        return np.asarray(np.isfinite(self.original_values + self.protected_values).all(axis=1))

    @cached_property
    def confidential_values(self) -> FloatArray:
        """The confidential numbers that are not protected, (n, m_Y) float64, original units."""
        protected = set(self.attributes)
        return self.data.matrix([c for c in self.data.confidential_numbers if c not in protected])
