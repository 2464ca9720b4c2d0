"""Plan files that somebody else wrote, opened on the page: taken, or one sentence, and nothing is lost."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings

from microagg.model.plan import Plan
from tests.fuzz.plans import assert_sentence, strange_plans
from tests.ui.conftest import address
from tests.ui.test_markup import raw

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest

    from tests.ui.conftest import Opened

LONG = "9" * 5_000
BAD = {
    "no text": b"\xff\xfe\x00\x01" * 50,
    "empty": b"",
    "brackets": b"[" * 100_000,
    "braces": b'{"options":' * 50_000,
    "method is a list": b'{"method": []}',
    "method is markup": b'{"method": "<script>alert(1)</script>"}',
    "option is markup": b'{"method": "mdav", "options": {"[x](javascript:go)": 1}}',
    "field is markup": b'{"![i](http://h.org)": 1}',
    "columns of lists": b'{"columns": [[1]]}',
    "columns of nobody": b'{"columns": ["![i](http://h.org)"]}',
    "role of nobody": b'{"roles": {"<img src=x>": "other"}}',
    "k of many digits": f'{{"k": {LONG}}}'.encode(),
    "k without end": b'{"k": 1e999}',
    "rounds without end": b'{"method": "mdav", "refine": 100000000000000000000}',
    "block of nobody": b'{"blocks": [["nobody"]]}',
    "said twice": b'{"k": 3, "k": 5}',
    "half a letter": b'{"columns": ["\\ud800"]}',
    "a million lines": b'{"method": "' + b"\\n" * 400_000 + b'"}',
    "codes of nothing": b'{"missing_codes": {"*": [{}]}}',
}


@pytest.fixture
def page(opened: Opened) -> AppTest:
    return opened("data", data="survey", k="7", method="vmdav")


def opened_plan(page: AppTest, content: bytes) -> AppTest:
    """The page after a plan file was chosen."""
    page.file_uploader(key="plan_file").upload("plan.json", content, "application/json").run()
    return page


def unescaped(text: str) -> str:
    """What one reads of a text that is shown as it is."""
    return re.sub(r"\\(.)", r"\1", text)


@pytest.mark.parametrize("content", BAD.values(), ids=BAD)
def test_a_plan_that_cannot_be_meant_is_one_sentence_and_nothing_is_lost(
    page: AppTest, content: bytes
) -> None:
    before, columns = address(page), page.session_state["settings"]
    opened_plan(page, content)
    assert not page.exception
    (error,) = page.error
    assert_sentence(unescaped(error.value))
    assert not raw(page), raw(page)
    assert address(page) == before
    assert page.session_state["settings"] == columns


def test_a_good_plan_is_taken_after_a_bad_one(page: AppTest) -> None:
    opened_plan(page, b"[" * 100_000)
    opened_plan(page, json.dumps({"method": "mdav", "k": 9}).encode())
    assert not page.error
    assert (address(page)["k"], page.session_state["settings"].method) == ("9", "mdav")


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=strange_plans())
def test_any_plan_is_taken_or_one_sentence(opened: Opened, text: str) -> None:
    page = opened("data", data="survey", k="7")
    before = address(page)
    opened_plan(page, text.encode("utf-8", "surrogatepass"))
    assert not page.exception
    for error in page.error:
        assert_sentence(unescaped(error.value))
    if address(page) != before:  # it was taken; what these data cannot do is said
        assert page.session_state["settings"].k == Plan.from_json(text).k
