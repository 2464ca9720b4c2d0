"""The line above Explore's figures says what pandas counts."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

import microagg as ma
from microagg.ui.results.headline import cause


def test_the_blocks_that_are_named_are_those_that_leave_most_records_below_k() -> None:
    age = np.arange(300.0)
    near, far = age.copy(), age.copy()
    near[[4, 5]] = 5, 4
    far[[*range(104, 154, 10), *range(105, 155, 10)]] = [*range(105, 155, 10), *range(104, 154, 10)]
    frame = pd.DataFrame({"a": age, "b": near, "c": far})
    data = ma.Microdata.from_frame(frame, roles=dict.fromkeys(frame, "quasi_identifier"))
    k, blocks = 5, (("a",), ("b",), ("c",))
    release = ma.protect(data, ma.Plan(k=k, columns=("a", "b", "c"), blocks=blocks))
    below = {}
    for one, other in ((1, 2), (1, 3), (2, 3)):
        alike = release.protected.groupby([*blocks[one - 1], *blocks[other - 1]])["a"]
        below[one, other] = int((alike.transform("size") < k).sum())
    most = max(below, key=lambda pair: below[pair])
    assert len(set(below.values())) == 3
    said = cause(release, k)
    assert [int(place) for place in re.findall(r"block (\d)", said)] == list(most)
    assert f" together leave {below[most]} records below k" in said


def test_names_of_columns_are_text_there_and_not_markup() -> None:
    age = np.arange(60.0)
    names = ["*bold*", "[x](javascript:go)"]
    frame = pd.DataFrame({names[0]: age, names[1]: age[::-1] * 7 % 60})
    data = ma.Microdata.from_frame(frame, roles=dict.fromkeys(frame, "quasi_identifier"))
    said = cause(ma.protect(data, ma.Plan(k=5, blocks="single")), 5)
    assert [name in said.replace("\\", "") for name in names] == [True, True]
    left = re.sub(r"\\.", "", said)
    assert not re.search(r"[*\[\]]|\(javascript", left), (
        "each sign that Markdown reads has a backslash before it"
    )
