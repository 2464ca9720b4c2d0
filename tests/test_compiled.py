"""Kernels compile in any order: an inner kernel may not live on what another one had compiled before it."""

import os
import subprocess
import sys

ALONE = """
import numpy as np
from microagg.methods import mdav_tree, search_tree

search_tree._fill = search_tree.leaf_order = lambda *_: None
tree = search_tree.plant(np.zeros((64, 3)), np.arange(64), 2, np.zeros((3, 3)), lambda: None)
print(mdav_tree._build_groups(tree, 0, 4, 6, np.full(64, -1), np.zeros((3, 3))))
"""


def test_the_searches_compile_before_anything_else_has(tmp_path):
    """Numba compiles what a kernel calls of NumPy once a process; what allocates fails here (`inner`)."""
    done = subprocess.run(
        [sys.executable, "-c", ALONE],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
    )
    assert (done.stdout, done.stderr) == ("0\n", "")
