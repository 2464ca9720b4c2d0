"""Totals before and after: what a statistical office publishes first, and what averaging is meant to keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from microagg.preparation.prepare import settle

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray
    from microagg.model.microdata import Microdata
    from microagg.model.release import Release


def totals(release: Release) -> pd.DataFrame:
    """Sum of each protected number of the released records before and after, without missing values.

    Sums are weighted where the plan is. Means keep totals to rounding in the last digits, weighted means the
    weighted ones. Medians, Mic1D and rounded numbers do not.

    Parameters
    ----------
    release : Release

    Returns
    -------
    DataFrame
        One row a number: attribute, before, after, change (as a share of the one before; nan where that
        is 0).

    Examples
    --------
    >>> from microagg.protection.protect import protect
    >>> from microagg.model.microdata import Microdata
    >>> from microagg.model.plan import Plan
    >>> data = Microdata.from_frame(pd.DataFrame({"age": [20, 21, 60, 65]}))
    >>> totals(protect(data, Plan(k=2, rounding="half up")))[["before", "after"]].values.tolist()
    [[166.0, 168.0]]
    """
    before = _sums(release, release.data, release.original_values)
    after = _sums(release, release.data, release.protected_values)
    found = {"attribute": release.columns, "before": before, "after": after, "change": _share(before, after)}
    return pd.DataFrame(found)


def totals_of_file(release: Release, data: Microdata) -> pd.DataFrame:
    """The same against the whole file, with the records that are left out of the release.

    Parameters
    ----------
    release : Release
        With a plan.
    data : Microdata
        What it was made of, as it came.

    Returns
    -------
    DataFrame
        One row a number: attribute, file, change (from the file's total to the released one).

    Examples
    --------
    >>> from microagg.protection.protect import protect
    >>> from microagg.model.microdata import Microdata
    >>> from microagg.model.plan import Plan
    >>> data = Microdata.from_frame(pd.DataFrame({"age": [20, 22, 60, 62, 70], "size": [1, 2, 3, 4, None]}))
    >>> found = totals_of_file(protect(data, Plan(k=2, missing="drop")), data)
    >>> found["file"].tolist(), found["change"].round(3).tolist()
    ([234.0, 10.0], [-0.299, 0.0])
    """
    whole = data if release.plan is None else settle(data, release.plan).data
    before = _sums(release, whole, whole.numbers(release.columns))
    after = _sums(release, release.data, release.protected_values)
    return pd.DataFrame({"attribute": release.columns, "file": before, "change": _share(before, after)})


def _sums(release: Release, data: Microdata, values: FloatArray) -> FloatArray:
    """Sums of columns of these data, weighted where the plan is, without missing values."""
    weighted = release.plan is not None and release.plan.weighted
    weights = data.matrix(data.columns("weight")) if weighted else np.ones((len(data), 1))
    return np.asarray(np.nansum(weights * values, axis=0))


def _share(before: FloatArray, after: FloatArray) -> FloatArray:
    change = np.full(len(before), np.nan)
    np.divide(after - before, np.abs(before), out=change, where=before != 0)
    return change
