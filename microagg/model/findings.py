"""What an audit says: one finding for each thing that was looked at, and how a person overrules it.

Green says that it was looked at on all that is released and holds; red that it does not; amber that a person
has decided otherwise, with a reason that is quoted, or that it could not be looked at.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from microagg.errors import PlanError

Status = Literal["red", "amber", "green"]
Reasons: TypeAlias = Mapping[str, str]

WORST_FIRST: Final[tuple[Status, ...]] = ("red", "amber", "green")
NAMES: Final = (
    "k, protected",
    "k, exposed",
    "singled out",
    "secrets",
    "units",
    "untouched columns",
    "promise of the method",
    "identifiers",
    "undecided",
)


def worst(statuses: Iterable[Status]) -> Status:
    """The worst of some statuses; green where there is none.

    Examples
    --------
    >>> worst(["green", "amber", "green"])
    'amber'
    """
    return min(statuses, key=WORST_FIRST.index, default="green")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at on all that is released.

    Parameters
    ----------
    name : str
        One of `NAMES`.
    status : {"red", "amber", "green"}
    records : int
        How many released records it concerns; 0 where nothing is wrong.
    sentence : str
        What was found.
    reason : str
        Why a person accepts it; empty where nobody had to.
    """

    name: str
    status: Status
    records: int
    sentence: str
    reason: str = ""

    def accepted(self, reason: str) -> Finding:
        """Return the finding with a person's reason: amber where it is not green."""
        if self.status == "green":
            return self
        both = f"{self.reason} {reason}" if self.reason else reason
        return replace(self, status="amber", reason=both)

    @property
    def said(self) -> str:
        """The sentence, and the reason where there is one."""
        return f"{self.sentence} Accepted: “{self.reason}”" if self.reason else self.sentence


class Findings(tuple[Finding, ...]):
    """The findings of an audit, in the order of `NAMES`."""

    __slots__ = ()

    @property
    def status(self) -> Status:
        """The worst status of all."""
        return worst(found.status for found in self)

    def named(self, name: str) -> Finding:
        """Return the finding of this name.

        Raises
        ------
        KeyError
            There is none.
        """
        for found in self:
            if found.name == name:
                return found
        raise KeyError(name)

    def of(self, status: Status) -> tuple[Finding, ...]:
        """The findings with this status."""
        return tuple(found for found in self if found.status == status)

    def to_list(self) -> list[dict[str, Any]]:
        """Return what JSON holds: a mapping for each finding; a reason only where there is one."""
        plain = [asdict(found) for found in self]
        return [
            {"finding": one.pop("name")} | {name: v for name, v in one.items() if name != "reason" or v}
            for one in plain
        ]


def headline(findings: Findings, checks: Iterable[Status] = ()) -> tuple[Status, str]:
    """Say in one line what an audit, and the checks of the written file, came to.

    Parameters
    ----------
    findings : Findings
    checks : iterable of status

    Returns
    -------
    status : {"red", "amber", "green"}
        The worst of all.
    sentence : str

    Examples
    --------
    >>> headline(Findings([Finding("secrets", "red", 3, "…"), Finding("units", "green", 0, "…")]), ["green"])
    ('red', '1 of 2 findings is red.')
    """
    checked = list(checks)
    overall = worst((findings.status, *checked))
    if overall == "green":
        also = f" and all {len(checked)} checks of the written file" if checked else ""
        return overall, f"All {len(findings)} findings{also} are green."
    parts = []
    for number, whole, what in (
        (len(findings.of(overall)), len(findings), "finding"),
        (checked.count(overall), len(checked), "check"),
    ):
        if number:
            parts.append(f"{number} of {whole} {what}{'s' if whole > 1 else ''} {_is(number)} {overall}")
    return overall, f"{' and '.join(parts)}."


def _is(number: int) -> str:
    return "is" if number == 1 else "are"


def reasons(accept: object) -> dict[str, str]:
    """Check what a person accepts: names of findings or columns, each with a reason in words.

    Raises
    ------
    PlanError
        No mapping of texts to texts, or a reason of fewer than three words and ten letters.

    Examples
    --------
    >>> reasons({"untouched columns": " Dates are of the interview. "})
    {'untouched columns': 'Dates are of the interview.'}
    """
    if not isinstance(accept, Mapping) or not all(
        isinstance(part, str) for pair in accept.items() for part in pair
    ):
        raise PlanError(
            'accept is a mapping from a finding or a column to a reason, such as {"secrets": "…"}.'
        )
    for name, reason in accept.items():
        if not _says_why(reason):
            raise PlanError(
                f"Accepting {name!r} needs a reason in words, three of them or ten letters at least; it is "
                "quoted in the report."
            )
    return {name: reason.strip() for name, reason in sorted(accept.items())}


def _says_why(reason: str) -> bool:
    """Whether a text is long enough to be a reason; a sign of a script without spaces is a word."""
    words = re.findall(r"[^\W\d_]{2,}", reason)
    signs = sum(unicodedata.east_asian_width(letter) in "WF" for letter in reason if letter.isalpha())
    letters = sum(map(len, words))
    return letters >= 10 or (len(words) >= 3 and letters >= 8) or signs >= 3


def refuse_unknown(accept: Reasons, columns: Iterable[str]) -> None:
    """Refuse to accept what is neither a finding nor a column.

    Raises
    ------
    PlanError
    """
    known = (*NAMES, *columns)
    unknown = [name for name in accept if name not in known]
    if unknown:
        raise PlanError(
            f"There is no finding or column {unknown[0]!r} to accept; the findings are {', '.join(NAMES)}."
        )
