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
from microagg.kernels.reproducible_sums import added, exact_sums, rounded
from microagg.measures.intervals import WIDTHS
from microagg.measures.loss import InformationLoss, relative_change
from microagg.measures.nearest import nearest_with_ties

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from microagg.distributed.ranks import Ranks
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


def compared(
    before: FloatArray, after: FloatArray, means: FloatArray, unit: FloatArray
) -> dict[str, list[int]]:
    """Add up what the figures are made of, over the complete records of a chunk.

    Parameters
    ----------
    before, after : (n, p) float64, original units
    means, unit : (p,) float64
        Deviations are taken from the one and divided by the other.
    """
    b, a = (before - means) / unit, (after - means) / unit
    upper = np.triu_indices(before.shape[1])
    zero = before == 0
    columns = {
        "count": np.ones((len(before), 1)),
        "before": b,
        "after": a,
        "size": np.abs(before),
        "relative": np.minimum(relative_change(before, after), 1e300),
        "change": np.abs(b - a),
        "square": np.square(b - a),
        "zeros": zero.astype(np.float64),
        "changed": (zero & (after != 0)).astype(np.float64),
    }
    sums = {name: exact_sums(values) for name, values in columns.items()}
    for name, side in (("products", b), ("products after", a)):
        pairs = (exact_sums((side[:, i] * side[:, j])[:, np.newaxis]) for i, j in zip(*upper, strict=True))
        sums[name] = [own[0] for own in pairs]
    return sums


@dataclass(frozen=True, eq=False)
class Comparison:
    """Moments of the complete records before and after, in the units that `compared` was given.

    Parameters
    ----------
    n : int
    mean, mean_after : (p,) float64, deviations from the origin of `compared`
    covariance, covariance_after : (p, p) float64
    sums : mapping of str to (p,) float64
        Means over the records of the other columns of `compared`.
    """

    n: int
    mean: FloatArray
    mean_after: FloatArray
    covariance: FloatArray
    covariance_after: FloatArray
    sums: Mapping[str, FloatArray]

    @classmethod
    def of(cls, parts: Sequence[dict[str, list[int]]]) -> Comparison:
        """Put the chunks' sums together."""
        total = {name: added([part[name] for part in parts]) for name in parts[0]}
        n = round(rounded(total["count"][0]))
        mean = {name: np.array([rounded(s, max(n, 1)) for s in sums]) for name, sums in total.items()}
        p = len(mean["before"])
        both = []
        for products, own in (("products", mean["before"]), ("products after", mean["after"])):
            covariance = np.zeros((p, p))
            covariance[np.triu_indices(p)] = mean[products]
            covariance = np.triu(covariance) + np.triu(covariance, 1).T - np.outer(own, own)
            spread = np.maximum(covariance.diagonal(), 0.0)
            np.fill_diagonal(covariance, np.where(spread < 1e-24, 0.0, spread))
            both.append(covariance)
        return cls(n, mean["before"], mean["after"], both[0], both[1], mean)

    @property
    def spread(self) -> FloatArray:
        """Standard deviations before, (p,)."""
        return np.sqrt(self.covariance.diagonal())

    @property
    def spread_after(self) -> FloatArray:
        """Standard deviations after, (p,)."""
        return np.sqrt(self.covariance_after.diagonal())

    def loss(self) -> FloatArray:
        """Share of each attribute's variance that is lost, (p,); 0 for a constant one."""
        variance = self.covariance.diagonal()
        return np.where(variance > 0, self.sums["square"] / np.where(variance > 0, variance, 1.0), 0.0)

    def information(self, origin: FloatArray, unit: FloatArray) -> InformationLoss:
        """IL, as `microagg.measures.loss.information_loss` defines it."""
        p, spread = len(self.mean), self.spread
        upper, above = np.triu_indices(p), np.triu_indices(p, k=1)
        size = np.outer(spread, spread)
        before, after = self.covariance, self.covariance_after
        correlation = np.abs(_correlations(before) - _correlations(after))[above]
        varies = np.where(spread > 0, spread, 1.0)
        cells = np.where(spread > 0, self.sums["change"] / (math.sqrt(2) * varies), self.sums["change"] > 0)
        means = origin + unit * self.mean, origin + unit * self.mean_after
        return InformationLoss(
            il1=float(self.sums["relative"].mean()),
            il2=float(relative_change(*means, self.sums["size"]).mean()),
            il3=float(relative_change(before[upper], after[upper], size[upper]).mean()),
            il4=float(relative_change(before.diagonal(), after.diagonal(), size.diagonal()).mean()),
            il5=float(correlation.mean()) if p > 1 else float("nan"),
            il1s=float(cells.mean()),
            zero_cells=round(float(self.sums["zeros"].sum()) * self.n),
            zero_cells_changed=round(float(self.sums["changed"].sum()) * self.n),
        )


def disclosed(before: FloatArray, after: FloatArray, ranks: Ranks, n: int) -> IntArray:
    """Widths of 1…10 % that disclose each value, added up: as ranked, at least, at most; (3, p) int64."""
    gap = np.abs(ranks.of(before) - ranks.of(after))
    same = before == after
    found = []
    for slack in (0.0, 2.0, -2.0):
        share = np.maximum(gap + slack * ranks.error, 0.0)
        percent = np.where(same, 0.0, np.ceil(100 * share / max(n, 1) - 1e-9))
        found.append(np.clip(WIDTHS + 1 - np.maximum(percent, 1), 0, WIDTHS).sum(axis=0))
    return np.array(found, dtype=np.int64)


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


def _correlations(covariance: FloatArray) -> FloatArray:
    spread = np.sqrt(covariance.diagonal())
    scale = np.where(spread > 0, spread, 1.0)
    r: FloatArray = np.clip(covariance / np.outer(scale, scale), -1.0, 1.0)
    r[spread == 0], r[:, spread == 0] = 0.0, 0.0
    np.fill_diagonal(r, 1.0)
    return r
