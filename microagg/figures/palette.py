"""Which method has which mark, and how a row of sizes is coloured: the same on every page.

A method's place in a row gives it a colour and a symbol, so that two methods never share both and
colour alone is not needed to tell them apart; those compared most often come first, and differ in
both. None is one of the four colours that carry a meaning (`microagg.figures.theme`). Rows of sizes
(k, attributes a block) run from teal over indigo to rose at even lightness, so that each step keeps
its contrast on the light and on the dark background.
"""

from __future__ import annotations

from microagg.measures.catalogue import MEASURES
from microagg.methods import METHODS

_COLOURS = ("#0a9279", "#b08a00", "#5a6bd8", "#c2476f", "#4f8a10", "#8a745c", "#0e8fb0", "#8f6bb8")
_SYMBOLS = (
    "circle",
    "square",
    "diamond",
    "triangle-up",
    "cross",
    "pentagon",
    "triangle-down",
    "hexagon",
    "star",
    "hourglass",
)
_FIRST = ("mdav", "vmdav", "pcp", "zscores", "sugeno", "kward", "maximum_distance", "mic1d")
_PLACE = {name: place for place, name in enumerate(dict.fromkeys([*_FIRST, *METHODS]))}
_STOPS = ((10, 146, 121), (90, 107, 216), (194, 71, 111))


def colour(method: str) -> str:
    """The colour of a method."""
    return _COLOURS[_PLACE[method] % len(_COLOURS)]


def symbol(method: str) -> str:
    """The symbol of a method."""
    return _SYMBOLS[_PLACE[method] % len(_SYMBOLS)]


def short(method: str) -> str:
    """What the field calls a method, where a figure has little room.

    Examples
    --------
    >>> short("pcp"), short("mdav"), short("maximum_distance")
    ('PCP', 'MDAV', 'MFS-MD')
    """
    title = METHODS[method].title
    return title.partition("(")[2].rstrip(")") or title


def ramp(count: int) -> list[str]:
    """Colours of a row of sizes, the smallest first.

    Examples
    --------
    >>> ramp(3)
    ['#0a9279', '#5a6bd8', '#c2476f']
    """
    colours = []
    for step in range(count):
        at = step / (count - 1) * (len(_STOPS) - 1) if count > 1 else 0.0
        left = min(int(at), len(_STOPS) - 2)
        mixed = (
            round(a + (b - a) * (at - left)) for a, b in zip(_STOPS[left], _STOPS[left + 1], strict=True)
        )
        colours.append("#" + "".join(f"{channel:02x}" for channel in mixed))
    return colours


def axis(name: str, direction: str) -> str:
    """The title of an axis that shows a measure: its name, its unit, and which way is better.

    Parameters
    ----------
    name : str
        Of `microagg.MEASURES`.
    direction : {"x", "y"}

    Examples
    --------
    >>> axis("d_x", "x"), axis("k_prime", "y")
    ('D<sub>X</sub>, %  (← better)', 'k′  (↑ better)')
    """
    what = MEASURES[name]
    arrows = {"x": {"low": "← better", "high": "better →"}, "y": {"low": "↓ better", "high": "↑ better"}}
    unit = ", %" if what.percent else ""
    return f"{lowered(what.title)}{unit}  ({arrows[direction][what.better]})"


def lowered(title: str) -> str:
    """A measure's title with its index set low, for a figure."""
    stem, mark, index = title.partition("_")
    return f"{stem}<sub>{index}</sub>" if mark else title
