"""Kernels are compiled, or loaded from the cache on disk, before the first slider is moved.

A background thread protects and assesses a few made-up records with every method, once for the server. The
page is usable meanwhile; it says so while it lasts, because the first run of a method then takes seconds. A
run of a method waits until that method is ready, so that its time is its own and not the compiler's.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from microagg.assess import assess
from microagg.errors import MicroaggError
from microagg.methods import METHODS
from microagg.protect import protect
from microagg.types import Microdata, Plan

if TYPE_CHECKING:
    from microagg.roles import Role


_READY: set[str] = set()
_ONE_AT_A_TIME = {method: threading.Lock() for method in METHODS}


@st.cache_resource(show_spinner=False)
def start() -> threading.Thread:
    """Start warming, once; the thread ends when every method has run."""
    thread = threading.Thread(target=_run_all, name="warm", daemon=True)
    thread.start()
    return thread


def busy() -> bool:
    """Whether methods are still being made ready."""
    return start().is_alive()


def ready(method: str) -> None:
    """Return when a method's kernels are there, making them if nobody has yet."""
    with _ONE_AT_A_TIME[method]:
        if method in _READY:
            return
        numbers = np.random.default_rng(0).normal(size=(40, 4))
        roles: dict[str, Role] = {
            "a": "quasi_identifier",
            "b": "quasi_identifier",
            "c": "confidential",
            "d": "other",
        }
        data = Microdata.from_frame(pd.DataFrame(numbers, columns=list("abcd")), roles=roles)
        for lam in (0.0, 0.5):
            try:
                assess(protect(data, Plan(method=method, k=3, lam=lam, blocks="single"))).figures()
            except MicroaggError:
                continue
        _READY.add(method)


def _run_all() -> None:
    for method in sorted(METHODS, key=lambda name: name != "mdav"):
        try:
            ready(method)
        except RuntimeError:
            return  # the server is stopping and starts no more threads
