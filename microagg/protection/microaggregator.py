"""Microaggregation for those who live in scikit-learn: a transformer for pipelines and searches.

Two things that other transformers do alike differ here, because the protection is of a file, not of a record:
`fit_transform` gives the **release**: each record becomes the centroid of its own group of at least k.
`transform` takes each record given, known or new, to the **nearest centroid** of that release. Its result
holds nothing but released values and is what a model trained on the release is to be used with; it is not
k-anonymous itself (a new record may be the only one at its centroid), and for records of the fit it need not
repeat `fit_transform`, since a group of fixed size may hold records that lie nearer to another one.
"""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import gen_batches
from sklearn.utils.validation import check_is_fitted, validate_data

from microagg.errors import DataError, PlanError
from microagg.kernels.scaling import deviations
from microagg.model.microdata import Microdata
from microagg.model.plan import Plan
from microagg.protection.protect import protect

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from microagg.kernels.compiled import FloatArray
    from microagg.model.plan_fields import Blocks, OptionValue
    from microagg.model.roles import Role

CELLS_AT_ONCE = 4_000_000
"""Distances held in memory at a time."""


class Microaggregator(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc] # untyped
    """Replace records by the centroid of their group of at least k.

    `fit_transform` and ``fit(X).transform(X)`` differ; the module says why, `fit_transform` what it gives.

    Parameters
    ----------
    method : str
        A row of `microagg.METHODS`.
    k : int
        Minimum group size.
    blocks : str, or sequence of sequences of str or int
        A rule of `microagg.preparation.blocks`, or the attributes of each block, by name or by position from
        0.
    lam : float in [0, 1]
        Weight of the confidential attributes' predictability, λ; above 0, ``y`` is those attributes.
    aggregate : {"mean", "median"}
    refine : int, optional
        Rounds of refinement after the method.
    options : mapping, optional
        The method's own options.
    seed : int

    Attributes
    ----------
    labels_ : (n,) int64
        Group of each record; for more than one block (n, blocks); (n, 0) for a method without groups.
    release_ : Release
        With the originals: a fitted estimator is as confidential as they are.
    n_features_in_ : int
    feature_names_in_ : (p,) object
        Where X has names.

    Examples
    --------
    >>> X = [[1.0], [9.0], [2.0], [8.0]]
    >>> Microaggregator(k=2).fit_transform(X).ravel().tolist()
    [1.5, 8.5, 1.5, 8.5]
    >>> Microaggregator(k=2).fit(X).transform([[4.0], [70.0]]).ravel().tolist()
    [1.5, 8.5]
    """

    def __init__(
        self,
        method: str = "mdav",
        k: int = 5,
        *,
        blocks: str | Sequence[Sequence[str | int]] = "all",
        lam: float = 0.0,
        aggregate: str = "mean",
        refine: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
        seed: int = 0,
    ) -> None:
        self.method = method
        self.k = k
        self.blocks = blocks
        self.lam = lam
        self.aggregate = aggregate
        self.refine = refine
        self.options = options
        self.seed = seed

    def fit(self, X: Any, y: Any = None) -> Microaggregator:
        """Partition the records.

        Parameters
        ----------
        X : (n, p) array-like or DataFrame of finite numbers, all quasi-identifiers
            The index of a DataFrame is kept in ``release_``.
        y : (n,) or (n, m) array-like, optional
            The confidential attributes, where λ > 0; else ignored.

        Raises
        ------
        ValueError
            Fewer than k records, missing values, or a plan that cannot be honoured.
        """
        plan = Plan(
            method=self.method,
            k=self.k,
            lam=self.lam,
            aggregate=self.aggregate,  # type: ignore[arg-type] # checked by Plan
            refine=self.refine,
            options=self.options or {},
            seed=self.seed,
        )
        index = X.index if isinstance(X, pd.DataFrame) else None
        values = self._values(X, ensure_min_samples=plan.k)
        names = [str(name) for name in getattr(self, "feature_names_in_", range(values.shape[1]))]
        frame = pd.DataFrame(values, index=index, columns=names)
        confidential = _confidential(y, names, len(values)) if plan.lam > 0 else None
        if confidential is not None:
            frame[confidential.columns] = confidential.to_numpy()
        roles: dict[str, Role] = {
            str(name): "quasi_identifier" if name in names else "confidential" for name in frame.columns
        }
        data = Microdata.from_frame(frame, roles=roles).with_scales(
            dict.fromkeys(frame.columns, "continuous")
        )
        self.release_ = protect(data, plan.replace(blocks=_by_name(self.blocks, names)))
        labels = [partition.labels for partition in self.release_.partitions]
        self.labels_ = (
            labels[0] if len(labels) == 1 else np.array(labels, dtype=np.int64).reshape(-1, len(values)).T
        )
        self._means, self._spreads = values.mean(axis=0), deviations(values)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> FloatArray:
        """Partition the records and return the release.

        This is not ``fit(X).transform(X)``: a record's own group need not be the one whose centroid is
        nearest. Only this is k-anonymous.

        Parameters
        ----------
        X : (n, p) array-like or DataFrame of finite numbers, all quasi-identifiers
        y : (n,) or (n, m) array-like, optional
            As for `fit`.

        Returns
        -------
        (n, p) float64, in the units of X, row i for row i
            A DataFrame with the index of X after ``set_output(transform="pandas")``.
        """
        return self.fit(X, y).release_.protected_values

    def transform(self, X: Any) -> FloatArray:
        """Take each record to the nearest centroid of the release, block by block.

        Distances are Euclidean on attributes standardised by the records of the fit. Of centroids equally
        near the one released first is taken. O(records · groups · p).

        Parameters
        ----------
        X : (m, p) array-like or DataFrame of finite numbers

        Returns
        -------
        (m, p) float64, in the units of X
        """
        check_is_fitted(self)
        values = self._values(X, reset=False)
        return self._nearest(values)

    def score(self, X: Any, y: object = None) -> float:  # noqa: ARG002 - scikit-learn passes y
        """Minus the share of variance that `transform` loses, so that a search prefers what loses least.

        Parameters
        ----------
        X : (m, p) array-like or DataFrame of finite numbers
        y : ignored

        Returns
        -------
        float, 0 or below
            −mean((x − centroid)² / variance) over records and attributes, with the variances of the fit;
            attributes that were constant there are left out. It speaks of loss only: the smallest k wins.
        """
        check_is_fitted(self)
        values = self._values(X, reset=False)
        varies = self._spreads > 0
        if not varies.any():
            return 0.0
        change = values - self._nearest(values)
        return -float(np.square(change[:, varies] / self._spreads[varies]).mean())

    def _values(self, X: Any, **checks: Any) -> FloatArray:
        """Check X as scikit-learn does, whose own message would show the cell that is no number."""
        try:
            values: FloatArray = validate_data(self, X, dtype=np.float64, **checks)
        except ValueError as error:
            if "could not convert" not in str(error):
                raise
            raise DataError("X must hold numbers only.") from None
        return values

    def _nearest(self, values: FloatArray) -> FloatArray:
        columns = self.release_.columns
        nearest = np.empty_like(values)
        for block in self.release_.blocks:
            places = [columns.index(name) for name in block]
            centroids = self.release_.protected_values[:, places]
            _, first = np.unique(centroids, axis=0, return_index=True)
            centroids = centroids[np.sort(first)]
            scaled = self._scaled(centroids, places)
            for rows in gen_batches(len(values), max(1, CELLS_AT_ONCE // len(centroids))):
                distances = cdist(self._scaled(values[rows][:, places], places), scaled, "sqeuclidean")
                nearest[np.ix_(range(rows.start, rows.stop), places)] = centroids[distances.argmin(axis=1)]
        return nearest

    def _scaled(self, values: FloatArray, places: list[int]) -> FloatArray:
        """Standardise by the records of the fit; what was constant there tells nobody apart."""
        spreads = self._spreads[places]
        scaled: FloatArray = (
            (values - self._means[places]) * (spreads > 0) / np.where(spreads > 0, spreads, 1.0)
        )
        return scaled


def _by_name(blocks: Any, names: list[str]) -> Blocks:
    """Blocks by name, where some are by position."""
    if isinstance(blocks, str):
        return blocks
    try:
        return tuple(tuple(_name(one, names) for one in block) for block in blocks)
    except TypeError:
        raise PlanError(
            f"blocks is {blocks!r}; it must be a rule such as 'single', or lists of names or positions."
        ) from None


def _name(one: object, names: list[str]) -> str:
    if isinstance(one, Integral):
        if not 0 <= int(one) < len(names):
            raise PlanError(f"A block names attribute {one}; there are {len(names)}, counted from 0.")
        return names[int(one)]
    return str(one)


def _confidential(y: Any, taken: list[str], records: int) -> pd.DataFrame:
    """The confidential attributes as columns, under names that no quasi-identifier has."""
    if y is None:
        raise DataError("λ > 0 weighs the confidential attributes; give them as y.")
    try:
        values = np.asarray(y, dtype=np.float64).reshape(len(y), -1)
    except (TypeError, ValueError):
        raise DataError("λ > 0 weighs the confidential attributes y, which must be numbers.") from None
    if len(values) != records:
        raise DataError(f"X has {records} records and y has {len(values)}.")
    columns = []
    for number in range(values.shape[1]):
        name = f"y{number}"
        while name in taken:
            name += "_"
        columns.append(name)
    return pd.DataFrame(values, columns=columns)
