"""Blocks of attributes: each block is protected on its own, which loses less and discloses more.

k-anonymity holds for what an intruder knows of one block, and no longer across blocks (One Dimension
Microaggregation §1, §4.1). The rules, written as one word and a size:

- ``all``: one block.
- ``single``: every attribute on its own.
- ``contiguous:b``: the first b attributes, the next b, …; the last block takes what is left over.
- ``correlated:b``: attributes that correlate go together. Greedily: the free pair with the largest |r|
  opens a block, which grows by the attribute with the largest mean |r| to it. Low loss.
- ``apart:b``: correlated attributes go to different blocks, and the blocks correlate instead: the first
  attributes of all blocks correlate, the second ones, … (§4.1). Records tend to meet in every block again,
  which raises the real anonymity k′.

Ties go to the attribute that comes first. Constant attributes correlate with nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.errors import PlanError
from microagg.model.arguments import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microagg.kernels.compiled import FloatArray

RULES = ("all", "single", "contiguous", "correlated", "apart")
SIZED = ("contiguous", "correlated", "apart")

Groups = tuple[tuple[int, ...], ...]


def parse(rule: str) -> tuple[str, int]:
    """Read a rule; the size is 0 where the rule has none.

    Raises
    ------
    PlanError
        No such rule, or a size that is missing, unwanted or no whole number of at least 1.

    Examples
    --------
    >>> parse("contiguous:3")
    ('contiguous', 3)
    """
    name, _, size = rule.partition(":")
    if name not in RULES:
        raise PlanError(f"There is no way of making blocks called {shown(rule)}; use {', '.join(RULES)}.")
    if name not in SIZED:
        if size:
            raise PlanError(f"Blocks {name!r} take no size.")
        return name, 0
    if not size.isascii() or not size.isdigit() or len(size) > 9 or int(size) < 1:
        raise PlanError(f"Blocks {shown(rule)} need a size of at least 1, such as '{name}:3'.")
    return name, int(size)


def correlations(standardised: FloatArray) -> FloatArray:
    """Absolute correlations of standardised attributes, zero on the diagonal, (p, p)."""
    r = np.abs(standardised.T @ standardised) / len(standardised)
    np.fill_diagonal(r, 0.0)
    return r


def by_rule(rule: str, standardised: FloatArray) -> Groups:
    """Positions of the attributes of each block.

    Parameters
    ----------
    rule : str
    standardised : (n, p) float64

    Returns
    -------
    tuple of tuples of int
        A partition of 0…p−1, each block in ascending order.

    Raises
    ------
    PlanError
        As `parse`.

    Examples
    --------
    >>> by_rule("contiguous:2", np.zeros((4, 5)))
    ((0, 1), (2, 3), (4,))
    """
    name, size = parse(rule)
    p = standardised.shape[1]
    if name == "all":
        return (tuple(range(p)),)
    if name == "single":
        return tuple((j,) for j in range(p))
    if name == "contiguous":
        return tuple(tuple(range(start, min(start + size, p))) for start in range(0, p, size))
    if name == "correlated":
        return correlated_together(correlations(standardised), size)
    return correlated_apart(correlations(standardised), size)


def correlated_together(r: FloatArray, size: int) -> Groups:
    """Blocks of attributes that correlate with each other.

    Parameters
    ----------
    r : (p, p) float64, absolute correlations
    size : int

    Returns
    -------
    tuple of tuples of int, ordered by their first attribute
    """
    free = list(range(len(r)))
    blocks = []
    while free:
        if size == 1 or len(free) <= size:
            block = free[:size]
        else:
            among = r[np.ix_(free, free)]
            first, second = np.unravel_index(among.argmax(), among.shape)
            block = [free[first], free[second]]
            while len(block) < size:
                rest = [j for j in free if j not in block]
                block.append(max(rest, key=lambda j: (r[j, block].mean(), -j)))
        free = [j for j in free if j not in block]
        blocks.append(tuple(sorted(block)))
    return tuple(sorted(blocks))


def correlated_apart(r: FloatArray, size: int) -> Groups:
    """Blocks that correlate with each other, made of attributes that do not.

    Attributes are first grouped with as many partners as there will be blocks; block j takes the j-th of
    each group.

    Parameters
    ----------
    r : (p, p) float64, absolute correlations
    size : int

    Returns
    -------
    tuple of tuples of int, ordered by their first attribute
    """
    count = -(-len(r) // size)
    groups = correlated_together(r, count)
    dealt = [tuple(sorted(group[j] for group in groups if j < len(group))) for j in range(count)]
    return tuple(sorted(block for block in dealt if block))


def by_hand(blocks: Sequence[Sequence[str]], columns: Sequence[str]) -> Groups:
    """Positions of blocks that were drawn by hand.

    Raises
    ------
    PlanError
        A column that is not protected, in two blocks, or in none; an empty block.
    """
    named = [name for block in blocks for name in block]
    unknown = [name for name in named if name not in columns]
    if unknown:
        raise PlanError(f"A block names {unknown[0]!r}, which is not among the protected columns.")
    twice = [name for name in columns if named.count(name) > 1]
    if twice:
        raise PlanError(f"Column {twice[0]!r} stands in more than one block.")
    missing = [name for name in columns if name not in named]
    if missing:
        raise PlanError(f"Column {missing[0]!r} is in no block; put it in one or do not protect it.")
    if not all(blocks):
        raise PlanError("A block is empty; remove it.")
    return tuple(tuple(sorted(columns.index(name) for name in block)) for block in blocks)
