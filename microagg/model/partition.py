"""Records in groups of at least k: refused where a group is smaller."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from microagg.errors import PlanError
from microagg.model.safe_repr import discreet

if TYPE_CHECKING:
    from microagg.kernels.compiled import IntArray


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

    __repr__ = discreet

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
