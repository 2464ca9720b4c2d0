"""What a step shows, as values and meanings: a handful of marks on panels with fixed axes.

A lesson says *what* stands where and what it means ("now": looked at in this step; "group": a group that
is made; "released": what replaces the records); `microagg.figures.lesson` alone knows colours and lines. A
lesson's panels keep their place and their axes from the first step to the last, so that nothing jumps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray, IntArray

Meaning = Literal["record", "faint", "now", "landed", "group", "released", "risk"]
Span: TypeAlias = tuple[float, float]
Place: TypeAlias = tuple[float, float, float, float]
Tick: TypeAlias = tuple[float, str]

WHOLE: Place = (0.0, 1.0, 0.0, 1.0)
LEFT: Place = (0.0, 0.46, 0.0, 1.0)
RIGHT: Place = (0.56, 1.0, 0.0, 1.0)
THIRDS: tuple[Place, Place, Place] = ((0.0, 0.28, 0.0, 1.0), (0.36, 0.64, 0.0, 1.0), (0.72, 1.0, 0.0, 1.0))


class Dots(NamedTuple):
    """Points of one meaning.

    Attributes
    ----------
    at : (m, 2) float64
    meaning : str
    groups : (m,) int64, optional
        Which group each belongs to, where the meaning is "group".
    names : tuple of str
        Written beside them; empty: nothing is.
    about : tuple of str
        Told when pointed at.
    """

    at: FloatArray
    meaning: Meaning
    groups: IntArray | None = None
    names: tuple[str, ...] = ()
    about: tuple[str, ...] = ()


class Line(NamedTuple):
    """A path, broken where a row is nan.

    Attributes
    ----------
    path : (m, 2) float64
    meaning : str
    wide, dashed : bool
    """

    path: FloatArray
    meaning: Meaning
    wide: bool = False
    dashed: bool = False


class Area(NamedTuple):
    """Filled rectangles from ``low`` (m, 2) to ``high`` (m, 2)."""

    low: FloatArray
    high: FloatArray
    meaning: Meaning


class Word(NamedTuple):
    """A short text at a point; ``side`` is where the text stands, as "top center"."""

    x: float
    y: float
    text: str
    meaning: Meaning
    side: str = "top center"


def label(at: FloatArray, text: str, meaning: Meaning, side: str = "top center") -> Word:
    """A text at a point given as an array (2,)."""
    return Word(float(at[0]), float(at[1]), text, meaning, side)


Mark: TypeAlias = Dots | Line | Area | Word


@dataclass(frozen=True, eq=False)
class Panel:
    """One pair of axes.

    Parameters
    ----------
    title, x, y : str
        Of the panel and its axes.
    across, up : (low, high)
        What the axes span, in every step.
    marks : tuple of Mark
        Drawn in this order.
    place : (left, right, bottom, top)
        Shares of the figure.
    equal : bool
        One unit is equally long on both axes, so that distances are what they look like.
    ticks : tuple of (float, str)
        Of the horizontal axis; empty: numbers.
    """

    title: str
    x: str
    y: str
    across: Span
    up: Span
    marks: tuple[Mark, ...]
    place: Place = WHOLE
    equal: bool = False
    ticks: tuple[Tick, ...] = ()


_BREAK = np.full((1, 2), np.nan)


def segments(starts: FloatArray, ends: FloatArray) -> FloatArray:
    """A path that draws each pair of points as a segment of its own.

    Parameters
    ----------
    starts, ends : (m, 2) float64

    Returns
    -------
    (3m, 2) float64, every third row nan

    Examples
    --------
    >>> segments(np.array([[0.0, 0.0]]), np.array([[1.0, 2.0]])).tolist()
    [[0.0, 0.0], [1.0, 2.0], [nan, nan]]
    """
    path: FloatArray = np.stack([starts, ends, np.broadcast_to(_BREAK, starts.shape)], axis=1)
    return path.reshape(-1, 2)


def arcs(spans: FloatArray) -> FloatArray:
    """Half ellipses over (start, end) pairs on the horizontal axis, each as high as it is long.

    Parameters
    ----------
    spans : (m, 2) float64

    Returns
    -------
    (26m, 2) float64, a row of nan after each
    """
    angle = np.linspace(np.pi, 0.0, 25)
    start, length = spans[:, :1], np.diff(spans, axis=1)
    x = start + length * (1 + np.cos(angle)) / 2
    y = length * np.sin(angle)
    path = np.stack([x, y], axis=2)
    return np.concatenate([path, np.broadcast_to(_BREAK, (len(spans), 1, 2))], axis=1).reshape(-1, 2)


def circle(centre: FloatArray, radius: float) -> FloatArray:
    """A circle as a path (61, 2)."""
    angle = np.linspace(0.0, 2 * np.pi, 61)
    return centre + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def span(values: FloatArray, margin: float = 0.08) -> Span:
    """An axis around some values, with a margin.

    Examples
    --------
    >>> span(np.array([0.0, 10.0]), 0.1)
    (-1.0, 11.0)
    """
    low, high = float(values.min()), float(values.max())
    free = margin * (high - low) or 1.0
    return low - free, high + free
