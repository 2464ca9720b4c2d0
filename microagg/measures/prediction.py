"""Loss for a use: how well models learned from the release predict, beside models learned from the original.

Someone who receives the protected file fits a model that explains a confidential attribute from the
quasi-identifiers, and applies it to real people. So each model is learned from some records of the release
and tested on other records as they really are; the same folds, learned from the originals, show what was
there to be had. Predictions of all folds are pooled before the figure is taken: R² for a number, accuracy
(share right) for a nominal attribute. Models are scikit-learn's, on standardised quasi-identifiers:
``linear`` (least squares, logistic for nominal) or ``forest`` (100 trees). Same data and seed, same figures.
A forest of 100 trees takes about 10 kB a record and minutes for 100,000 records: of large files a sample is
learned from and predicted, which the notes state.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import accuracy_score, r2_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from microagg.errors import DataError, PlanError
from microagg.kernels.random_numbers import permutation
from microagg.measures.arrays import counterparts, records
from microagg.measures.linkage import sample_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from microagg.kernels.compiled import FloatArray

Model: TypeAlias = Literal["linear", "forest"]
MOST_RECORDS: dict[Model, int] = {"linear": 200_000, "forest": 20_000}


@dataclass(frozen=True, slots=True)
class PredictionLoss:
    """How well each of m confidential attributes is predicted; R² is at most 1, accuracy in [0, 1].

    Attributes
    ----------
    from_original, from_protected : (m,) float64
        R² or accuracy on unseen originals, learned from the originals and from the release; higher is better,
        nan where not defined.
    notes : mapping of str to str
        Why an attribute is not defined, by its position in the confidential columns; under "sample" on how
        many records the models were tried, where not on all.
    """

    from_original: FloatArray
    from_protected: FloatArray
    notes: Mapping[str, str] = field(default_factory=dict)

    @property
    def by_attribute(self) -> FloatArray:
        """What the release costs each prediction, (m,), original minus protected; lower is better."""
        return self.from_original - self.from_protected

    @property
    def mean(self) -> float:
        """Mean of what the predictions lost, over the attributes that are defined; lower is better."""
        defined = self.by_attribute[np.isfinite(self.by_attribute)]
        return float(defined.mean()) if len(defined) else float("nan")


def prediction_loss(
    original: FloatArray,
    protected: FloatArray,
    confidential: FloatArray,
    *,
    nominal: Sequence[bool] | None = None,
    model: Model = "linear",
    folds: int = 5,
    seed: int = 0,
) -> PredictionLoss:
    """Predict each confidential attribute, learned from the originals and learned from the release.

    Parameters
    ----------
    original, protected : (n, p) float64, original units
        Quasi-identifiers before and after.
    confidential : (n, m) float64, original units
        What is predicted; nominal attributes as codes.
    nominal : sequence of bool, optional
        For each confidential attribute whether it is nominal; by default none is.
    model : {"linear", "forest"}
    folds : int
        Parts for cross-validation, from 2.
    seed : int
        Of the folds, of the forest, and of the sample of a large file.

    Returns
    -------
    PredictionLoss

    Raises
    ------
    PlanError
        There is no such model, or fewer than two folds.

    Examples
    --------
    >>> x = np.arange(20.0)[:, None]
    >>> found = prediction_loss(x, x, 3 * x + 1)
    >>> found.from_original.round(9).tolist(), found.mean
    ([1.0], 0.0)
    """
    original, protected = counterparts(original, protected, none=True)
    confidential = records(confidential, "confidential", none=True)
    if len(confidential) != len(original):
        raise DataError(
            f"confidential has {len(confidential)} records and original has {len(original)}, not the same."
        )
    if model not in get_args(Model):
        raise PlanError(f"There is no model {model!r} for predicting; use one of {get_args(Model)}.")
    if folds < 2:
        raise PlanError(f"Cross-validation needs at least 2 folds, not {folds}.")
    notes: dict[str, str] = {}
    if len(original) > MOST_RECORDS[model]:
        notes["sample"] = f"On a sample of {MOST_RECORDS[model]:,} of {len(original):,} records."
        rows = sample_of(len(original), MOST_RECORDS[model], seed)
        original, protected, confidential = original[rows], protected[rows], confidential[rows]
    n, m = confidential.shape
    kinds = nominal if nominal is not None else [False] * m
    figures = np.full((2, m), np.nan)
    for column, is_nominal in enumerate(kinds):
        target = confidential[:, column]
        reason = _why_not(target, original, folds, is_nominal)
        if reason:
            notes[str(column)] = reason
            continue
        judge = accuracy_score if is_nominal else r2_score
        for side, learned_from in enumerate((original, protected)):
            predicted = np.empty(n)
            for test in np.array_split(permutation(seed, n, stream=1), folds):
                learn = np.delete(np.arange(n), test)
                estimator = _estimator(model, is_nominal, np.ptp(target[learn]) == 0, seed)
                estimator.fit(learned_from[learn], target[learn])
                predicted[test] = estimator.predict(original[test])
            figures[side, column] = judge(target, predicted)
    return PredictionLoss(figures[0], figures[1], notes)


def _why_not(target: FloatArray, original: FloatArray, folds: int, nominal: bool) -> str:
    if np.ptp(target) == 0:
        return "Not defined: the confidential attribute is constant."
    if len(target) < 2 * folds:
        return f"Not defined: {len(target)} records are too few for {folds} folds."
    if original.shape[1] == 0:
        return "Not defined: there is no quasi-identifier to predict from."
    if nominal and len(np.unique(target)) > len(target) // 2:
        return "Not defined: nearly every record has a class of its own."
    return ""


def _estimator(model: str, classify: bool, constant: bool, seed: int) -> Any:
    if constant:  # a fold may hold a single class, which classifiers refuse
        return DummyClassifier() if classify else DummyRegressor()
    if model == "forest":
        forest = RandomForestClassifier if classify else RandomForestRegressor
        return forest(n_estimators=100, random_state=seed)
    return make_pipeline(
        StandardScaler(), LogisticRegression(max_iter=1_000) if classify else LinearRegression()
    )
