"""Random numbers that are the same on every machine, with every release of every library.

A plan and a seed decide a release down to its bytes, and NumPy does not promise that its streams stay what
they are. Marsaglia's xorshift (2003, "Xorshift RNGs", shifts 13, 7, 17) is three lines of integers; the seed
is scattered first as in SplitMix64 (Steele, Lea & Flood 2014, "Fast splittable pseudorandom number
generators"), so that seeds 0 and 1 share nothing.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from microagg.kernels.compiled import inner

State: TypeAlias = NDArray[np.uint64]
_WORD = 2**64 - 1


def generator(seed: int, stream: int = 0) -> State:
    """The state of a new generator.

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
        word = (word + part + 0x9E3779B97F4A7C15) & _WORD
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
