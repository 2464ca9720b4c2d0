"""The main job in a real browser: load, move k, upload, save; and nothing is asked of any other host."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.browser.saving import by_command, saved

if TYPE_CHECKING:
    from pathlib import Path

PEOPLE = "name,age,zip,wage\n" + "".join(
    f"Person {i},{20 + i * 17 % 41},{1000 + i * 7 % 50},{9.5 + i * 11 % 13}\n" for i in range(80)
)


def figure(page: Page, title: str) -> str:
    """The value below a title at the top of Explore."""
    metric = page.locator(".st-key-figures [data-testid=stMetric]").filter(has_text=title).first
    return metric.locator("[data-testid=stMetricValue]").inner_text()


def ready(page: Page, k: int) -> None:
    """Wait until the figures are those of k."""
    expect(page.get_by_text(f"Actual k (asked: {k})", exact=True)).to_be_visible()
    expect(page.locator(".js-plotly-plot").nth(1)).to_be_visible()


def no_traceback(page: Page) -> None:
    expect(page.locator("[data-testid=stException]")).to_have_count(0)


def test_a_deep_link_on_a_fresh_server_opens_its_page_with_its_settings(site, page):
    page.goto(f"{site}/explore?data=tarragona&k=9")
    ready(page, 9)
    expect(page.get_by_role("link", name="Data")).to_be_visible()
    expect(page.locator("[class*='st-key-k_box-'] input")).to_have_value("9")
    no_traceback(page)


def test_moving_k_moves_the_figures_and_the_address(site, page):
    page.goto(f"{site}/explore?data=tarragona&k=5")
    ready(page, 5)
    before = figure(page, "IL")
    page.locator("[class*='st-key-k-'] input[type=range]").press("ArrowRight")
    ready(page, 6)
    assert figure(page, "IL") != before
    assert "k=6" in page.url


def test_settings_survive_another_page_and_a_reload(site, page):
    page.goto(f"{site}/explore?data=tarragona&k=5")
    ready(page, 5)
    page.locator("[class*='st-key-k-'] input[type=range]").press("ArrowRight")
    ready(page, 6)
    page.get_by_role("link", name="Data").click()
    expect(page.get_by_text("Ready:")).to_be_visible()
    page.get_by_role("link", name="Explore").click()
    ready(page, 6)
    page.reload()
    ready(page, 6)


def test_an_uploaded_file_is_protected_and_saved_as_the_command_line_would(site, page, tmp_path: Path):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    original = tmp_path / "people.csv"
    original.write_text(PEOPLE, encoding="utf-8")

    page.goto(site)
    page.locator("input[type=file]").set_input_files(original)
    expect(page.get_by_text("80 records to release, 2 attributes to protect")).to_be_visible()
    page.get_by_role("button", name="Explore").click()
    ready(page, 5)
    page.locator("[class*='st-key-k-'] input[type=range]").press("ArrowRight")
    ready(page, 6)
    file, plan = saved(page, "Save file", tmp_path), saved(page, "Save plan", tmp_path)
    no_traceback(page)

    made = by_command(original, plan, tmp_path)
    assert file.read_bytes() == made
    assert b"Person" not in made

    hosts = {urlsplit(url).hostname for url in asked if not url.startswith(("data:", "blob:"))}
    assert hosts == {"localhost"}


def test_after_a_reload_an_upload_is_asked_for_by_name_and_its_settings_on_request(
    site, page, tmp_path: Path
):
    original = tmp_path / "people.csv"
    original.write_text(PEOPLE, encoding="utf-8")
    page.goto(f"{site}/explore?data=file:people.csv&k=7")
    expect(page.get_by_text("These settings belong to")).to_contain_text("people.csv")
    page.locator("input[type=file]").set_input_files(original)
    page.get_by_role("button", name="Use what the link says").click()
    ready(page, 7)
    no_traceback(page)
