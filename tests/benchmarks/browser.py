"""How long a slider takes in a real browser: ``python -m tests.benchmarks.browser``.

Starts the dashboard on a free port, opens Explore in Chromium, moves k by a key and waits twice: until the
seven figures are those of the new k (seen), and until every chart is drawn, the λ curve included, and the
page is at rest (settled). Printed per data set: median and 95th percentile over the moves.
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
    "EIA, 11 attributes protected": "data=eia",
}
MOVES = 22

SEEN = """async (k) => {
  const shows = () => (document.querySelector('.st-key-figures')?.innerText ?? '').includes('of ' + k);
  while (!shows()) await new Promise(requestAnimationFrame);
}"""

# At rest for four frames: no script runs, nothing is stale.
SETTLED = """async () => {
  let calm = 0;
  while (calm < 4) {
    await new Promise(requestAnimationFrame);
    const app = document.querySelector('[data-testid="stApp"]');
    const rests = app?.getAttribute('data-test-script-state') === 'notRunning';
    calm = rests && !document.querySelector('[data-stale="true"]') ? calm + 1 : 0;
  }
}"""


def latencies(page: Page, moves: int) -> tuple[list[float], list[float]]:
    """Seconds from the key that moves the slider until the figures are seen, and until all has settled."""
    slider = page.locator(".st-key-k input[type=range]")
    k = int(slider.get_attribute("value") or 5)
    seen, settled = [], []
    for move in range(moves + 3):
        began = time.perf_counter()
        slider.press("ArrowRight")
        k += 1
        page.evaluate(SEEN, k)
        first = time.perf_counter() - began
        page.evaluate(SETTLED)
        if move >= 3:
            seen.append(first)
            settled.append(time.perf_counter() - began)
        time.sleep(0.25)
    return seen, settled


def spread(found: list[float]) -> str:
    """Median and 95th percentile as text."""
    ordered = sorted(found)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
    return f"{statistics.median(ordered):>9.3f}{p95:>9.3f}"


def main() -> None:
    """Print the table."""
    with served() as address, sync_playwright() as playwright, chromium(playwright) as browser:
        print(
            f"seconds over {MOVES} moves of k {'seen: median':>24}{'p95':>9}{'settled: median':>18}{'p95':>9}"
        )
        for name, query in CASES.items():
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.set_default_timeout(120_000)
            page.goto(f"{address}/explore?{query}&method=mdav&k=5")
            page.evaluate(SEEN, 5)
            page.evaluate(SETTLED)
            time.sleep(3)
            seen, settled = latencies(page, MOVES)
            print(f"{name:42}{spread(seen)}{'':9}{spread(settled)}", flush=True)
            page.close()


if __name__ == "__main__":
    main()
