"""How long a sweep will take, measured on a few of its own plans before it starts.

One plan for each method, way of making blocks and refinement, run side by side as the sweep will run. Among
the group sizes the one nearest to their harmonic mean stands for all, since work grows with the number of
groups, n/k. Up to 1,500 records the plans run on the data themselves, so that their outcomes are the sweep's
first; above, on two samples, from which the growth of the protection with n is read off, between linear and
quadratic. Measuring grows linearly but for linkage, which no small sample foretells: it goes about it in
another way, and on a sample of the records where they are very many; its time is known
(`measures.running_cost`).
"""

from __future__ import annotations

import math
import os
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from microagg.errors import MicroaggError
from microagg.kernels.random_numbers import permutation
from microagg.kernels.threads import THREADS
from microagg.measures.running_cost import usual_linkage_seconds
from microagg.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from microagg.exploration.sweep import Outcome
    from microagg.measures.arrays import Sets
    from microagg.measures.knowledge import Knowledge
    from microagg.model.microdata import Microdata
    from microagg.model.plan import Plan
    from microagg.model.plan_fields import Blocks

    Cell: TypeAlias = tuple[str, Blocks, int | None]

MOST = 1500


def trials(plans: Iterable[Plan]) -> list[Plan]:
    """The plans to measure: for each method, way of making blocks and refinement the one in the middle.

    Parameters
    ----------
    plans : iterable of Plan

    Returns
    -------
    list of Plan

    Examples
    --------
    >>> from microagg.model.plan import Plan
    >>> [plan.k for plan in trials(Plan(k=k) for k in (2, 3, 4, 5, 100))]
    [4]
    """
    cells: defaultdict[Cell, list[Plan]] = defaultdict(list)
    for plan in plans:
        cells[_cell(plan)].append(plan)
    return [_middle(cell) for cell in cells.values()]


def _cell(plan: Plan) -> Cell:
    return plan.method, plan.blocks, plan.refine


def _middle(plans: Sequence[Plan]) -> Plan:
    inverse = sum(1 / plan.k for plan in plans) / len(plans)
    nearest = min(abs(1 / plan.k - inverse) for plan in plans)
    alike = [plan for plan in plans if abs(1 / plan.k - inverse) == nearest]
    return alike[len(alike) // 2]


def samples(data: Microdata) -> list[Microdata]:
    """The data where they are small, else two samples, one twice the other, the same every time."""
    n = len(data)
    if n <= MOST:
        return [data]
    drawn = permutation(0, n)
    return [replace(data, frame=data.frame.iloc[np.sort(drawn[:size])]) for size in (MOST // 2, MOST)]


def seconds(
    plans: Sequence[Plan],
    measured: Sequence[Sequence[Outcome]],
    n: int,
    sets: Sets = (),
    *,
    workers: int | None = None,
) -> float:
    """Time that a sweep will take on this machine.

    Parameters
    ----------
    plans : sequence of Plan
    measured : sequence of sequences of Outcome
        The trials' outcomes, one sequence for each of `samples`, each in the trials' order.
    n : int
        Records of the data.
    sets : tuple of tuples of int
        What the intruder may know, as `sets_known` gives it.
    workers : int, optional
        Plans that run at once; as many as there are cores, unless said.

    Returns
    -------
    float, seconds; nan where no trial could be carried out
    """
    cost = {_cell(runs[0].plan): _on_all(runs, n, sets) for runs in zip(*measured, strict=True)}
    known = [value for value in cost.values() if value > 0]
    if not known:
        return math.nan
    mean = sum(known) / len(known)
    at_once = min(workers or os.cpu_count() or 1, max(1, len(plans)))
    return sum(cost.get(_cell(plan), mean) for plan in plans) / at_once


def sets_known(data: Microdata, knowledge: Knowledge) -> Sets:
    """The sets of attributes that may be known; where blocks decide that, one set of all stands for them.

    Parameters
    ----------
    data : Microdata
    knowledge : Knowledge

    Returns
    -------
    tuple of tuples of int
    """
    p = sum(map(data.averages, data.columns("quasi_identifier")))
    try:
        return knowledge.sets(p)
    except MicroaggError:
        return (tuple(range(p)),)


def _on_all(runs: Sequence[Outcome], n: int, sets: Sets) -> float:
    """Seconds of one plan on all n records, from its runs on the data, or on the two samples."""
    *smaller, last = runs
    if not smaller or not smaller[0].seconds or not last.seconds:
        return last.seconds + last.measuring
    growth = min(max(math.log2(last.seconds / smaller[0].seconds), 1.0), 2.0)
    method, k = METHODS[last.plan.method], last.plan.k
    # Released records that differ: as many as groups, where records form any.
    linking, linked = (
        usual_linkage_seconds(size, size // k if method.kind == "partition" else size, sets) / THREADS
        for size in (n, MOST)
    )
    besides = max(last.measuring - linked, last.measuring / 10)
    return float(last.seconds * (n / MOST) ** growth + besides * n / MOST + linking)
