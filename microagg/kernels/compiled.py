"""Loops over records are compiled; this module says how, once for all of them.

Kernels are cached on disk where only the user may write (nobody waits twice for the compiler) and release
the interpreter lock (sweeps run them in threads). Two things are left out on purpose: fast math, because
re-association changes which of two tied records is nearer (`simd` lets its harmless part in), and
``parallel=True``, because cached parallel kernels have been seen to crash when loaded by another module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from microagg.kernels.kernel_cache import kept_in, others_may_write, private_folder

if TYPE_CHECKING:
    from collections.abc import Callable

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]

_Function = TypeVar("_Function", bound="Callable[..., object]")


def compiled(function: _Function) -> _Function:
    """Compile a kernel at its first call, cache it on disk, run it without the interpreter lock.

    Parameters
    ----------
    function : callable
        Plain loops over NumPy arrays and numbers.

    Returns
    -------
    callable
        The same signature, compiled.
    """
    return _kernel(function)


def inner(function: _Function) -> _Function:
    """Compile a small kernel into the kernels that call it.

    It allocates no array, nor does a NumPy function that it calls, so that references to arrays need not be
    counted: a count is an atomic operation, which costs more than what some of these kernels compute.
    Parameters and result as for `compiled`.
    """
    return _kernel(function, forceinline=True, _nrt=False)


def _kernel(function: _Function, **how: Any) -> _Function:
    """Declare a kernel, kept in a folder that is nobody else's (`kernel_cache`), or else not kept."""
    made: Any = numba.njit(cache=True, nogil=True, error_model="numpy", **how)(function)
    shared = others_may_write(made.stats.cache_path)
    if shared:
        mine = private_folder(shared)
        with kept_in(mine):
            made = numba.njit(cache=bool(mine), nogil=True, error_model="numpy", **how)(function)
    return cast("_Function", made)
