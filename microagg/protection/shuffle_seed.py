"""Seeds of a random order of the rows: whoever can guess one can undo the shuffle."""

from __future__ import annotations

import secrets

GUESSABLE = 2**32
"""Smaller seeds, and so years, dates and counts, can be tried one after another."""
_LARGEST = 2**53 - 1
"""That a browser's number holds to the last digit."""


def drawn_seed() -> int:
    """Draw a seed that nobody can guess.

    Examples
    --------
    >>> GUESSABLE <= drawn_seed() < 2**53
    True
    """
    return GUESSABLE + secrets.randbelow(_LARGEST + 1 - GUESSABLE)
