"""What a link says of a file that is not open yet is asked before it touches the file."""

from __future__ import annotations

import pandas as pd
import pytest

from microagg.model.microdata import Microdata
from microagg.ui.shell.link_offers import told
from microagg.ui.state.settings import Settings, read_query
from tests.ui.conftest import Opened, address, said

NAMES = ["Ana", "Ben", "Cleo", "Dora", "Emil", "Fritz", "Greta", "Hugo", "Ida", "Jan"]
PEOPLE = "name,age,wage\n" + "".join(f"{name},{20 + i},{900 + 7 * i}\n" for i, name in enumerate(NAMES))
LINK = {"data": "file:people.csv", "roles": "oqc", "k": "2"}


def uploaded(opened: Opened, **query: str):
    page = opened("data", **query)
    assert {name: address(page)[name] for name in query} == query
    return page.file_uploader(key="file_again").upload("people.csv", PEOPLE.encode(), "text/csv").run()


def released(page) -> list[str]:
    page.switch_page("pages/release.py").run()
    assert not page.exception
    return [name for table in page.dataframe for name in map(str, table.value.to_numpy().ravel())]


def test_a_link_touches_no_upload_before_it_was_asked(opened: Opened) -> None:
    page = uploaded(opened, **LINK)
    assert page.session_state["settings"].roles == ""
    assert page.session_state["settings"].k == 5
    text = said(page)
    assert "Column name: Other (released as it is), guessed Identifier" in page.error[0].value.replace(
        "\\", ""
    )
    assert "k, the smallest group: 2" in page.error[0].value.replace("\\", "")
    assert "Ready" not in text
    for stem in ("explore", "release", "compare", "attack", "use", "dependence", "data"):
        page.switch_page(f"pages/{stem}.py").run()
        assert page.button(key="offer_use").label == "Use what the link says", stem
        assert page.session_state["settings"].roles == ""


def test_the_guess_is_where_one_starts_and_the_link_is_gone(opened: Opened) -> None:
    page = uploaded(opened, **LINK)
    page.button(key="offer_leave").click().run()
    assert not page.exception
    assert "roles" not in address(page)
    assert address(page)["k"] == "5"
    assert "name: identifier" in said(page).lower() or "left out" in said(page)


def test_a_link_that_is_wanted_counts_and_can_be_undone(opened: Opened) -> None:
    page = uploaded(opened, **LINK)
    page.button(key="offer_use").click().run()
    assert (address(page)["roles"], address(page)["k"]) == ("oqc", "2")
    page.switch_page("pages/release.py").run()
    assert "name looks like an identifier and is released" in said(page)
    assert [past.roles for past in page.session_state["past"]] == [""]


def test_nothing_is_asked_where_the_link_sets_nothing(opened: Opened) -> None:
    page = uploaded(opened, data="file:people.csv")
    assert not [button for button in page.button if button.key == "offer_use"]
    assert page.session_state["settings"].k == 5


def test_another_file_than_the_links_is_untouched_by_it(opened: Opened) -> None:
    page = opened("data", **LINK)
    page.file_uploader(key="file_again").upload("others.csv", PEOPLE.encode(), "text/csv").run()
    assert page.session_state["settings"] == Settings(data="file:others.csv", k=5)
    assert not [button for button in page.button if button.key == "offer_use"]


def test_k_of_a_link_to_a_bundled_set_does_not_reach_an_upload(opened: Opened) -> None:
    page = opened("data", data="tarragona", k="2", keep_identifiers="True", knowledge="up-to:1")
    page.file_uploader(key="file").upload("people.csv", PEOPLE.encode(), "text/csv").run()
    assert page.session_state["settings"] == Settings(data="file:people.csv", k=5)


def test_back_to_an_address_that_was_declined_asks_again(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    from microagg.ui.state import address as browser

    page = uploaded(opened, **LINK)
    page.button(key="offer_leave").click().run()
    monkeypatch.setattr(browser, "went", lambda: True)
    for name, value in LINK.items():
        page.query_params[name] = value
    page.run()
    assert page.session_state["settings"].roles == ""
    assert page.button(key="offer_use").label


def test_back_to_what_this_visit_had_set_itself_asks_nothing(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    from microagg.ui.state import address as browser

    page = opened("data", data="tarragona")
    page.file_uploader(key="file").upload("people.csv", PEOPLE.encode(), "text/csv").run()
    page.switch_page("pages/explore.py").run()
    page.slider(key="k").set_value(3).run()
    page.slider(key="k").set_value(4).run()
    monkeypatch.setattr(browser, "went", lambda: True)
    page.query_params["k"] = "3"
    page.run()
    assert page.session_state["settings"].k == 3
    assert not [button for button in page.button if button.key == "offer_use"]


GUESSED = {
    "who": "identifier",
    "house": "unit",
    "age": "quasi_identifier",
    "ill": "confidential",
    "x": "undecided",
}
DATA = Microdata.from_frame(
    pd.DataFrame({name: range(8) for name in GUESSED}).assign(ill=list("abababab")), roles=GUESSED
)


@pytest.mark.parametrize(
    ("part", "text", "weak", "said_of_it"),
    [
        ("roles", "ohqcu", True, "Column who: Other"),
        ("roles", "iqqcu", True, "Column house: Quasi-identifier"),
        ("roles", "ihocu", True, "Column age: Other"),
        ("roles", "ihqou", True, "Column ill: Other"),
        ("roles", "ihqco", True, "Column x: Other"),
        ("roles", "ihqqu", False, "Column ill: Quasi-identifier (protected)"),
        ("roles", "oq", False, "Roles of 2 columns, where this file has 5"),
        ("scales", "nnnnn", False, "Column age: Nominal, guessed Continuous"),
        ("k", "2", True, "k, the smallest group: 2"),
        ("k", "9", False, "k, the smallest group: 9"),
        ("keep_identifiers", "True", True, "Identifiers stay in the released file"),
        ("blocks", "single", True, "Blocks: single"),
        ("accept", '{"0": "Nobody knows it."}', True, "who (“Nobody knows it.”)"),
        ("knowledge", "up-to:1", True, "What the intruder knows: up-to:1"),
        ("shuffle", "3", False, "Seed of the shuffled rows: 3"),
        ("codes", "*:-999;3:b", False, "every column: -999; ill: b"),
        ("orders", "3:1.0", False, "ill: b < a"),
        ("missing", "drop", False, "Records that miss a value: drop"),
        ("weighted", "True", False, "Centroids are weighted"),
    ],
)  # fmt: skip
def test_each_setting_is_told_in_words_those_that_weaken_first(
    part: str, text: str, weak: bool, said_of_it: str
) -> None:
    link, complaints = read_query({"data": "file:x.csv", part: text})
    assert not complaints
    lines = told(DATA, link)
    assert any(said_of_it in line for line in lines[not weak])
    assert not weak or not lines[1] or part == "roles"


def test_every_setting_has_words() -> None:
    from dataclasses import fields

    from microagg.ui.shell.link_offers import _TITLES

    assert {f.name for f in fields(Settings)} == {"data", "roles", "scales", *_TITLES}
