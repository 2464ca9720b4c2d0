"""How many columns a table may have: each is looked at, given a role, and drawn in a line of its own."""

from __future__ import annotations

from microagg.errors import DataError

MOST_COLUMNS = 10_000
"""Columns that a table may have."""


def refuse_wide(name: str, columns: int) -> None:
    """Refuse a table of more columns than can be worked with.

    Parameters
    ----------
    name : str
        The table's, for the message.
    columns : int

    Raises
    ------
    DataError
        There are more than `MOST_COLUMNS`.

    Examples
    --------
    >>> refuse_wide("wide", 20_000)
    Traceback (most recent call last):
    microagg.errors.DataError: wide has 20,000 columns; the most is 10,000. Leave out what you do not need.
    """
    if columns > MOST_COLUMNS:
        raise DataError(
            f"{name} has {columns:,} columns; the most is {MOST_COLUMNS:,}. Leave out what you do not need."
        )
