"""Microaggregation for those who live in scikit-learn: an estimator with `fit` and `fit_transform`.

There is no ``transform`` for records that were not part of the fit: a new record would stand alone in its
group, and what would come out would not be k-anonymous.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from microagg.protect import protect
from microagg.types import Microdata, Plan

if TYPE_CHECKING:
    from collections.abc import Mapping

    from microagg.compiled import FloatArray


class Microaggregator(BaseEstimator):  # type: ignore[misc] # scikit-learn ships no types
    """Replace records by the centroid of their group of at least k.

    Parameters
    ----------
    method : str
        A row of `microagg.METHODS`.
    k : int
        Minimum group size.
    blocks : str
        Rule of `microagg.blocks`.
    aggregate : {"mean", "median"}
    options : mapping, optional
        The method's own options.
    seed : int

    Attributes
    ----------
    labels_ : (n,) int64
        Group of each record; for more than one block (n, blocks).
    release_ : Release
    n_features_in_ : int

    Examples
    --------
    >>> Microaggregator(k=2).fit_transform([[1.0], [9.0], [2.0], [8.0]]).ravel().tolist()
    [1.5, 8.5, 1.5, 8.5]
    """

    def __init__(
        self,
        method: str = "mdav",
        k: int = 5,
        *,
        blocks: str = "all",
        aggregate: str = "mean",
        options: Mapping[str, str | int | float] | None = None,
        seed: int = 0,
    ) -> None:
        self.method = method
        self.k = k
        self.blocks = blocks
        self.aggregate = aggregate
        self.options = options
        self.seed = seed

    def fit(self, X: Any, y: object = None) -> Microaggregator:  # noqa: ARG002 - scikit-learn passes y
        """Partition the records.

        Parameters
        ----------
        X : (n, p) array-like of finite numbers, all quasi-identifiers
        y : ignored

        Raises
        ------
        ValueError
            Fewer than k records, missing values, or a plan that cannot be honoured.
        """
        values = validate_data(self, X, dtype=np.float64, ensure_min_samples=self.k)
        frame = pd.DataFrame(values, columns=[str(j) for j in range(values.shape[1])])
        data = Microdata.from_frame(frame, roles=dict.fromkeys(frame.columns, "quasi_identifier"))
        plan = Plan(
            method=self.method,
            k=self.k,
            blocks=self.blocks,
            aggregate=self.aggregate,  # type: ignore[arg-type] # checked by Plan
            options=self.options or {},
            seed=self.seed,
        )
        self.release_ = protect(data, plan)
        labels = [partition.labels for partition in self.release_.partitions]
        self.labels_ = labels[0] if len(labels) == 1 else np.array(labels).T
        return self

    def fit_transform(self, X: Any, y: object = None) -> FloatArray:
        """Partition the records and return the protected ones, (n, p) float64 in the units of X."""
        return self.fit(X, y).release_.protected_values
