"""Long sweeps in a real browser: points appear as they are found, Cancel stops, a click opens a plan."""

from __future__ import annotations

import re
import time

from playwright.sync_api import Page, expect

from tests.browser.served import WAIT


def done_of(page: Page) -> tuple[int, int]:
    """How many plans the progress bar says are done, and of how many."""
    text = page.get_by_text(re.compile(r"[\d,]+ of [\d,]+ plans")).first.inner_text()
    done, total = re.findall(r"[\d,]+", text)[:2]
    return int(done.replace(",", "")), int(total.replace(",", ""))


def start_long_sweep(page: Page, site: str) -> None:
    """A sweep of hundreds of plans on 4,092 records, minutes long, under way with some plans done."""
    page.goto(f"{site}/compare?data=eia&method=mdav")
    expect(page.locator(".st-key-compare_start button:visible")).to_be_enabled()
    top = page.locator("[class*=st-key-grid_k] input[type=range]").last
    top.press("End")
    expect(page.get_by_text(re.compile(r"98 k ×"))).to_be_visible()
    page.locator(".st-key-compare_start button:visible").click()
    expect(page.locator(".st-key-compare_cancel button:visible")).to_be_visible()
    until = time.monotonic() + WAIT / 1000
    while done_of(page)[0] < 4:
        assert time.monotonic() < until, "no plan was done"
        time.sleep(0.2)


def test_cancel_in_the_middle_answers_at_once_and_keeps_what_is_done(site, page):
    start_long_sweep(page, site)
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    done, total = done_of(page)
    page.locator(".st-key-compare_cancel button:visible").click()
    expect(page.locator(".st-key-compare_start button:visible")).to_be_enabled()
    left = int(re.sub(r"\D", "", page.locator(".st-key-compare_start button:visible").inner_text()))
    assert 0 < left <= total - done
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    expect(page.get_by_text("it loses least")).to_be_visible()
    page.locator("[class*='st-key-wish_loss-'] input[type=range]").press("End")
    expect(page.locator("[class*='st-key-wish_loss-']")).to_contain_text("100")
    expect(page.locator("[data-testid=stException]")).to_have_count(0)
    page.locator(".st-key-compare_start button:visible").click()
    expect(page.locator(".st-key-compare_cancel button:visible")).to_be_visible()
    assert done_of(page)[1] <= left
    page.locator(".st-key-compare_cancel button:visible").click()
    expect(page.locator(".st-key-compare_start button:visible")).to_be_enabled()


def test_a_sweep_goes_on_while_another_page_is_open(site, page):
    start_long_sweep(page, site)
    done, _ = done_of(page)
    page.get_by_role("link", name="Data", exact=True).click()
    expect(page.get_by_text("Choose a data set")).to_be_visible()
    time.sleep(2)
    page.get_by_role("link", name="Compare").click()
    expect(page.locator(".st-key-compare_cancel button:visible")).to_be_visible()
    assert done_of(page)[0] > done
    page.locator(".st-key-compare_cancel button:visible").click()
    expect(page.locator(".st-key-compare_start button:visible")).to_be_enabled()


def test_a_click_on_a_point_opens_its_plan_in_explore(site, page):
    page.goto(f"{site}/compare?data=tarragona&method=mdav")
    page.locator(".st-key-compare_start button:visible").click()
    expect(page.get_by_text("all are computed")).to_be_visible()
    drawn = page.locator(".st-key-plan-map .js-plotly-plot")
    expect(drawn).to_have_count(1)
    expect(drawn).to_be_visible()
    time.sleep(1)
    place = drawn.evaluate(
        """plot => {
            const trace = plot._fullData.find(t => t.name === 'Sugeno integral'), i = trace.x.length - 1;
            const layout = plot._fullLayout, box = plot.getBoundingClientRect();
            return [box.x + layout.xaxis._offset + layout.xaxis.d2p(trace.x[i]),
                    box.y + layout.yaxis._offset + layout.yaxis.d2p(trace.y[i])];
        }"""
    )
    page.mouse.click(*place)
    expect(page).to_have_url(re.compile(r"explore\?.*method="))
    expect(page.locator(".st-key-figures")).to_be_visible()
    expect(page.locator("[data-testid=stException]")).to_have_count(0)
    assert "method=mdav&k=5" not in page.url
