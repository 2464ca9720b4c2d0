"""Compiled kernels are pickles: none is loaded from where others may write."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from microagg.kernels.kernel_cache import others_may_write

if TYPE_CHECKING:
    from pathlib import Path

KERNEL = """
import numpy as np
from microagg.kernels.compiled import compiled

@compiled
def doubled(x):
    return 2 * x

print(doubled(21), doubled.stats.cache_path)
"""


class Run:
    """A pickle that leaves a file behind where it is loaded."""

    def __init__(self, told: Path) -> None:
        self.told = told

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.told),)


def kernel(folder: Path, home: Path) -> subprocess.CompletedProcess[str]:
    script = home / "script.py"
    script.write_text(KERNEL)
    return subprocess.run(
        [sys.executable, script],
        capture_output=True,
        text=True,
        check=False,
        env={
            **os.environ,
            "NUMBA_CACHE_DIR": str(folder),
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home / "cache"),
        },
    )


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners on this system")
@pytest.mark.parametrize("mode", [0o777, 0o775, 0o707])
def test_no_kernel_is_loaded_from_where_others_may_write(tmp_path: Path, mode: int) -> None:
    shared, home = tmp_path / "shared", tmp_path / "home"
    shared.mkdir(mode=0o700)
    home.mkdir(mode=0o700)
    first = kernel(shared, home)
    assert (first.stderr, first.stdout[:3]) == ("", "42 ")
    planted = list(shared.rglob("*.nbi"))
    assert planted
    for one in planted:
        one.write_bytes(pickle.dumps(Run(tmp_path / "RUN")))
    if mode == 0o775:
        os.chown(shared, -1, 12345) if os.getuid() == 0 else pytest.skip("only root gives a folder away")
    shared.chmod(mode)
    done = kernel(shared, home)
    assert not (tmp_path / "RUN").exists()
    assert done.stdout.startswith("42 ")
    assert str(home / "cache" / "microagg" / "kernels") in done.stdout
    assert f"Others may write to {shared}" in done.stderr
    assert (home / "cache" / "microagg" / "kernels").stat().st_mode & 0o777 == 0o700
    again = kernel(shared, home)
    assert again.stdout == done.stdout


def test_the_planted_kernel_would_run_where_nobody_looks(tmp_path: Path) -> None:
    """The attack that the test above plants is one."""
    shared, home = tmp_path / "shared", tmp_path / "home"
    shared.mkdir(mode=0o700)
    home.mkdir(mode=0o700)
    kernel(shared, home)
    for one in shared.rglob("*.nbi"):
        one.write_bytes(pickle.dumps(Run(tmp_path / "RUN")))
    kernel(shared, home)
    assert (tmp_path / "RUN").exists()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners on this system")
def test_who_may_write_is_seen_above_and_inside_the_folder(tmp_path: Path) -> None:
    inside = tmp_path / "above" / "inside"
    inside.mkdir(parents=True, mode=0o700)
    inside.parent.chmod(0o755)
    kept = inside / "a.nbi"
    kept.write_bytes(b"")
    kept.chmod(0o600)
    look = others_may_write.__wrapped__
    assert look(str(inside)) == ""
    kept.chmod(0o606)
    assert look(str(inside)) == str(kept)
    kept.chmod(0o600)
    inside.parent.chmod(0o707)
    assert look(str(inside)) == str(inside.parent)
    inside.parent.chmod(0o1777)
    assert look(str(inside)) == ""
