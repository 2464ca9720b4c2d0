"""Data sets by name: found in a folder the user names, beside the program, or in the cache of downloads."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from microagg.errors import DataError
from microagg.io.catalogue import CATALOGUE, Dataset
from microagg.io.dialect import Dialect
from microagg.io.reading import read_table
from microagg.model.microdata import Attribute, Microdata

FOLDER_VARIABLE = "MICROAGG_DATASETS"


def load_dataset(name: str) -> Microdata:
    """Load a data set with its default roles.

    Parameters
    ----------
    name : str
        A key of `microagg.io.catalogue.CATALOGUE`.

    Returns
    -------
    Microdata

    Raises
    ------
    DataError
        No data set has that name, it is not on this machine, or its file holds other columns.

    Examples
    --------
    >>> data = load_dataset("tarragona")
    >>> len(data), data.columns("quasi_identifier")[0]
    (834, 'FIXED_ASSETS')
    """
    dataset = described(name)
    path = dataset_file(name)
    if path is None:
        raise DataError(
            f"{dataset.title} is not on this machine. Download it with `microagg datasets get {name}` or on "
            f"the Data page, or name a folder that holds {name}.csv in {FOLDER_VARIABLE}."
        )
    frame = read_table(path, dialect=Dialect()).frame
    names = [column.name for column in dataset.columns]
    if list(frame.columns) != names:
        raise DataError(f"{path} is not {dataset.title}: its columns should be {', '.join(names)}.")
    attributes = tuple(Attribute(column.name, column.role, column.scale) for column in dataset.columns)
    return Microdata(frame, attributes, name)


def described(name: str) -> Dataset:
    """Return what the catalogue says of a data set.

    Raises
    ------
    DataError
        No data set has that name.
    """
    if name not in CATALOGUE:
        raise DataError(f"There is no data set {name!r}; there are {', '.join(CATALOGUE)}.")
    return CATALOGUE[name]


def dataset_file(name: str) -> Path | None:
    """Return the first file that holds this data set, or None: named folder, bundled, cache."""
    named = os.environ.get(FOLDER_VARIABLE)
    package = Path(__file__).parents[1]
    folders = [
        *([Path(named)] if named else []),
        package / "_datasets",
        package.parent / "datasets",
        cache_folder(),
    ]
    return next((file for folder in folders if (file := folder / f"{name}.csv").is_file()), None)


def cache_folder() -> Path:
    """Where downloaded data sets are kept; it need not exist yet."""
    return platformdirs.user_cache_path("microagg") / "datasets"
