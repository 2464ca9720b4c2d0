"""How long a slider takes in a real browser: ``python -m tests.benchmarks.browser``.

Starts the dashboard on a free port, opens Explore in Chromium, moves k by a key and waits until the seven figures
and every chart are those of the new k. Printed per data set: median and 95th percentile over the moves, and the
same for a page with no chart and no computation, which is Streamlit's own floor on this machine.
"""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from tests.browser.served import chromium, served

if TYPE_CHECKING:
    from playwright.sync_api import Page

CASES = {
    "Census, 13 attributes protected": "data=census&roles=qqqqqqqqqqqqq",
    "Census, 6 protected, 7 confidential": "data=census",
    "Tarragona, 6 protected, 7 confidential": "data=tarragona",
    "EIA, 11 attributes protected": "data=eia",
}
MOVES = 24

# Resolves when the page has shown k for four frames: figures' title and the map's current point, nothing stale.
SETTLED = """async (k) => {
  const frame = () => new Promise(requestAnimationFrame);
  let calm = 0;
  while (calm < 4) {
    await frame();
    const title = document.querySelector('.st-key-figures')?.innerText ?? '';
    const running = document.querySelector('[data-testid="stStatusWidget"]');
    const stale = document.querySelector('[data-stale="true"]');
    const state = document.querySelector('[data-testid="stApp"]')?.getAttribute('data-test-script-state');
    calm = title.includes('of ' + k) && !running && !stale && state === 'notRunning' ? calm + 1 : 0;
  }
}"""


def latencies(page: Page, moves: int) -> list[float]:
    """Seconds from the key that moves the slider to the settled page, for each move."""
    slider = page.locator(".st-key-k input[type=range]")
    k, found = int(slider.get_attribute("value") or 5), []
    for move in range(moves + 3):
        began = time.perf_counter()
        slider.press("ArrowRight")
        k += 1
        page.evaluate(SETTLED, k)
        if move >= 3:
            found.append(time.perf_counter() - began)
        time.sleep(0.25)
    return found


def main() -> None:
    """Print the table."""
    with served() as address, sync_playwright() as playwright, chromium(playwright) as browser:
        print(f"{'data':42}{'median':>10}{'p95':>10}   seconds, {MOVES} moves of k")
        for name, query in CASES.items():
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(f"{address}/explore?{query}&method=mdav&k=5")
            page.evaluate(SETTLED, 5)
            time.sleep(3)
            found = sorted(latencies(page, MOVES))
            p95 = found[min(len(found) - 1, round(0.95 * len(found)))]
            print(f"{name:42}{statistics.median(found):>10.3f}{p95:>10.3f}")
            page.close()


if __name__ == "__main__":
    main()
