"""What the intruder knows: a family of sets of attributes, over which the linkage measures are averaged.

Nobody knows which attributes an intruder holds, so the literature averages over families of sets: all
non-empty subsets (Nin, section 2.3), the unions of two groups to all groups of attributes (Nin and Torra,
section 2.4), given lists. A family is a value: hashable, with one line of text that stands for it in a link,
a plan or a command. Sets are counted without being listed, and listed only up to 20,000.

=============== =================================================================
text            sets of known attributes
=============== =================================================================
``all``         every non-empty subset
``up-to:3``     every subset of one to three attributes (the default)
``unions``      every union of two to all blocks; the block itself where there is one
``sets:0+1,2``  the sets listed, attributes by position (or by name, when parsed)
``sample:200:7`` 200 different subsets drawn evenly from all, seed 7
=============== =================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, combinations
from itertools import count as steps
from math import comb
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from microagg.errors import PlanError
from microagg.kernels.random_numbers import uniforms
from microagg.measures.arrays import Sets, positions
from microagg.model.arguments import LARGEST_WHOLE, one_of, shown, whole_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Kind: TypeAlias = Literal["all", "up-to", "unions", "sets", "sample"]
LIMIT = 20_000
_DIGITS = 9
FORMS = "all, up-to:SIZE, unions, sets:0+1,2+5 or sample:COUNT:SEED"


@dataclass(frozen=True, slots=True)
class Knowledge:
    """A family of sets of attributes an intruder may know; make one with the class methods or ``parse``.

    Attributes
    ----------
    kind : str
        "all", "up-to", "unions", "sets" or "sample".
    size : int
        Largest set (up-to) or number of sets (sample), else 0.
    seed : int
        Seed of a sample, else 0.
    listed : tuple of tuples of int
        The sets of a list, each ascending, else empty.
    """

    kind: Kind
    size: int = 0
    seed: int = 0
    listed: Sets = ()

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        one_of(self.kind, "The kind of knowledge", get_args(Kind))
        if self.kind in {"up-to", "sample"}:
            meant = "a whole number of at least 1, the size or number of sets"
            set_field(self, "size", whole_number(self.size, f"Knowledge {self.kind}", least=1, meant=meant))
        set_field(self, "seed", whole_number(self.seed, "The seed of a sample of sets", least=0))
        if self.kind == "sets":
            if not self.listed:
                raise PlanError("A list of known attributes needs at least one set.")
            listed = tuple(
                positions(known, LARGEST_WHOLE, "A set of known attributes") for known in self.listed
            )
            set_field(self, "listed", listed)

    @classmethod
    def every(cls) -> Knowledge:
        """Every non-empty subset of the attributes."""
        return cls("all")

    @classmethod
    def up_to(cls, size: int) -> Knowledge:
        """Every subset of one to ``size`` attributes."""
        return cls("up-to", size)

    @classmethod
    def unions(cls) -> Knowledge:
        """Every union of two blocks to all blocks."""
        return cls("unions")

    @classmethod
    def of(cls, sets: Iterable[Iterable[int]]) -> Knowledge:
        """The sets given, attributes by position; repeated sets count once."""
        listed = (positions(known, LARGEST_WHOLE, "A set of known attributes") for known in sets)
        return cls("sets", listed=tuple(dict.fromkeys(tuple(sorted(set(known))) for known in listed)))

    @classmethod
    def sample(cls, count: int, seed: int = 0) -> Knowledge:
        """``count`` different subsets drawn evenly from all non-empty ones."""
        return cls("sample", count, seed)

    @classmethod
    def parse(cls, text: str | Knowledge, names: Sequence[str] = ()) -> Knowledge:
        """Read the one-line form; a list may give attributes by position or by name.

        Parameters
        ----------
        text : str or Knowledge
            One of the forms in the module's table; what is read already stays as it is.
        names : sequence of str
            Attribute names in column order, for lists by name.

        Returns
        -------
        Knowledge

        Raises
        ------
        PlanError
            The text is none of the forms, or names an unknown attribute.

        Examples
        --------
        >>> str(Knowledge.parse("sets:AGI+FICA,0", names=("AGI", "TAX", "FICA")))
        'sets:0+2,0'
        """
        if isinstance(text, Knowledge):
            return text
        if not isinstance(text, str):
            raise PlanError(f"knowledge is {shown(text)}; write {FORMS}.")
        kind, _, rest = text.strip().partition(":")
        parts = rest.split(":") if rest else []
        try:
            match kind, len(parts):
                case "all" | "unions", 0:
                    return cls("all" if kind == "all" else "unions")
                case "up-to", 1:
                    return cls.up_to(int(parts[0]))
                case "sample", 1 | 2:
                    return cls.sample(*map(int, parts))
        except ValueError:
            raise PlanError(f"Knowledge {shown(text)} needs whole numbers; write {FORMS}.") from None
        if kind == "sets" and rest:
            return cls.of([_position(item, names) for item in known.split("+")] for known in rest.split(","))
        raise PlanError(f"Knowledge {shown(text)} is not understood; write {FORMS}.")

    def __str__(self) -> str:
        match self.kind:
            case "up-to":
                return f"up-to:{self.size}"
            case "sample":
                return f"sample:{self.size}:{self.seed}"
            case "sets":
                return "sets:" + ",".join("+".join(map(str, known)) for known in self.listed)
        return self.kind

    def count(self, p: int, blocks: Sequence[Sequence[int]] = ()) -> int:
        """Number of sets for p attributes, found without listing them.

        Parameters
        ----------
        p : int
            Number of attributes.
        blocks : sequence of sequences of int
            Column positions of each block; only ``unions`` looks at them.

        Returns
        -------
        int

        Examples
        --------
        >>> Knowledge.every().count(13), Knowledge.up_to(3).count(13), Knowledge.sample(200).count(4)
        (8191, 377, 15)
        """
        match self.kind:
            case "all":
                return (1 << p) - 1
            case "up-to":
                return sum(comb(p, size) for size in range(1, min(self.size, p) + 1))
            case "unions":
                return (1 << len(blocks)) - 1 - len(blocks) if len(blocks) > 1 else len(blocks)
            case "sample":
                return min(self.size, (1 << p) - 1)
        return len(self.listed)

    def sets(self, p: int, blocks: Sequence[Sequence[int]] = ()) -> Sets:
        """List the sets, each ascending, no set twice.

        Parameters
        ----------
        p : int
            Number of attributes.
        blocks : sequence of sequences of int
            Column positions of each block; only ``unions`` looks at them.

        Returns
        -------
        tuple of tuples of int

        Raises
        ------
        PlanError
            More than 20,000 sets, an attribute outside 0…p−1, or unions without blocks.

        Examples
        --------
        >>> Knowledge.unions().sets(4, blocks=((0, 1), (3,), (2,)))
        ((0, 1, 3), (0, 1, 2), (2, 3), (0, 1, 2, 3))
        """
        count = self.count(p, blocks)
        if count > LIMIT:
            raise PlanError(
                f"Knowledge {self} means {count:,} sets of the {p} attributes; more than {LIMIT:,} take "
                "too long. Use a sample instead, for example sample:500:0."
            )
        if self.kind == "unions" and not blocks:
            raise PlanError("Knowledge unions needs the blocks of attributes; this release names none.")
        if any(column >= p or column < 0 for column in chain(*self.listed, *blocks)):
            raise PlanError(f"Knowledge {self} names an attribute beyond the {p} there are; count from 0.")
        match self.kind:
            case "all":
                return _subsets(range(p), 1, p)
            case "up-to":
                return _subsets(range(p), 1, self.size)
            case "unions":
                picks = _subsets(range(len(blocks)), min(2, len(blocks)), len(blocks))
                united = (sorted({column for block in pick for column in blocks[block]}) for pick in picks)
                return tuple(dict.fromkeys(tuple(known) for known in united))
            case "sample":
                return _subsets(range(p), 1, p) if count == (1 << p) - 1 else _draw(p, count, self.seed)
        return self.listed

    def population(self, p: int) -> int | None:
        """Number of sets a sample is drawn from, for its standard error; None where nothing is sampled."""
        return (1 << p) - 1 if self.kind == "sample" else None


DEFAULT = Knowledge.up_to(3)


def _position(item: str, names: Sequence[str]) -> int:
    item = item.strip()
    if item.isdecimal() and len(item) <= _DIGITS:
        return int(item)
    if item in names:
        return list(names).index(item)
    raise PlanError(
        f"There is no attribute {shown(item)} to be known; name one of the file's, or count from 0."
    )


def _subsets(items: Sequence[int], smallest: int, largest: int) -> Sets:
    sizes = range(smallest, min(largest, len(items)) + 1)
    return tuple(chain.from_iterable(combinations(items, size) for size in sizes))


def _draw(p: int, count: int, seed: int) -> Sets:
    """Different non-empty subsets as drawn: a coin for each attribute, repeats and blanks passed over."""
    drawn: dict[tuple[int, ...], None] = {}
    for start in steps(0, count * p):
        coins = uniforms(np.arange(start, start + count * p), seed=seed).reshape(count, p) < 0.5
        drawn |= {tuple(np.flatnonzero(row).tolist()): None for row in coins if row.any()}
        if len(drawn) >= count:
            break
    return tuple(drawn)[:count]
