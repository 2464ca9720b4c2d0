"""The cell of a record, looked up by its strata and by what it misses: one small table for all workers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from microagg.kernels.compiled import FloatArray, IntArray

PATTERN = "(missing)"
CELL = "(cell)"
LEFT_OUT = -1


def patterns(gaps: NDArray[np.bool_]) -> NDArray[np.str_]:
    """What each record misses, as digits: "01" misses the second of two attributes.

    Examples
    --------
    >>> patterns(np.array([[False, True], [False, False]])).tolist()
    ['01', '00']
    """
    if not gaps.any():
        return np.full(len(gaps), "0" * gaps.shape[1])
    seen, place = np.unique(gaps, axis=0, return_inverse=True)
    return np.array(["".join("01"[int(cell)] for cell in row) for row in seen])[place.ravel()]


@dataclass(frozen=True, eq=False)
class Cells:
    """The sets of records that are protected among themselves.

    Parameters
    ----------
    table : DataFrame
        The cell of each combination of strata and of missing attributes; −1: left out.
    missing : (c, q) bool
        Which of the attributes to protect each cell misses.
    sizes : (c,) int64
        Records of each cell.
    notes : tuple of str
        What happened, one sentence each.
    """

    table: pd.DataFrame
    missing: NDArray[np.bool_]
    sizes: IntArray
    notes: tuple[str, ...]

    def of(self, frame: pd.DataFrame, protected: FloatArray) -> IntArray:
        """Cells of the records of a chunk, (n,) int64: by its strata and the gaps of ``protected`` (n, q)."""
        if len(self.table) == 1:
            return np.full(len(frame), self.table[CELL].iloc[0], dtype=np.int64)
        keys = [name for name in self.table.columns if name != CELL]
        own = frame[keys[:-1]].assign(**{PATTERN: patterns(np.isnan(protected))})
        return own.merge(self.table, how="left", on=keys)[CELL].to_numpy(np.int64)
