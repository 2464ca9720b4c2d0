"""The top of Explore: seven figures, and what breaks k where it is broken."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import streamlit as st

from microagg.measures.anonymity import real_anonymity
from microagg.model.phrases import counted, listed
from microagg.ui.components import display
from microagg.ui.components.words import plain
from microagg.ui.state import session

if TYPE_CHECKING:
    from microagg.assessment.assess import Assessment
    from microagg.model.findings import Status
    from microagg.model.microdata import Microdata
    from microagg.model.plan import Plan
    from microagg.model.release import Release
    from microagg.ui.state.plan_settings import Honoured


@dataclass(frozen=True)
class View:
    """What Explore shows of one setting.

    Parameters
    ----------
    source : str
        The data set's name.
    now : Mark
    plan : Plan
    release : Release
    result : Assessment
    reason : str or None
        Why λ does not apply.
    note : str
        What every figure of it carries: that it shows a sample.
    """

    source: str
    now: session.Mark
    plan: Plan
    release: Release
    result: Assessment
    reason: str | None
    note: str

    @property
    def before(self) -> session.Mark | None:
        """The pinned setting that this one is compared with."""
        return session.pinned(self.now.key[0])


def view(data: Microdata, wanted: Honoured, found: tuple[Release, Assessment] | None) -> View | None:
    """What to show: what was just found, else what was shown last of the same data."""
    source = session.settings().data
    if found is None:
        last: View | None = st.session_state.get("view")
        if last is None or last.source != source:
            return None
        session.say_on_figures(last.note)
        return last
    release, result = found
    session.remember(mark(data, wanted.plan, result))
    now = session.now()
    if now is None:
        return None
    reason, note = wanted.reasons.get("lam"), session.said_on_figures()
    fresh = View(source, now, wanted.plan, release, result, reason, note)
    st.session_state.view = fresh
    return fresh


FIGURES = ("il", "dr", "score", "l", "k_prime", "smallest_class", "dld")
_PAIRS = 100


def mark(data: Microdata, plan: Plan, result: Assessment) -> session.Mark:
    """The current setting with its figures, for the trail and the pin."""
    key = (data.fingerprint, plan.to_json(), str(result.disclosed.knowledge))
    return session.Mark(key, plan_name(plan), result.figures(), session.settings())


def plan_name(plan: Plan) -> str:
    """A plan in a few words.

    Examples
    --------
    >>> from microagg.model.plan import Plan
    >>> plan_name(Plan(k=3, blocks="contiguous:2", lam=0.5))
    'mdav, k = 3, blocks contiguous:2, λ = 0.50'
    """
    parts = [plan.method, f"k = {plan.k}"]
    if plan.blocks != "all":
        parts.append(f"blocks {plan.blocks if isinstance(plan.blocks, str) else 'by hand'}")
    if plan.lam:
        parts.append(f"λ = {plan.lam:.2f}")
    parts += [f"{name} {value}" for name, value in plan.options.items()]
    if plan.refine is not None:
        parts.append(f"refined {plan.refine} rounds")
    if plan.stop_at < 1:
        parts.append(f"stopped at {plan.stop_at:.0%}")
    return ", ".join(parts)


ALIKE = ("k_prime", "smallest_class")


def figures(now: session.Mark, k: int, before: session.Mark | None, *, exposed: Status = "green") -> None:
    """Draw the seven figures with their differences to the pin.

    Where records stand out by all that is known of them (``exposed`` is not green), those that count who is
    alike say that they look at the protected columns only.
    """
    with st.container(key="figures"):
        for column, name in zip(st.columns(len(FIGURES), gap="small"), FIGURES, strict=True):
            with column:
                display.number(
                    name,
                    now.figures[name],
                    None if before is None else before.figures[name],
                    title=f"Actual k (asked: {k})" if name == "k_prime" else "",
                    among="in protected columns" if exposed != "green" and name in ALIKE else "",
                )


def cause_of(view: View) -> None:
    """Say which blocks break k, where they do, and to what differences are."""
    anonymity, before = view.result.disclosed.anonymity, view.before
    said = [cause(view.release, anonymity.k)] if anonymity.records_below_k else []
    said += ["Differences are to the pinned setting."] if before else []
    if said:
        st.caption(" ".join(said), help=f"Pinned: {plain(before.name)}" if before else None)


def cause(release: Release, k: int) -> str:
    """Say which blocks break k-anonymity: the pair whose combination leaves most records below k."""
    if not release.partitions:
        return "This method mixes values, not records, and promises nothing about records."
    pairs = list(combinations(range(len(release.blocks)), 2))[:_PAIRS]
    if not pairs:
        return "Groups of the only block fell together or apart by the way they are averaged."
    counts = [_below(release, pair, k) for pair in pairs]
    worst, breaking = max(counts), sum(count > 0 for count in counts)
    if not worst:
        return "Any two blocks together have k records in each class; more of them do not."
    names = " and ".join(
        f"block {b + 1} ({plain(listed(release.blocks[b], 2))})" for b in pairs[counts.index(worst)]
    )
    also = f" ({breaking} of {len(pairs)} pairs do)" if len(pairs) > 1 else ""
    return f"{names} together leave {counted(worst, 'record')} below k{also}."


def _below(release: Release, blocks: tuple[int, int], k: int) -> int:
    known = [position for block in blocks for position in release.block_positions[block]]
    return real_anonymity(release.protected_values, known, k).records_below_k
