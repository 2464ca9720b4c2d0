"""Every download holds what its label says, and none for the public tells what may not leave."""

from __future__ import annotations

import io
import json
import re
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest

import microagg as ma
from tests.ui.test_compare import computed, small

if TYPE_CHECKING:
    from tests.ui.conftest import Opened

NAMES = [f"Sentinel{i:03d}" for i in range(60)]
PEOPLE = pd.DataFrame(
    {
        "name": NAMES,
        "age": [20 + i * 7 % 41 for i in range(60)],
        "rent": [9.5 + i * 5 % 17 for i in range(60)],
        "wealth": [1000.5 + i * i * 7 % 997 for i in range(60)],
    }
)


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What each download button of the page was last given, by label, as the browser would get it."""
    found: dict[str, Any] = {}
    on_place, on_page = DeltaGenerator.download_button, st.download_button

    def place(self: DeltaGenerator, label: str, data: Any, *more: Any, **named: Any) -> Any:
        found[label] = data
        return on_place(self, label, data, *more, **named)

    def page(label: str, data: Any, *more: Any, **named: Any) -> Any:
        found[label] = data
        return on_page(label, data, *more, **named)

    monkeypatch.setattr(DeltaGenerator, "download_button", place)
    monkeypatch.setattr(st, "download_button", page)
    return _Contents(found)


class _Contents(dict):  # type: ignore[type-arg]
    def __init__(self, given: dict[str, Any]) -> None:
        self._given = given

    def __getitem__(self, label: str) -> str:
        data = self._given[label]
        content = data() if callable(data) else data
        return content.decode() if isinstance(content, bytes) else content

    def __iter__(self) -> Any:
        return iter(self._given)


def people(opened: Opened) -> AppTest:
    page = opened("data", data="tarragona")
    page.file_uploader(key="file").upload("people.csv", PEOPLE.to_csv(index=False).encode(), "text/csv").run()
    return page


def table(content: str) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(content))


def test_each_of_the_five_of_release_is_what_it_is_called(opened: Opened, offered: dict[str, str]) -> None:
    page = people(opened)
    page.switch_page("pages/release.py").run()
    assert list(offered) == [button.label for button in page.get("download_button")]
    assert list(offered) == ["Protected file", "Report", "Public report", "Plan", "Script"]
    protected = table(offered["Protected file"])
    assert "name" not in protected
    assert len(protected) == 60
    assert protected["age"].sum() == pytest.approx(PEOPLE["age"].sum())
    assert protected.groupby(["age", "rent"]).size().min() >= 3
    inside, outside = offered["Report"], offered["Public report"]
    for told in ("Signature", "For the house only", "microagg protect people.csv", "nearest original"):
        assert told in inside
        assert told not in outside
    assert "May go with the file" in outside
    assert "May go with the file" not in inside
    plan = json.loads(offered["Plan"])
    assert {"method", "k", "roles"} <= plan.keys()
    assert plan["roles"]["name"] == "identifier"
    script = offered["Script"]
    compile(script, "people_protect.py", "exec")
    assert "ma.protect(" in script
    assert "people.csv" in script


def test_nothing_of_release_has_a_cell_of_what_stays_at_home(opened: Opened, offered: dict[str, str]) -> None:
    people(opened).switch_page("pages/release.py").run()
    for label in offered:
        assert "Sentinel" not in offered[label], label


def test_the_public_report_has_no_value_of_a_record_and_names_none(
    opened: Opened, offered: dict[str, str]
) -> None:
    """Blocks one by one leave records alone: only the report for the house may list them."""
    page = people(opened)
    page.switch_page("pages/release.py").run()
    page.query_params["blocks"] = "single"
    page.run()
    outside = offered["Public report"].partition("</style>")[2]
    assert not [value for value in PEOPLE["wealth"] if f"{value:g}" in outside]
    for told in ("record 1", "records 1,", "rows 1,", "seed", "quasi_identifier"):
        assert told not in outside, told


def test_explore_saves_the_protected_file_and_the_plan_that_makes_it(
    opened: Opened, offered: dict[str, str]
) -> None:
    people(opened).switch_page("pages/explore.py").run()
    assert "Sentinel" not in offered["Save file"]
    assert "name" not in table(offered["Save file"])
    assert json.loads(offered["Save plan"])["k"] == 5
    assert "Sentinel" not in offered["Save plan"]


def drawn() -> None:
    import pandas as pd
    import plotly.graph_objects as go

    from microagg.ui import pictures

    pictures.files(go.Figure(go.Bar(y=[4711])), pd.DataFrame({"k": [3, 5], "il": [1.5, 2.25]}), "chart")


def test_the_files_of_a_chart_are_the_chart_and_its_table(offered: dict[str, str]) -> None:
    assert not AppTest.from_function(drawn, default_timeout=120).run().exception
    assert table(offered["Save as CSV"]).to_dict("list") == {"k": [3, 5], "il": [1.5, 2.25]}
    chart = offered["Chart as HTML"]
    assert "Plotly.newPlot" in chart
    assert "4711" in chart
    assert not re.search(r"<script[^>]+src=", chart)


def test_the_figures_of_a_sweep_are_those_of_its_plans(opened: Opened, offered: dict[str, str]) -> None:
    computed(small(opened))
    rows = table(offered["All figures as CSV"])
    assert sorted(zip(rows["method"], rows["k"], strict=True)) == [
        (method, k) for method in ("mdav", "pcp") for k in (4, 5, 6)
    ]
    data = ma.load_dataset("tarragona")
    for row in rows.itertuples():
        plan = ma.Plan.from_json(row.plan)
        assert (plan.method, plan.k) == (row.method, row.k)
        assert row.il == pytest.approx(ma.assess(ma.protect(data, plan)).il)
