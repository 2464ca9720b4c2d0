"""Random numbers that are the same on every machine, with every release of every library.

A plan and its seeds decide a release down to its bytes, and an address what a page shows. NumPy does not
promise that what its generators draw stays what it is (NEP 19), so nothing else in the package draws:

- **Orders**, `permutation` and `chosen`: an exchange of Fisher and Yates for each place (Durstenfeld 1964,
  "Algorithm 235"), drawn from SHAKE-128 (FIPS 202) of the seed. Whoever knows where some rows of a shuffled
  file came from learns nothing about the others without the seed.
- **Numbers**, `uniforms`: a hash of a record's number, the same whoever asks, in whatever parts.
- **Loops that are compiled**, `generator`: Marsaglia's xorshift (2003, "Xorshift RNGs", shifts 13, 7, 17),
  three lines of integers, its seed scattered first, so that seeds 0 and 1 share nothing.

The last two scatter as SplitMix64 (Steele, Lea & Flood 2014, "Fast splittable pseudorandom number
generators"). Every number in [0, 1) is the upper 53 bits of a word, so that products with it are rounded
once, everywhere alike.
"""

from __future__ import annotations

from hashlib import shake_128
from statistics import NormalDist
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from microagg.kernels.compiled import compiled, inner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microagg.kernels.compiled import FloatArray, IntArray

State: TypeAlias = NDArray[np.uint64]
Value = TypeVar("Value")
_WORD = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15


def permutation(seed: int, count: int, stream: int = 0) -> IntArray:
    """Put the numbers 0…count − 1 in a random order.

    Parameters
    ----------
    seed, count : int
        At least 0.
    stream : int
        Streams of one seed are unrelated.

    Returns
    -------
    (count,) int64

    Examples
    --------
    >>> permutation(0, 5).tolist()
    [4, 1, 2, 0, 3]
    """
    return _first_of_an_order(seed, count, count, stream)


def chosen(seed: int, count: int, size: int) -> IntArray:
    """Choose some of the numbers 0…count − 1 without replacement, each as likely as any other.

    Parameters
    ----------
    seed, count : int
        At least 0.
    size : int
        How many, 0…count.

    Returns
    -------
    (size,) int64, ascending

    Examples
    --------
    >>> chosen(0, 100, 4).tolist(), chosen(0, 3, 3).tolist()
    ([8, 10, 92, 97], [0, 1, 2])
    """
    return np.sort(_first_of_an_order(seed, count, size, 0))


def _first_of_an_order(seed: int, count: int, size: int, stream: int) -> IntArray:
    words = np.frombuffer(shake_128(f"{seed:x} {stream:x}".encode()).digest(8 * size), dtype="<u8")
    left = count - np.arange(size)
    order = np.arange(count)
    _exchange(order, (_fractions(words.astype(np.uint64)) * left).astype(np.int64))
    return order[:size]


@compiled
def _exchange(order: IntArray, ahead: IntArray) -> None:
    """Exchange each of the first places with the one so far ahead of it."""
    for i in range(len(ahead)):
        other = order[i + ahead[i]]
        order[i + ahead[i]] = order[i]
        order[i] = other


def uniforms(ids: IntArray, salt: float = 0.0, seed: int = 0) -> FloatArray:
    """Numbers in [0, 1) that are drawn by hashing: the same for the same record, whoever asks.

    Parameters
    ----------
    ids : (n,) int64
    salt : float
        Another one gives other numbers.
    seed : int

    Examples
    --------
    >>> bool(uniforms(np.arange(10_000)).mean().round(1) == 0.5)
    True
    """
    keys = ids.astype(np.uint64) + np.uint64((seed + 1) * _GOLDEN & _WORD)
    return _fractions(mixed(mixed(keys) ^ np.float64(salt + 0.0).view(np.uint64)))


def mixed(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of SplitMix64."""
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))


def _fractions(words: NDArray[np.uint64]) -> FloatArray:
    return (words >> np.uint64(11)).astype(np.float64) / float(1 << 53)


def pick(number: float, values: Sequence[Value], weights: Sequence[float] | None = None) -> Value:
    """One of some values, each as likely as its weight says, by a number drawn from [0, 1)."""
    weights = weights or [1] * len(values)
    mark = number * sum(weights)
    for value, weight in zip(values, weights, strict=True):
        mark -= weight
        if mark < 0:
            return value
    return values[-1]


def normal(number: float) -> float:
    """The standard normal value of a number drawn from [0, 1), by the inverse distribution function."""
    return NormalDist().inv_cdf(number or 0.5)  # zero has no normal value


def generator(seed: int, stream: int = 0) -> State:
    """The state of a new generator for compiled loops.

    Parameters
    ----------
    seed : int
    stream : int
        Streams of one seed are unrelated.

    Returns
    -------
    (1,) uint64, changed in place by every draw

    Examples
    --------
    >>> random = generator(0)
    >>> [int(below(random, 10)) for _ in range(5)]
    [5, 3, 1, 0, 7]
    """
    word = 0
    for part in (seed, stream):
        word = (word + part + _GOLDEN) & _WORD
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _WORD
        word ^= word >> 31
    return np.array([word or 1], dtype=np.uint64)


@inner
def uniform(random: State) -> float:
    """A number in [0, 1), a multiple of 2⁻⁵³."""
    word = random[0]
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    random[0] = word
    return np.int64(word >> np.uint64(11)) / 9007199254740992.0


@inner
def below(random: State, limit: int) -> int:
    """A whole number in 0…limit − 1."""
    return int(uniform(random) * limit)


@inner
def arrivals(random: State, none: float) -> int:
    """A Poisson number, of which 0 has this probability: as many factors as keep a product above it."""
    product, count = uniform(random), 0
    while product > none:
        product *= uniform(random)
        count += 1
    return count
