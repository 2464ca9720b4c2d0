"""Tables 1–4 of "A Comparative Study of Microaggregation Methods" (Mateo-Sanz and Domingo-Ferrer), section 4.

Every printed figure on the 834 Tarragona companies, within one unit of its last printed digit after rounding
to it; a range's ends likewise. Where a method was run in several ways (13 attributes, two directions, either
extreme record first), Tables 2–4 print the run that loses least, as the paper says of PV. Three cells
are left out by name, each with its reason.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

from microagg.centroids import centroids
from microagg.measures.loss import distortion
from microagg.measures.structure import structure
from microagg.methods.fixed import cut_every, fixed
from microagg.methods.kward import kward, kward_univariate
from microagg.methods.maximum_distance import maximum_distance
from microagg.methods.projections import first_component
from microagg.scaling import standardise


class Printed(NamedTuple):
    """A row of the four tables."""

    family: str
    sorting: str
    k: int
    loss_low: float
    loss_high: float
    deviation: float
    delta_r: float
    delta_w: float
    share: float
    mean_change: float
    sd_change: float


# family, sorting, k | Table 1: 100 L | Table 2 | Table 3: ΔR, ΔW, %FPC | Table 4: mean and sd of |Δr|
TABLES = """
    UFS PV 3   30.11 48.48   0.83   15.8 11.7 81.4   0.20 0.08
    UFS PV 4   34.14 57.00   0.80   20.2 15.7 85.8   0.26 0.12
    UFS PV 5   37.59 60.83   0.78   22.0 17.0 87.8   0.28 0.13
    UFS SZ 3   28.92 28.92   0.84   18.8 14.5 84.3   0.24 0.10
    UFS SZ 4   32.08 32.15   0.82   21.3 15.0 88.0   0.28 0.11
    UFS SZ 5   32.56 35.20   0.81   22.6 16.3 89.4   0.29 0.12
    UFS FPC 3  23.87 23.89   0.87   16.3 13.1 81.3   0.20 0.09
    UFS FPC 4  25.99 30.62   0.86   17.1 13.4 82.9   0.22 0.10
    UFS FPC 5  30.74 33.29   0.83   21.7 16.1 88.3   0.28 0.11
    UDO PV 3   31.17 53.93   0.83   16.6 12.3 82.4   0.21 0.09
    UDO PV 4   35.28 58.23   0.80   21.3 16.6 86.9   0.27 0.13
    UDO PV 5   39.06 61.18   0.77   23.7 18.4 89.8   0.30 0.15
    UDO SZ 3   30.13 30.13   0.83   19.8 14.1 86.0   0.26 0.10
    UDO SZ 4   32.56 32.56   0.81   22.1 15.3 88.9   0.19 0.12
    UDO SZ 5   34.65 34.65   0.80   24.4 17.5 91.3   0.32 0.13
    UDO FPC 3  25.35 25.35   0.86   17.7 14.1 83.0   0.22 0.10
    UDO FPC 4  31.71 31.71   0.82   23.2 16.6 90.0   0.30 0.12
    UDO FPC 5  32.08 32.08   0.82   23.6 17.1 90.4   0.31 0.13
    MFS MD 3   15.60 15.60   0.92    7.7  7.1 71.9   0.10 0.05
    MFS MD 4   19.27 19.27   0.90    9.1  8.1 73.7   0.12 0.06
    MFS MD 5   22.67 22.67   0.88    9.6  8.0 74.3   0.12 0.06
    MDO PV 3   16.23 21.61   0.91    8.2  8.0 72.6   0.10 0.06
    MDO PV 4   20.46 29.45   0.89   10.4  9.5 75.1   0.13 0.07
    MDO PV 5   22.38 31.77   0.88   10.6  9.0 75.5   0.14 0.07
    MDO SZ 3   19.16 19.16   0.90   10.1  9.1 74.7   0.13 0.06
    MDO SZ 4   24.31 24.31   0.87   13.7 10.6 79.2   0.18 0.07
    MDO SZ 5   27.60 27.60   0.85   14.7 11.5 80.1   0.19 0.08
    MDO FPC 3  15.87 15.87   0.92    8.2  8.0 72.6   0.10 0.06
    MDO FPC 4  21.58 21.58   0.88   11.4  9.9 76.7   0.15 0.07
    MDO FPC 5  23.69 23.69   0.87   13.2 10.9 78.6   0.17 0.07
    MDO MD 3   16.01 16.75   0.92    7.8  7.9 72.1   0.10 0.05
    MDO MD 4   21.13 21.24   0.89   10.7  9.5 75.8   0.14 0.06
    MDO MD 5   21.83 22.77   0.88   10.5  9.0 75.3   0.13 0.06
"""
ROWS = [
    Printed(family, sorting, int(k), *map(float, figures))
    for family, sorting, k, *figures in map(str.split, TABLES.strip().splitlines())
]
LEFT_OUT = {
    # k = 3 divides 834, so both directions cut the same groups: one figure, 23.89, where two are printed.
    # The last but one test shows where 23.87 comes from.
    ("UFS", "FPC", 3, "loss_low"),
    # 53.80, the worst attribute's end. Other orders of equal values move it by 0.01 only; z-scores rounded to
    # three or four decimals give 51.80 … 53.90.
    ("UDO", "PV", 3, "loss_high"),
    # 0.29. A misprint: the row's other figures, and those of k = 3 and 5 (0.26 and 0.32), come out.
    ("UDO", "SZ", 4, "mean_change"),
}
SORTS = {"PV": "attribute", "SZ": "zscores", "FPC": "first component", "MD": "maximum distance"}


def partitions(points, family, sorting, k):
    """Every way in which the paper ran a method."""
    sort = SORTS[sorting]
    attributes = points.T if sorting == "PV" else [None]
    if family == "UFS":
        directions = ("ascending", "descending")
        return [
            fixed(points, k, sort=sort, attribute=a, order=order) for a in attributes for order in directions
        ]
    if family == "UDO":
        return [kward_univariate(points, k, sort=sort, attribute=a) for a in attributes]
    if family == "MFS":
        return [maximum_distance(points, k)]
    if sorting == "MD":
        return [kward(points, k, first=sort, grown_first=one) for one in ("lower record", "higher record")]
    return [kward(points, k, first=sort, attribute=a) for a in attributes]


def loss(points, labels):
    """Table 1's 100 L."""
    return 100 * distortion(points, labels)


def figures(values, labels):
    """The figures of Tables 2–4, as printed."""
    kept = structure(values, centroids(values, labels))
    return {
        "deviation": kept.mean_standard_deviation,
        "delta_r": 100 * kept.delta_r,
        "delta_w": 100 * kept.delta_w,
        "share": 100 * kept.first_component,
        "mean_change": kept.mean_correlation_change,
        "sd_change": kept.sd_correlation_change,
    }


@pytest.fixture(scope="module")
def runs(tarragona):
    """From a row to its (loss, labels), least loss first; every method runs once."""
    points = standardise(tarragona)

    @cache
    def of(family, sorting, k):
        found = [(loss(points, labels), labels) for labels in partitions(points, family, sorting, k)]
        return sorted(found, key=lambda run: run[0])

    return of


def units_apart(measured, printed, decimals):
    """How many units of the last printed digit."""
    return abs(round(measured * 10**decimals) - round(printed * 10**decimals))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.family}-{row.sorting}-{row.k}")
def test_table_1_losses(row, runs):
    found = [value for value, _ in runs(row.family, row.sorting, row.k)]
    if (row.family, row.sorting) == ("MDO", "MD"):
        # The range is over all choices of the extreme taken first, 2^m of them; ours are two of these.
        assert row.loss_low - 0.01 <= round(found[0], 2) <= round(found[-1], 2) <= row.loss_high + 0.01
        return
    for end, measured in (("loss_low", found[0]), ("loss_high", found[-1])):
        if (row.family, row.sorting, row.k, end) not in LEFT_OUT:
            assert units_apart(measured, getattr(row, end), 2) <= 1, end


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.family}-{row.sorting}-{row.k}")
def test_tables_2_to_4_of_the_run_that_loses_least(row, runs, tarragona):
    decimals = {"deviation": 2, "delta_r": 1, "delta_w": 1, "share": 1, "mean_change": 2, "sd_change": 2}
    _, labels = runs(row.family, row.sorting, row.k)[0]
    measured = figures(tarragona, labels)
    for name, digits in decimals.items():
        if (row.family, row.sorting, row.k, name) not in LEFT_OUT:
            assert units_apart(measured[name], getattr(row, name), digits) <= 1, name


def test_the_cells_left_out_are_these_and_no_others(runs, tarragona):
    assert round(runs("UFS", "FPC", 3)[0][0], 2) == round(runs("UFS", "FPC", 3)[1][0], 2) == 23.89
    assert round(runs("UDO", "PV", 3)[-1][0], 2) == 53.80
    assert round(figures(tarragona, runs("UDO", "SZ", 4)[0][1])["mean_change"], 2) == 0.29


def test_scores_printed_with_four_decimals_explain_two_losses_for_one_partition(tarragona):
    # Rounded scores of unit variance tie, and tied records change groups when the order is reversed.
    points = standardise(tarragona)
    deviation = first_component(points).std()
    scores = np.round(first_component(np.round(points, 4)) / deviation, 4)
    ascending, descending = (cut_every(np.argsort(axis, kind="stable"), 3) for axis in (scores, -scores))
    assert (round(loss(points, descending), 2), round(loss(points, ascending), 2)) == (23.87, 23.89)


def test_the_first_component_explains_the_printed_share_of_the_original(tarragona):
    assert round(100 * structure(tarragona, tarragona).first_component_original, 1) == 63.4
