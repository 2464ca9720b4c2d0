from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.metrics import r2_score
from sklearn.model_selection import PredefinedSplit, cross_val_predict

from microagg.errors import PlanError
from microagg.measures import prediction
from microagg.measures.linkage import sample_of
from microagg.measures.prediction import prediction_loss
from tests.golden import plain_draws
from tests.measures.plain import group_means


def five_folds(n, seed):
    """Fifths of a drawn order, the first ones larger by one where n is no multiple, for scikit-learn."""
    place = {record: place for place, record in enumerate(plain_draws.order(seed, n, stream=1))}
    ends = [sum(n // 5 + (fold < n % 5) for fold in range(last + 1)) for last in range(5)]
    return PredefinedSplit([sum(place[record] >= end for end in ends) for record in range(n)])


def test_originals_predict_as_scikit_learns_cross_validation_does(tarragona):
    quasi, confidential = tarragona[:, :6], tarragona[:, 11:]
    found = prediction_loss(quasi, quasi, confidential, seed=3)
    folds = five_folds(len(quasi), seed=3)
    for column in range(2):
        predicted = cross_val_predict(LinearRegression(), quasi, confidential[:, column], cv=folds)
        assert found.from_original[column] == pytest.approx(r2_score(confidential[:, column], predicted))
    assert found.by_attribute.tolist() == [0.0, 0.0]


def test_what_is_learned_from_the_release_is_tested_on_other_records_as_they_are(tarragona):
    """Fold by fold with scikit-learn alone; tested on released records the figure would be another."""
    quasi, target = tarragona[:, :6], tarragona[:, 11]
    released = group_means(quasi, np.arange(len(quasi)) // 7)
    predicted, flattered = np.empty(len(quasi)), np.empty(len(quasi))
    for learn, test in five_folds(len(quasi), seed=3).split():
        model = LinearRegression().fit(released[learn], target[learn])
        predicted[test], flattered[test] = model.predict(quasi[test]), model.predict(released[test])
    found = prediction_loss(quasi, released, target[:, np.newaxis], seed=3).from_protected[0]
    assert found == pytest.approx(r2_score(target, predicted))
    assert abs(found - r2_score(target, flattered)) > 0.01


@pytest.mark.parametrize("model", ["linear", "forest"])
def test_a_constant_release_teaches_nothing(model):
    rng = np.random.default_rng(0)
    quasi = rng.normal(size=(120, 2))
    confidential = quasi.sum(axis=1, keepdims=True)
    found = prediction_loss(quasi, np.zeros_like(quasi), confidential, model=model)
    assert found.from_protected[0] <= 0.0
    assert found.mean == pytest.approx(found.from_original[0] - found.from_protected[0])
    assert found.mean > 0.5


def test_a_nominal_attribute_is_judged_by_the_share_right():
    quasi = np.repeat([[-1.0], [1.0]], 30, axis=0) + np.linspace(0, 0.1, 60)[:, None]
    classes = np.repeat([[4.0], [9.0]], 30, axis=0)
    found = prediction_loss(quasi, np.zeros_like(quasi), classes, nominal=[True])
    assert found.from_original.tolist() == [1.0]
    assert 0 <= found.from_protected[0] < 1


def test_the_same_seed_gives_the_same_figures():
    rng = np.random.default_rng(1)
    quasi, confidential = rng.normal(size=(60, 2)), rng.normal(size=(60, 1))
    released = group_means(quasi, np.arange(60) // 3)
    one, again = (prediction_loss(quasi, released, confidential, model="forest", seed=5) for _ in range(2))
    assert (one.from_protected == again.from_protected).all()


def test_a_fold_with_one_class_still_predicts():
    classes = np.zeros((20, 1))
    classes[0] = 1.0
    quasi = np.arange(20.0)[:, None]
    assert prediction_loss(quasi, quasi, classes, nominal=[True]).from_original[0] == pytest.approx(0.95)


@pytest.mark.parametrize(
    ("confidential", "nominal", "reason"),
    [
        (np.ones((30, 1)), False, "constant"),
        (np.arange(6.0)[:, None], False, "too few"),
        (np.arange(30.0)[:, None], True, "class of its own"),
    ],
)
def test_what_cannot_be_predicted_is_nan_with_the_reason(confidential, nominal, reason):
    quasi = np.arange(float(len(confidential)))[:, None]
    found = prediction_loss(quasi, quasi, confidential, nominal=[nominal])
    assert np.isnan(found.from_original).all()
    assert np.isnan(found.mean)
    assert reason in found.notes["0"]


def test_without_quasi_identifiers_the_reason_is_given():
    empty = np.empty((30, 0))
    assert "quasi-identifier" in prediction_loss(empty, empty, np.arange(30.0)[:, None]).notes["0"]


def test_unknown_models_and_single_folds_are_refused():
    with pytest.raises(PlanError, match="oracle"):
        prediction_loss(np.eye(3), np.eye(3), np.eye(3), model="oracle")
    with pytest.raises(PlanError, match="folds"):
        prediction_loss(np.eye(3), np.eye(3), np.eye(3), folds=1)


def test_a_large_file_is_predicted_on_a_sample_that_is_stated(monkeypatch):
    monkeypatch.setitem(prediction.MOST_RECORDS, "linear", 100)
    rng = np.random.default_rng(0)
    original = rng.normal(size=(400, 2))
    confidential = original[:, :1] + rng.normal(size=(400, 1))
    found = prediction_loss(original, original, confidential, seed=3)
    rows = sample_of(400, 100, 3)
    alone = prediction_loss(original[rows], original[rows], confidential[rows], seed=3)
    assert found.from_original == pytest.approx(alone.from_original)
    assert found.notes["sample"] == "On a sample of 100 of 400 records."
    assert not alone.notes
