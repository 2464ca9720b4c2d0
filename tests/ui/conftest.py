"""The dashboard without a browser: pages run in Streamlit's own test driver."""

from __future__ import annotations

import base64
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import ElementList

from microagg.ui.explore import runs
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
Opened = Callable[..., AppTest]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Explore wait for its runs: there is no browser here that would come back for them."""
    monkeypatch.setattr(runs, "AT_ONCE", PATIENCE)


@pytest.fixture(autouse=True)
def own_main(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the main module back that the driver replaces by the page: processes begun later would run that."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


@pytest.fixture(autouse=True)
def by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Find a control by its name: its key has a number behind it, which rises."""

    def find(elements: ElementList, key: str) -> object:
        for element in elements:
            held = getattr(element, "key", None) or ""
            if held == key or re.fullmatch(re.escape(key) + r"-\d+", held):
                return element
        raise KeyError(key)

    monkeypatch.setattr(ElementList, "__call__", find)


@pytest.fixture
def opened() -> Opened:
    """Open a page by its stem, as an address with these settings would."""

    def open_page(page: str, **query: str) -> AppTest:
        driver = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE)
        for name, value in query.items():
            driver.query_params[name.replace("__", ".")] = value
        driver.run()
        if page != "data":
            driver.switch_page(f"pages/{page}.py").run()
        assert not driver.exception, driver.exception
        return driver

    return open_page


def choose(driver: AppTest, page: str, **chosen: str) -> AppTest:
    """The page after something was chosen that the driver cannot press: a tab, a row of a table."""
    driver.session_state["choices"].setdefault(page, {}).update(chosen)
    return driver.run()


def figures(driver: AppTest) -> dict[str, str]:
    """The figures at the top of Explore by their titles."""
    return {metric.label: metric.value for metric in driver.metric}


def said(driver: AppTest) -> str:
    """All captions, messages and errors of a page in one text."""
    parts = [*driver.caption, *driver.error, *driver.warning, *driver.info, *driver.success, *driver.markdown]
    return "\n".join(part.value for part in parts).replace("\\", "").replace("\N{WORD JOINER}", "")


def address(driver: AppTest) -> dict[str, str]:
    """The settings that the address carries."""
    held = {name: driver.query_params[name] for name in driver.query_params}
    return {name: value if isinstance(value, str) else value[-1] for name, value in held.items()}


def numbers(coded: Any) -> list[float]:
    """The numbers of a trace, however they were sent."""
    if isinstance(coded, list):
        return coded
    return np.frombuffer(base64.b64decode(coded["bdata"]), dtype=coded["dtype"]).tolist()
