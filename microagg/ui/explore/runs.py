"""One release, made beside the page: quick ones are waited for, long ones show progress, time and Cancel.

What is seen of a large file is, unless asked otherwise, an even sample, and every figure says so.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from threading import Event
from typing import TYPE_CHECKING

import streamlit as st

from microagg.assessment.assess import Assessment, disclosed, lost
from microagg.errors import Cancelled
from microagg.exploration import time_forecast
from microagg.exploration.sweep import outcome
from microagg.figures.theme import sampled
from microagg.preparation.refinement_rounds import rounds_asked
from microagg.protection.protect import protect
from microagg.ui.components import jobs
from microagg.ui.results import cached_results
from microagg.ui.shell import warm_up
from microagg.ui.state import session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from microagg.measures.knowledge import Knowledge
    from microagg.model.microdata import Microdata
    from microagg.model.plan import Plan
    from microagg.model.release import Release
    from microagg.protection.refinement import Moment

AT_ONCE = 1.0  # seconds that the page waits, so that nothing flickers
NEARLY = 1.5  # and as many more for what is only to be measured: a bar would do no more than flicker
SAMPLE, LARGE, SLOW = 10_000, 50_000, 3.0
_FORECAST_FROM = 10_000  # records; below, the bar's own pace tells enough
_PROTECTING = 0.8  # share of the bar


@dataclass
class _Told:
    """What the thread tells before it is done; the moments are those of a refinement."""

    share: float = 0.0
    release: Release | None = None
    moments: list[Moment] = field(default_factory=list)


class Run(jobs.Job[Assessment]):
    """Protect and assess one plan.

    Parameters
    ----------
    data : Microdata
    plan : Plan
    knowledge : Knowledge
    known : Release, optional
        Where it is there already and only to be assessed.
    """

    def __init__(self, data: Microdata, plan: Plan, knowledge: Knowledge, known: Release | None) -> None:
        self.key, self.method = _key(data, plan, knowledge), plan.method
        self.told = told = _Told(release=known)
        self.began = time.monotonic()
        self._enough = enough = Event()
        exact, before = session.settings().exact, cached_results.known_loss(known)

        def work(stop: Event) -> Iterator[Assessment]:
            def look(done: float) -> None:
                if stop.is_set():
                    raise Cancelled("Stopped.")
                told.share = _PROTECTING * done

            def watch(now: Moment) -> bool:
                told.moments.append(now)
                return enough.is_set()

            try:
                if told.release is None:
                    warm_up.ready(plan.method)
                    told.release = protect(data, plan, progress=look, watch=watch)
                look(1.0)
                found = before or lost(told.release)
                look(1.05)
                linked = disclosed(
                    told.release, knowledge, exact=exact, progress=lambda share: look(1.05 + 0.2 * share)
                )
                yield Assessment(found, linked)
            except Cancelled:
                return

        super().__init__(work, 1)

    @property
    def refining(self) -> bool:
        """Whether there are groups already, which get better while it runs."""
        return bool(self.told.moments) and self.told.release is None

    @property
    def measuring(self) -> bool:
        """Whether there is a release, and what it costs and discloses is being looked at."""
        return self.told.share >= _PROTECTING

    @property
    def doing(self) -> str:
        """What it is at, in a word; measuring has no pace of its own to go by."""
        if self.measuring:
            return "Measuring"
        return (
            "Protecting" if warm_up.is_ready(self.method) else "Making the method ready, once on this machine"
        )

    @property
    def shown(self) -> float:
        """Where the bar stands, 0…1."""
        return min(self.told.share, 1.0)

    def keep_the_best(self) -> None:
        """Ask it to refine no longer; what it has is released and measured."""
        self._enough.set()

    @property
    def left(self) -> float:
        """Seconds until the end at the pace so far; nan where there is none yet."""
        share = self.told.share
        return (time.monotonic() - self.began) * (1 - share) / share if share > 0.02 else math.nan


_BELOW = "; below is what was shown before"


def _key(data: Microdata, plan: Plan, knowledge: Knowledge) -> tuple[object, ...]:
    return data.fingerprint, plan, knowledge, session.settings().exact


def _run() -> Run | None:
    held: Run | None = st.session_state.get("run")
    return held


def ready(data: Microdata, plan: Plan, knowledge: Knowledge) -> tuple[Release, Assessment] | None:
    """The release and its assessment; None while they are made, which begins here.

    Raises
    ------
    MicroaggError
        The plan cannot be carried out on these data.
    """
    held = _run()
    if held is not None and held.key != _key(data, plan, knowledge):
        held.cancel()
        held = st.session_state.run = None
    release = cached_results.known_release(data, plan)
    if release is not None and cached_results.assessed(release, knowledge):
        return release, cached_results.assessment(release, knowledge)
    if held is None:
        held = st.session_state.run = Run(data, plan, knowledge, release)
        held.wait(AT_ONCE)
        if held.measuring:
            held.wait(NEARLY)
    made = held.told.release
    if made is not None and made.plan is not None:
        cached_results.keep_release(data, made.plan, made)
        cached_results.keep_course(data, made.plan, held.told.moments)
    pieces = held.take()
    if not pieces or made is None or made.plan is None:
        return None
    cached_results.keep_assessment(made, knowledge, pieces[-1])
    st.session_state.run = None
    if made.plan != plan:  # it was told to stop and keep the best: that is what is set now
        session.change(stop_at=made.plan.stop_at)
        st.rerun()
    return made, pieces[-1]


def again() -> None:
    """Begin a run that was stopped once more."""
    st.session_state.run = None


def waiting(bar: Callable[[Run], None], *, below: bool) -> None:
    """Draw the bar of the run again and again, or that it was stopped.

    ``below`` says whether what was shown before stands there.
    """
    held = _run()
    if held is None:
        return

    def draw() -> None:
        if not held.cancelled:
            bar(held)
            return
        line, back, button = st.columns([5, 1.5, 1.3], vertical_alignment="center")
        line.caption(f":material/stop_circle: Stopped{_BELOW if below else ''}.")
        back.button("Back to that", key="run_back", on_click=session.undo, disabled=not session.can_undo())
        button.button("Run again", key="run_again", icon=":material/play_arrow:", on_click=again)

    jobs.watch(lambda: [_run()], draw, "run_bar")


def plain_bar(expected: float, *, below: bool) -> Callable[[Run], None]:
    """The bar of a run that nothing but its end is awaited of; ``expected`` is the estimate in seconds."""

    def draw(held: Run) -> None:
        seconds = expected if math.isnan(held.left) else held.left
        remaining = "" if held.measuring or math.isnan(seconds) else f", {jobs.about(seconds)} left"
        line, button = st.columns([6, 1.3], vertical_alignment="center")
        line.progress(held.shown, f"{held.doing}{remaining}{_BELOW if below else ''}.")
        button.button(
            "Cancel", key="run_cancel", icon=":material/stop:", on_click=held.cancel, width="stretch"
        )

    return draw


def estimate(data: Microdata, plan: Plan, knowledge: Knowledge) -> float:
    """Seconds that a run on a large file will take, from runs on two samples; nan for small ones.

    While methods are being compiled their times say nothing, so that there is no estimate then; nor for
    refinement, which goes at an even pace that its own bar tells, and can be left at any time.
    """
    if len(data) <= _FORECAST_FROM or warm_up.busy() or rounds_asked(plan) is not None:
        return math.nan

    def measure() -> tuple[int, float]:
        trials = time_forecast.trials([plan])
        runs = [[outcome(part, trial, knowledge) for trial in trials] for part in time_forecast.samples(data)]
        return plan.k, time_forecast.seconds(
            [plan], runs, len(data), time_forecast.sets_known(data, knowledge)
        )

    blocks = plan.blocks if isinstance(plan.blocks, str) else len(plan.blocks)
    key = ("estimate", data.fingerprint, plan.method, blocks, tuple(plan.options.items()), str(knowledge))
    k, seconds = session.memory().recall(key, measure)
    return seconds * k / plan.k


def looked_at(data: Microdata, expected: float) -> Microdata:
    """The whole file, or an even sample of one that is large or slow, with the switch between them."""
    n, now = len(data), session.settings()
    large = n > LARGE or (expected > SLOW and n > SAMPLE)
    if not large:
        return data
    took = "" if math.isnan(expected) else f" ({jobs.about(expected)})"
    with st.container(horizontal=True, vertical_alignment="center", key="sampling"):
        if now.all_records:
            st.caption(f":material/database: On all {n:,} records.", width="stretch")
            label, wanted = f"First on a sample of {SAMPLE:,}", False
        else:
            st.caption(
                f":orange[:material/filter_alt: **A sample of {SAMPLE:,} of {n:,} records.**] Its records "
                "lie farther apart than those of the whole file, so that loss shows higher here.",
                width="stretch",
            )
            label, wanted = f"Now on all records{took}", True
        st.button(label, key="all_records", on_click=_switch, args=(wanted,))
    if now.all_records:
        return data
    session.say_on_figures(f"Sample of {SAMPLE:,} of {n:,} records.")
    rows = sampled(n, SAMPLE)
    return session.memory().recall(
        ("sample", data.fingerprint), lambda: replace(data, frame=data.frame.iloc[rows]), 8 * rows.size
    )


def _switch(wanted: bool) -> None:
    session.change(all_records=wanted)
