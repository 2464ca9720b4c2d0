"""Ask for memory before it is needed, so that a search through a file larger than the cache need not wait."""

from __future__ import annotations

from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from microagg.kernels.compiled import compiled

LINE = 64
"""Bytes that a processor fetches at a time."""


def _prefetch_line(_context: Any, array: Any, place: Any) -> Any:
    """Tell the processor that the line so many bytes into an array will be read."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        line = builder.gep(builder.bitcast(data, byte), [arguments[1]])
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        fetch = builder.module.declare_intrinsic("llvm.prefetch.p0i8", (), kind)
        builder.call(fetch, [line, number(0), number(3), number(1)])  # to read, keep, data
        return context.get_dummy_value()

    return types.void(array, place), generate


_fetch = cast("Any", intrinsic(_prefetch_line))


@compiled
def prefetch(array: Any, at: int) -> None:
    """Ask for ``array[at]``, an array in C order with more than one dimension."""
    size = array.strides[0]
    for offset in range(0, size, LINE):
        _fetch(array, at * size + offset)
