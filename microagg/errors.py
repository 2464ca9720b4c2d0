"""What can go wrong, in words: each message says what, where and what to do.

One family, so that the page and the command line catch one class and show one plain sentence; everything
else that is raised is a defect of ours.
"""

from __future__ import annotations

_LONGEST = 900  # characters of a message
_KEPT = _LONGEST // 3


class MicroaggError(Exception):
    """A request that cannot be carried out; the message is meant for the person who asked.

    Names that it quotes may be of any length, as whoever wrote a file or a plan likes; of a message that
    would be longer than anybody reads, the middle is left out.

    Examples
    --------
    >>> len(str(PlanError("There is no method " + "x" * 10_000 + "; name another.")))
    901
    """

    def __str__(self) -> str:
        said = super().__str__()
        if len(said) <= _LONGEST:
            return said
        return f"{said[: _LONGEST - _KEPT]}…{said[-_KEPT:]}"


class DataError(MicroaggError, ValueError):
    """The data cannot be read, or cannot be protected as they are."""


class PlanError(MicroaggError, ValueError):
    """The plan asks for something that does not exist or cannot be honoured."""


class Cancelled(MicroaggError):
    """The run was stopped by the person who started it."""
