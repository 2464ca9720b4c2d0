"""What is said of a defect: its kind and place, never its text, which may quote a cell."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from microagg.errors import MicroaggError


@dataclass(frozen=True)
class Fault:
    """A defect of ours, by its kind and place; its text may quote a cell and stays where it happened."""

    kind: str
    place: str

    @classmethod
    def of(cls, error: BaseException) -> Self:
        """Kind and innermost place.

        Examples
        --------
        >>> try:
        ...     float("4711 secret")
        ... except ValueError as error:
        ...     Fault.of(error).kind
        'ValueError'
        """
        frames = traceback.extract_tb(error.__traceback__)
        ours = [frame for frame in frames if "microagg" in Path(frame.filename).parts] or list(frames)
        where = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else "an unknown place"
        return cls(type(error).__name__, where)


class Broken(MicroaggError):
    """Something in the computation is broken; kind and place of it, for a report."""
