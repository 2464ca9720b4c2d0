"""What a lesson is: records to look at, a trace of steps through an algorithm, and three questions.

A trace is a tuple, so that one can go forward, back, or anywhere. What the algorithm has found so far is
part of every step (``result``); a test holds the last one equal to what the library's solver returns.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from microagg.errors import DataError
from microagg.scaling import standardise

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from microagg.compiled import FloatArray
    from microagg.lessons.scene import Panel
    from microagg.methods.method import Option, OptionValue

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

    Raises
    ------
    DataError
        More than 60 records, or names that do not match the columns.
    """

    values: FloatArray
    names: tuple[str, ...]

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


class Question(NamedTuple):
    """A question about the data at hand, and its answer."""

    asks: str
    answer: str


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
    """

    title: str
    sentence: str
    panels: tuple[Panel, ...]
    result: NDArray[Any]
    quantities: tuple[Quantity, ...] = ()


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
