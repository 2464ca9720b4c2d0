"""Whether a floating number says what was written: no digit of an untouched column is lost unseen.

Floating numbers have 53 binary digits: every decimal of fifteen digits comes back from one, and no integer
above 2⁵³ need. A column with a number that does not is kept as text by the readers.
"""

from __future__ import annotations

import math
import re
from decimal import Context, Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

LOST = "it has more digits than a number holds and stays text."
_NUMBER = re.compile(r"[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_PRECISE = Context(prec=2000, Emin=-(10**7), Emax=10**7)


def loses_no_digit(text: str) -> bool:
    """Whether the floating number nearest to a decimal gives it back, at its shortest or to as many places.

    Parameters
    ----------
    text : str
        A number as Python writes one.

    Examples
    --------
    >>> loses_no_digit("9007199254740992.0"), loses_no_digit("9007199254740993.0"), loses_no_digit("0.10")
    (True, False, True)
    """
    number, written = float(text), Decimal(text)
    if not math.isfinite(number) or (number == 0 and written != 0):
        return False
    exact, places = Decimal(number), written.as_tuple().exponent
    return (
        Decimal(repr(number)) == written
        or exact.quantize(Decimal((0, (1,), int(places))), context=_PRECISE) == written
    )


def some_digit_lost(texts: Iterable[str]) -> bool:
    """Whether any of some numbers, as Python writes them, is more than a floating number can say."""
    return any((len(text) > 15 or "e" in text or "E" in text) and not loses_no_digit(text) for text in texts)


def says(text: str, number: float) -> bool:
    """Whether a text is a number, written without leading zeros, and this one, to the last digit.

    Examples
    --------
    >>> says("1.50", 1.5), says("007", 7), says("9007199254740993", 9007199254740992.0)
    (True, False, False)
    """
    text = text.strip()
    if _NUMBER.fullmatch(text) is None:
        return False
    if text.lstrip("+-").isdigit():
        return len(text) < 400 and int(text) == number  # int() reads no more than 4,300 digits
    return float(text) == number and loses_no_digit(text)
