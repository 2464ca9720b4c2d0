"""The intruder's chair in a real browser: found by its address, a record followed, knowledge moved."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

SECOND_ROW = {"x": 18, "y": 77}  # the tick box of the table's second row, which is drawn on a canvas


def ready(page: Page) -> None:
    expect(page.get_by_text("Actual k (asked: 5)", exact=True)).to_be_visible()
    expect(page.get_by_text("tick one to follow it")).to_be_visible()
    expect(page.locator("[data-testid=stException]")).to_have_count(0)


def test_a_deep_link_on_a_fresh_server_finds_the_page(site, page):
    page.goto(f"{site}/attack?data=tarragona&k=5&knowledge=up-to:2")
    ready(page)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_text("21 sets of 6 attributes")).to_be_visible()


def test_a_ticked_record_is_followed(site, page):
    page.goto(f"{site}/attack?data=tarragona&k=5")
    ready(page)
    number = page.locator(
        "[class*='st-key-attack_follow-'] input"
    ).first  # the old one may stand below for a moment
    first = number.input_value()
    page.locator("[class*='st-key-attack_records-'] .dvn-scroller").click(position=SECOND_ROW)
    expect(number).not_to_have_value(first)
    expect(page.get_by_text(re.compile(rf"Released record {number.input_value()}:"))).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(1)


def test_what_is_known_goes_to_the_address_and_to_explore(site, page):
    page.goto(f"{site}/attack?data=tarragona&k=5")
    ready(page)
    page.locator("[class*='st-key-attack_size-'] button").first.click()
    expect(page.get_by_text("21 sets of 6 attributes")).to_be_visible()
    ready(page)
    assert "knowledge=up-to" in page.url
    page.get_by_role("link", name="Explore").click()
    expect(page.locator("[class*='st-key-knowledge-'] input")).to_have_value("up to 2 attributes (21)")
