"""What a lesson is: records to look at, a trace of steps through an algorithm, and three questions.

A trace is a tuple, so that one can go forward, back, or anywhere. What the algorithm has found so far is
part of every step (``result``); a test holds the last one equal to what the library's solver returns.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from microagg.errors import DataError
from microagg.kernels.scaling import standardise

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from microagg.kernels.compiled import FloatArray
    from microagg.lessons.question import Question
    from microagg.lessons.scene import Panel
    from microagg.methods.method import Option
    from microagg.methods.option_values import OptionValue

DEVIATIONS = "standard deviations"
"""The unit of standardised values: (value − mean)/standard deviation."""
MOST = 60
"""Records above which a picture can no longer be followed."""


@dataclass(frozen=True, eq=False)
class Records:
    """A small file to learn with.

    Parameters
    ----------
    values : (n, p) float64, original units, finite
    names : tuple of str
        Of the attributes.
    units : tuple of str
        Of the attributes; empty: nobody knows them.
    nouns : str
        What the records describe: "people", "companies"; "records" where nobody knows.

    Raises
    ------
    DataError
        More than 60 records, or names that do not match the columns.
    """

    values: FloatArray
    names: tuple[str, ...]
    units: tuple[str, ...] = ()
    nouns: str = "records"

    def __post_init__(self) -> None:
        if self.values.ndim != 2 or self.values.shape[1] != len(self.names):
            raise DataError(f"Each record needs {len(self.names)} values, one for each attribute.")
        if len(self.values) > MOST:
            raise DataError(f"A lesson shows at most {MOST} records; here are {len(self.values)}.")

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def points(self) -> FloatArray:
        """The records standardised, (n, p)."""
        return standardise(self.values)

    @property
    def counted(self) -> str:
        """How many there are, as "16 people, one record each"."""
        each = "" if self.nouns == "records" else ", one record each"
        return f"{len(self)} {self.nouns}{each}"

    def unit(self, attribute: int) -> str:
        """The unit of an attribute's values."""
        return self.units[attribute] if self.units else "units of the file"

    def titled(self, attribute: int) -> str:
        """An attribute with its unit, for an axis or a column: "age, years"."""
        return f"{self.names[attribute]}, {self.unit(attribute)}"

    def standardised(self, attribute: int) -> str:
        """The same where values are standardised: "age, standard deviations"."""
        return f"{self.names[attribute]}, {DEVIATIONS}"

    @cached_property
    def about(self) -> tuple[str, ...]:
        """Each record in words, for the pointer."""
        return tuple(
            f"record {i + 1}: " + ", ".join(f"{n} {v:g}" for n, v in zip(self.names, row, strict=True))
            for i, row in enumerate(self.values.tolist())
        )


class Quantity(NamedTuple):
    """A number that plays a part in a step, and what it is."""

    name: str
    value: float | str
    says: str


@dataclass(frozen=True, eq=False)
class Step:
    """One thing that happens.

    Parameters
    ----------
    title : str
    sentence : str
        What happens, and why.
    panels : tuple of Panel
    result : array
        What the algorithm has so far: (n,) labels, −1 for no group yet, unless the lesson says otherwise.
    quantities : tuple of Quantity
    columns : mapping of str to (n,) array
        What the step computes with, a number or text for each record; the title says the unit. Shown behind
        the picture, so that every cost in the step can be computed again by hand.
    """

    title: str
    sentence: str
    panels: tuple[Panel, ...]
    result: NDArray[Any]
    quantities: tuple[Quantity, ...] = ()
    columns: Mapping[str, NDArray[Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Lesson:
    """A row of the table of lessons.

    Parameters
    ----------
    name, title : str
    story : str
        What the algorithm is for, in two sentences.
    reference : str
        Paper and section.
    reading : str
        How to read the picture.
    trace : callable
        ``trace(records, k, **options)`` → steps.
    questions : callable
        ``questions(records, k, **options)`` → three questions.
    options : tuple of Option
        A column option arrives as a column's index; "record" as an index from 0.
    attributes : (int, int)
        Least and most attributes that it can show.
    counts_values : bool
        k counts values and not records.
    example : tuple of str
        The attributes of made-up records on which it shows its point.
    """

    name: str
    title: str
    story: str
    reference: str
    reading: str
    trace: Callable[..., tuple[Step, ...]]
    questions: Callable[..., tuple[Question, Question, Question]]
    options: tuple[Option, ...] = ()
    attributes: tuple[int, int] = (2, 2)
    counts_values: bool = False
    example: tuple[str, ...] = ("age", "income")

    def largest_k(self, n: int, p: int) -> int:
        """The largest k for which more than one group can come out.

        Examples
        --------
        >>> from microagg.lessons import LESSONS
        >>> LESSONS["mdav"].largest_k(16, 2), LESSONS["mic1d"].largest_k(16, 2)
        (8, 16)
        """
        return n * p // 2 if self.counts_values else n // 2

    def walk(self, records: Records, k: int, chosen: Mapping[str, OptionValue]) -> tuple[Step, ...]:
        """Trace the algorithm with some options chosen.

        Parameters
        ----------
        records : Records
        k : int
        chosen : mapping
            By name; a column option names a column, "record" counts from 1.

        Raises
        ------
        DataError
            Fewer records than k asks for.
        PlanError
            An option's value is not allowed.
        """
        self.check(records, k)
        return self.trace(records, k, **self._arguments(records, chosen))

    def ask(
        self, records: Records, k: int, chosen: Mapping[str, OptionValue]
    ) -> tuple[Question, Question, Question]:
        """Three questions about these records, with their answers; as `walk`."""
        self.check(records, k)
        return self.questions(records, k, **self._arguments(records, chosen))

    def _arguments(self, records: Records, chosen: Mapping[str, OptionValue]) -> dict[str, Any]:
        given: dict[str, Any] = {}
        for option in self.options:
            value = option.check(chosen.get(option.name, option.default), self.name)
            if option.column:
                given[option.name] = records.names.index(str(value)) if value in records.names else 0
            elif option.name == "record":
                given[option.name] = min(int(value), len(records)) - 1
            else:
                given[option.name] = value
        return given

    def check(self, records: Records, k: int) -> None:
        """Refuse records that are too few for k.

        Raises
        ------
        DataError
            The message says what to do.
        """
        if k > self.largest_k(len(records), len(records.names)):
            least = -(-2 * k // len(records.names)) if self.counts_values else 2 * k
            raise DataError(
                f"With k = {k} at least {least} records are needed for two groups; here are {len(records)}. "
                "Add records or take a smaller k."
            )


def number(value: float) -> str:
    """A number in a sentence: two places, and four digits where it is very large or very small.

    Examples
    --------
    >>> number(2.0), number(-1234.567), number(0.00123), number(31415926.5)
    ('2.00', '−1,234.57', '0.00123', '31,420,000')
    """
    size = abs(value)
    if size >= 1e6:
        text = f"{float(f'{value:.4g}'):,.0f}" if size < 1e15 else f"{value:.4g}"
    else:
        text = f"{value:.3g}" if 0 < size < 0.01 else f"{value:,.2f}"
    return text.replace("-", "−")


def squared(unit: str) -> str:
    """The unit of a sum of squares.

    Examples
    --------
    >>> squared("years"), squared("standard deviations")
    ('years²', '(standard deviations)²')
    """
    return f"({unit})²" if " " in unit else f"{unit}²"


def groups_of(labels: NDArray[Any]) -> int:
    """How many groups labels name; −1 names none.

    Examples
    --------
    >>> import numpy as np
    >>> groups_of(np.array([0, -1, 1, 1]))
    2
    """
    return len(set(labels[labels >= 0].tolist()))


def listed(records: Any) -> str:
    """Record indices as their numbers in a sentence.

    Examples
    --------
    >>> listed([0, 4, 7]), listed([2])
    ('1, 5 and 8', '3')
    """
    numbers = [str(int(i) + 1) for i in records]
    return numbers[0] if len(numbers) == 1 else ", ".join(numbers[:-1]) + " and " + numbers[-1]
