"""The verdict, the same on every page: one line, a chip for each finding, and behind a chip what was found.

It is drawn of a release, or of the written file, or beforehand of what the roles alone decide (a forecast).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from microagg.findings import WORST_FIRST, headline
from microagg.ui.words import counted, plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from microagg.findings import Finding, Findings, Status

ICONS: dict[Status, str] = {
    "red": ":red[:material/cancel:]",
    "amber": ":orange[:material/warning:]",
    "green": ":green[:material/check_circle:]",
}


def draw(findings: Findings, checks: Iterable[Status] = (), *, forecast: bool = False) -> None:
    """Draw the verdict in two lines: what all came to, and the findings.

    Parameters
    ----------
    findings : Findings
    checks : iterable of status
        Of the written file, where there is one.
    forecast : bool
        Whether nothing was protected yet, and this is only what the roles decide.
    """
    status, said = headline(findings, checks)
    what = "Forecast" if forecast else "Verdict"
    with st.container(key="verdict", gap="small"):
        st.markdown(f"{ICONS[status]} **{what}: {status}.** {said} {_worst(findings)}")
        with st.container(key="verdict_chips", horizontal=True, gap="small"):
            for found in sorted(findings, key=lambda one: WORST_FIRST.index(one.status)):
                _chip(found)


def _worst(findings: Findings) -> str:
    """The sentence of the finding that weighs most."""
    loud = findings.of(findings.status) if findings.status != "green" else ()
    return plain(loud[0].said) if loud else ""


def _chip(found: Finding) -> None:
    """One finding; what it says opens on a press."""
    count = f" · {found.records:,}" if found.records else ""
    with st.popover(f"{ICONS[found.status]} {found.name}{count}", type="tertiary"):
        st.markdown(f"{ICONS[found.status]} **{found.name}** · {found.status}")
        st.markdown(plain(found.sentence))
        if found.records:
            st.caption(f"{counted(found.records, 'record')} concerned.")
        if found.reason:
            st.markdown(f"Accepted: “{plain(found.reason)}”")
