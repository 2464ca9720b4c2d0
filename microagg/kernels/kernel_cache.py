"""Where compiled kernels are kept: numba's files are pickles, so that whoever may write there may run code.

They are kept where numba would keep them, unless others may write to that folder, to a file in it, or to a
folder above it. Then nothing is loaded from there; a folder of the user's own is taken instead.
"""

from __future__ import annotations

import os
import stat
import warnings
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba
import platformdirs

if TYPE_CHECKING:
    from collections.abc import Iterator


@cache
def others_may_write(folder: str) -> str:
    """Return what of a folder of kernels others than the user and root may change, or nothing.

    Parameters
    ----------
    folder : str

    Returns
    -------
    str
        The first path: the folder, one above it, or a kernel in it; empty where there is none, and on
        systems without owners.
    """
    if not hasattr(os, "getuid"):
        return ""
    inside = Path(folder).resolve()
    for above in inside.parents:
        if _theirs(above, folder=True):
            return str(above)
    kernels = (one for one in inside.glob("*.nb[ci]"))
    return next((str(path) for path in (inside, *kernels) if path.exists() and _theirs(path)), "")


def _theirs(path: Path, *, folder: bool = False) -> bool:
    """Whether somebody else owns a path or may write to it; a sticky folder keeps what is mine."""
    found = path.stat()
    if found.st_uid not in (0, os.getuid()):
        return True
    if folder and found.st_mode & stat.S_ISVTX:
        return False
    if found.st_mode & stat.S_IWOTH:
        return True
    return bool(found.st_mode & stat.S_IWGRP) and not _my_own_group(found.st_gid)


def _my_own_group(group: int) -> bool:
    """Whether a group is root's, or that of this user alone, as many systems make one for each."""
    import grp
    import pwd

    try:
        user, members = pwd.getpwuid(os.getuid()), grp.getgrgid(group)
    except KeyError:
        return group == 0
    alone = user.pw_gid == group and members.gr_name == user.pw_name and set(members.gr_mem) <= {user.pw_name}
    return group == 0 or alone


@cache
def private_folder(shared: str) -> str:
    """Make the user's own folder for kernels, and say once why it is used.

    Parameters
    ----------
    shared : str
        What others may write to.

    Returns
    -------
    str
        Empty where there is none that is the user's alone; kernels are then compiled in every process.
    """
    folder = platformdirs.user_cache_path("microagg") / "kernels"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        mine = "" if others_may_write(str(folder)) else str(folder)
    except OSError:
        mine = ""
    kept = f"they are kept in {mine} instead" if mine else "they are compiled anew in every process"
    warnings.warn(
        f"Others may write to {shared}, and compiled kernels are code; none is loaded from there, {kept}.",
        RuntimeWarning,
        stacklevel=1,
    )
    return mine


@contextmanager
def kept_in(folder: str) -> Iterator[None]:
    """Have numba keep the kernels that are declared meanwhile in a folder."""
    config: Any = numba.config
    before, config.CACHE_DIR = config.CACHE_DIR, folder
    try:
        yield
    finally:
        config.CACHE_DIR = before
