"""The smallest values brought to the front, not sorted, in place: what a balanced tree needs to be cut.

Hoare's selection with the middle of three values as the pivot; O(n). `numpy.partition` would not carry the
order along in place.
"""

from __future__ import annotations

from microagg.kernels.compiled import FloatArray, IntArray, compiled


@compiled
def select(values: FloatArray, order: IntArray, target: int) -> None:
    """Bring the ``target`` smallest values to the front, ``order`` along with them.

    Parameters
    ----------
    values : (n,) float64, changed in place
    order : (n,) int64, changed in place
        What goes along.
    target : int
        Fewer than n.

    Examples
    --------
    >>> import numpy as np
    >>> values, order = np.array([3.0, 1.0, 2.0, 0.0]), np.arange(4)
    >>> select(values, order, 2)
    >>> sorted(values[:2].tolist()), sorted(order[:2].tolist())
    ([0.0, 1.0], [1, 3])
    """
    left, right = 0, values.size - 1
    while left < right:
        a, b, c = values[left], values[(left + right) // 2], values[right]
        pivot = max(min(a, b), min(max(a, b), c))
        i, j = left, right
        while i <= j:
            while values[i] < pivot:
                i += 1
            while pivot < values[j]:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if target <= j:
            right = j
        elif target >= i:
            left = i
        else:
            return
