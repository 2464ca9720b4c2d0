"""The verdict, the same on every page: one line, a chip for each finding, and behind a chip what was found.

It is drawn of a release, of the written file, or beforehand of what the roles alone decide (a forecast). A
person who knows more types the reason behind the chip; it is in force at once, and quoted in both reports.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from microagg.assessment.audit import audit
from microagg.assessment.audit.forecast import forecast
from microagg.errors import PlanError
from microagg.model.findings import NAMES, WORST_FIRST, Findings, headline
from microagg.model.phrases import counted, listed
from microagg.ui.components import widgets
from microagg.ui.components.words import plain
from microagg.ui.state import accepted_findings, session

if TYPE_CHECKING:
    from collections.abc import Iterable

    from streamlit.delta_generator import DeltaGenerator

    from microagg.model.findings import Finding, Status
    from microagg.model.microdata import Microdata
    from microagg.model.plan import Plan
    from microagg.model.release import Release

ICONS: dict[Status, str] = {
    "red": ":red[:material/cancel:]",
    "amber": ":orange[:material/warning:]",
    "green": ":green[:material/check_circle:]",
}
_COLUMNS_AT_CHIP = 12


def of(release: Release) -> Findings:
    """The audit of the release that is set, with what the visitor accepts."""
    return audit(release, accepted_findings.named(session.settings().accept, release.data))


def accepting_too(release: Release) -> Release:
    """The same release, under the plan that says what the visitor accepts."""
    accept = accepted_findings.named(session.settings().accept, release.data)
    if release.plan is None or dict(release.plan.accept) == accept:
        return release
    return replace(release, plan=release.plan.replace(accept=accept))


def on_sample(findings: Findings, note: str) -> Findings:
    """The same of a sample, which says nothing for sure of the whole file."""
    return Findings(
        replace(found, status="amber", sentence=f"{note} {found.sentence}".strip()) for found in findings
    )


def draw_forecast(data: Microdata, plan: Plan, *, answerable: bool = True) -> Findings:
    """Draw what the roles decide before anything is protected, and return it.

    Raises
    ------
    MicroaggError
        The plan cannot be carried out on these data.
    """
    text = session.settings().accept if answerable else ""  # of another plan nothing was accepted
    key = ("forecast", data.fingerprint, plan, text)
    found = session.memory().recall(key, lambda: forecast(data, plan, accepted_findings.named(text, data)))
    draw(found, data, what="Forecast", answerable=answerable)
    return found


def draw(
    findings: Findings,
    data: Microdata,
    checks: Iterable[Status] = (),
    *,
    what: str = "Verdict",
    answerable: bool = True,
) -> DeltaGenerator:
    """Draw the verdict in two lines: what all came to, and the findings.

    Parameters
    ----------
    findings : Findings
    data : Microdata
        The original, whose columns may be taken as known to nobody.
    checks : iterable of status
        Of the written file, where there is one.
    what : str
        What it is called: "Verdict", or "Forecast" where nothing was protected yet.
    answerable : bool
        Whether a reason can be typed here: what is drawn is what is set.

    Returns
    -------
    DeltaGenerator
        Room at the right of the first line.
    """
    status, said = headline(findings, checks)
    with st.container(key="verdict", gap=None):
        line, beside = st.columns([2.4, 1], gap="medium")
        line.markdown(f"{ICONS[status]} **{what}: {status}.** {said} {_worst(findings)}")
        with st.container(key="verdict_chips", horizontal=True, gap="small"):
            for found in sorted(findings, key=lambda one: WORST_FIRST.index(one.status)):
                _chip(found, data, answerable=answerable)
    return beside.empty()


def left_alone(release: Release) -> None:
    """Say in red which quasi-identifiers the method leaves as they are, and offer the one that takes them."""
    left = release.unprotected
    if not left:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="left_alone"):
        named = listed([plain(name) for name in left], 8)
        as_is = "it is" if len(left) == 1 else "they are"
        st.markdown(
            f":red[:material/lock_open: **Left as {as_is} by this method:** {named}]", width="stretch"
        )
        if release.plan is not None and release.plan.method != "mixed":
            st.button(
                "Protect with MDAV for mixed attributes",
                key="take_mixed",
                on_click=lambda: session.change(method="mixed"),
                help="It protects categories too.",
            )


def _worst(findings: Findings) -> str:
    """The sentence of the finding that weighs most."""
    loud = findings.of(findings.status) if findings.status != "green" else ()
    return plain(loud[0].said) if loud else ""


def _chip(found: Finding, data: Microdata, *, answerable: bool) -> None:
    """One finding; what it says, and a line for the reason, open on a press."""
    count = f" · {found.records:,}" if found.records else ""
    with st.popover(f"{ICONS[found.status]} {found.name}{count}", type="tertiary"):
        st.markdown(f"**{found.name}** · {found.status}  \n{plain(found.said)}")
        if found.records:
            st.caption(f"{counted(found.records, 'record')} concerned.")
        if not answerable:
            return
        accepted = accepted_findings.read_accept(session.settings().accept)
        if found.status != "green" or found.name in accepted:
            _reason(found.name, "Accept it, because …", accepted.get(found.name, ""))
            st.caption("A typed reason turns red to amber; both reports quote it. Empty takes it back.")
        if found.name == "k, exposed":
            _known_to_nobody(data, accepted)


def _known_to_nobody(data: Microdata, accepted: dict[str, str]) -> None:
    """Lines for columns that no intruder can know."""
    released = [
        (str(place), a.name)
        for place, a in enumerate(data.attributes)
        if a.role not in ("identifier", "confidential", "quasi_identifier") and a.name not in NAMES
    ]
    if released:
        st.markdown("**Columns that no intruder can know**")
    for place, name in released[:_COLUMNS_AT_CHIP]:
        _reason(place, f"{plain(name)}, because …", accepted.get(place, ""))


def _reason(key: str, label: str, reason: str) -> None:
    """A line to type a reason on."""
    widgets.line(widgets.Place(f"accept-{key}", reason, partial(_take, key)), label, max_chars=300)


def _take(key: str, reason: str) -> None:
    """A line was written on: what was typed is in force; what has no word is refused in words."""
    try:
        text = accepted_findings.with_reason(session.settings().accept, key, reason)
    except PlanError as error:
        session.complain(str(error))
        return
    session.change(accept=text)
