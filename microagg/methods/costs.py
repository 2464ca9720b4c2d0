"""What a run will take, known before it begins: from the numbers of records, attributes and rounds alone.

Steps are counted so that one takes about a nanosecond on an ordinary core of 2024, measured at 500 to 4,000
records (`tests/benchmarks/methods.py` measures them again). It is an order of magnitude, which is all that is
needed to refuse what would run for hours or take all memory; methods that are not named here grow so slowly
with n that whatever can be loaded can be protected.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from microagg.methods.option_values import Options


@dataclass(frozen=True, slots=True)
class Cost:
    """Time and memory of a run, as orders of magnitude.

    Parameters
    ----------
    seconds : float
    bytes : float
        On top of the data.
    """

    seconds: float = 0.0
    bytes: float = 0.0


def small(_n: int, _d: int, _k: int, _options: Options) -> Cost:
    """Nearly linear in n; nothing to watch."""
    return Cost()


def by_groups(n: int, d: int, k: int, _options: Options) -> Cost:
    """Distances from all records for each group."""
    return Cost(2e-9 * n * n * d / k)


def by_pairs(n: int, d: int, k: int, _options: Options) -> Cost:
    """Distances from all records for each record, and the farthest pair anew for every two groups.

    The second grows with n³ where attributes are skewed; of a round cloud far fewer pairs are looked at.
    """
    return Cost(0.6e-9 * n * n * d + 1.5e-12 * n * n * n * d / k)


def by_joins(n: int, d: int, _k: int, _options: Options) -> Cost:
    """Groups joined pair by pair, after looking for the best partner of each."""
    return Cost(1e-9 * n * n * (d + 2))


def by_joins_on_an_axis(n: int, _d: int, k: int, options: Options) -> Cost:
    """The same on one number a record."""
    return by_joins(n, 1, k, options)


def by_programs(n: int, _d: int, _k: int, options: Options) -> Cost:
    """Linear programs of n times so many candidates."""
    candidates = float(options["candidates"])
    return Cost(0.2e-3 * n + 150e-9 * n * n * candidates / 20, 200.0 * n * candidates)


def by_generations(n: int, _d: int, _k: int, options: Options) -> Cost:
    """Every partition of every generation, of which two generations are held."""
    population, generations = float(options["population"]), float(options["generations"])
    return Cost(10e-9 * n * population * generations, 2.0 * n * population)
