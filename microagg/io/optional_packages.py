"""Packages that only some formats need: loaded when such a file comes, named when they are not there."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from microagg.errors import DataError


def needed(package: str, what: str, by: str = "") -> Any:
    """Import a package, or say in one sentence what is missing and how to get it.

    Parameters
    ----------
    package : str
    what : str
        The kind of file or run, for the message.
    by : str, optional
        What to install, where it is not called as the package is.

    Returns
    -------
    module

    Raises
    ------
    DataError
        The package is not installed.
    """
    try:
        return import_module(package)
    except ImportError:
        distribution = package.partition(".")[0]
        raise DataError(
            f"{what} need the package {distribution}: pip install {by or distribution}."
        ) from None
