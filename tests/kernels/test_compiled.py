"""Kernels compile in any order: an inner kernel may not live on what another one had compiled before it."""

import os
import subprocess
import sys

import pytest

SEARCHES = """
from microagg.methods import mdav_tree; from microagg.kernels import search_tree

search_tree._fill = search_tree.leaf_order = lambda *_: None
tree = search_tree.plant(np.zeros((64, 3)), np.arange(64), 2, np.zeros((3, 3)), lambda: None)
print(mdav_tree._build_groups(tree, 0, 4, 6, np.full(64, -1), np.zeros((3, 3))))
"""

REFINEMENT = """
from microagg.methods import refine

refine.sum_of_squares = lambda *_: 0.0
refine.places = lambda points, groups, axis: np.arange(len(groups.size)) + 0.0
work = refine.Refinement(np.arange(12.0).reshape(12, 1), 2, np.arange(12) // 2, rounds=1)
while work.step() < 1:
    pass
print(0)
"""


@pytest.mark.parametrize("kernel", [SEARCHES, REFINEMENT], ids=["searches", "refinement"])
def test_inner_kernels_compile_before_anything_else_has(kernel, tmp_path):
    """Numba compiles what a kernel calls of NumPy once a process; what allocates fails here (`inner`)."""
    done = subprocess.run(
        [sys.executable, "-c", "import numpy as np" + kernel],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
    )
    assert (done.stdout, done.stderr) == ("0\n", "")
