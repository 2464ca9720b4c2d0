"""Frames in parts, worked on by threads of this process: quick, and the same bytes as on a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import dask
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    with dask.config.set({"scheduler": "threads", "num_workers": 2, "dataframe.convert-string": False}):
        yield
