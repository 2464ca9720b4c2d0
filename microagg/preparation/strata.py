"""Strata: groups never reach across them, so that what holds in the file also holds in each.

A stratum is a combination of values of one or several columns, which stay as they are in the release. Strata
stand in the order of their values, the first column first; a missing value is a value of its own, the last.
Strata of fewer than k records cannot be protected apart. They are refused by name, or merged:

- ``merge next``: the smallest stratum under k (of equals the first) joins the next one in order, the last one
  the one before, until none is under k. Neighbours in order are alike where the columns have an order.
- ``merge together``: all strata under k become one; if that is still under k, the smallest of the others (of
  equals the first) joins it, until it is not.

Once merged, k holds in the merged strata together and no longer in each of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from microagg.errors import DataError, PlanError
from microagg.model.safe_repr import discreet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microagg.kernels.compiled import IntArray
    from microagg.model.microdata import Microdata
    from microagg.model.plan_fields import SmallStrata


MOST = 5_000
"""Strata beyond this number are a mistake, such as a column of amounts."""


@dataclass(frozen=True, eq=False)
class Strata:
    """The strata of a file and how they are merged.

    Parameters
    ----------
    names : tuple of str
        Such as "region=North, sex=F".
    stratum : (n,) int64
        Stratum of each record, by position in ``names``.
    merged : tuple of tuples of int
        Strata that are protected together, each a tuple of positions; most hold one.
    counts : (n,) int64, optional
        Where each "record" stands for several: how many.
    """

    names: tuple[str, ...]
    stratum: IntArray
    merged: tuple[tuple[int, ...], ...]
    counts: IntArray | None = None

    __repr__ = discreet

    @cached_property
    def sizes(self) -> IntArray:
        """Records in each stratum, (s,) int64."""
        return _sizes(self.stratum, self.counts)

    @cached_property
    def part(self) -> IntArray:
        """For each record, the position in ``merged`` of the strata it is protected with, (n,) int64."""
        part_of = np.empty(len(self.names), dtype=np.int64)
        for position, members in enumerate(self.merged):
            part_of[list(members)] = position
        return part_of[self.stratum]

    def part_name(self, position: int) -> str:
        """Names of the strata that are protected together, the first six of them."""
        members = self.merged[position]
        more = f" + {len(members) - 6} more" if len(members) > 6 else ""
        return " + ".join(self.names[s] for s in members[:6]) + more

    def too_small(self, k: int) -> list[str]:
        """Strata that still have fewer than k records, with their sizes."""
        return [
            f"{self.names[members[0]]} ({self.sizes[members[0]]})"
            for members in self.merged
            if self.sizes[list(members)].sum() < k
        ]


def _sizes(stratum: IntArray, counts: IntArray | None) -> IntArray:
    return np.bincount(stratum, counts).astype(np.int64)


def stratify(
    data: Microdata, columns: Sequence[str], k: int, rule: SmallStrata, counts: IntArray | None = None
) -> Strata:
    """Find the strata and merge the small ones as asked.

    Parameters
    ----------
    data : Microdata
    columns : sequence of str
    k : int
    rule : {"refuse", "merge next", "merge together"}
    counts : (n,) int64, optional
        How many records each row of ``data`` stands for; None: one.

    Returns
    -------
    Strata
        Under "refuse" some may be too small; `refuse_small` says so.

    Raises
    ------
    PlanError
        A column that is not there, or far too many strata.
    """
    unknown = [name for name in columns if name not in data.frame.columns]
    if unknown:
        raise PlanError(f"There is no column {unknown[0]!r} to take strata from.")
    coded = [_sorted_codes(data.frame[name]) for name in columns]
    stratum = np.zeros(len(data), dtype=np.int64)
    for codes, values in coded:
        stratum = np.unique(stratum * len(values) + codes, return_inverse=True)[1]
    sizes = _sizes(stratum, counts)
    if len(sizes) > MOST:
        raise PlanError(
            f"{' × '.join(columns)} makes {len(sizes):,} strata, more than {MOST:,}; "
            "take columns with few values."
        )
    first = np.unique(stratum, return_index=True)[1]
    names = tuple(
        ", ".join(f"{n}={values[codes[i]]}" for n, (codes, values) in zip(columns, coded, strict=True))
        for i in first
    )
    return Strata(names, stratum, _RULES[rule](sizes.tolist(), k), counts)


def _sorted_codes(column: pd.Series[Any]) -> tuple[IntArray, list[object]]:
    try:
        codes, values = pd.factorize(column, sort=True)
    except TypeError:  # values of kinds that have no order among them: kind by kind, as they read
        found, seen = pd.factorize(column)
        order = sorted(range(len(seen)), key=lambda i: (type(seen[i]).__name__, str(seen[i])))
        place = np.append(np.argsort(order), -1)
        codes, values = place[found], seen[order]
    if (codes >= 0).all():
        return codes.astype(np.int64), list(values)
    return np.where(codes < 0, len(values), codes).astype(np.int64), [*values, "(missing)"]


def _unmerged(sizes: list[int], _k: int) -> tuple[tuple[int, ...], ...]:
    return tuple((s,) for s in range(len(sizes)))


def merge_next(sizes: list[int], k: int) -> tuple[tuple[int, ...], ...]:
    """Join the smallest with its next until none is under k.

    Examples
    --------
    >>> merge_next([9, 2, 4, 8, 1], k=5)
    ((0,), (1, 2), (3, 4))
    """
    parts: list[tuple[int, ...]] = [(s,) for s in range(len(sizes))]
    totals = list(sizes)
    while len(parts) > 1 and min(totals) < k:
        smallest = totals.index(min(totals))
        low = min(smallest, len(parts) - 2)
        parts[low : low + 2] = [parts[low] + parts[low + 1]]
        totals[low : low + 2] = [totals[low] + totals[low + 1]]
    return tuple(parts)


def merge_together(sizes: list[int], k: int) -> tuple[tuple[int, ...], ...]:
    """Join all that are under k, and the smallest of the others while that does not suffice.

    Examples
    --------
    >>> merge_together([9, 2, 6, 8, 1], k=5)
    ((0,), (1, 2, 4), (3,))
    """
    order = sorted(range(len(sizes)), key=lambda s: (sizes[s], s))
    joined = [s for s in order if sizes[s] < k]
    total = sum(sizes[s] for s in joined)
    for s in order[len(joined) :]:
        if not joined or total >= k:
            break
        joined, total = [*joined, s], total + sizes[s]
    alone = [(s,) for s in range(len(sizes)) if s not in set(joined)]
    return tuple(sorted([*alone, tuple(sorted(joined))] if joined else alone))


_RULES = {"refuse": _unmerged, "merge next": merge_next, "merge together": merge_together}


def refuse_small(strata: Strata, k: int) -> None:
    """Say which strata are too small, and what can be done.

    Raises
    ------
    DataError
        A stratum has fewer than k records.
    """
    small = strata.too_small(k)
    if small:
        raise DataError(
            f"Strata with fewer than k = {k} records: {len(small):,} of {len(strata.merged):,}. "
            "Merge small strata, take coarser ones, or a lower k."
        )


def describe(data: Microdata, columns: Sequence[str], k: int, rule: SmallStrata = "refuse") -> pd.DataFrame:
    """Show the strata before the run.

    Parameters
    ----------
    data : Microdata
    columns : sequence of str
    k : int
    rule : {"refuse", "merge next", "merge together"}

    Returns
    -------
    DataFrame
        One row a stratum, in order: stratum, records, protected with (the name of all that are protected
        together), together (their records), enough (whether those are at least k).

    Raises
    ------
    PlanError
        As `stratify`.

    Examples
    --------
    >>> from microagg.model.microdata import Microdata
    >>> data = Microdata.from_frame(pd.DataFrame({"town": list("aabbbc"), "age": range(6)}))
    >>> describe(data, ["town"], k=2, rule="merge next")["protected with"].tolist()
    ['town=a', 'town=b + town=c', 'town=b + town=c']
    """
    strata = stratify(data, columns, k, rule)
    rows = [
        {
            "stratum": strata.names[s],
            "records": int(strata.sizes[s]),
            "protected with": strata.part_name(position),
            "together": int(strata.sizes[list(members)].sum()),
            "enough": bool(strata.sizes[list(members)].sum() >= k),
        }
        for position, members in enumerate(strata.merged)
        for s in members
    ]
    order = [s for members in strata.merged for s in members]
    return pd.DataFrame([rows[order.index(s)] for s in range(len(order))])
