"""Addresses that somebody else wrote: settings or a sentence, at once and never a traceback."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings

from microagg.errors import PlanError
from microagg.io.datasets import load_dataset
from microagg.measures.knowledge import Knowledge
from microagg.preparation.blocks import parse
from microagg.ui.state import column_codes
from microagg.ui.state.settings import LONGEST, Settings, read_query
from tests.fuzz.addresses import strange_addresses, try_address

if TYPE_CHECKING:
    from tests.ui.conftest import Opened

LONG = "9" * 5_000
BAD = [
    {"refine": "1" + "0" * 20},
    {"codes": "²:1"},
    {"codes": f"{LONG}:1"},
    {"accept": '{"²": "x"}'},
    {"accept": "[" * 50_000},
    {"seed": LONG},
    {"shuffle": LONG},
    {"k": LONG},
    {"k": "1" + "0" * 25},
    {"lam": LONG},
    {"knowledge": f"sets:{LONG}"},
    {"knowledge": f"up-to:{LONG}"},
    {"blocks": f"contiguous:{LONG}"},
    {"method": LONG},
    {"roles": LONG},
    {"orders": "1:" + "0.1;" * LONGEST},
    {"method": "pcp", "option.direction": LONG},
]


@pytest.mark.parametrize("query", BAD, ids=lambda query: "-".join(query))
def test_what_cannot_be_meant_is_said_in_one_short_sentence(query: dict[str, str]) -> None:
    read, complaints = read_query(query)
    name = next(name for name in query if name != "method" or len(query) == 1)
    if not name.startswith("option"):
        assert getattr(read, name) == getattr(Settings(), name)
        assert len(complaints) == 1
    assert all(len(complaint) < 300 for complaint in complaints)
    try_address(query)


@pytest.mark.parametrize(
    "query", [{"orders": f"1:{LONG}"}, {"orders": "²:1.0"}, {"blocks": f"hand:{LONG}.²-0"}]
)
def test_positions_that_no_file_has_are_no_traceback(query: dict[str, str]) -> None:
    try_address(query | {"data": "survey"})


def test_so_many_orders_are_read_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    known = column_codes.categories
    monkeypatch.setattr(column_codes, "categories", lambda *of: asked.append(of) or known(*of))
    data = load_dataset("survey")
    column_codes.read_orders("0:1.0;" * 50_000, data)
    assert len(asked) <= len(data.attributes)


@pytest.mark.parametrize("text", [f"sets:{LONG}", f"sets:0+{LONG}", f"sample:{LONG}", f"up-to:{LONG}"])
def test_knowledge_of_thousands_of_digits_is_refused(text: str) -> None:
    with pytest.raises(PlanError) as told:
        Knowledge.parse(text)
    assert len(str(told.value)) < 300


def test_a_size_of_blocks_of_thousands_of_digits_is_refused() -> None:
    with pytest.raises(PlanError) as told:
        parse(f"apart:{LONG}")
    assert len(str(told.value)) < 300


@pytest.mark.parametrize(
    "query",
    [{"codes": "²:1"}, {"orders": f"1:{LONG}"}, {"refine": "1" + "0" * 20}, {"seed": LONG, "x" * 5_000: "1"}],
    ids=lambda query: next(iter(query)),
)
def test_a_page_draws_whatever_the_address_says(opened: Opened, query: dict[str, str]) -> None:
    page = opened("data", data="survey", **query)
    assert "Something is broken" not in " ".join(error.value for error in page.error)
    assert all(len(toast.value) < 600 for toast in page.toast)


@settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(strange_addresses())
def test_any_address_is_settings_or_sentences(query: dict[str, str]) -> None:
    try_address(query)
