"""The four reference files as matrices, and a skip with its reason where one is not on this machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Generator

    from microagg.kernels.compiled import FloatArray

settings.register_profile("patient", deadline=None)  # the first example may wait for the compiler
settings.load_profile("patient")

HERE = Path(__file__).parent
BUNDLED = HERE.parent / "datasets"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run insist that nothing of ours is skipped."""
    parser.addoption(
        "--fail-on-skip", action="store_true", help="a test of this project that skips has failed"
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skip that our own tests asked for into a failure where nothing may be skipped."""
    report = yield
    if report.skipped and item.config.getoption("--fail-on-skip") and isinstance(report.longrepr, tuple):
        file, _, reason = report.longrepr
        if Path(file).is_relative_to(HERE) and call.excinfo is not None:
            report.outcome = "failed"
            report.longrepr = f"skipped, but nothing may be: {reason}"
    return report


def reference_file(name: str) -> Path:
    """Path of a reference file: the folder named by MICROAGG_DATASETS first, then the bundled one."""
    folders = [Path(folder) for folder in [os.environ.get("MICROAGG_DATASETS")] if folder]
    for folder in [*folders, BUNDLED]:
        if (folder / f"{name}.csv").is_file():
            return folder / f"{name}.csv"
    pytest.skip(f"{name}.csv is in neither MICROAGG_DATASETS nor datasets/")


@pytest.fixture(scope="session")
def census() -> FloatArray:
    """Census, 1080 × 13, original scale."""
    return pd.read_csv(reference_file("census")).to_numpy(dtype=np.float64)


@pytest.fixture(scope="session")
def tarragona() -> FloatArray:
    """Tarragona, 834 × 13, original scale."""
    return pd.read_csv(reference_file("tarragona")).to_numpy(dtype=np.float64)


@pytest.fixture(scope="session")
def eia() -> FloatArray:
    """EIA, UTILITYID and the ten RES…TOT columns, 4092 × 11, original scale."""
    frame = pd.read_csv(reference_file("eia"))
    return frame.drop(columns=["UTILNAME", "STATE", "YEAR", "MONTH"]).to_numpy(dtype=np.float64)


@pytest.fixture(scope="session")
def water() -> pd.DataFrame:
    """Water treatment, 527 × 38 numbers (missing as NaN), the date as index."""
    return pd.read_csv(reference_file("water_treatment"), index_col="DATE")
