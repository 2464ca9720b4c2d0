"""Lanes do what NumPy does with rows of 32 float32 numbers."""

import numpy as np
import pytest

from microagg.kernels.compiled import compiled
from microagg.kernels.simd import LANES, fill, larger, largest, least, load, lowest, store, where, within

RANDOM = np.random.default_rng(0)
A, B = RANDOM.normal(size=(2, LANES)).astype(np.float32)
A[3], B[7], A[9], B[9] = np.inf, -np.inf, 0.5, 0.5


@compiled
def _plus(a, b, out):
    store(out, load(a) + load(b))


@compiled
def _minus(a, b, out):
    store(out, load(a) - load(b))


@compiled
def _times(a, b, out):
    store(out, load(a) * load(b))


@compiled
def _larger(a, b, out):
    store(out, larger(load(a), load(b)))


@compiled
def _summed(a, b, out):
    total = fill(np.float32(1.0))
    for _ in range(3):
        total += load(a) * b[0] - b[1]
    store(out, total)


@compiled
def _number_first(a, b, out):
    store(out, b[0] - load(a))


@pytest.mark.parametrize(
    ("kernel", "expected"),
    [
        (_plus, lambda: A + B),
        (_minus, lambda: A - B),
        (_times, lambda: A * B),
        (_larger, lambda: np.maximum(A, B)),
        (_number_first, lambda: B[0] - A),
    ],
)
def test_operations_are_numpys(kernel, expected):
    out = np.empty(LANES, np.float32)
    kernel(A, B, out)
    np.testing.assert_array_equal(out, expected())


def test_a_sum_of_products_may_be_fused():
    out = np.empty(LANES, np.float32)
    _summed(A, B, out)
    np.testing.assert_allclose(out, 1 + 3 * (A * B[0] - B[1]), rtol=1e-5, atol=1e-6)


@compiled
def _bytes(row, out):
    store(out, load(row))


def test_bytes_become_numbers():
    row = RANDOM.integers(0, 256, LANES).astype(np.uint8)
    row[:2] = 0, 255
    out = np.empty(LANES, np.float32)
    _bytes(row, out)
    np.testing.assert_array_equal(out, row)


@compiled
def _masks(a, b):
    return within(load(a), load(b)), within(load(a), np.float32(0.5))


def test_a_mask_has_bit_i_for_lane_i():
    lanes, number = _masks(A, B)
    assert [bool(lanes >> i & 1) for i in range(LANES)] == (A <= B).tolist()
    assert [bool(number >> i & 1) for i in range(LANES)] == (A <= 0.5).tolist()
    assert lanes >> LANES == 0


@compiled
def _where(mask, a, out):
    store(out, where(mask, load(a), np.float32(-1.0)))


@pytest.mark.parametrize("mask", [0, 1, 1 << 31, (1 << 32) - 1, 0x5A5A0F0F])
def test_where_takes_the_lanes_of_the_mask(mask):
    out = np.empty(LANES, np.float32)
    _where(mask, A, out)
    held = np.array([bool(mask >> i & 1) for i in range(LANES)])
    np.testing.assert_array_equal(out, np.where(held, A, -1))


@compiled
def _extremes(a):
    return least(load(a)), largest(load(a))


@pytest.mark.parametrize("row", [A, B, np.full(LANES, np.inf, np.float32)])
def test_least_and_largest(row):
    assert _extremes(row) == (row.min(), row.max())


@compiled
def _lowest(mask):
    return lowest(mask)


@pytest.mark.parametrize("lane", [0, 1, 17, 31])
def test_lowest_lane_of_a_mask(lane):
    assert _lowest(1 << lane) == lane
    assert _lowest(1 << lane | 1 << 31) == lane
