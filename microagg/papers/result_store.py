"""What was run last: its cells, date and version, in the user's cache folder, one file for each variant."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from typing import TYPE_CHECKING

import pandas as pd

from microagg.errors import DataError
from microagg.io.datasets import cache_folder
from microagg.io.writing import write_atomic

if TYPE_CHECKING:
    from pathlib import Path

    from microagg.papers.experiment import Experiment


@dataclass(frozen=True)
class Stored:
    """A finished run.

    Parameters
    ----------
    cells : DataFrame
        As `Experiment.run` gave it.
    date : str
        When it finished, local time to the minute.
    version : str
        Of this program.
    """

    cells: pd.DataFrame
    date: str
    version: str


def keep(experiment: Experiment, variant: str, cells: pd.DataFrame) -> Stored:
    """Put a finished run in place of the last one.

    Parameters
    ----------
    experiment : Experiment
    variant : str
    cells : DataFrame

    Returns
    -------
    Stored

    Raises
    ------
    DataError
        The cache folder cannot be written to.
    """
    stored = Stored(cells, f"{datetime.now().astimezone():%Y-%m-%d %H:%M}", version("microagg"))
    path = _path(experiment, variant)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(
            f"The cache folder {path.parent} cannot be made: {error.strerror or error}."
        ) from None
    body = {"date": stored.date, "version": stored.version, "cells": cells.to_dict("records")}
    write_atomic(path, json.dumps(body, ensure_ascii=False).encode())
    return stored


def last(experiment: Experiment, variant: str) -> Stored | None:
    """The run that was kept; None where there is none, or where it is not of this program's making.

    Parameters
    ----------
    experiment : Experiment
    variant : str

    Returns
    -------
    Stored or None
    """
    try:
        body = json.loads(_path(experiment, variant).read_text(encoding="utf-8"))
        cells = pd.DataFrame(body["cells"])
        stored = Stored(cells, str(body["date"]), str(body["version"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return stored if list(cells.columns[: len(experiment.keys)]) == list(experiment.keys) else None


def _path(experiment: Experiment, variant: str) -> Path:
    name = f"{experiment.name}--{experiment.variant(variant).name}".replace("/", "-")
    return cache_folder().parent / "papers" / f"{name}.json"
