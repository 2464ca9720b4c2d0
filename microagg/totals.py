"""Totals before and after: what a statistical office publishes first, and what averaging is meant to keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from microagg.release import Release


def totals(release: Release) -> pd.DataFrame:
    """Sum of each protected number before and after, weighted where the plan is, without missing values.

    Means keep totals to rounding in the last digits, weighted means the weighted ones. Medians, Mic1D and
    rounded numbers do not.

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
    >>> from microagg.protect import protect
    >>> from microagg.types import Microdata, Plan
    >>> data = Microdata.from_frame(pd.DataFrame({"age": [20, 21, 60, 65]}))
    >>> totals(protect(data, Plan(k=2, rounding="half up")))[["before", "after"]].values.tolist()
    [[166.0, 168.0]]
    """
    weighted = release.plan is not None and release.plan.weighted
    own = release.data.columns("weight")
    weights = release.data.matrix(own) if weighted else np.ones((len(release.data), 1))
    before = np.nansum(weights * release.original_values, axis=0)
    after = np.nansum(weights * release.protected_values, axis=0)
    change = np.full(len(before), np.nan)
    np.divide(after - before, np.abs(before), out=change, where=before != 0)
    return pd.DataFrame({"attribute": release.columns, "before": before, "after": after, "change": change})
