"""What a release in parts costs and discloses: the figures of `microagg.measures`, from what was written.

SSE, SST, D_X, D_Y, ℓ, means, covariances and with them IL are those of one machine, from sums that are exact
whatever the chunks. The intruder knows all protected attributes. Three figures are not what one machine would
say:

- ID uses ranks that are off by a known number (`ranks`); ``id_low`` and ``id_high`` enclose it.
- DLD, PLD and with them DR and the score are measured for a seeded sample of the released records, each
  looked up among all originals; their standard error is that of the sample.
- DLD within parts looks some records of each part up in it alone, by one block's attributes, on the
  originals' scale. Fewer candidates make it higher than the other; it tells what an intruder gains who knows
  the part.

Numbers are compared in the records that miss none of them. Classes are told apart by 64-bit hashes of what
is released, so that two may be taken for one with a chance below 10⁻⁴ in 10⁸ records.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from microagg.kernels.random_numbers import mixed, uniforms

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from microagg.assessment.assess import Assessment
    from microagg.kernels.compiled import FloatArray, IntArray

LOOKED_UP = 1_000
"""Released records that an intruder looks up among all originals."""


@dataclass(frozen=True)
class Measures:
    """Both sides of a release in parts, and how far they may be off.

    Every figure of `as_dict` can be asked for by its name: ``measures.l``, ``measures.dld_error``.

    Parameters
    ----------
    assessment : Assessment
        As of one machine, for an intruder who knows all protected attributes.
    records, left_out, groups : int
        Released, not released; groups of all blocks together.
    sst : float
        Sum of squares of the protected attributes at unit variance.
    id_low, id_high : float
        What encloses the interval disclosure by exact ranks.
    rank_error : float
        Largest error of a rank, as a share of the records.
    smallest_in_block : tuple of int
        The smallest class of each block, which must not be below k.
    dld_within : float
        Linkage within parts.
    """

    assessment: Assessment
    records: int
    left_out: int
    groups: int
    sst: float
    id_low: float
    id_high: float
    rank_error: float
    smallest_in_block: tuple[int, ...]
    dld_within: float

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "assessment" or name not in (figures := self._figures()):
            raise AttributeError(f"A release in parts has no figure {name!r}.")
        return figures[name]

    def _figures(self) -> dict[str, Any]:
        lost, disclosed = self.assessment.lost, self.assessment.disclosed
        parts, classes = lost.information, disclosed.anonymity
        times = np.broadcast_to(classes.times, classes.sizes.shape)
        errors = {f"{name}_error": found.standard_error for name, found in self.assessment.linkages.items()}
        return {
            "records": self.records,
            "left_out": self.left_out,
            "groups": self.groups,
            "sse": lost.squared.total * self.sst,
            "sst": self.sst,
            **self.assessment.figures(),
            "smallest_class": classes.smallest_class,
            "records_below_k": classes.records_below_k,
            "il_parts": (parts.il1, parts.il2, parts.il3, parts.il4, parts.il5),
            "id_low": self.id_low,
            "id_high": self.id_high,
            "rank_error": self.rank_error,
            "class_sizes": dict(zip(classes.sizes.tolist(), times.tolist(), strict=True)),
            "smallest_in_block": self.smallest_in_block,
            **errors,
            "dld_records": disclosed.linkage.looked_up or 0,
            "dld_within": self.dld_within,
        }

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as JSON can hold them: what is not defined is None."""
        return {name: _plain(value) for name, value in self._figures().items()}

    def to_json(self) -> str:
        """One line of JSON."""
        return json.dumps(self.as_dict())


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return None if isinstance(value, float) and not math.isfinite(value) else value


def hashed(values: FloatArray) -> NDArray[np.uint64]:
    """Hashes that tell released records apart, (n,) uint64; missing is a value like any other.

    Examples
    --------
    >>> one, other, same = hashed(np.array([[0.0, np.nan], [1.0, np.nan], [-0.0, np.nan]]))
    >>> bool(one == same), bool(one == other)
    (True, False)
    """
    key = np.zeros(len(values), dtype=np.uint64)
    for column in values.T:
        bits = np.ascontiguousarray(np.where(np.isnan(column), np.nan, column + 0.0)).view(np.uint64)
        key = mixed(key + np.uint64(0x9E3779B97F4A7C15) ^ bits)
    return key


def sorted_into(values: FloatArray, baskets: int) -> list[tuple[NDArray[np.uint64], IntArray]]:
    """Count the classes of a chunk, by hash, in baskets that other chunks fill alike."""
    keys, counts = np.unique(hashed(values), return_counts=True)
    basket = keys % np.uint64(baskets)
    return [(keys[basket == b], counts[basket == b]) for b in range(baskets)]


def class_sizes(baskets: Iterable[tuple[NDArray[np.uint64], IntArray]]) -> dict[int, int]:
    """Count how many classes of each size there are, of the same basket of all chunks."""
    keys, counts = (np.concatenate(side) for side in zip(*baskets, strict=True))
    classes = np.unique(keys, return_inverse=True)[1]
    sizes = np.bincount(classes, counts).astype(np.int64)
    return {int(s): int(c) for s, c in zip(*np.unique(sizes, return_counts=True), strict=True)}


def looked_up(ids: IntArray, n: int, seed: int) -> NDArray[np.bool_]:
    """Which records an intruder looks up among all, about 1,000 of n."""
    return np.asarray(uniforms(ids, salt=1.0, seed=seed) < LOOKED_UP / n)
