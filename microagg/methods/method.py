"""What a method is, to everything that does not solve partitions itself.

The page draws its widgets from these rows, the command line its help, the plan its checks; a solver stays
a plain function from arrays to labels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from microagg.errors import PlanError
from microagg.methods.costs import Cost, small

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray, IntArray
    from microagg.methods.option_values import Options, OptionValue

Family = Literal["multivariate", "projection", "one attribute", "other"]
Limits: TypeAlias = Mapping[str, str]


@dataclass(frozen=True)
class Option:
    """One choice that a method leaves to its user.

    Parameters
    ----------
    name : str
        The solver's keyword.
    title, help : str
        As shown on the page: a label and one sentence.
    default : str, int or float
    choices : tuple of str
        The allowed texts, for an option that is one of a list.
    low, high : float, optional
        Ends of a number's range, both allowed.
    column : bool
        The value names a column of the data; the solver gets that attribute, standardised, as (n,) float64.
        The default "" stands for the first protected column.
    """

    name: str
    title: str
    help: str
    default: OptionValue
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    column: bool = False

    def check(self, value: OptionValue, method: str) -> OptionValue:
        """Return the value if it is allowed.

        Raises
        ------
        PlanError
            It is not; the message lists what is.
        """
        where = f"{method}: option {self.name!r} is {value!r}"
        if isinstance(self.default, str):
            if not isinstance(value, str):
                raise PlanError(f"{where}; it must be a text.")
            if self.choices and value not in self.choices:
                raise PlanError(f"{where}; it must be one of {', '.join(map(repr, self.choices))}.")
            return value
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise PlanError(f"{where}; it must be a number.")
        if isinstance(self.default, int) and value != int(value):
            raise PlanError(f"{where}; it must be a whole number.")
        too_low = self.low is not None and value < self.low
        too_high = self.high is not None and value > self.high
        if too_low or too_high or value != value:
            raise PlanError(f"{where}; it must lie between {self.low:g} and {self.high:g}.")
        return type(self.default)(value)


def no_limits(_options: Options) -> Limits:
    """Everything a plan can ask for is honoured."""
    return {}


@dataclass(frozen=True)
class Method:
    """A row of the table of methods.

    Parameters
    ----------
    name, title, family, summary : str
        ``summary`` is one line for the page.
    solve : callable
        ``solve(points, k, **options, **inputs)`` → (n,) labels; with ``kind="values"``,
        ``solve(values, k, progress=…)`` → (n, p) protected values.
    options : tuple of Option
    inputs : tuple of str
        Further keywords the solver asks for: "block" (the block's standardised attributes without λ),
        "originals" (the same in original units),
        "spreads" (the block's original standard deviations), "scales" (of the columns of points), "seed",
        "progress".
    guarantees : str
        What holds of every result, in words.
    reference : str
        Where the method is defined.
    blocks : str, optional
        The only block rule that the method works with.
    single_attribute : bool
        Every block must hold one attribute.
    limits : callable
        From the chosen options to what cannot be honoured with them: {name: reason} with the names "lam",
        "blocks", "aggregate", "strata", "patterns" (of missing values), "weighted" and "refine".
    kind : {"partition", "values"}
    scales : tuple of str
        The scales of attributes that the method protects; numbers on an ordinal scale pass as continuous
        where ordinal is not among them. Where nominal is, ``points`` hold ranges and ranks mapped to [0, 1],
        and codes, instead of standardised attributes.
    starts_from : str
        For a method that refines another's groups by its option "rounds": the other one. The two then run
        one after the other over the whole file (`microagg.protection.refinement`).
    cost : callable
        ``cost(n, d, k, options)`` → time and memory of a run (`microagg.methods.costs`).
    """

    name: str
    title: str
    family: Family
    summary: str
    solve: Callable[..., IntArray | FloatArray]
    options: tuple[Option, ...] = ()
    inputs: tuple[str, ...] = ()
    guarantees: str = "Every group has at least k records."
    reference: str = ""
    blocks: str | None = None
    single_attribute: bool = False
    limits: Callable[[Options], Limits] = field(default=no_limits)
    kind: Literal["partition", "values"] = "partition"
    scales: tuple[str, ...] = ("continuous",)
    starts_from: str = ""
    cost: Callable[[int, int, int, Options], Cost] = field(default=small)

    @property
    def counts(self) -> str:
        """What k counts: "record" or "value"."""
        return "record" if self.kind == "partition" else "value"

    def largest_k(self, records: int, attributes: int) -> int:
        """The largest k that so many records of so many attributes can fill, for plans, pages and sweeps.

        Examples
        --------
        >>> from microagg.methods import METHODS
        >>> METHODS["mdav"].largest_k(1080, 9), METHODS["mic1d"].largest_k(1080, 9)
        (1080, 9720)
        """
        return records if self.kind == "partition" else records * attributes

    def fewest_records(self, k: int, attributes: int) -> int:
        """Records that it takes to fill a k, the converse of `largest_k`.

        Examples
        --------
        >>> from microagg.methods import METHODS
        >>> METHODS["mdav"].fewest_records(10, 9), METHODS["mic1d"].fewest_records(10, 9)
        (10, 2)
        """
        return k if self.kind == "partition" else -(-k // attributes)

    def complete(self, chosen: Options) -> dict[str, Any]:
        """Check the chosen options and fill in the defaults of the others.

        Raises
        ------
        PlanError
            An option that the method does not have, or a value that it does not allow.
        """
        names = [option.name for option in self.options]
        unknown = sorted(set(chosen) - set(names))
        if unknown:
            has = f"its options are {', '.join(names)}" if names else "it has no options"
            raise PlanError(f"{self.name} has no option {unknown[0]!r}; {has}.")
        return {o.name: o.check(chosen.get(o.name, o.default), self.name) for o in self.options}
