"""Release in a real browser: the walk to the end, downloads, and reports that ask nobody for anything."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.saving import by_command, saved
from tests.browser.served import ROOT

if TYPE_CHECKING:
    from pathlib import Path


def test_what_is_taken_home_is_checked_made_again_and_reported_on(site, page, tmp_path: Path) -> None:
    page.goto(f"{site}/explore?data=survey&k=3")
    expect(page.get_by_text("Actual k (asked: 3)", exact=True)).to_be_visible()
    page.get_by_role("link", name="Release").click()
    expect(page.get_by_text("checks are green")).to_be_visible()
    file, plan = saved(page, "Protected file", tmp_path), saved(page, "Plan", tmp_path)
    script = saved(page, "Script", tmp_path)
    reports = [saved(page, "Report", tmp_path), saved(page, "Public report", tmp_path)]
    inside, outside = (one.read_text(encoding="utf-8") for one in reports)
    assert "For the house only" in inside
    assert "Signature" in inside
    assert "May go with the file" in outside
    assert "Signature" not in outside
    expect(page.locator("[data-testid=stException]")).to_have_count(0)

    asked: list[str] = []
    reader = page.context.browser.new_page(viewport={"width": 1024, "height": 768})
    reader.on("request", lambda request: asked.append(request.url))
    trouble: list[str] = []
    reader.on("console", lambda message: trouble.append(message.text))
    for one in reports:
        reader.goto(one.as_uri())
        expect(reader.get_by_role("heading", level=1)).to_contain_text("survey")
        assert reader.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert len(reader.pdf(format="A4")) > 10_000
    assert {url for url in asked if not url.startswith("data:")} == {one.as_uri() for one in reports}
    assert trouble == []

    assert by_command("survey", plan, tmp_path) == file.read_bytes()
    again = [sys.executable, str(script), "survey", str(tmp_path / "third.csv")]
    subprocess.run(again, check=True, cwd=ROOT, env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin"})
    assert (tmp_path / "third.csv").read_bytes() == file.read_bytes()
