"""What the page saves, and the same made by the command line."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from tests.browser.served import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page


def saved(page: Page, button: str, folder: Path) -> Path:
    """Press a button that saves a file, and give the file."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button, exact=True).click()
    target = folder / download.value.suggested_filename
    download.value.save_as(target)
    return target


def by_command(original: Path | str, plan: Path, folder: Path) -> bytes:
    """What the command line makes of a file, or of a bundled data set, by a plan."""
    out = folder / "by_command.csv"
    command = [sys.executable, "-c", "from microagg.cli import main; main()", "protect", str(original)]
    subprocess.run([*command, "--plan", str(plan), "--out", str(out)], check=True, cwd=ROOT)
    return out.read_bytes()
