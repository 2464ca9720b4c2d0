"""What a large file costs the browser, and what a setting costs the machine: no more than it must."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

import microagg as ma
from microagg.ui.explore import runs
from microagg.ui.results import cached_results
from microagg.ui.state import session
from tests.ui.conftest import choose

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest

    from tests.ui.conftest import Opened

MOST_BYTES = 300_000
RECORDS = 100_000


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """In place of Tarragona 100,000 records of six attributes to protect and one that is confidential."""
    values = np.exp(np.random.default_rng(0).normal(size=(RECORDS, 7)))
    frame = pd.DataFrame(values, columns=[f"attribute {i}" for i in range(7)])
    roles = dict.fromkeys(frame.columns[:6], "quasi_identifier") | {frame.columns[6]: "confidential"}
    data = ma.Microdata.from_frame(frame, roles=roles)
    monkeypatch.setattr(session, "load_dataset", lambda _name: data)


def sizes(page: AppTest) -> list[int]:
    """Bytes of each chart, as sent."""
    return [len(chart.proto.spec.encode()) for chart in page.get("plotly_chart")]


@pytest.mark.usefixtures("large")
def test_no_chart_of_a_large_file_is_larger_than_300_kb(opened: Opened):
    page = opened("explore", k="50", all_records="True")
    assert "On all 100,000 records" in "\n".join(caption.value for caption in page.caption)
    found = {"explore": sizes(page)}
    for name in ("Pairs", "Groups", "Correlations", "Attributes", "Records"):
        found[name] = sizes(choose(page, "explore", details=name))
    for name in ("attack", "use"):
        page.switch_page(f"pages/{name}.py").run()
        found[name] = sizes(page)
    page.switch_page("pages/attack.py").run()
    for name in ("Known sets", "Attributes"):
        found[name] = sizes(choose(page, "attack", attack_tabs=name))
    assert not page.exception, page.exception
    assert min(len(found["explore"]), len(found["Groups"]), len(found["Known sets"])) >= 1
    assert max(size for charts in found.values() for size in charts) <= MOST_BYTES, found


def test_what_a_setting_does_not_touch_is_not_computed_again(opened: Opened, monkeypatch: pytest.MonkeyPatch):
    counts = dict.fromkeys(("protect", "lost", "disclosed"), 0)

    def count(module: object, name: str) -> None:
        function = getattr(module, name)

        def counted(*given: object, **named: object) -> object:
            counts[name] += 1
            return function(*given, **named)

        monkeypatch.setattr(module, name, counted)

    for module in (runs, cached_results):
        for name in counts:
            count(module, name)

    def since(before: dict[str, int]) -> dict[str, int]:
        return {name: counts[name] - before[name] for name in counts}

    page = opened("explore", data="tarragona", method="pcp")
    assert counts == {"protect": 1, "lost": 1, "disclosed": 1}
    before = dict(counts)
    choose(page, "explore", details="Correlations")
    assert since(before) == {"protect": 0, "lost": 0, "disclosed": 0}
    session_settings = page.session_state["settings"]
    page.session_state["settings"] = session_settings.replace(knowledge="up-to:1")
    page.run()
    assert since(before) == {"protect": 0, "lost": 0, "disclosed": 1}
    page.slider(key="k").set_value(9).run()
    assert since(before) == {"protect": 1, "lost": 1, "disclosed": 2}
    page.slider(key="k").set_value(5).run()
    assert since(before) == {"protect": 1, "lost": 1, "disclosed": 2}
