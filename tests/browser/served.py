"""The dashboard as a user has it: its own process, a free port, a real browser."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Playwright

ROOT = Path(__file__).parents[2]
CHROMIUM = Path("/usr/bin/chromium")
WAIT = 500 * PATIENCE
"""Milliseconds after which a page that has not done what it should has failed."""


@contextmanager
def served(seconds: float = PATIENCE) -> Iterator[str]:
    """Start the dashboard and give its address; it is stopped at the end."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
    process = subprocess.Popen(
        [*command, "--server.port", str(port), "--server.fileWatcherType", "none"],
        cwd=ROOT,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://localhost:{port}"
    try:
        _wait(f"{address}/_stcore/health", time.monotonic() + seconds)
        yield address
    finally:
        process.terminate()
        try:
            process.wait(timeout=120)
        except subprocess.TimeoutExpired:  # it waits for what it computes
            process.kill()
            process.wait()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        return int(free.getsockname()[1])


def _wait(address: str, until: float) -> None:
    while True:
        try:
            with urllib.request.urlopen(address, timeout=2) as answer:  # noqa: S310 - our own server
                if answer.status == 200:
                    return
        except OSError:
            if time.monotonic() > until:
                raise
        time.sleep(0.1)


@contextmanager
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """Open Debian's Chromium."""
    browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
    try:
        yield browser
    finally:
        browser.close()
