"""Verdict and figures of one release: while parts of a page are renewed, those still of another are grey.

A run that the next key press ends may have drawn the verdict of one k above the figures of another, and they
stay so until the next run gets there. Streamlit sends element by element, so that what holds for all parts is
one element: a rule that greys each part until the last of its elements is of the release now drawn.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import streamlit as st

from microagg.errors import MicroaggError

if TYPE_CHECKING:
    from collections.abc import Iterator

GREY = "{ opacity: .45; filter: grayscale(.8); }"


class Renewal:
    """The parts of a page that show one release, and which of them are renewed.

    Parameters
    ----------
    what : object
        Equal in two runs only where all parts show the same.
    parts : str
        Their keys, in any order; each is drawn once, by `part`.
    """

    def __init__(self, what: object, *parts: str) -> None:
        self._what = what
        self._old = [] if st.session_state.get("renewed") == what else list(parts)
        if self._old:
            st.session_state.renewed = None  # until all are
        with st.container(key="renewal"):
            self._rule = st.html(self._text())

    @contextmanager
    def part(self, key: str) -> Iterator[None]:
        """Draw a part; it is grey until its end, and longer where the run is stopped before."""
        with st.container(key=key):
            try:
                yield
            except MicroaggError:
                self._done(key)
                raise
        self._done(key)

    def _done(self, key: str) -> None:
        if key in self._old:
            self._old.remove(key)
            self._rule.html(self._text())
            if not self._old:
                st.session_state.renewed = self._what

    def _text(self) -> str:
        """The rule; the tag before it keeps it in its place: a rule alone is put elsewhere, and stays."""
        grey = ", ".join(f".st-key-{key}" for key in self._old)
        return f"<i></i><style>{grey} {GREY}</style>" if grey else "<i></i>"
