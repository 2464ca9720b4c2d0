"""Every test here has a server and a window of its own kind, and is skipped where there is no browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.served import CHROMIUM, WAIT, chromium, served

if TYPE_CHECKING:
    from collections.abc import Iterator


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    missing = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"Chromium is not installed at {CHROMIUM}")
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(missing)


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """The address of a server that no other file of tests has used."""
    with served() as address:
        yield address


@pytest.fixture
def page() -> Iterator[Page]:
    """An empty page of a browser that no other test has used."""
    with sync_playwright() as playwright, chromium(playwright) as browser:
        opened = browser.new_page(viewport={"width": 1440, "height": 900})
        opened.set_default_timeout(WAIT)
        expect.set_options(timeout=WAIT)
        yield opened
