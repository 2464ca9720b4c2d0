"""The same bytes again, in three ways: a plan to read, a command to run, a script to keep.

Each is a text that needs nothing but the original file and this package. The plan is pinned: it spells out
every role and scale, so that a later version that guesses otherwise makes the same file.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import TYPE_CHECKING

from microagg.io.catalogue import CATALOGUE
from microagg.model.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Mapping

    from microagg.handover.release_file import Outgoing
    from microagg.model.release import Release

__all__ = ["Source", "command_line", "plan_text", "script"]


@dataclass(frozen=True)
class Source:
    """Where the original came from and how it was read.

    Parameters
    ----------
    file : str
        A file name, or the name of a reference data set.
    parts : mapping of str to (str, bool or int)
        What was chosen instead of guessed, as `microagg.io.reading.read_table` names it: sheet, delimiter,
        decimal, thousands, encoding, header, skip.
    """

    file: str
    parts: Mapping[str, str | bool | int] = field(default_factory=dict)


def pinned(release: Release) -> Plan:
    """The plan with everything spelled out."""
    return (release.plan or Plan()).pinned(release.data)


def plan_text(release: Release) -> str:
    r"""The plan as a file.

    Examples
    --------
    >>> import pandas as pd
    >>> from microagg.protection.protect import protect
    >>> from microagg.model.microdata import Microdata
    >>> plan_text(protect(Microdata.from_frame(pd.DataFrame({"age": [20, 21, 60, 64]})), Plan(k=2)))
    '{"method": "mdav", "k": 2, "roles": {"age": "quasi_identifier"}, "scales": {"age": "continuous"}}\n'
    """
    return pinned(release).to_json() + "\n"


def command_line(source: Source, out: Outgoing, plan_file: str = "plan.json", saved_as: str = "") -> str:
    """The command line that makes the file from the original and the plan's file.

    Parameters
    ----------
    source : Source
    out : Outgoing
    plan_file : str
        Where `plan_text` was saved.
    saved_as : str
        Where the file goes; its usual name where empty.

    Returns
    -------
    str
        One line for a POSIX shell, every word quoted that needs it.
    """
    words = ["microagg", "protect", source.file, "--plan", plan_file, "--out", saved_as or out.file_name]
    for name, value in source.parts.items():
        words += ["--read", f"{name}={value}"]
    if out.neutralised:
        words.append("--neutralise")
    return shlex.join(words)


def script(source: Source, out: Outgoing) -> str:
    """A Python script that makes the file from the original, and says so if it came out otherwise.

    Parameters
    ----------
    source : Source
    out : Outgoing

    Returns
    -------
    str
        To be run as ``python script.py [ORIGINAL] [OUT]``.
    """
    known = source.file in CATALOGUE
    parts = "".join(f", {name}={value!r}" for name, value in source.parts.items())
    frame = "neutralise(release.protected)" if out.neutralised else "release.protected"
    lines = [
        '"""Make a protected file again: same original, same plan, same bytes."""',
        f"# made by microagg {version('microagg')}",
        "",
        "import hashlib",
        "import sys",
        "",
        "import microagg as ma",
        *([] if known else ["from microagg.io.reading import read_table"]),
        "from microagg.io.destination import claim",
        "from microagg.io.saving import write_table",
        *(["from microagg.io.writing import neutralise"] if out.neutralised else []),
        "",
        f"ORIGINAL = sys.argv[1] if len(sys.argv) > 1 else {source.file!r}",
        f"OUT = sys.argv[2] if len(sys.argv) > 2 else {out.file_name!r}",
        f"DIGEST = {out.digest!r}",
        f"PLAN = {pinned(out.release).to_json()!r}",
        "",
        "claim(OUT, [ORIGINAL], force=True)  # the original is never replaced",
    ]
    if known:
        lines += ["data = ma.load_dataset(ORIGINAL)", "dialect, labels = None, None"]
    else:
        lines += [
            f"table = read_table(ORIGINAL{parts})",
            "data = ma.Microdata.from_frame(table.frame, name=table.name)",
            "dialect, labels = table.dialect, table.labels",
        ]
    lines += [
        "release = ma.protect(data, ma.Plan.from_json(PLAN))",
        f"written = write_table({frame}, OUT, dialect=dialect, labels=labels)",
        "same = hashlib.sha256(written.read_bytes()).hexdigest() == DIGEST",
        'print(f"{OUT}:", "the same bytes" if same else "not the same bytes")',
        "sys.exit(not same)",
        "",
    ]
    return "\n".join(lines)
