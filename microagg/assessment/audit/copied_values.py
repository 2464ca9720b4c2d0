"""Protected columns that give back values of single persons, as a mode or a median does.

A mean belongs to nobody. The most frequent or the middle value of a group is one of its members' own, and
where all values differ it names that member to everybody who is released like him. O(n) a column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from microagg.methods import METHODS
from microagg.model.roles import naming

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from microagg.assessment.audit.released import Released


@dataclass(frozen=True, eq=False)
class Copied:
    """A protected column whose released values are original ones.

    Parameters
    ----------
    name : str
    names : bool
        Whether its values name people: identifiers, or text that half of the records or more have for
        themselves.
    shared : (n,) int64
        Original records that have the value with which each record is released; 0 where none has, or where
        it is missing.
    own : (n,) bool
        Records that are released with their own value, which nobody else has.
    rare : bool
        Whether the original has values of single persons, which another grouping may release.
    """

    name: str
    names: bool
    shared: NDArray[np.int64]
    own: NDArray[np.bool_]
    rare: bool

    @property
    def single(self) -> NDArray[np.bool_]:
        """Records that are released with a value of one person, (n,) bool."""
        return np.asarray(self.shared == 1)


_KNOWN: WeakKeyDictionary[Released, tuple[Copied, ...]] = WeakKeyDictionary()


def copied(seen: Released) -> tuple[Copied, ...]:
    """Look, once, at every protected column that is released and whose values are no means."""
    if seen not in _KNOWN:
        columns = [
            name for name in seen.protected if name in seen.columns and name in seen.data.frame.columns
        ]
        _KNOWN[seen] = tuple(found for name in columns if (found := _look(seen, name)) is not None)
    return _KNOWN[seen]


def _look(seen: Released, name: str) -> Copied | None:
    original, column = seen.data.frame[name], seen.column(name)
    numeric = pd.api.types.is_numeric_dtype(original)
    if numeric and _means(seen, name):
        return None
    codes, values = pd.factorize(_comparable(original, numeric=numeric))
    counts = np.bincount(codes[codes >= 0], minlength=len(values)).astype(np.int64)
    places = pd.Index(values).get_indexer(_comparable(column, numeric=numeric))
    shared = np.append(counts, 0)[places]  # a value that the original lacks has the place −1, the last
    if numeric and seen.plan is None and not _mostly_copies(places, shared):
        return None
    own = (shared == 1) & (places == codes) if seen.paired else np.zeros(len(seen), dtype=bool)
    once = int((counts == 1).sum())
    unique = not numeric and 2 * once >= len(original)
    return Copied(name, naming(name, original) or unique, shared, own, once > 0)


def _means(seen: Released, name: str) -> bool:
    """Whether the plan averages a column of numbers."""
    if seen.plan is None or seen.plan.aggregate == "median":
        return False
    scale = seen.data[name].scale
    return scale == "continuous" or scale not in METHODS[seen.plan.method].scales


def _mostly_copies(places: NDArray[np.int64], shared: NDArray[np.int64]) -> bool:
    """Whether most different values of a file of unknown making are originals, which means rarely are."""
    unknown = places < 0
    return bool((shared == 1).any()) and int(unknown.sum()) * 2 < len(places)


def _comparable(column: pd.Series[Any], *, numeric: bool) -> pd.Series[Any]:
    """A column before or after, so that equal values are equal though a file was read in between."""
    if numeric:
        return pd.to_numeric(column, errors="coerce").astype(np.float64)
    return column.astype(object).map(
        lambda value: str(value).strip().removesuffix(" 00:00:00"), na_action="ignore"
    )
