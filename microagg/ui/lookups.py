"""What the Attack page computes beside the page: probabilistic linkage, then each record under each set.

The first piece is PLD over all sets; the others follow the records through a part of the sets each, so that
progress can be seen and stopped. What is done is kept for the visit under data, plan, knowledge, direction.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import streamlit as st

from microagg.assess import comparable, known_sets
from microagg.measures.linkage import Linkage
from microagg.measures.probabilistic import probabilistic_linkage
from microagg.measures.records import RecordRisk, joined, record_risk
from microagg.ui import session
from microagg.ui.jobs import Job

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from threading import Event

    from microagg.measures.knowledge import Sets
    from microagg.types import Release
    from microagg.ui.intruder import Intruder

    Piece: TypeAlias = Linkage | RecordRisk

_PARTS = 12
_LEAST = 30  # sets in a part
_AT_ONCE = 0.3  # seconds that the page waits for a quick job, so that nothing flickers


@dataclass(frozen=True)
class Looked:
    """All of it.

    Parameters
    ----------
    pld : Linkage
    records : RecordRisk
        In the order of the records that can be compared.
    """

    pld: Linkage
    records: RecordRisk


@dataclass
class _Work:
    """The job of one key, and the pieces it has handed over."""

    key: tuple[object, ...]
    slices: list[Sets]
    job: Job[Piece]
    pieces: list[Piece]


def job() -> Job[Piece] | None:
    """The job that is at work or was last."""
    held: _Work | None = st.session_state.get("attack_work")
    return None if held is None else held.job


def looked(release: Release, who: Intruder) -> Looked | None:
    """What was found, or None while it is looked for; a search that is not yet begun begins."""
    key = ("looked", release.data.fingerprint, release.plan, who.knowledge, who.direction)
    memory = session.memory()
    held: _Work | None = st.session_state.get("attack_work")
    if key in memory:
        return memory.recall(key, _unknown)
    if held is None or held.key != key:
        if held is not None:
            held.job.cancel()
        sets = known_sets(release, who.knowledge)
        size = max(_LEAST, -(-len(sets) // _PARTS))
        slices = [sets[at : at + size] for at in range(0, len(sets), size)]
        held = _Work(key, slices, _start(release, who, sets, slices, 0), [])
        st.session_state.attack_work = held
        _wait(held.job)
    held.pieces += held.job.take()
    if len(held.pieces) <= len(held.slices):
        return None
    pld = next(piece for piece in held.pieces if isinstance(piece, Linkage))
    parts = [piece for piece in held.pieces if isinstance(piece, RecordRisk)]
    result = Looked(pld, joined(parts, [len(part) for part in held.slices]))
    st.session_state.attack_work = None
    return memory.recall(key, lambda: result, 40 * len(release.data) + 8 * len(pld.by_set))


def resume(release: Release, who: Intruder) -> None:
    """Take up a search that was stopped, where it was."""
    held: _Work = st.session_state.attack_work
    held.pieces += held.job.take()
    held.job = _start(release, who, known_sets(release, who.knowledge), held.slices, len(held.pieces))


def _start(release: Release, who: Intruder, sets: Sets, slices: list[Sets], done: int) -> Job[Piece]:
    sides, direction = comparable(release), who.direction
    population = who.knowledge.population(len(release.columns))
    steps: list[Callable[[], Piece]] = [
        partial(probabilistic_linkage, *sides, sets, direction=direction, population=population),
        *(partial(record_risk, *sides, part, direction=direction) for part in slices),
    ]

    def work(stop: Event) -> Iterator[Piece]:
        for step in steps[done:]:
            if stop.is_set():
                return
            yield step()

    return Job(work, len(steps) - done)


def _wait(job: Job[Piece]) -> None:
    until = time.monotonic() + _AT_ONCE
    while job.running and time.monotonic() < until:
        time.sleep(0.01)


def _unknown() -> Looked:
    raise KeyError
