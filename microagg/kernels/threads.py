"""Share a loop over records between two threads; compiled kernels release the interpreter lock.

The parts are the same on every machine, and so are the sums over them: the result does not depend on how many
threads there were.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

PARTS = 8
THREADS = 2

_Part = TypeVar("_Part")


def in_threads(work: Callable[[slice], _Part], records: int) -> list[_Part]:
    """Run ``work`` on consecutive parts of the records.

    Parameters
    ----------
    work : callable
        Takes a slice of the records; touches nothing outside it.
    records : int

    Returns
    -------
    list
        What ``work`` returned for each part, in order.

    Examples
    --------
    >>> sum(in_threads(lambda part: part.stop - part.start, 100))
    100
    """
    edges = sorted({records * part // PARTS for part in range(PARTS + 1)})
    parts = [slice(start, stop) for start, stop in pairwise(edges)]
    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(work, parts))
