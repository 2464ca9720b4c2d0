"""No file in the current folder is taken for a module: data lie there, and what came with them.

``python -m`` puts the current folder before all that is installed, so that a ``numpy.py`` beside the data
would be run. What `microagg` itself starts by ``python -c`` or ``-m`` would do the same.
"""

from __future__ import annotations

import os
import sys


def without_current_folder() -> None:
    """Take the current folder off the path where ``python -m microagg…`` has put it there.

    It is the first thing that the package does, because that is before anything else is imported. A
    ``microagg.py`` in the current folder is run before that; ``python -P -m`` and the command know no such.
    """
    if sys.flags.safe_path or sys.argv[:1] != ["-m"]:
        return
    words = sys.orig_argv
    started = words[words.index("-m") + 1] if "-m" in words[:-1] else ""
    if started.split(".")[0] == "microagg" and sys.path[:1] in ([""], [_here()]):
        del sys.path[0]


def _here() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - pathlib would be imported, perhaps from here
    except OSError:
        return ""


def for_processes() -> None:
    """Have every Python that is started from here leave the current folder out."""
    os.environ["PYTHONSAFEPATH"] = "1"
