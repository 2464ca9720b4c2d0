"""Refinement of a whole file: every cell of every block takes its steps in turn, until the end or a stop.

The part that is farthest behind takes the next step, the first of those that are equally far. So wherever the
work is left, all parts have had about the same share of their rounds: a budget does not refine one block and
forget the next.

**Leaving early.** The loss falls from step to step and the best partitions so far can always be had, so
whoever watches may say stop at any step. What that gives can be repeated: the order of the steps follows from
data and plan alone and each step adds to the share that is done, so that this share, kept in the plan as
``stop_at``, says after which step the work was left. It stands beside the number of rounds because the
rounds set the pace at which the search cools down: fewer of them would be another search.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microagg.methods.refine import Refinement


@dataclass(frozen=True)
class Moment:
    """How far a refinement is.

    Parameters
    ----------
    share : float
        Of its work, 0…1.
    rounds : float
        That a group has had, on average.
    before, loss : float
        SSE/SST at its start and of the best so far, in the space in which the groups are formed: L where
        λ is 0 and groups are released as their means, else close to D.
    seconds : float
        Since it began.
    """

    share: float
    rounds: float
    before: float
    loss: float
    seconds: float


Watch = Callable[[Moment], bool]


def refine_all(
    parts: Sequence[Refinement],
    rest: float,
    total: float,
    *,
    stop_at: float = 1.0,
    progress: Callable[[float], None] | None = None,
    watch: Watch | None = None,
) -> float:
    """Refine all parts of a file; each then holds its best partition.

    Parameters
    ----------
    parts : sequence of Refinement
    rest : float
        SSE of the records that belong to no part.
    total : float
        SST of the whole file.
    stop_at : float in [0, 1]
        Share of the work after which it ends.
    progress : callable, optional
        Called with the share of the work that is done, at least ten times a second; it may raise.
    watch : callable, optional
        Called as often, and once before; where it returns true the work ends with what is best so far.

    Returns
    -------
    float
        ``stop_at``, or the share at which ``watch`` said stop: the value that repeats this.

    Examples
    --------
    >>> import numpy as np
    >>> from microagg.methods.refine import Refinement
    >>> points = np.array([[0.0], [9.0], [1.0], [8.0]])
    >>> part = Refinement(points, 2, np.array([0, 0, 1, 1]))
    >>> refine_all([part], 0.0, 65.0, watch=lambda moment: moment.loss < 0.1) < 1
    True
    >>> part.labels.tolist()
    [0, 1, 0, 1]
    """
    began, groups = time.monotonic(), max(1, sum(part.groups for part in parts))
    work, done, rounds = sum(part.work for part in parts), 0, 0.0
    sse = start = rest + sum(part.sse for part in parts)
    total = total if total > 0 else 1.0
    behind = [(0.0, position) for position in range(len(parts))]  # a heap: the first is farthest behind
    while True:
        share = done / work if work else 1.0
        if progress is not None:
            progress(share)
        if watch is not None:
            passed = time.monotonic() - began
            if watch(Moment(share, rounds / groups, start / total, sse / total, passed)) and share < stop_at:
                return share
        if share >= stop_at:
            return stop_at
        part = parts[behind[0][1]]
        had = part.done, part.rounds, part.sse
        part.step()
        done += part.done - had[0]
        rounds += (part.rounds - had[1]) * part.groups
        sse += part.sse - had[2]
        heapq.heapreplace(behind, (part.done / part.work, behind[0][1]))
