"""Refinement in a real browser: the loss falls, Stop keeps the best, nothing moves, the plan repeats it."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.browser.saving import by_command, saved
from tests.browser.served import ROOT

if TYPE_CHECKING:
    from pathlib import Path


def loss(page: Page) -> float:
    """What the loss is now, in per cent, by the line of text."""
    text = page.locator(".st-key-refinement").get_by_text("Loss was").first.inner_text()
    return float(re.findall(r"[\d.]+(?= %)", text)[1])


def top_of_figures(page: Page) -> float:
    box = page.locator(".st-key-figures").first.bounding_box()
    assert box is not None
    return box["y"]


def test_the_loss_falls_stop_keeps_the_best_and_the_saved_plan_gives_the_saved_file(
    site, page, tmp_path: Path
):
    page.goto(f"{site}/explore?data=tarragona&method=refined&k=3&option.rounds=20")
    expect(page.locator(".st-key-figures")).to_be_visible()
    before = top_of_figures(page)
    short = loss(page)
    page.get_by_text(re.compile("Options")).click()
    rounds = page.locator("[class*='st-key-option-refined-rounds-'] input")
    rounds.fill("100000")
    rounds.press("Enter")
    keep = page.locator(".st-key-run_keep button:visible").first
    expect(keep).to_be_visible()
    assert top_of_figures(page) == pytest.approx(before, abs=1)
    first = loss(page)
    time.sleep(3)
    assert loss(page) <= first
    expect(page.locator(".st-key-refinement img").first).to_be_visible()
    keep.click()
    expect(page.locator(".st-key-run_on button:visible")).to_be_visible()
    expect(page.get_by_text("not at its end")).to_be_visible()
    expect(page.locator(".st-key-picture")).to_be_visible()
    assert top_of_figures(page) == pytest.approx(before, abs=1)
    shown = page.locator(".st-key-figures [data-testid=stMetric]").filter(has_text="variance lost").first
    assert f"{loss(page):.2f} %" in shown.inner_text()
    assert loss(page) < short

    file, plan = saved(page, "Save file", tmp_path), saved(page, "Save plan", tmp_path)
    assert file.read_bytes() == by_command(ROOT / "datasets" / "tarragona.csv", plan, tmp_path)
    expect(page.locator("[data-testid=stException]")).to_have_count(0)
