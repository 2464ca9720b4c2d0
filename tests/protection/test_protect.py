"""The pipeline keeps what it promises and refuses the rest before any work."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from microagg.assessment.assess import assess
from microagg.errors import Cancelled, DataError, PlanError
from microagg.model.microdata import Microdata
from microagg.model.plan import Plan
from microagg.preparation.prepare import prepare
from microagg.protection.protect import protect


def firms(n: int = 30) -> Microdata:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(rng.lognormal(size=(n, 4)), columns=["assets", "sales", "staff", "profit"])
    frame.insert(0, "tax id", [f"T{i}" for i in range(n)])
    frame["sector"] = ["a", "b", "c"] * (n // 3)
    return Microdata.from_frame(frame, roles={"profit": "confidential"}, name="firms")


def test_only_quasi_identifiers_change_and_identifiers_stay_at_home() -> None:
    data = firms()
    protected = protect(data, Plan(k=5)).protected
    assert list(protected.columns) == ["assets", "sales", "staff", "profit", "sector"]
    assert protected[["profit", "sector"]].equals(data.frame[["profit", "sector"]])
    assert not (protected["sales"] == data.frame["sales"]).any()


def test_identifiers_are_kept_only_on_request() -> None:
    protected = protect(firms(), Plan(k=5, keep_identifiers=True)).protected
    assert protected.columns[0] == "tax id"


def test_the_original_is_left_untouched() -> None:
    data = firms()
    before = data.frame.copy(deep=True)
    protect(data, Plan(k=5))
    pd.testing.assert_frame_equal(data.frame, before)


def test_columns_and_roles_of_the_plan_come_before_those_of_the_data() -> None:
    release = protect(firms(), Plan(k=5, columns=("profit",), roles={"staff": "identifier"}))
    assert release.columns == ("profit",)
    assert "staff" not in release.protected


def test_median_centroids_are_the_groups_medians() -> None:
    release = protect(firms(), Plan(k=5, aggregate="median"))
    labels = release.partitions[0].labels
    expected = release.data.frame.groupby(labels)[list(release.columns)].transform("median")
    pd.testing.assert_frame_equal(release.protected[list(release.columns)], expected)


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (Plan(method="optimal"), "one attribute a block"),
        (Plan(method="individual_ranking", blocks="contiguous:2"), "protects every attribute on its own"),
        (Plan(method="individual_ranking", options={"partition": "fixed"}, lam=0.5), "ignores λ"),
        (Plan(method="fixed", options={"sort": "attribute"}, lam=0.5), "ignores λ"),
        (Plan(method="sugeno", options={"cost": "projected"}, lam=0.5), "do not contain λ"),
        (Plan(method="zscores", options={"divisor": "variance"}, lam=0.5), "variance mixes units"),
        (Plan(lam=0.5, roles={"profit": "other"}), "needs a confidential attribute"),
        (Plan(columns=("sales", "sales")), "'sales' more than once"),
        (Plan(columns=("tax id",)), "is an identifier"),
        (Plan(columns=("turnover",)), "no column 'turnover'"),
        (Plan(columns=("sector",)), "'sector' holds text"),
        (Plan(blocks="rows:2"), "no way of making blocks"),
        (Plan(method="fixed", options={"attribute": "profit"}), "not among the protected columns"),
        (Plan(method="fixed", options={"order": "up"}), "must be one of 'ascending', 'descending'"),
        (Plan(method="sugeno", options={"exponent": 0.0}), "between 0.01 and 100"),
        (Plan(method="sugeno", options={"exponent": "two"}), "must be a number"),
        (Plan(k=31), "k is 31, but there are only 30 records"),
    ],
)
def test_what_cannot_be_honoured_is_refused_before_the_run(plan: Plan, message: str) -> None:
    with pytest.raises((PlanError, DataError), match=message):
        prepare(firms(), plan)


def test_a_file_without_quasi_identifiers_is_refused() -> None:
    frame = pd.DataFrame({"town": list("aabb")})
    data = Microdata.from_frame(frame, roles={"town": "other"}, name="towns")
    with pytest.raises(DataError, match="towns: there is nothing to protect"):
        protect(data, Plan(k=2))


def test_lambda_over_an_incomplete_confidential_column_is_refused_by_name() -> None:
    frame = pd.DataFrame({"x": [1.5, 2, 3, 4], "y": [1.0, np.nan, 3, 4], "z": [1.0, 2, 2, 1]})
    data = Microdata.from_frame(frame, roles={"y": "confidential", "z": "confidential"})
    with pytest.raises(DataError, match="'y' has missing or infinite"):
        protect(data, Plan(k=2, lam=0.5))


def test_progress_rises_to_the_end_and_can_cancel() -> None:
    shares: list[float] = []
    protect(firms(3000), Plan(k=3, blocks="contiguous:2"), progress=shares.append)
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[-1] <= 1

    def stop(_share: float) -> None:
        raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        protect(firms(3000), Plan(k=3), progress=stop)


def test_a_shuffle_moves_rows_whole_and_measures_stay_aligned() -> None:
    plain, shuffled = protect(firms(), Plan(k=5)), protect(firms(), Plan(k=5, shuffle=7))
    assert shuffled.protected.index.equals(pd.RangeIndex(30))
    assert not shuffled.protected.equals(plain.protected)
    pd.testing.assert_frame_equal(shuffled.aligned.set_axis(plain.protected.index), plain.protected)
    pd.testing.assert_frame_equal(
        shuffled.protected, plain.protected.iloc[shuffled.order].reset_index(drop=True)
    )
    assert assess(shuffled).figures() == assess(plain).figures()


def test_a_shuffle_repeats_with_its_seed_and_differs_with_another() -> None:
    one, again, other = (protect(firms(), Plan(k=5, shuffle=seed)).protected for seed in (7, 7, 8))
    assert one.equals(again)
    assert not one.equals(other)
