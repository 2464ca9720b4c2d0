"""Many plans for one page: what is known is shown, what is missing is computed beside the page, once.

Plans run in `microagg.workers`, so that nobody's sweep slows another visitor's sliders.
An outcome is kept for the visit under data, plan and the intruder's knowledge; whatever page asks for it
again, and in whatever grid, finds it. `session.Memory` bounds them all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeAlias

import streamlit as st

from microagg.exploration.time_forecast import samples, seconds, sets_known, trials
from microagg.ui.components.jobs import Job
from microagg.ui.shell import warm_up
from microagg.ui.state import session
from microagg.workers import POOL

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence
    from threading import Event, Thread

    from microagg.exploration.sweep import Outcome
    from microagg.measures.knowledge import Knowledge
    from microagg.model.microdata import Microdata
    from microagg.model.plan import Plan

    Found: TypeAlias = tuple[Hashable, Outcome]

_SIZE = 4000  # bytes that an outcome takes, generously


@dataclass(frozen=True, eq=False)
class Request:
    """Plans to be carried out on some data, under some knowledge of the intruder.

    Parameters
    ----------
    data : Microdata
    plans : tuple of Plan
        All different.
    knowledge : Knowledge
    """

    data: Microdata
    plans: tuple[Plan, ...]
    knowledge: Knowledge

    @cached_property
    def keys(self) -> tuple[Hashable, ...]:
        """Under which the outcomes are kept."""
        fingerprint, knowledge = self.data.fingerprint, str(self.knowledge)
        return tuple(("outcome", fingerprint, plan.to_json(), knowledge) for plan in self.plans)

    def known(self) -> list[Outcome]:
        """What is known, in the order of the plans."""
        held = session.memory()
        return [held.recall(key, _unknown) for key in self.keys if key in held]

    def missing(self) -> Request:
        """What is not yet known, as a request of its own."""
        held = session.memory()
        plans = tuple(plan for plan, key in zip(self.plans, self.keys, strict=True) if key not in held)
        return Request(self.data, plans, self.knowledge)


def _as_it_is(outcome: Outcome) -> Outcome:
    return outcome


def _unknown() -> Outcome:
    raise KeyError


def start(name: str, *requests: Request, after: Thread | None = None) -> None:
    """Compute what is missing, in a job of this name; an earlier one stops and keeps what it has done.

    Parameters
    ----------
    name : str
    *requests : Request
    after : Thread, optional
        Begin when it has ended.
    """
    stop(name)
    missing = [left for request in requests if (left := request.missing()).plans]
    owner = id(session.memory())  # of this visit

    def work(event: Event) -> Iterator[Found]:
        if after is not None:
            after.join()
        for left in missing:
            found = POOL.outcomes(left.data, left.plans, knowledge=left.knowledge, stop=event, owner=owner)
            for at, outcome in found:
                yield left.keys[at], outcome

    if missing:
        st.session_state[f"job-{name}"] = Job(work, sum(len(left.plans) for left in missing))


def job(name: str) -> Job[Found] | None:
    """The job of this name, after what it has done was put away."""
    found: Job[Found] | None = st.session_state.get(f"job-{name}")
    for key, outcome in () if found is None else found.take():
        session.memory().recall(key, partial(_as_it_is, outcome), _SIZE)
    return found


def running(name: str) -> bool:
    """Whether the job of this name is at work."""
    found = job(name)
    return found is not None and found.running


def stop(name: str) -> None:
    """Stop the job of this name; what it has done is kept."""
    found = job(name)
    if found is not None:
        found.cancel()


def forecast(name: str, request: Request) -> float | None:
    """Seconds that the missing plans will take, from a quick run of a few of the plans.

    Returns
    -------
    float or None
        nan where no plan of the quick run could be carried out; None while it runs, in the job of this name.
    """
    job(name)
    data, chosen = request.data, tuple(trials(request.plans))
    small: Sequence[Microdata] = session.memory().recall(
        ("samples", data.fingerprint), lambda: samples(data), 8 * len(data)
    )
    quick = [Request(part, chosen, request.knowledge) for part in small]
    if any(part.missing().plans for part in quick):
        wanted = tuple(part.keys for part in quick)
        if st.session_state.get(f"wanted-{name}") != wanted:
            st.session_state[f"wanted-{name}"] = wanted
            start(name, *quick, after=warm_up.start())
        return None
    measured, sets = [part.known() for part in quick], sets_known(data, request.knowledge)
    return seconds(request.missing().plans, measured, len(data), sets, workers=POOL.share)
