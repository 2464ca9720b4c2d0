"""Categories are replaced by a category that is there, and measured by how often it is wrong."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microagg as ma
from microagg.model.categories import ordinal_codes

NUMERIC = [name for name, method in ma.METHODS.items() if "nominal" not in method.scales]


def survey(seed: int = 0, n: int = 40) -> ma.Microdata:
    rng = np.random.default_rng(seed)
    grades = ["none", "low", "middle", "high"]
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "town": rng.choice(["Reus", "Valls", "Salou"], n),
            "grade": pd.Categorical(rng.choice(grades, n), grades, ordered=True),
            "married": rng.random(n) < 0.5,
            "region": rng.integers(1, 5, n),
            "wage": rng.normal(size=n),
        }
    )
    protected = ["age", "town", "grade", "married", "region"]
    roles = dict.fromkeys(protected, "quasi_identifier") | {"wage": "confidential"}
    return ma.Microdata.from_frame(frame, roles=roles).with_scales({"region": "nominal"})


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), k=st.integers(2, 20))
def test_groups_release_the_median_category_and_a_mode(seed: int, k: int) -> None:
    data = survey(seed)
    release = ma.protect(data, ma.Plan(method="mixed", k=k))
    kept = release.protected.dtypes.drop(["age", "grade"])
    assert kept.tolist() == data.frame.dtypes.drop(["age", "grade"]).tolist()
    used = release.protected["grade"]
    assert used.cat.categories.tolist() == [
        c for c in data.frame["grade"].cat.categories if (used == c).any()
    ]
    assert used.cat.ordered
    assert release.partitions[0].sizes.min() >= k
    for _, members in data.frame.groupby(release.partitions[0].labels):
        out = release.protected.loc[members.index]
        assert (out.nunique().drop("wage") == 1).all()
        assert out["age"].iloc[0] == pytest.approx(members["age"].mean())
        assert out["grade"].iloc[0] == members["grade"].sort_values().iloc[(len(members) - 1) // 2]
        for name in ("town", "married", "region"):
            counts = members[name].value_counts()
            assert counts[out[name].iloc[0]] == counts.max()
    assert ma.assess(release).disclosed.anonymity.smallest_class >= k


def test_the_distortion_of_a_name_is_the_probability_of_error() -> None:
    data = survey()
    release = ma.protect(data, ma.Plan(method="mixed", k=4))
    found = ma.lost(release)
    for name in ("town", "married", "region"):
        assert found.categories[name] == pytest.approx((data.frame[name] != release.protected[name]).mean())
    ranks = data.frame["grade"].cat.codes.to_numpy(), release.protected["grade"].cat.codes.to_numpy()
    assert found.categories["grade"] == pytest.approx(((ranks[0] - ranks[1]) ** 2).mean() / ranks[0].var())
    assert found.dependence.d_x == pytest.approx(
        np.mean([found.squared.by_attribute[0], *found.categories.values()])
    )
    assert "town" in found.notes["categories"]
    assert release.columns == ("age",)
    assert release.categories == ("town", "grade", "married", "region")


def test_a_file_of_categories_alone_has_distortion_and_anonymity_and_no_loss_of_numbers() -> None:
    figures = ma.assess(
        ma.protect(survey(), ma.Plan(method="mixed", k=4, columns=("town", "grade")))
    ).figures()
    assert figures["k_prime"] >= 4
    assert 0 <= figures["d_x"] <= 1
    assert all(np.isnan(figures[name]) for name in ("il", "il_scale_free", "l", "dld", "id", "dr", "score"))


@pytest.mark.parametrize("name", NUMERIC)
@pytest.mark.parametrize(
    ("column", "message"),
    [("town", "holds text"), ("grade", "holds text"), ("married", "is nominal"), ("region", "is nominal")],
)
def test_methods_for_numbers_refuse_categories_before_the_run(name: str, column: str, message: str) -> None:
    with pytest.raises(ma.MicroaggError, match=f"'{column}' {message}.*mixed"):
        ma.protect(survey(), ma.Plan(method=name, k=4, columns=(column,)))


def test_numbers_in_an_order_are_averaged_by_methods_for_numbers_and_ranked_by_mixed() -> None:
    data = survey().with_scales({"region": "ordinal"})
    averaged = ma.protect(data, ma.Plan(k=4, columns=("region",))).protected["region"]
    ranked = ma.protect(data, ma.Plan(method="mixed", k=4, columns=("region",))).protected["region"]
    assert averaged.mean() == pytest.approx(data.frame["region"].mean())
    assert set(ranked) <= set(data.frame["region"])


def test_text_gets_an_order_from_the_plan() -> None:
    frame = survey().frame.astype({"grade": str})
    data = ma.Microdata.from_frame(frame)
    plan = ma.Plan(
        method="mixed", k=4, columns=("grade",), orders={"grade": ("none", "low", "middle", "high")}
    )
    ordered = ma.protect(survey(), ma.Plan(method="mixed", k=4, columns=("grade",))).protected["grade"]
    assert ma.protect(data, plan).protected["grade"].tolist() == ordered.tolist()
    with pytest.raises(ma.DataError, match="its values have no order of their own"):
        ma.protect(data, plan.replace(orders={}, scales={"grade": "ordinal"}))
    with pytest.raises(ma.DataError, match="values that its order does not name"):
        ma.protect(data, plan.replace(orders={"grade": ("none", "low")}))


def test_ranks_count_the_categories_that_occur() -> None:
    assert ordinal_codes(pd.Series([10, 1000, 10, 50])).tolist() == [0, 2, 0, 1]


def test_blocks_by_correlation_need_numbers() -> None:
    with pytest.raises(ma.PlanError, match="need numbers that correlate, and 'town' holds categories"):
        ma.protect(survey(), ma.Plan(method="mixed", k=4, blocks="correlated:2"))


def test_missing_categories_are_protected_by_patterns() -> None:
    frame = survey().frame
    frame["town"] = frame["town"].mask(frame["age"] > 60)
    data = ma.Microdata(frame, survey().attributes)
    release = ma.protect(data, ma.Plan(method="mixed", k=3, missing="patterns"))
    assert (release.protected["town"].isna() == frame["town"].isna()).all()
    assert ma.assess(release).disclosed.anonymity.smallest_class >= 3


def test_a_released_file_of_categories_alone_is_measured_as_its_release_is() -> None:
    data = survey()
    release = ma.protect(data, ma.Plan(method="mixed", k=4))
    columns = release.attributes
    found = ma.assess(ma.compare(data, ma.Microdata.from_frame(release.protected), columns=columns, k=4))
    expected = ma.assess(release).figures()
    assert found.figures() == pytest.approx(expected, nan_ok=True)
