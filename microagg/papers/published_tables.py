"""The printed tables, which are part of the package, and the reference data as matrices."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from microagg.io.datasets import load_dataset

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray


@cache
def printed(name: str) -> pd.DataFrame:
    """A printed table, one line a row of it.

    Parameters
    ----------
    name : str
        Of a file in ``published``, without its ending.

    Returns
    -------
    DataFrame
        Shared: not to be changed.
    """
    with files(__package__).joinpath("published", f"{name}.csv").open(encoding="utf-8") as file:
        return pd.read_csv(file)


@cache
def values(dataset: str, columns: tuple[str, ...] = (), *, complete: bool = False) -> FloatArray:
    """A reference data set as a matrix.

    Parameters
    ----------
    dataset : str
    columns : tuple of str
        In the order wanted; empty: every column of numbers, identifiers left out.
    complete : bool
        Keep only the records without a gap anywhere in the file.

    Returns
    -------
    (n, p) float64, original units; shared, and read-only

    Raises
    ------
    DataError
        It is not on this machine.
    """
    data = load_dataset(dataset)
    if complete:
        data = data.records(np.flatnonzero(data.frame.notna().all(axis=1).to_numpy()))
    names = columns or tuple(
        a.name
        for a in data.attributes
        if a.role in ("quasi_identifier", "confidential") and data.numeric(a.name)
    )
    matrix = data.matrix(names)
    matrix.flags.writeable = False
    return matrix
