"""Refinement on Explore: the loss falls, Stop keeps the best, and the saved plan gives what is shown."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest

import microagg as ma
from microagg.exploration.least_loss import least_loss
from microagg.ui.explore import runs
from tests.patience import PATIENCE
from tests.ui.conftest import Opened, address, figures, said

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest

LONG = "100000"


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Explore draw its bar soon."""
    monkeypatch.setattr(runs, "AT_ONCE", 0.2)


def until(page: AppTest, key: str, seconds: float = PATIENCE) -> AppTest:
    """The page when it has the button."""
    end = time.monotonic() + seconds
    while not any(button.key == key for button in page.button):
        assert time.monotonic() < end, said(page)
        time.sleep(0.2)
        page.run()
    return page


def losses(page: AppTest) -> tuple[float, float]:
    """What the loss was and is, in per cent."""
    found = re.search(r"Loss was \*\*([\d.]+) %\*\*, now \*\*([\d.]+) %\*\*", said(page))
    assert found, said(page)
    return float(found[1]), float(found[2])


def stopped(page: AppTest) -> AppTest:
    """The page after its run was told to keep the best."""
    until(page, "run_keep").button(key="run_keep").click().run()
    return until(page, "run_on")


@pytest.mark.usefixtures("hurried")
def test_the_loss_falls_while_it_works(opened: Opened):
    page = until(opened("explore", method="refined", k="3", option__rounds=LONG), "run_keep")
    before, now = losses(page)
    end = time.monotonic() + PATIENCE
    while now == before and time.monotonic() < end:
        before, now = losses(page.run())
    assert losses(page.run())[1] <= now < before
    stopped(page)


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize(
    "query",
    [{"method": "refined", "option__rounds": LONG}, {"refine": LONG, "lam": "0.3", "blocks": "contiguous:3"}],
    ids=["the method", "the option"],
)
def test_stop_keeps_the_best_and_its_plan_gives_the_same(opened: Opened, query: dict[str, str]):
    page = stopped(opened("explore", k="3", **query))
    assert "not at its end" in said(page)
    share = float(address(page)["stop_at"])
    assert 0 < share < 1
    options = {"rounds": int(LONG)} if "method" in query else {}
    plan = ma.Plan(
        method=query.get("method", "mdav"),
        k=3,
        options=options,
        refine=None if options else int(LONG),
        lam=float(query.get("lam", 0)),
        blocks=query.get("blocks", "all"),
        stop_at=share,
    )
    held = page.session_state["view"].release
    again = ma.protect(ma.load_dataset("tarragona"), plan)
    assert held.plan == again.plan == plan
    assert held.protected.equals(again.protected)
    assert figures(page)["L"] == f"{100 * ma.assess(again).lost.squared.total:.2f} %"


@pytest.mark.usefixtures("hurried")
def test_a_stop_is_forgotten_where_groups_change_and_kept_where_they_do_not(opened: Opened):
    page = stopped(opened("explore", method="refined", k="3", option__rounds="40000"))
    page.selectbox(key="knowledge").set_value("up-to:1").run()
    assert "stop_at" in address(page)
    page.selectbox(key="method").set_value("mdav").run()
    assert "stop_at" not in address(page)


def test_a_finished_run_tells_how_it_went(opened: Opened):
    page = opened("explore", method="refined", k="3", option__rounds="20")
    before, now = losses(page)
    assert f"{now:.2f} %" == figures(page)["L"]
    assert before == pytest.approx(
        100 * ma.assess(ma.protect(ma.load_dataset("tarragona"), ma.Plan(k=3))).lost.squared.total, abs=0.006
    )
    assert "Refined** for 20 rounds in" in said(page)
    assert not any(button.key in ("run_keep", "run_on") for button in page.button)


def test_what_must_be_lost_stands_beside_the_promise(opened: Opened):
    least = least_loss(ma.protect(ma.load_dataset("tarragona"), ma.Plan(k=5)))
    assert f"Lowest possible loss at k = 5: **{100 * least:.2f} %**" in said(opened("explore")).replace(
        "\N{NO-BREAK SPACE}", " "
    )
    assert "Lowest possible" not in said(opened("explore", method="mic1d"))
