"""What measuring a release will take, known before it begins, and what is done where that is too much.

Seconds of one ordinary core of 2024, as orders of magnitude, measured at 1,000 to 1,000,000 records of 3 to
10 known attributes (`tests/benchmarks/speed.py` measures again). Where looking up every record would take
more than some seconds, 10,000 records drawn at random are looked up instead, unless all were asked for; what
would take more than an hour even so is refused, with the numbers.
"""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING

from microagg.errors import PlanError
from microagg.measures.linkage import TREE_FROM, sample_of
from microagg.measures.lookup import WALKED

if TYPE_CHECKING:
    from microagg.kernels.compiled import IntArray
    from microagg.measures.arrays import Sets

SAMPLE = 10_000
PATIENCE = 2.0
MOST_SECONDS = 3_600.0


def linkage_seconds(candidates: int, looked_up: int, sets: Sets) -> float:
    """Time of distance-based linkage.

    Parameters
    ----------
    candidates : int
        Records of the file.
    looked_up : int
        Different records that are looked up.
    sets : tuple of tuples of int

    Returns
    -------
    float, seconds

    Examples
    --------
    >>> round(linkage_seconds(1_000_000, 200_000, (tuple(range(10)),)))
    19
    """
    if candidates <= TREE_FROM:
        return 0.6e-9 * candidates * looked_up * len(sets)
    total = 0.2e-6 * candidates * len(set().union(*sets))
    for size in map(len, sets):
        if size <= WALKED:
            total += 20e-9 * candidates + 0.6e-6 * size * looked_up
        else:
            build = 15e-9 * size * candidates * log2(candidates)
            total += build + 0.22e-6 * size**2 * (candidates / 1e5) ** 0.5 * looked_up
    return total


def agreement_seconds(candidates: int, looked_up: int, sets: Sets) -> float:
    """Time of probabilistic linkage; parameters as for `linkage_seconds`.

    Examples
    --------
    >>> round(agreement_seconds(100_000, 10_000, (tuple(range(10)),)))
    14
    """
    attributes = len(set().union(*sets))
    return 1.4e-9 * candidates * looked_up * attributes + 0.3e-6 * looked_up * len(sets) * attributes


def usual_linkage_seconds(records: int, different: int, sets: Sets) -> float:
    """Time of distance-based linkage where it is done on a sample if all would take long.

    Parameters
    ----------
    records, different : int
        As for `whom_to_look_up`.
    sets : tuple of tuples of int

    Returns
    -------
    float, seconds

    Examples
    --------
    >>> round(usual_linkage_seconds(1_000_000, 200_000, (tuple(range(10)),)))
    6
    """
    whole = linkage_seconds(records, different, sets)
    return linkage_seconds(records, min(different, SAMPLE), sets) if _too_long(records, whole) else whole


def _too_long(records: int, seconds: float) -> bool:
    """Whether a sample is looked up instead, where nobody asked for all."""
    return records > SAMPLE and seconds > PATIENCE


def whom_to_look_up(
    records: int, different: int, sets: Sets, *, exact: bool = False, probabilistic: bool = False
) -> IntArray | None:
    """Decide who is looked up: everybody, or a sample where that would take long.

    Parameters
    ----------
    records : int
        Records of the file.
    different : int
        Different records among those that are looked up.
    sets : tuple of tuples of int
        What may be known.
    exact : bool
        Whether everybody was asked for.
    probabilistic : bool
        Whether linkage is probabilistic, not by distance.

    Returns
    -------
    (10_000,) int64 or None
        The sample; None stands for everybody.

    Raises
    ------
    PlanError
        It would take more than an hour.

    Examples
    --------
    >>> everything = (tuple(range(10)),)
    >>> whom_to_look_up(100_000, 20_000, everything) is None
    True
    >>> len(whom_to_look_up(1_000_000, 200_000, everything))
    10000
    >>> whom_to_look_up(1_000_000, 200_000, everything * 5000, exact=True)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    microagg.errors.PlanError: Looking up 200,000 different records under 5,000 sets of known attributes ...
    """
    seconds = agreement_seconds if probabilistic else linkage_seconds
    sample = not exact and _too_long(records, seconds(records, different, sets))
    looked_up = min(different, SAMPLE) if sample else different
    needed = seconds(records, looked_up, sets) if sets else 0.0
    if needed > MOST_SECONDS:
        raise PlanError(
            f"Looking up {looked_up:,} different records under {len(sets):,} sets of known attributes would "
            f"take about {needed / 3600:,.0f} hours; the most is 1 hour. Take fewer sets, for example "
            "up-to:2 or sample:50:0"
            + (", or a sample of the records." if exact and records > SAMPLE else ".")
        )
    return sample_of(records, SAMPLE) if sample else None
