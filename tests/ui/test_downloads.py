"""Every download holds what its label says, and none for the public tells what may not leave."""

from __future__ import annotations

import io
import json
import re
import runpy
import sys
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest

import microagg as ma
from microagg.io import datasets
from microagg.papers import EXPERIMENTS
from microagg.papers.result_store import keep
from tests.patience import PATIENCE
from tests.ui.test_attack import done, risky
from tests.ui.test_compare import computed, small
from tests.ui.test_papers import papers, shown_table

if TYPE_CHECKING:
    from pathlib import Path

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

PROTECTED = ["age", "rent", "wealth"]


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


def people_alone(opened: Opened) -> AppTest:
    """The same with every attribute a block of its own, which leaves records alone."""
    page = people(opened)
    page.switch_page("pages/explore.py").run()
    return page.selectbox(key="blocks").set_value("single").run()


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
    """Blocks one by one leave records alone: only the report for the house may tell of them."""
    people_alone(opened).switch_page("pages/release.py").run()
    assert json.loads(offered["Plan"])["blocks"] == "single"
    protected = table(offered["Protected file"])
    assert protected.groupby(PROTECTED).size().min() == 1
    inside, outside = (offered[name].partition("</style>")[2] for name in ("Report", "Public report"))
    assert set(averaged_from("wealth")).isdisjoint(numbers(outside))
    for told in ("record 1", "records 1,", "rows 1,", "seed", "quasi_identifier", "How many are alike"):
        assert told not in outside, told
    assert "How many are alike" in inside


def averaged_from(name: str) -> list[str]:
    """The values of a column as they may be printed."""
    return [f"{value:{spec}}" for value in PEOPLE[name] for spec in ("g", ",", ",.0f", ".2f")]


def numbers(page: str) -> set[str]:
    """Every number that a page of HTML prints."""
    return set(re.findall(r"\d[\d,]*(?:\.\d+)?", re.sub(r"<[^>]*>", " ", page)))


def test_the_script_makes_the_bytes_that_the_page_offers(
    opened: Opened, offered: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is run as it was saved, beside the original alone; a changed original is told."""
    people_alone(opened).switch_page("pages/release.py").run()
    monkeypatch.chdir(tmp_path)
    original, made, saved = (tmp_path / name for name in ("people.csv", "made.csv", "people_protect.py"))
    saved.write_text(offered["Script"], encoding="utf-8")
    original.write_bytes(PEOPLE.to_csv(index=False).encode())
    monkeypatch.setattr(sys, "argv", [saved.name, "people.csv", "made.csv"])
    for frame, status in ((PEOPLE, 0), (PEOPLE.assign(age=PEOPLE["age"][::-1].to_numpy()), 1)):
        original.write_bytes(frame.to_csv(index=False).encode())
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(str(saved), run_name="__main__")
        assert int(ended.value.code or 0) == status
        assert (made.read_text(encoding="utf-8") == offered["Protected file"]) is not bool(status)


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

    from microagg.ui.components import chart_tools
    from microagg.ui.state import session

    session.begin("explore")
    chart_tools.files(go.Figure(go.Bar(y=[4711])), pd.DataFrame({"k": [3, 5], "il": [1.5, 2.25]}), "chart")


def test_the_files_of_a_chart_are_the_chart_and_its_table(offered: dict[str, str]) -> None:
    assert not AppTest.from_function(drawn, default_timeout=PATIENCE).run().exception
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


def test_the_refined_beside_the_unrefined_are_those_of_the_library(
    opened: Opened, offered: dict[str, str]
) -> None:
    page = small(opened, methods=("pcp",))
    page.toggle(key="grid_twins").set_value(True).run()
    rounds = page.number_input(key="grid_rounds").set_value(5).run().number_input(key="grid_rounds").value
    computed(page)
    rows = table(offered["These as CSV"])
    assert list(zip(rows["method"], rows["k"], rows["refine"], strict=True)) == [
        ("pcp", k, rounds) for k in (4, 5, 6)
    ]
    data = ma.load_dataset("tarragona")
    for _, row in rows.iterrows():
        plan = ma.Plan("pcp", k=row["k"])
        plain, refined = (
            ma.assess(ma.protect(data, each)).figures() for each in (plan, plan.replace(refine=rounds))
        )
        for name, scale in (("l", 100), ("dld", 100), ("id", 100), ("dr", 1), ("score", 1)):
            assert row[name] == pytest.approx(scale * plain[name])
            assert row[f"{name} refined"] == pytest.approx(scale * refined[name])
            assert row[f"{name} change"] == pytest.approx(scale * (refined[name] - plain[name]))
    assert (rows["l change"] < 0).all()


def test_the_cells_of_a_paper_are_those_printed_and_those_of_the_run(
    opened: Opened, offered: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(datasets.platformdirs, "user_cache_path", lambda _name: tmp_path)
    experiment = EXPERIMENTS["comparative-study/table-2"]
    keep(experiment, "", experiment.run())
    page = papers(opened, experiment.name)
    saved = pd.read_csv(io.StringIO(offered["Save all cells as CSV"]), dtype=str, keep_default_na=False)
    shown = shown_table(page)
    assert len(shown) == len(saved) == 33
    for row, cell in zip(shown, saved.itertuples(), strict=True):
        assert f"{float(cell.published):.2f}" == row[-3]
        assert f"{float(cell.measured):.2f}" == row[-2].lstrip("●◆□")
        assert float(cell.difference) == pytest.approx(float(row[-1].replace("−", "-")), abs=0.005001)
    assert shown[0][0] in saved.iloc[0].to_list()


def test_the_records_at_risk_are_counted_as_pandas_counts_and_show_no_cell(
    opened: Opened, offered: dict[str, str]
) -> None:
    """What the toolbar of the table saves."""
    page = people_alone(opened)
    page.switch_page("pages/release.py").run()
    protected = table(offered["Protected file"])
    page.switch_page("pages/attack.py").run()
    rows = risky(done(page))
    assert protected.groupby(PROTECTED).size().min() == 1
    assert sorted(rows["record"]) == list(range(1, 61))
    alike = protected.groupby(PROTECTED)["age"].transform("size")
    assert rows.set_index("record")["alike"].to_dict() == dict(enumerate(alike, 1))
    assert rows["mean"].is_monotonic_decreasing
    assert set(rows) == {"record", "mean", "linked", "ties", "alike", "surest"}
    assert "Sentinel" not in rows.to_csv()
