"""What the Attack page computes beside the page: probabilistic linkage, and each record under each set.

Both go through the sets of known attributes in parts, so that progress can be seen and stopped. What is done
is kept for the visit under data, plan, knowledge and direction.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import streamlit as st

from microagg.assessment.assess import comparable
from microagg.measures.anonymity import classes
from microagg.measures.linkage import Linkage, sampling_error
from microagg.measures.probabilistic import probabilistic_linkage
from microagg.measures.record_risk import RecordRisk, joined, record_risk
from microagg.measures.running_cost import whom_to_look_up
from microagg.ui.components.jobs import Job
from microagg.ui.state import session

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from threading import Event

    from microagg.measures.arrays import Sets
    from microagg.model.release import Release
    from microagg.ui.attack.intruder import Intruder

    Piece: TypeAlias = tuple[Linkage, RecordRisk]

_PARTS = 12
_LEAST = 100  # sets in a part, each of which counts the patterns of agreement once more
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


def looked(release: Release, who: Intruder, sets: Sets) -> Looked | None:
    """What was found, or None while it is looked for; a search that is not yet begun begins.

    Without a set, nothing is looked for.
    """
    exact = session.settings().exact
    key = ("looked", release.data.fingerprint, release.plan, who.knowledge, who.direction, exact)
    memory = session.memory()
    held: _Work | None = st.session_state.get("attack_work")
    if not sets:
        return None
    if key in memory:
        return memory.recall(key, _unknown)
    if held is None or held.key != key:
        if held is not None:
            held.job.cancel()
        size = max(_LEAST, -(-len(sets) // _PARTS))
        slices = [sets[at : at + size] for at in range(0, len(sets), size)]
        held = _Work(key, slices, _start(release, who, slices), [])
        st.session_state.attack_work = held
        _wait(held.job)
    held.pieces += held.job.take()
    if len(held.pieces) < len(held.slices):
        return None
    agreements, records = zip(*held.pieces, strict=True)
    pld = _united(agreements, who.knowledge.population(len(release.columns)))
    result = Looked(pld, joined(records, [len(part) for part in held.slices]))
    st.session_state.attack_work = None
    return memory.recall(key, lambda: result, 40 * len(release.data) + 8 * len(pld.by_set))


def _united(parts: Sequence[Linkage], population: int | None) -> Linkage:
    """Linkage under all sets, from linkage under parts of them."""
    by_set = np.concatenate([part.by_set for part in parts])
    notes = dict(parts[0].notes) if len(parts) == 1 else {}
    if len(parts) > 1 and any(part.notes for part in parts):
        notes["em"] = f"Some of the {len(by_set):,} estimations had not settled, or could not be made."
    errors = [part.standard_error for part in parts if part.looked_up is not None]
    errors += [] if population is None else [sampling_error(by_set, population)]
    error = max(errors, default=math.nan)  # of the records, alike in all parts, or of the sets
    return Linkage(by_set, error, notes, parts[0].looked_up)


def resume(release: Release, who: Intruder) -> None:
    """Take up a search that was stopped, where it was."""
    held: _Work = st.session_state.attack_work
    held.pieces += held.job.take()
    held.job = _start(release, who, held.slices[len(held.pieces) :])


def _start(release: Release, who: Intruder, slices: list[Sets]) -> Job[Piece]:
    sides, direction = comparable(release), who.direction
    whole, exact = [known for part in slices for known in part], session.settings().exact
    different = len(classes(release.protected_codes)[0])
    rows = whom_to_look_up(len(sides[0]), different, tuple(whole), exact=exact, probabilistic=True)

    def work(stop: Event) -> Iterator[Piece]:
        for part in slices:
            agreement = probabilistic_linkage(*sides, part, direction=direction, rows=rows)
            if stop.is_set():
                return
            yield agreement, record_risk(*sides, part, direction=direction)
            if stop.is_set():
                return

    return Job(work, len(slices))


def _wait(job: Job[Piece]) -> None:
    until = time.monotonic() + _AT_ONCE
    while job.running and time.monotonic() < until:
        time.sleep(0.01)


def _unknown() -> Looked:
    raise KeyError
