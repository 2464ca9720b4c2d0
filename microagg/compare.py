"""A released file that comes without its partition, beside the original it was made from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microagg.categories import distinguished
from microagg.errors import DataError
from microagg.measures.anonymity import classes
from microagg.types import Microdata, Partition, Release

if TYPE_CHECKING:
    from collections.abc import Sequence


def compare(
    original: Microdata, protected: Microdata, *, columns: Sequence[str] | None = None, k: int = 2
) -> Release:
    """Take a released file for what it is: groups are the records released alike, whatever made them.

    Parameters
    ----------
    original, protected : Microdata
        The same records in the same order.
    columns : sequence of str, optional
        The protected attributes; None: the original's quasi-identifiers that the released file has.
    k : int
        The size that was promised, for counting the records below it.

    Returns
    -------
    Release
        Without a plan.

    Raises
    ------
    DataError
        Different numbers of records, no column in common, or numbers that are text in one of them.
    """
    if len(original) != len(protected):
        raise DataError(
            f"{original.name} has {len(original)} records and {protected.name} has {len(protected)}; "
            "they must be the same records in the same order."
        )
    there = set(protected.frame.columns)
    chosen = (
        tuple(columns) if columns else tuple(c for c in original.columns("quasi_identifier") if c in there)
    )
    if not chosen:
        raise DataError(
            f"{protected.name} has none of the quasi-identifiers of {original.name}; name the columns."
        )
    missing = [name for name in chosen if name not in there]
    if missing:
        raise DataError(f"{protected.name} has no column {missing[0]!r}.")
    _, labels = classes(distinguished([protected.frame[name] for name in chosen]))
    release = Release(original, None, protected.frame, (chosen,), (Partition(labels, 1),), 0.0, k)
    protected.numbers(release.columns)
    original.numbers(release.columns)
    return release
