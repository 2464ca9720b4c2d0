"""A number type for compiled kernels: 32 float32 values side by side, which the processor holds in registers.

The compiler turns a loop over 32 numbers into vector instructions, but keeps what it sums up in memory, and
moving it costs more than the sums. `Lanes` are LLVM's own vectors, so a kernel over them reads like one over
numbers and runs two to three times as fast. A mask is an integer with bit i for lane i.

Arithmetic may fuse a product with a sum and knows no NaN: kernels over lanes only filter (`compiled` says why
nothing else may be inexact).
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, overload, register_model
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Callable

Small: TypeAlias = NDArray[np.float32]

LANES = 32
"""Numbers side by side."""

ZERO, INFINITE = np.float32(0.0), np.float32(np.inf)

FLOAT, BYTE, WORD, FLAG = ir.FloatType(), ir.IntType(8), ir.IntType(32), ir.IntType(1)
VECTOR = ir.VectorType(FLOAT, LANES)
EXACT_ENOUGH = ("contract", "nnan", "nsz")


class _Type(types.Type):
    """What numba knows `Lanes` by."""


Lanes: Any = _Type("Lanes")


@register_model(_Type)
class _Model(models.PrimitiveModel):
    """Held as one vector."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, VECTOR)  # type: ignore[no-untyped-call]


def _kind(argument: Any) -> Any:
    return argument if argument == Lanes else types.float32


def _spread(builder: Any, value: Any) -> Any:
    """Put a number into every lane; lanes stay as they are."""
    if value.type == VECTOR:
        return value
    nothing = ir.Constant(VECTOR, ir.Undefined)
    one = builder.insert_element(nothing, value, WORD(0))
    return builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(WORD, LANES), [0] * LANES))


def _flags(builder: Any, mask: Any) -> Any:
    return builder.bitcast(builder.trunc(mask, WORD), ir.VectorType(FLAG, LANES))


def _pointer(context: Any, builder: Any, kind: Any, row: Any, vector: Any) -> Any:
    return builder.bitcast(context.make_array(kind)(context, builder, row).data, vector.as_pointer())


def _binary(build: Callable[[Any, Any, Any], Any]) -> Any:
    """Make a function of two lanes, or of lanes and a number."""

    def define(_context: Any, a: Any, b: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return build(builder, *(_spread(builder, value) for value in arguments))

        return Lanes(_kind(a), _kind(b)), generate

    return intrinsic(define)


def _reduction(name: str) -> Any:
    """Make a function from lanes to a number."""

    def define(_context: Any, _lanes: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            kind = ir.FunctionType(FLOAT, [VECTOR])
            function = builder.module.declare_intrinsic(f"llvm.vector.reduce.{name}.v32f32", (), kind)
            return builder.call(function, arguments, fastmath=EXACT_ENOUGH)

        return types.float32(Lanes), generate

    return intrinsic(define)


larger: Any = _binary(lambda b, x, y: b.select(b.fcmp_ordered(">", x, y, flags=EXACT_ENOUGH), x, y))
least: Any = _reduction("fmin")
largest: Any = _reduction("fmax")


def _operate(operation: Callable[..., Any], function: Any) -> None:
    """Let an operator of the language do for lanes what the function does."""

    def typed(a: Any, b: Any) -> Any:
        def run(a: Any, b: Any) -> Any:
            return function(a, b)

        return run if Lanes in (a, b) else None

    overload(operation)(typed)


_add: Any = _binary(lambda builder, x, y: builder.fadd(x, y, flags=EXACT_ENOUGH))
_operate(operator.add, _add)
_operate(operator.iadd, _add)
_operate(operator.sub, _binary(lambda builder, x, y: builder.fsub(x, y, flags=EXACT_ENOUGH)))
_operate(operator.mul, _binary(lambda builder, x, y: builder.fmul(x, y, flags=EXACT_ENOUGH)))


def _load(_context: Any, row: Any) -> Any:
    """Lanes from a row of 32 float32 numbers or bytes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (kind,) = signature.args
        vector = VECTOR if kind.dtype == types.float32 else ir.VectorType(BYTE, LANES)
        value = builder.load(_pointer(context, builder, kind, arguments[0], vector), align=1)
        return value if kind.dtype == types.float32 else builder.uitofp(value, VECTOR)

    return Lanes(row), generate


def _store(_context: Any, row: Any, _lanes: Any) -> Any:
    """Write lanes to a row of 32 float32 numbers."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], arguments[0], VECTOR)
        builder.store(arguments[1], pointer, align=1)
        return context.get_dummy_value()

    return types.void(row, Lanes), generate


def _fill(_context: Any, _value: Any) -> Any:
    """Return lanes that all hold the same number."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return _spread(builder, arguments[0])

    return Lanes(types.float32), generate


def _within(_context: Any, _lanes: Any, limit: Any) -> Any:
    """Mask of the lanes that are at most the limit, a number or lanes."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        flags = builder.fcmp_ordered("<=", arguments[0], _spread(builder, arguments[1]))
        return builder.zext(builder.bitcast(flags, WORD), ir.IntType(64))

    return types.int64(Lanes, _kind(limit)), generate


def _where(_context: Any, _mask: Any, _lanes: Any, _other: Any) -> Any:
    """Lanes where the mask has a bit, elsewhere the other number."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        mask, lanes, other = arguments
        return builder.select(_flags(builder, mask), lanes, _spread(builder, other))

    return Lanes(types.int64, Lanes, types.float32), generate


def _lowest(_context: Any, _mask: Any) -> Any:
    """Return the lowest lane of a mask that is not 0."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], FLAG(1))

    return types.int64(types.int64), generate


load: Any = intrinsic(_load)
store: Any = intrinsic(_store)
fill: Any = intrinsic(_fill)
within: Any = intrinsic(_within)
where: Any = intrinsic(_where)
lowest: Any = intrinsic(_lowest)
