"""The estimator keeps scikit-learn's conventions, alone and among others."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import RobustScaler, StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import microagg as ma
from microagg.protection.microaggregator import Microaggregator

NOT_THE_SAME = {
    "check_transformer_general": "fit_transform gives the release, transform the nearest centroid",
    "check_transformer_data_not_an_array": "fit_transform gives the release, transform the nearest centroid",
}


def failing(estimator: Microaggregator) -> dict[str, str]:
    """Checks that ask for fit_transform to be transform; what Mic1D releases happens to be its nearest."""
    return {} if estimator.method == "mic1d" else NOT_THE_SAME


@parametrize_with_checks(
    [Microaggregator(k=2), Microaggregator("pcp", k=3), Microaggregator("mic1d", k=3)],
    expected_failed_checks=failing,
)
def test_scikit_learns_own_checks(estimator: Microaggregator, check: object) -> None:
    check(estimator)


def people(records: int = 40) -> pd.DataFrame:
    numbers = np.random.default_rng(4).normal(size=(records, 3)) * [10, 100, 1] + [40, 900, 0]
    return pd.DataFrame(numbers, columns=["age", "rent", "debt"], index=[f"p{i}" for i in range(records)])


def nearest_by_hand(X: pd.DataFrame, released: np.ndarray, new: pd.DataFrame) -> np.ndarray:
    """By pandas alone: the released record at least squared distance, on the fit's standard deviations."""
    spread = X.std(ddof=0)
    rows = []
    for _, record in new.iterrows():
        away = ((pd.DataFrame(released, columns=X.columns) - record) / spread).pow(2).sum(axis=1)
        rows.append(released[away.argmin()])
    return np.array(rows)


@pytest.mark.parametrize("method", ["mdav", "pcp", "mic1d"])
def test_transform_takes_new_records_to_the_nearest_released_one(method: str) -> None:
    X, new = people(), people().sample(15, random_state=1) + 0.3
    estimator = Microaggregator(method, k=4).fit(X)
    expected = nearest_by_hand(X, estimator.release_.protected_values, new)
    assert np.array_equal(estimator.transform(new), expected)


def test_transform_goes_block_by_block() -> None:
    X, new = people(), people(60).tail(20)
    estimator = Microaggregator(k=4, blocks=[["age", "debt"], ["rent"]]).fit(X)
    after = pd.DataFrame(estimator.transform(new), columns=X.columns)
    for block in (["age", "debt"], ["rent"]):
        alone = Microaggregator(k=4).fit(X[block])
        assert np.array_equal(after[block], alone.transform(new[block]))


def test_of_two_equally_near_the_one_released_first_is_taken() -> None:
    assert Microaggregator(k=2).fit([[9.0], [1.0], [8.0], [2.0]]).transform([[5.0]]).item() == 8.5


def test_transform_in_batches_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    X = people(60)
    whole = Microaggregator(k=4).fit(X).transform(X)
    monkeypatch.setattr("microagg.protection.microaggregator.CELLS_AT_ONCE", 50)
    assert np.array_equal(Microaggregator(k=4).fit(X).transform(X), whole)


def test_fit_transform_is_the_release_and_transform_need_not_be() -> None:
    X = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0, 10.0, 11.0]})
    release = ma.protect(ma.Microdata.from_frame(X, roles={"x": "quasi_identifier"}), ma.Plan("fixed", k=4))
    estimator = Microaggregator("fixed", k=4)
    assert estimator.fit_transform(X).ravel().tolist() == release.protected["x"].tolist()
    unlike = Microaggregator("mdav", k=3).fit([[0.0], [1.0], [4.4], [4.5], [9.0], [50.0]])
    assert unlike.release_.protected_values.ravel().tolist() == pytest.approx(
        [1.8, 1.8, 1.8, 21.1667, 21.1667, 21.1667], abs=1e-4
    )
    assert unlike.transform([[9.0]]).item() == pytest.approx(1.8)


def test_it_keeps_names_and_index() -> None:
    X = people()
    estimator = Microaggregator(k=4).set_output(transform="pandas")
    for after in (estimator.fit_transform(X), estimator.transform(X)):
        assert after.index.equals(X.index)
        assert list(after) == list(X)
    assert estimator.get_feature_names_out().tolist() == ["age", "rent", "debt"]
    assert list(estimator.release_.data.frame.index) == list(X.index)


def test_blocks_are_named_or_counted() -> None:
    X = people()
    named = Microaggregator(k=4, blocks=[["age", "debt"], ["rent"]]).fit_transform(X)
    counted = Microaggregator(k=4, blocks=((0, np.int64(2)), (1,))).fit_transform(X)
    assert np.array_equal(named, counted)
    assert np.array_equal(Microaggregator(k=4, blocks="age+debt,rent").fit_transform(X), named)
    assert np.array_equal(Microaggregator(k=4, blocks=((0, 2), (1,))).fit_transform(X.to_numpy()), named)


@pytest.mark.parametrize(
    ("blocks", "message"),
    [
        ([[0, 1], [3]], "counted from 0"),
        ([["age"]], "'rent' is in no block"),
        (5, "lists of names"),
        ([5], "lists"),
    ],
)
def test_blocks_that_cannot_be_are_refused(blocks: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Microaggregator(k=4, blocks=blocks).fit(people())


def test_lambda_weighs_y() -> None:
    X, y = people(), np.random.default_rng(5).normal(size=40)
    roles = dict.fromkeys(X, "quasi_identifier") | {"wage": "confidential"}
    data = ma.Microdata.from_frame(X.assign(wage=y), roles=roles)
    expected = ma.protect(data, ma.Plan(k=4, lam=0.7)).protected_values
    assert np.array_equal(Microaggregator(k=4, lam=0.7).fit_transform(X, y), expected)
    assert not np.array_equal(Microaggregator(k=4).fit_transform(X, y), expected)
    repeated = X.set_axis([0] * 40)
    assert np.array_equal(Microaggregator(k=4, lam=0.7).fit_transform(repeated, y), expected)
    for wrong, message in ((None, "give them as y"), (["a"] * 40, "must be numbers"), (y[:9], "y has 9")):
        with pytest.raises(ValueError, match=message):
            Microaggregator(k=4, lam=0.7).fit(X, wrong)


def test_it_stands_anywhere_in_a_pipeline() -> None:
    X = people()
    protected = make_pipeline(RobustScaler(), Microaggregator(k=4)).fit_transform(X)
    assert len(np.unique(protected, axis=0)) == 10
    y = X["age"] * 2 + X["rent"]
    model = make_pipeline(StandardScaler(), Microaggregator(k=4), LinearRegression()).fit(X, y)
    scaled = StandardScaler().fit(X)
    centroids = Microaggregator(k=4).fit(scaled.transform(X))
    by_hand = LinearRegression().fit(centroids.release_.protected_values, y)
    new = people(60).tail(7)
    assert model.predict(new) == pytest.approx(by_hand.predict(centroids.transform(scaled.transform(new))))


def test_it_protects_some_columns_of_a_table() -> None:
    X = people()
    some = ColumnTransformer([("hide", Microaggregator(k=4), ["age", "rent"])], remainder="passthrough")
    some.set_output(transform="pandas")
    after = some.fit_transform(X)
    assert list(after) == ["hide__age", "hide__rent", "remainder__debt"]
    assert after.index.equals(X.index)
    assert np.array_equal(
        after[["hide__age", "hide__rent"]], Microaggregator(k=4).fit_transform(X[["age", "rent"]])
    )
    assert some.transform(X.head(2)).shape == (2, 3)


def test_it_can_be_searched_over_and_scores_minus_the_loss() -> None:
    X = people(60)
    search = GridSearchCV(Microaggregator(), {"k": [3, 10], "method": ["mdav", "pcp"]}, cv=3).fit(X)
    assert search.best_params_["k"] == 3
    estimator = Microaggregator(k=4).fit(X)
    expected = -((X - estimator.transform(X)).pow(2) / X.var(ddof=0)).to_numpy().mean()
    assert estimator.score(X) == pytest.approx(expected)
    pipe = Pipeline([("hide", Microaggregator(k=4)), ("fit", LinearRegression())])
    assert np.isfinite(cross_val_score(pipe, X, X["age"], cv=3)).all()


def test_clones_and_pickles_are_equal() -> None:
    X = people()
    one = Microaggregator("vmdav", 4, blocks=((0, 1), (2,)), options={"gamma": 0.3}, refine=2, seed=3)
    again = clone(one)
    assert again.get_params() == one.get_params()
    assert np.array_equal(again.fit_transform(X), one.fit_transform(X))
    assert np.array_equal(pickle.loads(pickle.dumps(one)).transform(X), one.transform(X))  # noqa: S301 - our own


def test_errors_are_value_errors_with_our_words() -> None:
    with pytest.raises(ValueError, match="no method 'magic'"):
        Microaggregator("magic").fit(np.eye(8))
    with pytest.raises(ValueError, match="k is 'five'"):
        Microaggregator(k="five").fit(np.eye(8))


def test_columns_named_like_codes_are_averaged_as_all_that_it_is_given() -> None:
    frame = pd.DataFrame({"sex": [0, 1, 0, 1, 1, 0], "region": [1, 2, 3, 1, 2, 3]})
    protected = Microaggregator(k=3).fit_transform(frame)
    sizes = pd.DataFrame(np.asarray(protected)).value_counts()
    assert sizes.min() >= 3
