"""Words and numbers as the pages write them.

What a figure is, what high means and who would worry stands in `microagg.measures.catalogue`, once for page,
report and command line; here is only the one line below it.
"""

from __future__ import annotations

import re
from math import isfinite

from microagg.measures.secondary_catalogue import EVERY

_LINK = re.compile(r"(https?|ftp)(?=:)|www(?=\.)|@", re.IGNORECASE)
LINES = {
    "il": "0 = intact",
    "dr": "0 = nothing leaks",
    "score": "½ IL + ½ DR",
    "l": "variance lost",
    "k_prime": "alike on average",
    "smallest_class": "alike at least",
    "dld": "found again",
}


def text(name: str, value: float) -> str:
    """A value of a measure as a page shows it: whole numbers whole, else two places.

    Examples
    --------
    >>> text("il", 22.8), text("k_prime", 5.0), text("dld", 0.0907), text("d_y", float("nan"))
    ('22.80', '5', '9.07 %', '–')
    """
    if not isfinite(value):
        return "–"
    if EVERY[name].percent:
        return f"{100 * value:.2f} %"
    return f"{value:,.0f}" if value == round(value) else f"{value:,.2f}"


def change(name: str, value: float, before: float) -> str | None:
    """The difference between two values of a measure as text; None where there is none to speak of.

    Examples
    --------
    >>> change("l", 0.09, 0.10), change("k_prime", 5.0, 5.0)
    ('-1.00', None)
    """
    if not (isfinite(value) and isfinite(before)):
        return None
    scale = 100 if EVERY[name].percent else 1
    text = f"{scale * (value - before):+.2f}"
    return None if float(text) == 0 else text


def plain(text: str) -> str:
    r"""Text from a file, so that Markdown shows it as it is.

    Addresses of pages and mail are made links even where each sign is escaped, unless a character without
    width stands in them.

    Examples
    --------
    >>> plain("a*b:red[c]")
    'a\\*b\\:red\\[c\\]'
    >>> ascii(plain("www.a"))
    "'www\\u2060\\\\.a'"
    """
    text = _LINK.sub(lambda found: f"{found[0]}\N{WORD JOINER}", text)
    return re.sub(r"([\\`*_{}\[\]()<>#+\-.!|~$:])", r"\\\1", text.replace("\n", " "))
