"""Many plans over the same data: one row a plan, and no row stops the others.

Kernels release the interpreter lock, so threads share the data and keep all cores busy. Results come in the
order in which they finish; a stop request lets the plans that run finish their step and keeps what is done.
Two ways to single out the good ones: the Pareto front, and the part of it that a weighted sum can reach.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from microagg.assessment.assess import Assessment, disclosed, lost
from microagg.errors import Cancelled, MicroaggError
from microagg.measures.catalogue import MEASURES
from microagg.measures.knowledge import DEFAULT, Knowledge
from microagg.measures.risk import PAPER_3, RiskWeights
from microagg.model.arguments import whole_number
from microagg.protection.protect import protect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from microagg.model.microdata import Microdata
    from microagg.model.plan import Plan


@dataclass(frozen=True)
class Outcome:
    """What became of one plan.

    Parameters
    ----------
    plan : Plan
    figures : dict of str to float
        The measures by name (`microagg.MEASURES`); empty where the plan failed.
    reason : str
        Why there are no figures; empty where there are.
    seconds : float
        Time that the protection took.
    measuring : float
        Time that its assessment took.
    unprotected : tuple of str
        The quasi-identifiers that the method leaves as they are: no figure is of them.
    """

    plan: Plan
    figures: dict[str, float]
    reason: str = ""
    seconds: float = 0.0
    measuring: float = 0.0
    unprotected: tuple[str, ...] = ()


def outcome(
    data: Microdata,
    plan: Plan,
    knowledge: Knowledge | str,
    stop: Event | None = None,
    weights: RiskWeights = PAPER_3,
) -> Outcome:
    """Protect and assess one plan; a plan that cannot be honoured becomes an outcome with its reason.

    Raises
    ------
    Cancelled
        ``stop`` was set in the middle.
    """

    def look(_done: float) -> None:
        if stop is not None and stop.is_set():
            raise Cancelled("The sweep was stopped.")

    try:
        release = protect(data, plan, progress=look)
        look(1.0)
        began = time.perf_counter()
        loss = lost(release)
        look(1.0)
        found = disclosed(release, knowledge, probabilistic=weights.pld > 0)
        figures = Assessment(loss, found, weights).figures()
    except Cancelled:
        raise
    except MicroaggError as error:
        return Outcome(plan, {}, str(error))
    return Outcome(plan, figures, "", release.seconds, time.perf_counter() - began, release.unprotected)


def outcomes(
    data: Microdata,
    plans: Iterable[Plan],
    *,
    knowledge: Knowledge | str = DEFAULT,
    weights: RiskWeights | str = PAPER_3,
    workers: int | None = None,
    stop: Event | None = None,
) -> Iterator[tuple[int, Outcome]]:
    """Run plans side by side and yield each as it finishes.

    Parameters
    ----------
    data : Microdata
    plans : iterable of Plan
    knowledge : Knowledge or str
        What the intruder may know; attributes named in a text are looked up for each plan.
    weights : RiskWeights or str
        How much each kind of disclosure counts in DR; probabilistic linkage is measured where it counts.
    workers : int, optional
        Threads; None: one a core.
    stop : threading.Event, optional
        Set it to end the sweep; what is finished stays.

    Yields
    ------
    tuple of int and Outcome
        The plan's position and what became of it.
    """
    Knowledge.parse(knowledge, tuple(data.frame.columns))  # what no plan could mean is refused at once
    weights = RiskWeights.parse(weights)
    stop = stop or Event()
    queue = list(enumerate(plans))[::-1]
    running: dict[Future[Outcome], int] = {}
    count = os.cpu_count() or 1 if workers is None else whole_number(workers, "workers", least=1)
    with ThreadPoolExecutor(count) as pool:
        try:
            while (queue and not stop.is_set()) or running:
                while queue and len(running) < count and not stop.is_set():
                    position, plan = queue.pop()
                    running[pool.submit(outcome, data, plan, knowledge, stop, weights)] = position
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    position = running.pop(future)
                    if not isinstance(future.exception(), Cancelled):
                        yield position, future.result()
        finally:
            stop.set()


def table(found: Iterable[Outcome]) -> pd.DataFrame:
    """One row a plan: its settings, every measure (`microagg.MEASURES`), its time, the reason of a failure.

    Parameters
    ----------
    found : iterable of Outcome

    Returns
    -------
    DataFrame
        Columns method, k, blocks, lam, refine (rounds), aggregate, options, the measures, unprotected (the
        quasi-identifiers that are left as they are), seconds, reason, plan (JSON).
    """
    rows = [
        {
            "method": o.plan.method,
            "k": o.plan.k,
            "blocks": o.plan.blocks if isinstance(o.plan.blocks, str) else "by hand",
            "lam": o.plan.lam,
            "refine": o.plan.refine,
            "aggregate": o.plan.aggregate,
            "options": ", ".join(f"{name}={value}" for name, value in o.plan.options.items()),
            **{name: o.figures.get(name, float("nan")) for name in MEASURES},
            "unprotected": ", ".join(o.unprotected),
            "seconds": o.seconds,
            "reason": o.reason,
            "plan": o.plan.to_json(),
        }
        for o in found
    ]
    return pd.DataFrame(rows).astype({"refine": "Int64"} if rows else {})


def sweep(
    data: Microdata,
    plans: Sequence[Plan],
    *,
    knowledge: Knowledge | str = DEFAULT,
    weights: RiskWeights | str = PAPER_3,
    workers: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> pd.DataFrame:
    """Protect and assess many plans.

    Parameters
    ----------
    data : Microdata
    plans : sequence of Plan
    knowledge : Knowledge or str
    weights : RiskWeights or str
        As for `outcomes`.
    workers : int, optional
        Threads; None: one a core.
    progress : callable, optional
        Called with the share of plans done, 0…1; it may raise to stop.

    Returns
    -------
    DataFrame
        As `table`, in the order of the plans.
    """
    done: dict[int, Outcome] = {}
    for position, result in outcomes(data, plans, knowledge=knowledge, weights=weights, workers=workers):
        done[position] = result
        if progress is not None:
            progress(len(done) / len(plans))
    return table(done[position] for position in sorted(done))


def pareto_front(loss: Sequence[float], risk: Sequence[float]) -> NDArray[np.bool_]:
    """Which points no other point beats on both axes; low is good on both.

    Parameters
    ----------
    loss, risk : (m,) float
        Points with a nan are on no front.

    Returns
    -------
    (m,) bool

    Examples
    --------
    >>> pareto_front([1, 2, 3, 2], [3, 2, 1, 3]).tolist()
    [True, True, True, False]
    """
    points = np.column_stack([loss, risk]).astype(np.float64)
    at_most = (points[:, np.newaxis, :] <= points[np.newaxis, :, :]).all(axis=2)
    less = (points[:, np.newaxis, :] < points[np.newaxis, :, :]).any(axis=2)
    return np.asarray(~(at_most & less).any(axis=0) & np.isfinite(points).all(axis=1))


def lower_envelope(x: Sequence[float], y: Sequence[float]) -> NDArray[np.bool_]:
    """Which points lie on the lower convex envelope: the least (1−λ)x + λy for some λ in [0, 1].

    Statistical Dependence §III: minimising D for one λ finds only these if done exactly; a heuristic finds
    others too. Andrew's monotone chain over the Pareto front, O(m²) for the front.

    Parameters
    ----------
    x, y : (m,) float
        Low is good on both. Points with a nan are on no envelope; equal points are on it together.

    Returns
    -------
    (m,) bool

    Examples
    --------
    >>> lower_envelope([0, 1, 2, 4], [4, 3, 1, 0]).tolist()
    [True, False, True, True]
    """
    points = np.column_stack([x, y]).astype(np.float64)
    on = np.zeros(len(points), dtype=np.bool_)
    front = np.flatnonzero(pareto_front(x, y))
    chain: list[int] = []
    for position in front[np.lexsort((points[front, 1], points[front, 0]))].tolist():
        while len(chain) > 1 and _turns_right(points[chain[-2]], points[chain[-1]], points[position]):
            chain.pop()
        chain.append(position)
    on[chain] = True
    return on


def _turns_right(a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]) -> bool:
    """Whether b lies above the line from a to c, so that it is on no envelope of the three."""
    return bool((b[0] - a[0]) * (c[1] - a[1]) < (b[1] - a[1]) * (c[0] - a[0]))
