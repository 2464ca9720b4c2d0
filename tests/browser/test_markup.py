"""Names and cells that are markup are shown as they are, on every page and in the report; none of it runs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import Page, expect

if TYPE_CHECKING:
    from pathlib import Path

IMAGE, LINK = "<img src=x onerror=alert(1)>", '<a href="javascript:alert(2)">wage</a>'
SCRIPT = "<script>alert(3)</script>"
FILE = f'name,"{IMAGE}","{LINK.replace(chr(34), chr(34) * 2)}",rent,{SCRIPT}\n' + "".join(
    f"{IMAGE} {i},{20 + i * 17 % 41},{1000 + i * 7 % 50},{9.5 + i * 11 % 13},{IMAGE if i % 3 else SCRIPT}\n"
    for i in range(60)
)
PAGES = ("Explore", "Dependence", "Compare", "Attack", "Use", "Release", "Data")
MADE = """() => [...document.querySelectorAll('img, a, script')].filter(
    one => one.getAttribute('onerror') || (one.getAttribute('src') || '') === 'x'
        || /^javascript:/.test(one.getAttribute('href') || one.getAttribute('xlink:href') || '')
        || /alert\\(/.test(one.textContent) && one.tagName === 'SCRIPT').length"""


def settled(page: Page) -> None:
    """Wait until the server has drawn the page and nothing is running."""
    expect(page.locator("[data-testid=stApp][data-test-script-state=notRunning]")).to_be_visible()
    page.wait_for_timeout(700)


def test_markup_in_names_and_cells_is_never_executed(site, page, tmp_path: Path):
    opened: list[str] = []
    page.on("dialog", lambda dialog: (opened.append(dialog.message), dialog.dismiss()))
    original = tmp_path / "people.csv"
    original.write_text(FILE, encoding="utf-8")
    page.goto(f"{site}/?k=3")
    page.locator("input[type=file]").set_input_files(original)
    expect(page.get_by_text("60 records")).to_be_visible()
    for title in PAGES:
        page.get_by_role("link", name=title, exact=True).click()
        settled(page)
        if title == "Compare":
            page.locator(".st-key-compare_start button:visible").click()
            expect(page.get_by_text("it loses least")).to_be_visible()
        for chart in page.locator(".js-plotly-plot").all()[:6]:
            if chart.is_visible():
                chart.hover(force=True)
        for tab in page.get_by_role("tab").all():
            tab.click()
            settled(page)
        assert page.evaluate(MADE) == 0, title
        if title == "Release":
            with page.expect_download() as download:
                page.get_by_role("button", name="Report", exact=True).first.click()
            report = tmp_path / "report.html"
            download.value.save_as(report)
    assert "<img src=x" not in report.read_text(encoding="utf-8")
    page.goto(report.as_uri())
    expect(page.get_by_text("<img src=x").first).to_be_attached()
    assert page.evaluate(MADE) == 0
    assert opened == []
    assert re.search("&lt;img src=x onerror", report.read_text(encoding="utf-8"))
