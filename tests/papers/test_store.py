"""A finished run is kept for the next visit, and nothing else is mistaken for one."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from microagg.errors import DataError
from microagg.io import datasets
from microagg.papers import EXPERIMENTS
from microagg.papers.result_store import keep, last

TABLE = EXPERIMENTS["comparative-study/table-2"]


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(datasets.platformdirs, "user_cache_path", lambda _name: tmp_path)
    return tmp_path


def test_what_was_kept_comes_back_with_date_and_version():
    cells = TABLE.run()
    kept = keep(TABLE, "", cells)
    found = last(TABLE, "least-loss")
    assert found is not None
    pd.testing.assert_frame_equal(found.cells, cells, check_dtype=False, rtol=1e-12)
    assert (found.date, found.version) == (kept.date, kept.version)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", found.date)


def test_variants_are_kept_apart():
    keep(TABLE, "most-loss", TABLE.run("most-loss"))
    assert last(TABLE, "") is None


@pytest.mark.parametrize("content", ["", "{}", '{"date": 1, "version": 2, "cells": "[]"}', "not json"])
def test_a_broken_file_is_no_run(cache, content):
    (cache / "papers").mkdir()
    (cache / "papers" / "comparative-study-table-2--least-loss.json").write_text(content, encoding="utf-8")
    assert last(TABLE, "") is None


def test_a_cache_folder_that_cannot_be_made_is_said_in_words(cache):
    (cache / "papers").write_text("a file where the folder should be", encoding="utf-8")
    with pytest.raises(DataError, match="cannot be made"):
        keep(TABLE, "", TABLE.run())
