"""The estimator keeps scikit-learn's conventions."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import RobustScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from microagg.estimator import Microaggregator


@parametrize_with_checks([Microaggregator(k=2), Microaggregator("pcp", k=3)])
def test_scikit_learns_own_checks(estimator: Microaggregator, check: object) -> None:
    check(estimator)


def test_it_ends_a_pipeline() -> None:
    X = np.random.default_rng(0).normal(size=(20, 3))
    protected = make_pipeline(RobustScaler(), Microaggregator(k=4)).fit_transform(X)
    assert len(np.unique(protected, axis=0)) == 5


def test_errors_are_value_errors_with_our_words() -> None:
    with pytest.raises(ValueError, match="no method 'magic'"):
        Microaggregator("magic").fit(np.eye(8))
