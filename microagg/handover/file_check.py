"""One thing that was looked at in a written file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from microagg.model.findings import Status


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    Parameters
    ----------
    name : str
        What was looked at, in a word or two.
    status : {"red", "amber", "green"}
        Amber: the file is as the plan makes it, and tells more than it need.
    sentence : str
        What was found.
    detail : str
        Where, or why it matters; may be empty.
    internal : bool
        Whether the finding would help an intruder and should stay in the house.
    """

    name: str
    status: Status
    sentence: str
    detail: str = ""
    internal: bool = False
