"""A method's kernels are compiled, or loaded from the cache on disk, before its first run is timed.

A few made-up records are protected and assessed, once in a process for each method. Whoever needs a method
waits until it is there, so that its time is its own and not the compiler's.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from microagg.assessment.assess import assess
from microagg.errors import MicroaggError
from microagg.kernels.random_numbers import uniforms
from microagg.measures.knowledge import Knowledge
from microagg.methods import METHODS
from microagg.model.microdata import Microdata
from microagg.model.plan import Plan
from microagg.protection.protect import protect

if TYPE_CHECKING:
    from microagg.model.roles import Role

_LARGE = 6_000
_READY: set[str] = set()
_ONE_AT_A_TIME = {method: threading.Lock() for method in METHODS}
_ROLES: dict[str, Role] = {
    "a": "quasi_identifier",
    "b": "quasi_identifier",
    "c": "confidential",
    "d": "other",
}


def is_ready(method: str) -> bool:
    """Whether a method can run at once, without the compiler."""
    return method in _READY


def ready_for_large_files() -> None:
    """Make ready what only large files need: MDAV's tree, and linkage set by set."""
    values = uniforms(np.arange(5 * _LARGE)).reshape(_LARGE, 5)
    data = Microdata.from_frame(
        pd.DataFrame(values, columns=list("abcde")), roles=dict.fromkeys("abcde", "quasi_identifier")
    )
    assess(protect(data, Plan(k=50)), knowledge=Knowledge.of([(0, 1), range(5)]))


def ready(method: str) -> None:
    """Return when a method's kernels are there, making them if nobody has yet.

    Parameters
    ----------
    method : str
        A name of `microagg.methods.METHODS`.
    """
    with _ONE_AT_A_TIME[method]:
        if method in _READY:
            return
        numbers = uniforms(np.arange(160)).reshape(40, 4)
        data = Microdata.from_frame(pd.DataFrame(numbers, columns=list("abcd")), roles=_ROLES)
        for lam in (0.0, 0.5):
            try:
                assess(protect(data, Plan(method=method, k=3, lam=lam, blocks="single"))).figures()
            except MicroaggError:
                continue
        _READY.add(method)
