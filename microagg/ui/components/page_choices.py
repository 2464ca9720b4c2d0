"""What is chosen on one page beside the settings; its address says it, and it waits while others are open.

A choice is kept as the text that the address says; its default is not kept. Columns are named by position
here too, so that no address carries a name from a private file. What a page cannot use, be it from a link or
because the data changed, is said in a sentence and left at its default.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from microagg.model.arguments import shown
from microagg.model.phrases import listed
from microagg.ui.components.widgets import Place
from microagg.ui.state import session
from microagg.ui.state.settings import is_setting

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable

T = TypeVar("T")
_NAME = 40  # characters of a name that means nothing
_APART = "~"  # not in a method's name, a rule of blocks or a number
_declared: dict[str, list[str]] = {}


@dataclass(frozen=True)
class Kind(Generic[T]):
    """How a value is written in the address.

    Parameters
    ----------
    read : callable
        Text to value; a `ValueError` where it means nothing.
    write : callable
        Value to text.
    """

    read: Callable[[str], T]
    write: Callable[[T], str] = str


def whole(low: int, high: int | None = None) -> Kind[int]:
    """A whole number in a range."""
    return Kind(lambda text: _within(int(text), low, high))


def among(known: Container[int]) -> Kind[int]:
    """A whole number out of many."""

    def read(text: str) -> int:
        if int(text) not in known:
            raise ValueError(text)
        return int(text)

    return Kind(read)


def number(low: float, high: float | None = None) -> Kind[float]:
    """A number in a range."""
    return Kind(lambda text: _within(float(text), low, high), lambda value: f"{value:g}")


def _within(value: Any, low: float, high: float | None) -> Any:
    if not math.isfinite(value) or value < low or (high is not None and value > high):
        raise ValueError(value)
    return value


def perhaps(kind: Kind[T]) -> Kind[T | None]:
    """The same, or nothing."""
    return Kind(
        lambda text: kind.read(text) if text else None,
        lambda value: "" if value is None else kind.write(value),
    )


def one_of(options: Iterable[T]) -> Kind[T]:
    """One of a list; it is written as its text."""
    known = {str(option): option for option in options}
    return Kind(lambda text: _known(text, known))


def some_of(options: Iterable[T]) -> Kind[tuple[T, ...]]:
    """Some of a list, in the order in which they were chosen."""
    known = {str(option): option for option in options}

    def read(text: str) -> tuple[T, ...]:
        parts = text.split(_APART) if text else []
        if len(set(parts)) < len(parts):
            raise ValueError(text)
        return tuple(_known(part, known) for part in parts)

    return Kind(read, lambda value: _APART.join(map(str, value)))


def _known(text: str, options: dict[str, T]) -> T:
    if text not in options:
        raise ValueError(text)
    return options[text]


def switch() -> Kind[bool]:
    """On or off."""
    return one_of((False, True))


def span(low: int, high: int) -> Kind[tuple[int, int]]:
    """Two whole numbers, the second not below the first."""

    def read(text: str) -> tuple[int, int]:
        first, last = (int(part) for part in text.split("-"))
        return _within(first, low, last), _within(last, low, high)

    return Kind(read, lambda value: f"{value[0]}-{value[1]}")


def text(longest: int) -> Kind[str]:
    """Anything, up to a length."""

    def read(given: str) -> str:
        if len(given) > longest:
            raise ValueError(given)
        return given

    return Kind(read)


class Choices:
    """The choices of one page.

    Parameters
    ----------
    page : str
        The page's part of the address.
    *names : str
        Of the choices: of their controls, and in the address.
    """

    def __init__(self, page: str, *names: str) -> None:
        if clash := [name for name in names if is_setting(name)]:
            raise ValueError(f"{clash[0]} is the name of a setting")
        _declared.setdefault(page, []).extend(names)
        self.names = names

    def place(self, name: str, kind: Kind[T], default: T) -> Place[T]:
        """Where a choice lives, its value and its control's name.

        Parameters
        ----------
        name : str
        kind : Kind
        default : object
            Where nothing is chosen.
        """
        if name not in self.names:
            raise KeyError(name)
        return Place(name, _read(name, kind, default), lambda value: _keep(name, kind, value, default))


def _read(name: str, kind: Kind[T], default: T) -> T:
    held = session.choices()
    if name not in held:
        return default
    try:
        return kind.read(held[name])
    except ValueError:
        said = held.pop(name)
        session.complain(f"{name} = {shown(said)} in the address cannot be used here; it is at its default.")
        return default


def _keep(name: str, kind: Kind[T], value: T, default: T) -> None:
    if value == default:
        session.choices().pop(name, None)
    else:
        session.choices()[name] = kind.write(value)


def drop_unknown(page: str) -> None:
    """After a page was drawn: say what its address holds that is no choice of this page, and drop it."""
    held = session.choices()
    unknown = [name for name in held if name not in _declared.get(page, ())]
    for name in unknown:
        del held[name]
    if unknown:
        means = "means" if len(unknown) == 1 else "mean"
        names = listed([name[:_NAME] for name in unknown], 6)
        session.complain(f"{names} in the address {means} nothing on this page.")
