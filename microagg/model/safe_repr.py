"""How a value that holds confidential data shows itself: what it is and how large, never a cell of it.

Notebooks keep whatever the last line of a cell gives, logs keep what is formatted into them, and both are
sent on. A class that holds data says ``__repr__ = discreet`` and is as safe to print as its column names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any


def discreet(value: Any) -> str:
    """Write a dataclass with the size of what it holds.

    Parameters
    ----------
    value : dataclass instance

    Returns
    -------
    str
        One line.

    Examples
    --------
    >>> import numpy as np
    >>> from microagg.model.release import LeftOut
    >>> LeftOut("They are too few.", np.array([4, 7]))
    LeftOut(reason='They are too few.', positions=2 values)
    """
    parts = (f"{field.name}={_size(getattr(value, field.name))}" for field in fields(value) if field.repr)
    return f"{type(value).__name__}({', '.join(parts)})"


def _size(value: Any) -> str:
    if value is None or isinstance(value, bool | int | float):
        return repr(value)
    if isinstance(value, str):
        return repr(value if len(value) <= 60 else f"{value[:59]}…")
    shape = getattr(value, "shape", None)
    if shape is not None and all(isinstance(length, int) for length in shape):
        return f"{' × '.join(map(str, shape))} values" if shape else "1 value"
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    shows_itself: Any = type(value).__repr__
    if shows_itself is discreet:
        return repr(value)
    if isinstance(value, Mapping):
        return f"{len(value)} entries"
    if isinstance(value, tuple | list | set | frozenset):
        return f"{len(value)} items"
    return f"<{type(value).__name__}>"
