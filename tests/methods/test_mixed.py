"""MDAV on mixed attributes: the definition word by word, and MDAV itself where all attributes are numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microagg.errors import Cancelled
from microagg.kernels.scaling import min_max
from microagg.methods.mdav import mdav
from microagg.methods.mixed import mixed

CENTRES = {
    "continuous": np.mean,
    "ordinal": lambda column: column[(len(column) - 1) // 2],
    "nominal": lambda column: max(column, key=column.count),
}


def plainly(points: np.ndarray, k: int, scales: list[str]) -> list[int]:
    """MDAV-generic written from its definition, one record at a time."""

    def distance(a: np.ndarray, b: np.ndarray) -> float:
        gaps = zip(a, b, scales, strict=True)
        return sum(float(x != y) if scale == "nominal" else (x - y) ** 2 for x, y, scale in gaps)

    def centre(records: list[int]) -> np.ndarray:
        columns = zip(points[records].T, scales, strict=True)
        return np.array([CENTRES[scale](sorted(column)) for column, scale in columns])

    def group_around(record: int, records: list[int]) -> list[int]:
        return sorted(records, key=lambda i: (distance(points[i], points[record]), i))[:k]

    def farthest(point: np.ndarray, records: list[int]) -> int:
        return min(records, key=lambda i: (-distance(points[i], point), i))

    left, groups = list(range(len(points))), []
    while len(left) >= 2 * k:
        r = farthest(centre(left), left)
        s = farthest(points[r], left)
        for record in (r, s) if len(left) >= 3 * k else (r,):
            groups.append(group_around(record, left))
            left = [i for i in left if i not in groups[-1]]
    groups.append(left)
    labels = [0] * len(points)
    for number, group in enumerate(groups):
        for record in group:
            labels[record] = number
    return labels


# Quarters add up exactly, so that equal distances are equal and ties are met on purpose.
@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_the_partition_is_that_of_the_definition_with_its_ties(data: st.DataObject) -> None:
    scales = data.draw(
        st.lists(st.sampled_from(["continuous", "ordinal", "nominal"]), min_size=1, max_size=4)
    )
    n = data.draw(st.integers(4, 24))
    k = data.draw(st.integers(2, n // 2))
    cells = st.lists(st.integers(0, 4), min_size=len(scales), max_size=len(scales))
    points = np.array(data.draw(st.lists(cells, min_size=n, max_size=n))) / 4
    assert mixed(points, k, scales=scales).tolist() == plainly(points, k, scales)


@pytest.mark.parametrize("k", [2, 3, 7])
def test_on_numbers_alone_it_is_mdav_on_ranges(k: int) -> None:
    points = min_max(np.random.default_rng(k).lognormal(size=(400, 5)))
    assert (mixed(points, k, scales=["continuous"] * 5) == mdav(points, k)).all()


def test_codes_of_nominal_attributes_only_tell_apart() -> None:
    rng = np.random.default_rng(3)
    towns = rng.integers(0, 5, (60, 2)).astype(float)
    ages = rng.random((60, 1))
    scales = ["continuous", "nominal", "nominal"]
    assert (
        mixed(np.hstack([ages, towns]), 4, scales=scales)
        == mixed(np.hstack([ages, 100 * towns - 7]), 4, scales=scales)
    ).all()


def test_progress_rises_and_can_cancel() -> None:
    points = np.random.default_rng(0).random((300, 2))
    shares: list[float] = []
    mixed(points, 3, scales=["continuous", "nominal"], progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] > 0.9

    def stop(_share: float) -> None:
        raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        mixed(points, 3, scales=["continuous", "nominal"], progress=stop)
