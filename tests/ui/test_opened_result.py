"""A distributed result that the operator opened stands on the Data page, marked as one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import dask
import dask.dataframe as dd
import pandas as pd
import pytest

import microagg as ma
from microagg.distributed.engine import protect_lazily
from microagg.distributed.result_folder import RESULT
from tests.distributed.test_parts import lognormal
from tests.ui.conftest import Opened, figures, said

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def result(tmp_path: Path) -> Path:
    frame = pd.DataFrame(lognormal(1_000)[:, :3], columns=["age", "rent", "wage"])
    with dask.config.set(scheduler="threads"):
        protect_lazily(dd.from_pandas(frame, npartitions=2), ma.Plan(k=4), part=300).write(f"{tmp_path}/out")
    return tmp_path / "out"


def test_figures_and_a_sample_are_shown_and_marked(
    result: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(RESULT, str(result))
    page = opened("data", data="tarragona")
    assert page.expander[0].label == "Result of a distributed run: out"
    assert "1,000 records protected by mdav, k = 4, in 4 parts on Dask" in said(page)
    assert "a sample** of 200 protected records" in said(page)
    assert figures(page)["Smallest class"] == "4"
    kept = json.loads((result / "_measures.json").read_text(encoding="utf-8"))["measures"]
    lines = {metric.label: metric.delta for metric in page.metric}
    assert lines["ID"] == f"{100 * kept['id_low']:.1f}…{100 * kept['id_high']:.1f} %"
    assert lines["DLD"] == f"± {100 * kept['dld_error']:.1f} %"
    assert kept["id_low"] <= kept["id"] <= kept["id_high"]
    assert list(page.dataframe[0].value.columns) == ["age", "rent", "wage"]
    assert "Ready" in said(page)


def test_without_a_result_the_page_is_as_ever(opened: Opened) -> None:
    assert "distributed" not in said(opened("data", data="tarragona"))


def test_a_folder_that_is_none_is_one_sentence(
    tmp_path: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(RESULT, str(tmp_path))
    page = opened("data", data="tarragona")
    assert "no finished result" in page.error[0].value.replace("\\", "")
    assert "Ready" in said(page)
