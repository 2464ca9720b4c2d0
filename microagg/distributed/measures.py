"""What a release in parts costs and discloses: added up chunk by chunk, from what was written.

SSE, SST, D_X, D_Y, means, covariances and with them IL are those of one machine (`microagg.measures`), from
sums that are exact whatever the chunks. Three figures are not what one machine would say:

- ID uses ranks that are off by a known number (`ranks`); ``id_low`` and ``id_high`` enclose it.
- DLD against all originals is measured for a seeded sample of the released records that an intruder looks up
  by all protected attributes; its standard error is that of the sample.
- DLD within parts looks some records of each part up in it alone, by one block's attributes, on the
  originals' scale. Fewer candidates make it higher than the other; it tells what an intruder gains who knows
  the part.

Numbers are compared in the records that miss none of them. Classes are told apart by 64-bit hashes of what
is released, so that two may be taken for one with a chance below 10⁻⁴ in 10⁸ records.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from microagg.kernels.random_numbers import mixed, uniforms
from microagg.measures.nearest import nearest_with_ties

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from microagg.kernels.compiled import FloatArray, IntArray

LOOKED_UP = 1_000
"""Released records that an intruder looks up among all originals."""


@dataclass(frozen=True)
class Measures:
    """Figures of a release in parts; `microagg.MEASURES` says what those of the same name mean.

    Parameters
    ----------
    records, left_out, groups : int
        Released, not released; groups of all blocks together.
    sse, sst, l : float
        Sums of squares of the protected attributes at unit variance, and their ratio.
    d_x, d_y, d : float
        D_Y is nan without a confidential number.
    il, il_scale_free : float
    il_parts : tuple of five float
        Of cells, means, covariances, variances and correlations.
    id, id_low, id_high : float
        Interval disclosure by approximate ranks, and what encloses the one by exact ranks.
    rank_error : float
        Largest error of a rank, as a share of the records.
    k_prime : float
    smallest_class, records_below_k : int
        Over all protected attributes.
    class_sizes : dict of int to int
        How many classes there are of each size.
    smallest_in_block : tuple of int
        The smallest class of each block, which must not be below k.
    dld, dld_error : float
        Against all originals, with its standard error.
    dld_records : int
        Records looked up for it.
    dld_within : float
        Within parts.
    """

    records: int
    left_out: int
    groups: int
    sse: float
    sst: float
    l: float
    d_x: float
    d_y: float
    d: float
    il: float
    il_scale_free: float
    il_parts: tuple[float, ...]
    id: float
    id_low: float
    id_high: float
    rank_error: float
    k_prime: float
    smallest_class: int
    records_below_k: int
    class_sizes: Mapping[int, int]
    smallest_in_block: tuple[int, ...]
    dld: float
    dld_error: float
    dld_records: int
    dld_within: float

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as JSON can hold them: what is not defined is None."""
        plain = asdict(self)
        return {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in plain.items()}

    def to_json(self) -> str:
        """One line of JSON."""
        return json.dumps(self.as_dict())


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


def nearest(desk: tuple[FloatArray, FloatArray], candidates: FloatArray) -> tuple[FloatArray, IntArray]:
    """For each record looked up, the nearest of a chunk's originals and how many are as near.

    Parameters
    ----------
    desk : released (q, p) and their own originals (q, p), each standardised
    candidates : (n, p) float64, standardised
    """
    released, own = desk
    weights = np.ones(len(candidates), dtype=np.int64)
    return nearest_with_ties(released, squared(released, own), candidates, weights)


def squared(released: FloatArray, own: FloatArray) -> FloatArray:
    """Squared distances (q,), summed in column order as searches sum them."""
    total = np.zeros(len(released))
    for column in range(released.shape[1]):
        gap = own[:, column] - released[:, column]
        total += gap * gap
    return total


def linked(
    desk: tuple[FloatArray, FloatArray], found: Sequence[tuple[FloatArray, IntArray]]
) -> tuple[int, float]:
    """Records looked up, and the share of them that is found; ties share the credit."""
    own = squared(*desk)
    distances, ties = np.array([d for d, _ in found]), np.array([t for _, t in found])
    best = distances.min(axis=0)
    tied = np.where(distances == best, ties, 0).sum(axis=0)
    credit = np.where((own == best) & (tied > 0), 1 / np.maximum(tied, 1), 0.0)
    return len(own), float(credit.mean()) if len(own) else float("nan")
