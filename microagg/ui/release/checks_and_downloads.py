"""The checks of the written file, and what is taken home: file, plan, script, reports."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import streamlit as st

from microagg.assessment.assess import assess, known_sets
from microagg.handover.report import report
from microagg.handover.reproduction import command_line, plan_text, script
from microagg.model.findings import WORST_FIRST, worst
from microagg.model.phrases import counted
from microagg.ui.components.words import plain
from microagg.ui.results.verdict import ICONS
from microagg.ui.state import session

if TYPE_CHECKING:
    from collections.abc import Callable

    from microagg.handover.file_check import Check
    from microagg.handover.release_file import Outgoing
    from microagg.handover.reproduction import Source
    from microagg.measures.knowledge import Knowledge

AT_ONCE = 2_000_000  # cells that are written and read back in about a second


def written(out: Outgoing) -> Outgoing | None:
    """The release once it is written and checked; large files only when asked for.

    Raises
    ------
    DataError
        The format cannot hold a name or value of the table.
    """
    release = out.release
    key = ("written", release.data.fingerprint, release.plan, out.kind, out.dialect, out.neutralised)
    held = session.memory()
    if key not in held:
        cells = release.protected.size
        if cells > AT_ONCE and not st.button(
            f"Write and check the file ({cells:,} cells)", type="primary", icon=":material/fact_check:"
        ):
            st.caption("A file of this size takes some seconds to write and read back.")
            return None
        with st.spinner("Writing the file and reading it back…", show_time=True):
            _ = out.checks  # computed here, where the spinner turns, and kept with the file
            return held.recall(key, lambda: out, len(out.written))
    return held.recall(key, lambda: out)


def checklist(checks: tuple[Check, ...]) -> None:
    """Draw every check of the written file with its sentence, what is not green first."""
    status = worst(found.status for found in checks)
    green = sum(found.status == "green" for found in checks)
    st.markdown(f"**The written file, read back** · {green} of {len(checks)} checks are green")
    with st.container(key="checks", gap=None):
        for found in sorted(checks, key=lambda one: WORST_FIRST.index(one.status)):
            loud = found.status != "green"
            told = f" {plain(found.detail)}" if loud and found.detail else ""
            name = f"**{plain(found.name)}**{f' ({found.status})' if loud else ''}"
            said = f"{ICONS[found.status]} {name} · {plain(found.sentence)}{told}"
            st.markdown(said, help=plain(found.detail) if not loud and found.detail else None)
    if status == "red":
        st.caption("The file can be saved all the same; the report says what is red.")


def downloads(out: Outgoing, source: Source, knowledge: Knowledge) -> None:
    """Draw the five things to take home; reports are made when they are clicked.

    Raises
    ------
    PlanError
        The intruder's knowledge means more sets than can be looked at.
    """
    release, stem = out.release, out.stem
    known_sets(release, knowledge)

    def told(*, external: bool) -> Callable[[], bytes]:
        def make() -> bytes:
            today = dt.datetime.now().astimezone().date()
            result = assess(release, knowledge=knowledge)
            return report(out, result, date=today, source=source, external=external).encode()

        return make

    plan_file = f"{stem}_plan.json"
    st.markdown(f"**Take home** · {plain(out.file_name)}, {_size(len(out.written))}")
    with st.container(key="takeaway"):
        first, second = st.columns(2), st.columns(3)
        _save(
            first[0],
            "Protected file",
            lambda: out.written,
            out.file_name,
            "save_release",
            ":material/download:",
            "The file that may leave, as it was checked.",
            primary=True,
        )
        _save(
            first[1],
            "Report",
            told(external=False),
            f"{stem}_report.html",
            "save_report",
            ":material/lab_profile:",
            "For the house: the check, the plan, all measures, and a page for the data owner to sign.",
        )
        _save(
            second[0],
            "Public report",
            told(external=True),
            f"{stem}_about.html",
            "save_about",
            ":material/public:",
            "May go with the file: it leaves out how groups were made, seeds, and what an intruder finds.",
        )
        _save(
            second[1],
            "Plan",
            plan_text(release),
            plan_file,
            "save_release_plan",
            ":material/description:",
            "Every setting and role, for this page and the command line.",
        )
        _save(
            second[2],
            "Script",
            script(source, out),
            f"{stem}_protect.py",
            "save_script",
            ":material/code:",
            "Python that makes the same bytes from the original.",
        )
    with st.expander("Make it again on the command line", key="again"):
        st.caption("With the original and the saved plan in one folder; it gives the same bytes.")
        st.code(command_line(source, out, plan_file), language="shell", wrap_lines=True)


def _save(
    place: st.delta_generator.DeltaGenerator,
    label: str,
    data: Callable[[], bytes] | str,
    file_name: str,
    key: str,
    icon: str,
    help_text: str,
    *,
    primary: bool = False,
) -> None:
    place.download_button(
        label,
        data,
        file_name,
        key=key,
        icon=icon,
        help=help_text,
        on_click="ignore",
        width="stretch",
        type="primary" if primary else "secondary",
    )


def _size(count: int) -> str:
    """Bytes as people say them.

    Examples
    --------
    >>> _size(74_901), _size(3_200_000)
    ('75 kB', '3.2 MB')
    """
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else counted(max(1, round(count / 1e3)), "kB", "kB")
