"""Where a command may write: never over what it reads, and over another file only where that was asked for.

An input is known by what it is, not by how it is spelled: a symbolic link, a hard link or, where the file
system ignores case, another spelling is the same file.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from microagg.errors import DataError
from microagg.io.catalogue import CATALOGUE
from microagg.io.datasets import dataset_file

if TYPE_CHECKING:
    from collections.abc import Iterable


def claim(out: str | Path, inputs: Iterable[str | Path | None], *, force: bool = False) -> Path:
    """Return the path of an output, if a command with these inputs may write there.

    Parameters
    ----------
    out : str or Path
    inputs : iterable of (str, Path or None)
        Files, folders or names of reference data sets that the command reads; None counts for nothing.
    force : bool
        Whether an existing file may be replaced.

    Returns
    -------
    Path

    Raises
    ------
    DataError
        It is an input or lies in one, it is a folder, or it exists and ``force`` is not given.

    Examples
    --------
    >>> claim("not_yet.csv", ["survey.csv"]).name
    'not_yet.csv'
    """
    target = Path(out)
    if str(out) == "-":
        raise DataError("Nothing is written to standard output; name a file instead of '-'.")
    for source in (source for source in inputs if source is not None):
        read = _read_from(source)
        if _same(target, read):
            raise DataError(
                f"{out} is the file that is read here ({source}); an input is never replaced, so choose "
                "another name for the output."
            )
        if read.is_dir() and any(_same(above, read) for above in target.absolute().parents):
            raise DataError(
                f"{out} lies in the folder that is read here ({source}); choose a place outside it for the "
                "output."
            )
    if target.is_dir():
        raise DataError(f"{out} is a folder; add the name of a file.")
    if os.path.lexists(target) and not force:
        raise DataError(f"{out} exists; choose another name, or replace it with --force.")
    return target


def _read_from(source: str | Path) -> Path:
    """The path behind a name: a file's own, or that of a reference data set."""
    if str(source) in CATALOGUE and not Path(source).exists():
        return dataset_file(str(source)) or Path(source)
    return Path(source)


def _same(one: Path, other: Path) -> bool:
    """Whether two paths are one file, or would be once written."""
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return one.absolute() == other.absolute()
