"""A first guess at what each column is for, with its reason, so that nobody starts from a blank list.

The guess only opens the conversation: the Data page shows it beside its reason and lets it be changed. It
reads a column's name (`microagg.model.role_names`) and holds it against the values, rule by rule; the first
rule that fits decides. A category, a code or a date is a quasi-identifier until somebody says otherwise, and
what the values do not tell is *undecided*: nothing is ever guessed to be of no concern. Strata are never
guessed.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from microagg.model import role_names as named
from microagg.model.text_patterns import DATE, EMAIL, IBAN, IP, PHONE, URL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from microagg.kernels.compiled import FloatArray

Role = Literal[
    "identifier", "quasi_identifier", "confidential", "weight", "unit", "stratum", "other", "undecided"
]
Scale = Literal["continuous", "ordinal", "nominal"]

LOOKED_AT = 1000
"""Values that patterns of text are held against."""
NEARLY = 0.9
"""Share of records with values of their own from which a column as good as names them."""
FEW = 20
"""Categories up to which numbers may be grades or codes of a secret."""

_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_SOCIAL = re.compile(r"\d{3}-\d{2}-\d{4}")
_PERSON = re.compile(r"[A-ZÀ-Ý][\w'’.-]*,?( +[A-ZÀ-Ý][\w'’.-]*){1,3}")
_NAMING = {
    "e-mail addresses": EMAIL,
    "numbers that computers give out": _UUID,
    "social security numbers": _SOCIAL,
    "addresses on the web": URL,
    "addresses of computers": IP,
    "phone numbers": PHONE,
    "bank accounts": IBAN,
}
_CODE = re.compile(r"[A-Z]{0,3}\d[\dA-Z.]*")
_NOT_GIVEN = re.compile(
    r"missing|refus|no answer|not answered|don.?t know|do not know|unknown|\bn/?a\b|not appl|inapplicable|"
    r"not stated|not available|no response|nonresponse|proxy|skip|not asked|unspecified|dk\b|invalid",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Guess:
    """A role and a scale for one column, and why."""

    role: Role
    scale: Scale
    reason: str


def guess(
    name: str,
    column: pd.Series[Any],
    labels: Mapping[Any, str] | None = None,
    measure: Scale | None = None,
) -> Guess:
    """Guess a column's role and scale from its name and values.

    Parameters
    ----------
    name : str
    column : Series, (n,)
    labels : mapping, optional
        What its values mean, where the file says it.
    measure : {"continuous", "ordinal", "nominal"}, optional
        The scale, where the file says it.

    Returns
    -------
    Guess
        Never with the role "other" or "stratum", which are for people to give.

    Examples
    --------
    >>> guess("age", pd.Series([31, 44, 31, 27])).role
    'quasi_identifier'
    >>> guess("name", pd.Series(["Ann", "Ben", "Cy", "Di"])).role
    'identifier'
    >>> guess("region", pd.Series([1, 2, 2, 1])).scale
    'nominal'
    """
    return _guess(_Column(name, column, dict(labels or {}), measure))


def _guess(c: _Column) -> Guess:
    try:
        return next(found for rule in _RULES if (found := rule(c)) is not None)
    except (TypeError, ValueError, OverflowError):  # cells that cannot be compared, or read as numbers
        return Guess("undecided", "nominal", "cells of a kind that cannot be read; say what the column is")


def not_given(labels: Mapping[Any, str]) -> tuple[Any, ...]:
    """Codes whose labels say that there is no value.

    Examples
    --------
    >>> not_given({-999: "refused", 1: "one room"})
    (-999,)
    """
    return tuple(code for code, label in labels.items() if _NOT_GIVEN.search(str(label)))


def says_nothing(value: object) -> bool:
    """Whether a cell's text says that there is no value: "refused", "n/a", "-".

    Examples
    --------
    >>> says_nothing("not stated"), says_nothing(" - "), says_nothing("flu"), says_nothing(-9)
    (True, True, False, False)
    """
    if not isinstance(value, str):
        return False
    return _NOT_GIVEN.search(value) is not None or not any(letter.isalnum() for letter in value)


def rises(column: pd.Series[Any]) -> bool:
    """Whether a column holds whole numbers, each above the one of the record before.

    Examples
    --------
    >>> rises(pd.Series([3, 5, 9])), rises(pd.Series([3, 3, 9]))
    (True, False)
    """
    return _Column("", column, {}, None).rises


def naming(name: str, column: pd.Series[Any]) -> bool:
    """Whether a column names people, however many records share each of its values.

    Wider than `guess`, which lets a column be that repeats: for looking at what is released, in any role.

    Examples
    --------
    >>> naming("x", pd.Series(["a@b.org", "a@b.org", "c@d.org"])), naming("sex", pd.Series(["f", "m", "f"]))
    (True, False)
    """
    c = _Column(name, column, {}, None)
    if _guess(c).role == "identifier":
        return True
    if c.numeric:
        return bool(c.words & named.PERSON_NUMBERS) and c.whole and c.distinct > 1
    return c.distinct > 1 and (
        bool(c.words & named.PERSON_NUMBERS) or any(c.like(pattern) for pattern in _NAMING.values())
    )


def gathering(name: str, column: pd.Series[Any]) -> bool:
    """Whether a column may number households, firms, schools or customers, each of several records.

    Wider than `guess`, for looking at what is released where nobody gave a column the role unit.

    Examples
    --------
    >>> gathering("hh", pd.Series([1, 1, 2, 2, 3, 3])), gathering("age", pd.Series([1, 1, 2, 2, 3, 3]))
    (True, False)
    """
    c = _Column(name, column, {}, None)
    if not 3 <= c.distinct < len(c.present):
        return False
    if _guess(c).role == "unit":
        return True
    numbering = named.ID_WORDS | named.IDENTIFIER_WORDS
    names = named.UNITS | named.WEAK_UNITS | named.GATHERING
    if not c.words <= names | numbering or not (c.whole or not c.numeric):
        return False
    strong = c.words & named.UNITS or (c.words & named.WEAK_UNITS and c.words & named.ID_WORDS)
    return bool(strong) or bool(c.words & named.GATHERING and c.distinct >= 10)


@dataclass(frozen=True, eq=False)
class _Column:
    """What the rules ask of a column, each found when first asked."""

    name: str
    column: pd.Series[Any]
    labels: dict[Any, str]
    measure: Scale | None

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(named.words(self.name))

    @cached_property
    def known(self) -> tuple[str, str]:
        """Kind and meaning of a name that is known as it stands."""
        return named.KNOWN.get(named.key(self.name), ("", ""))

    @cached_property
    def present(self) -> pd.Series[Any]:
        return self.column.dropna()

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """Records with each value, (distinct,)."""
        codes = pd.factorize(self.present)[0]
        return np.bincount(codes[codes >= 0]).astype(np.int64)

    @property
    def distinct(self) -> int:
        return len(self.counts)

    @property
    def share(self) -> float:
        """Share of records that have a value of their own."""
        return self.distinct / max(len(self.present), 1)

    @cached_property
    def numeric(self) -> bool:
        """Whether the cells are amounts, as far as their type says."""
        kind = self.column.dtype
        strange = pd.api.types.is_bool_dtype(kind) or pd.api.types.is_complex_dtype(kind)
        return pd.api.types.is_numeric_dtype(kind) and not strange

    @cached_property
    def numbers(self) -> FloatArray:
        return self.present.to_numpy(np.float64, na_value=np.nan)

    @cached_property
    def whole(self) -> bool:
        """Whether all values are whole numbers, with at least one there."""
        found = self.numbers if self.numeric else np.array([np.nan])
        return len(found) > 0 and bool((np.isfinite(found) & (found == np.round(found))).all())

    @cached_property
    def rises(self) -> bool:
        return self.whole and len(self.numbers) > 1 and bool((self.numbers[1:] > self.numbers[:-1]).all())

    @cached_property
    def texts(self) -> list[str]:
        """Some values as text, each once."""
        return [str(value).strip() for value in pd.unique(self.present)[:LOOKED_AT]]

    @cached_property
    def gaps(self) -> int:
        return len(self.column) - len(self.present)

    @cached_property
    def coded(self) -> bool:
        """Whether labels name most values, so that these are codes; labels of missing ones do not count."""
        missing = set(not_given(self.labels))
        meant = set(self.labels) - missing
        values = set(pd.unique(self.present).tolist()) - missing if meant else set()
        return bool(values) and 2 * len(values & meant) >= len(values)

    @cached_property
    def scale(self) -> Scale:
        """The scale, unless a rule knows better."""
        if isinstance(self.column.dtype, pd.CategoricalDtype) and self.column.dtype.ordered:
            return "ordinal"
        if self.measure in ("ordinal", "nominal"):
            return self.measure if self.numeric else "nominal"
        return "continuous" if self.numeric and not self.coded else "nominal"

    def like(self, pattern: re.Pattern[str]) -> bool:
        """Whether nearly all values are text of this form."""
        fits = sum(pattern.fullmatch(text) is not None for text in self.texts)
        return fits >= NEARLY * len(self.texts) > 0


def _empty(c: _Column) -> Guess | None:
    if len(c.present):
        return None
    return Guess("undecided", c.scale, "empty: nothing tells what it is for")


def _weight(c: _Column) -> Guess | None:
    sure = c.known[0] == "weight" or any(named.WEIGHT_SURE.fullmatch(word) for word in c.words)
    bare = bool(c.words & named.WEIGHT_WORDS)
    sure |= (bare and bool(c.words & named.WEIGHT_COMPANY)) or (
        "factor" in c.words and bool(c.words & named.FACTOR_COMPANY)
    )
    if not c.numeric or not (sure or bare) or c.words & named.BODY_COMPANY:
        return None
    what = c.known[1] or "named like a weight"
    light = int((~(c.numbers > 0)).sum())
    if light or c.gaps:
        lacking = f"{light + c.gaps:,} records have none above 0"
        return Guess("undecided", "continuous", f"{what}, but {lacking}; say what it is")
    if not sure and _may_be_a_body(c):
        return Guess("undecided", "continuous", f"{what}, but it may be a body's; say which it is")
    return Guess("weight", "continuous", f"{what}, and above 0 in every record")


def _may_be_a_body(c: _Column) -> bool:
    """Kilograms or pounds of people, or grams of newborn children."""
    middle, low, high = float(np.median(c.numbers)), c.numbers.min(), c.numbers.max()
    adult = 30 <= middle <= 220 and high <= 500
    newborn = c.whole and 1500 <= middle <= 4500 and low >= 200 and high <= 7000
    return adult or newborn


def _unit(c: _Column) -> Guess | None:
    """Households, firms, patients: numbers or codes of which each stands for a few records."""
    numbered = bool(c.words & named.ID_WORDS)
    strong = c.words & named.UNITS
    weak = c.words & named.WEAK_UNITS if numbered else set()
    plain_id = c.words <= named.ID_WORDS | named.IDENTIFIER_WORDS and c.words & named.IDENTIFIER_WORDS
    only = c.words <= named.UNITS | named.WEAK_UNITS | named.ID_WORDS | named.IDENTIFIER_WORDS
    sure = c.known[0] in ("unit", "identifier")
    if not sure and not (only and (strong or weak or plain_id)):
        return None
    if not (c.whole or c.like(_CODE)) or c.distinct < 3 or c.like(IBAN):
        return None
    each = len(c.present) / c.distinct
    least = 1.0 if strong or c.known[0] == "unit" else 1.5
    many = each > FEW and c.distinct <= 3 * FEW
    even = numbered or sure or int(c.counts.max()) <= 8 * each + 2
    if each <= least or many or not even:
        return None
    what = c.known[1] or "named like a household, firm or person"
    if c.gaps:
        return Guess("undecided", "nominal", f"{what}, but {c.gaps:,} records have none; say what it is")
    return Guess("unit", "nominal", f"{what}, each in {each:.1f} records on average")


def _identifier(c: _Column) -> Guess | None:
    """Names, numbers and addresses of people by what the column is called."""
    text = not c.numeric and not pd.api.types.is_bool_dtype(c.column.dtype)
    person = c.words & named.NAME_WORDS and not c.words & named.NAMES_OF_THINGS
    thing = c.words & named.NAME_WORDS and c.share >= NEARLY
    if text and c.distinct > 1 and (person or thing) and not c.like(DATE):
        return Guess("identifier", "nominal", "named like a name")
    number = c.words & named.NUMBER_WORDS and c.words & (named.NUMBERED | named.UNITS | named.WEAK_UNITS)
    alone = c.words & named.UNITS and c.words <= named.UNITS | named.ID_WORDS
    sure = c.known[0] in ("identifier", "unit")
    numbering = bool(number or alone or sure or c.words & named.IDENTIFIER_WORDS)
    if numbering and c.distinct > 1 and c.share >= NEARLY and (c.whole or text):
        each = "different in every record" if c.share == 1 else "different in nearly every record"
        return Guess("identifier", c.scale, f"{c.known[1] or 'named like a number of its own'}, and {each}")
    contact = c.words & named.CONTACT_WORDS
    if contact and c.distinct > 1 and c.share >= 0.5 and (c.whole or text):
        return Guess("identifier", c.scale, "named like an address or a phone number")
    return None


def _date(c: _Column) -> Guess | None:
    kind = c.column.dtype
    dates = pd.api.types.is_datetime64_any_dtype(kind) or isinstance(kind, pd.PeriodDtype)
    dates |= pd.api.types.is_timedelta64_dtype(kind)
    if not dates and pd.api.types.is_object_dtype(kind):
        dates = all(isinstance(value, dt.date | dt.time | dt.timedelta) for value in c.present[:LOOKED_AT])
    if not dates and not c.numeric:
        dates = c.like(DATE)
    if not dates and c.whole and c.words & named.DATE_WORDS:
        dates = as_digits(c.numbers)
    if not dates:
        return None
    return Guess("quasi_identifier", "nominal", "dates or times, which others may know")


def as_digits(numbers: FloatArray) -> bool:
    """Whether whole numbers, (n,), are dates written as yyyymmdd.

    Examples
    --------
    >>> as_digits(np.array([19800501.0])), as_digits(np.array([19801301.0]))
    (True, False)
    """
    year, month, day = numbers // 10_000, numbers // 100 % 100, numbers % 100
    right = (year >= 1850) & (year <= 2100) & (month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)
    return bool(right.all())


def _code(c: _Column) -> Guess | None:
    """Regions, occupations, branches, sex: categories by what the column is called."""
    known = c.known[0] in ("code", "education")
    education = c.known[0] == "education" or (
        c.words & named.EDUCATION_WORDS and c.words <= named.EDUCATION_WORDS | named.CODE_FILLERS
    )
    called = c.words & named.CODE_WORDS and c.words <= named.CODE_WORDS | named.CODE_FILLERS
    if not (known or education or called) or c.distinct < 2 or (c.numeric and not c.whole):
        return None
    what = c.known[1] or "named like a place or an occupation"
    if education:
        scale: Scale = "ordinal" if c.numeric and c.distinct <= FEW else c.scale
        return Guess("quasi_identifier", scale, c.known[1] or "named like a level of education")
    scale = "nominal" if c.numeric else c.scale
    return Guess("quasi_identifier", scale, f"{what}, which others may know")


def _secret(c: _Column) -> Guess | None:
    """What the law calls special: health, belief, politics, sexuality, crime."""
    union = "union" in c.words and c.words & {"trade", "labor", "labour", "member", "membership"}
    calls = c.known[0] == "secret" or union or any(named.SECRET.fullmatch(word) for word in c.words)
    if not calls or c.words & named.SECRET_EXCUSED:
        return None
    if c.numeric and c.distinct > FEW and not ("icd" in c.words and c.whole) and not c.coded:
        return None  # an amount: it is averaged like any other
    if not c.numeric and c.share >= NEARLY and _mean_length(c) > 30:  # remarks, which may name anybody
        return None
    scale = "nominal" if c.scale == "continuous" and c.whole else c.scale
    return Guess("confidential", scale, f"{c.known[1] or 'named like a secret: health, belief or the like'}")


def _mean_length(c: _Column) -> float:
    return sum(map(len, c.texts)) / max(len(c.texts), 1)


def _constant(c: _Column) -> Guess | None:
    if c.distinct > 1:
        return None
    if c.gaps:
        return Guess("quasi_identifier", "nominal", "one value or none: who has it may be known")
    return Guess("quasi_identifier", c.scale, "the same in every record, which tells nobody apart")


def _text(c: _Column) -> Guess | None:
    if c.numeric:
        return None
    if pd.api.types.is_bool_dtype(c.column.dtype) or set(pd.unique(c.present).tolist()) <= {True, False}:
        return Guess("quasi_identifier", "nominal", "yes or no, which others may know")
    if c.share >= 0.5:
        for what, pattern in _NAMING.items():
            if c.like(pattern):
                return Guess("identifier", "nominal", f"they look like {what}")
    if c.scale == "ordinal":
        return Guess("quasi_identifier", "ordinal", "categories in an order, which others may know")
    if c.share >= NEARLY:
        if c.like(_PERSON):
            return Guess("identifier", "nominal", "they look like names, different in nearly every record")
        kind = "codes" if c.like(_CODE) else "text"
        each = "every record" if c.share == 1 else "nearly every record"
        return Guess("undecided", "nominal", f"{kind}, different in {each}: say whether it names people")
    lengths = {len(text) for text in c.texts}
    if len(lengths) == 1 and c.like(_CODE):
        return Guess("quasi_identifier", "nominal", "codes of one length, which others may know")
    return Guess("quasi_identifier", "nominal", "categories, which others may know")


def _serial(c: _Column) -> Guess | None:
    """1, 2, 3, … down the file; whole numbers that only rise may be numbers that were handed out."""
    if not c.rises or len(c.numbers) < 10 or c.gaps or c.words & named.COUNTING_WORDS:
        return None
    first, last = float(c.numbers[0]), float(c.numbers[-1])
    if first in (0, 1) and last - first == len(c.numbers) - 1:
        return Guess("identifier", "continuous", "the records' own numbers, one after the other")
    if len(c.numbers) >= 100:
        return Guess(
            "undecided",
            "continuous",
            "whole numbers that rise from record to record: say whether it numbers people",
        )
    return None


def _number(c: _Column) -> Guess | None:
    if np.isnan(c.numbers).all():
        return Guess("undecided", "continuous", "numbers that cannot be read; say what the column is")
    if c.scale == "continuous":
        return Guess("quasi_identifier", "continuous", "numbers that vary from record to record")
    why = "the file names its values" if c.coded else f"the file calls it {c.measure}"
    return Guess("quasi_identifier", c.scale, f"codes, as {why}")


_RULES = (
    _empty,
    _weight,
    _unit,
    _identifier,
    _date,
    _code,
    _secret,
    _constant,
    _text,
    _serial,
    _number,
)
