"""A Dask frame cut anew, so that what follows does not depend on the partitions it came in.

Chunk c holds the records from ``bounds[c]`` up to ``bounds[c + 1]`` of the file, whatever partitions they
lie in; the bounds follow from the number of records alone. One pass counts the partitions' records.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import dask
import numpy as np
import pandas as pd

from microagg.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Sequence

LEAST = 25_000
"""Records in a chunk of a small file."""

MOST_CHUNKS = 64
"""Tasks grow with the square of the number of chunks; above this number, chunks grow instead."""


@dataclass(frozen=True, eq=False)
class Chunks:
    """The records of a file, some thousands at a time.

    Parameters
    ----------
    frame : dask DataFrame
    starts : tuple of int
        The first record of each partition, and the number of records.
    bounds : tuple of int
        The first record of each chunk, and the number of records.
    """

    frame: Any
    starts: tuple[int, ...]
    bounds: tuple[int, ...]

    @property
    def records(self) -> int:
        """Number of records of the file."""
        return self.bounds[-1]

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def of(self, columns: Sequence[str] | None = None) -> list[Any]:
        """Return the chunks, each a delayed pandas DataFrame, with some of the columns or all."""
        partitions = _partitions(self.frame, columns)
        chunks = []
        for first, last in zip(self.bounds, self.bounds[1:], strict=False):
            meeting = [
                p
                for p, (begin, end) in enumerate(zip(self.starts, self.starts[1:], strict=False))
                if begin < last and end > first
            ]
            slices = [(max(first - self.starts[p], 0), last - self.starts[p]) for p in meeting]
            chunks.append(dask.delayed(_joined)([partitions[p] for p in meeting], slices))
        return chunks


def cut(frame: Any, records: int | None = None) -> Chunks:
    """Cut a dask DataFrame anew.

    Parameters
    ----------
    frame : dask DataFrame
    records : int, optional
        In a chunk; None: as many as give 64 chunks, 25,000 at least.

    Raises
    ------
    DataError
        No record, no column, or columns of one name.
    """
    names = [str(column) for column in frame.columns]
    repeated = sorted(name for name, times in Counter(names).items() if times > 1)
    if repeated:
        raise DataError(f"More than one column is called {repeated[0]!r}; rename all but one.")
    if not names:
        raise DataError("The file holds no column.")
    frame = frame.rename(columns=dict(zip(frame.columns, names, strict=True)))
    lengths = dask.compute(*[dask.delayed(len)(part) for part in _partitions(frame, names[:1])])
    n = sum(lengths)
    if not n:
        raise DataError("The file holds no record.")
    each = records or max(LEAST, -(-n // MOST_CHUNKS))
    starts = (0, *(int(end) for end in np.cumsum(lengths)))
    return Chunks(frame, starts, (*range(0, n, each), n))


def _partitions(frame: Any, columns: Sequence[str] | None) -> list[Any]:
    """The partitions with some columns: as many as with all of them, which Dask would else put together."""
    with dask.config.set({"dataframe.parquet.minimum-partition-size": 0}):
        wide = list(frame.to_delayed())
        if columns is None:
            return wide
        narrow = list(frame[list(columns)].to_delayed())
    if len(narrow) == len(wide):
        return narrow
    return [dask.delayed(_narrowed)(part, list(columns)) for part in wide]


def _narrowed(part: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    return part[columns]


def _joined(parts: list[pd.DataFrame], slices: list[tuple[int, int]]) -> pd.DataFrame:
    pieces = [part.iloc[first:last] for part, (first, last) in zip(parts, slices, strict=True)]
    return pieces[0] if len(pieces) == 1 else pd.concat(pieces)
