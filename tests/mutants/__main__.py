"""Make each change of `changes` in a copy of the tree, run the tests that should notice, print what came out.

Each line of the table: the change, and the first test that failed, or SURVIVED. A change whose text does not
stand in its file exactly once, or that keeps its tests from running at all, is an error: it proves nothing.
Nothing is changed in the tree itself. ``--only`` takes the beginning of a name, and may be repeated.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.mutants.changes import CHANGES, ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.mutants.changes import Change

LONGEST = 900
"""Seconds of the tests of one change, after which it counts as noticed: they never ended so before."""


def main() -> int:
    """Run the command; 1 where a change survives, 2 where one proves nothing."""
    asked = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    asked.add_argument("--only", action="append", default=[], metavar="NAME")
    asked.add_argument("--list", action="store_true", help="print the changes, make none")
    asked.add_argument("--unchanged-passes", action="store_true", help="do not run the unchanged tests first")
    given = asked.parse_args()
    chosen = [one for one in CHANGES if not given.only or one.name.startswith(tuple(given.only))]
    if given.list:
        for one in chosen:
            print(f"{one.name:<44} {one.file}")
        return 0
    lost = [one for one in chosen if not one.applies()]
    for one in lost:
        print(f"{one.name}: its text does not stand in {one.file} exactly once", file=sys.stderr)
    if lost or not chosen:
        return 2
    with tempfile.TemporaryDirectory(prefix="mutants-") as place:
        tree = copied(Path(place) / "tree")
        if not given.unchanged_passes:
            every = tuple(dict.fromkeys(test for one in chosen for test in one.tests))
            failed = noticed(tree, every)
            if failed is not None:
                print(f"the unchanged tree fails already: {failed}", file=sys.stderr)
                return 2
        return max(tried(tree, one) for one in chosen)


def copied(tree: Path) -> Path:
    """Copy what git knows or would add, with the kernels that are compiled already."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    known = [ROOT / name for name in listed.stdout.split("\0") if name]
    for file in (*known, *ROOT.glob("microagg/**/__pycache__/*.nb?")):
        if file.is_file():
            place = tree / file.relative_to(ROOT)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, place)  # with its time, by which a compiled kernel is known to be of it
    return tree


def tried(tree: Path, change: Change) -> int:
    """Make a change, run its tests, take it back; print the line of the table."""
    file = tree / change.file
    before = file.read_text(encoding="utf-8")
    file.write_text(before.replace(change.old, change.new), encoding="utf-8")
    try:
        killer = noticed(tree, change.tests)
    finally:
        file.write_text(before, encoding="utf-8")
    if killer is None:
        reason = f" ({change.survives})" if change.survives else ""
        print(f"{change.name:<44} SURVIVED{reason}", flush=True)
        return 0 if change.survives else 1
    print(f"{change.name:<44} {killer}", flush=True)
    return 2 if killer.startswith("ERROR") else 0


def noticed(tree: Path, tests: Sequence[str]) -> str | None:
    """Run tests in a copy: the first that fails, None where all pass."""
    paths = os.pathsep.join(filter(None, (str(tree), os.environ.get("PYTHONPATH"))))
    given = os.environ | {"PYTHONPATH": paths, "COLUMNS": "400"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not browser"]
    try:
        done = subprocess.run(
            [*command, *tests], cwd=tree, env=given, capture_output=True, text=True, timeout=LONGEST
        )
    except subprocess.TimeoutExpired:
        return f"no end within {LONGEST} s"
    if done.returncode == 0:
        return None
    failed = re.search(r"^(?:FAILED|ERROR) (\S+::\S+)", done.stdout, re.MULTILINE)
    if failed:  # whatever the status: an interpreter may also stumble at its own end
        return failed[1]
    return "ERROR: " + " ".join(done.stdout.splitlines()[-3:])


if __name__ == "__main__":
    sys.exit(main())
