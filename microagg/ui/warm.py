"""Kernels are compiled, or loaded from the cache on disk, before the first slider is moved.

A background thread protects and assesses a few made-up records with every method, once for the server. The
page is usable meanwhile; it says so while it lasts, because the first run of a method then takes seconds.
"""

from __future__ import annotations

import threading

import numpy as np
import pandas as pd
import streamlit as st

from microagg.assess import assess
from microagg.errors import MicroaggError
from microagg.methods import METHODS
from microagg.protect import protect
from microagg.types import Microdata, Plan


@st.cache_resource(show_spinner=False)
def start() -> threading.Thread:
    """Start warming, once; the thread ends when every method has run."""
    thread = threading.Thread(target=_run_all, name="warm", daemon=True)
    thread.start()
    return thread


def busy() -> bool:
    """Whether methods are still being made ready."""
    return start().is_alive()


def _run_all() -> None:
    numbers = np.random.default_rng(0).normal(size=(40, 4))
    frame = pd.DataFrame(numbers, columns=list("abcd"))
    data = Microdata.from_frame(
        frame, roles={"a": "quasi_identifier", "b": "quasi_identifier", "c": "confidential", "d": "other"}
    )
    for name in sorted(METHODS, key=lambda name: name != "mdav"):
        for lam in (0.0, 0.5):
            try:
                assess(protect(data, Plan(method=name, k=3, lam=lam, blocks="single"))).figures()
            except MicroaggError:
                continue
            except RuntimeError:
                return  # the server is stopping and starts no more threads
