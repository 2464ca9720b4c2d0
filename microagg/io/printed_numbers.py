"""Numbers as people print them: 12 %, € 1,200, (1,200) for less than zero, a minus sign of print.

A column is read so only where all its cells are numbers dressed alike; what was left out is said. Where cells
carry different marks, or only some do, 5 and 5 % would become one number, so the column stays text, and that
is said too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_CURRENCY = (
    "[€$£¥₹₽₩₺₪฿₫₴₦]|EUR|USD|GBP|CHF|JPY|INR|SEK|NOK|DKK|PLN|CZK|HUF|AUD|CAD|Fr\\.|kr\\.?|zł|Kč|Rs\\.?"
)
_MINUS = "\u2212\u2013\\-"
_DRESSED = re.compile(
    rf"(?P<open>\()?(?P<sign>[+{_MINUS}])?\s*(?P<before>{_CURRENCY})?\s*(?P<late>[{_MINUS}])?"
    rf"(?P<digits>\d(?:.*\d)?[.,]?|[.,]\d+)\s*(?P<after>%|‰|{_CURRENCY})?(?P<close>\))?(?P<end>[{_MINUS}])?"
)


@dataclass(frozen=True, slots=True)
class Dressed:
    """A cell that may be a number in print.

    Parameters
    ----------
    digits : str
        The number without its dress, with a plain minus.
    mark : str
        A currency or per cent; empty where there is none.
    accounting : bool
        Whether parentheses or a minus behind stand for less than zero.
    """

    digits: str
    mark: str
    accounting: bool


def undressed(cell: str) -> Dressed | None:
    """Return the number in a cell and what it wears; None where it is dressed as no number is.

    Examples
    --------
    >>> undressed("(€ 1,200)").digits, undressed("12 %").mark, undressed("Reus")
    ('-1,200', '%', None)
    """
    found = _DRESSED.fullmatch(cell.strip())
    if found is None or bool(found["open"]) != bool(found["close"]) or (found["before"] and found["after"]):
        return None
    accounting = bool(found["open"] or found["end"])
    signs = [sign for sign in (found["sign"], found["late"]) if sign]
    if len(signs) + accounting > 1 or ("+" in signs and re.search(r"\s", found["digits"])):
        return None  # the latter is how a telephone is written
    sign = "-" if accounting or (signs and signs[0] != "+") else ""
    return Dressed(sign + found["digits"], found["before"] or found["after"] or "", accounting)


def same_dress(cells: list[Dressed]) -> str:
    """Why cells that are numbers cannot be read as one column of them; empty where they can.

    Examples
    --------
    >>> same_dress([undressed("5 %"), undressed("5")])
    'some cells carry % and others do not, so it stays text.'
    """
    marks = sorted({cell.mark for cell in cells} - {""})
    if len(marks) > 1:
        return f"its cells carry different marks ({', '.join(marks)}), so it stays text."
    if marks and any(not cell.mark for cell in cells):
        return f"some cells carry {marks[0]} and others do not, so it stays text."
    if all(cell.accounting for cell in cells):
        return "all its numbers stand in parentheses or before a minus, so it stays text."
    return ""


def told_undressed(cells: list[Dressed]) -> str:
    """What was left out to read cells as numbers."""
    mark = cells[0].mark
    said = [f"{mark} is left out" if mark else ""]
    said.append("(5) and 5- are read as less than zero" if any(cell.accounting for cell in cells) else "")
    return "; ".join(part for part in said if part) + "." if any(said) else ""
