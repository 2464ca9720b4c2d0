"""Each page's address holds what is set on it: it comes back from there, and waits while others are open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from microagg.lessons.example import SEED
from tests.ui.conftest import Opened, address, said

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest

SET = [
    ("lessons", "radio", "lesson", "kward", "lesson", "kward"),
    ("lessons", "slider", "lesson_k", 4, "lesson_k", "4"),
    ("lessons", "slider", "lesson_step", 5, "lesson_step", "5"),
    ("lessons", "number_input", "lesson_seed", 8, "lesson_seed", "8"),
    ("lessons", "number_input", "lesson_count", 20, "lesson_count", "20"),
    ("papers", "selectbox", "paper", "modeling-projections", "paper", "modeling-projections"),
    ("compare", "slider", "grid_k", (4, 9), "grid_k", "4-9"),
    ("compare", "multiselect", "grid_methods", ["mdav", "pcp"], "grid_methods", "mdav~pcp"),
    ("compare", "multiselect", "grid_lam", [0.0, 0.5], "grid_lam", "0.0~0.5"),
    ("compare", "number_input", "wish_dr", 20.0, "wish_dr", "20"),
    ("compare", "number_input", "wish_dld", 10.0, "wish_dld", "10"),
    ("compare", "slider", "wish_loss", 30, "wish_loss", "30"),
    ("dependence", "slider", "along_steps", 5, "along_steps", "5"),
    ("attack", "selectbox", "attack_direction", "original to protected", "attack_direction",
     "original to protected"),
    ("attack", "selectbox", "attack_width", "value", "attack_width", "value"),
    ("attack", "slider", "attack_loss", 70, "attack_loss", "70"),
    ("attack", "number_input", "attack_size", 2, "knowledge", "up-to:2"),
    ("use", "selectbox", "use_model", "forest", "use_model", "forest"),
    ("use", "number_input", "use_folds", 3, "use_folds", "3"),
    ("release", "selectbox", "leave_format", "parquet", "leave_format", "parquet"),
    ("release", "toggle", "shuffled", True, "shuffle", "drawn"),
    ("explore", "slider", "lam", 0.35, "lam", "0.35"),
]  # fmt: skip

SETTINGS = {"knowledge", "lam", "shuffle"}
"""Those of SET that belong to every page; the others wait until their own page is open again."""


def control(page: AppTest, kind: str, name: str) -> object:
    value = getattr(page, kind)(key=name).value
    return list(value) if isinstance(value, list) else value


@pytest.mark.parametrize(("stem", "kind", "name", "value", "param", "text"), SET)
def test_what_is_set_stands_in_the_address_and_comes_back_from_it(
    opened: Opened, stem: str, kind: str, name: str, value: object, param: str, text: str
) -> None:
    page = opened(stem, data="survey", k="3") if stem != "papers" else opened(stem)
    getattr(page, kind)(key=name).set_value(value).run()
    assert not page.exception
    if text == "drawn":
        text = address(page)[param]
    assert address(page)[param] == text
    assert control(page, kind, name) == value
    other = "use" if stem != "use" else "release"
    page.switch_page(f"pages/{other}.py").run()
    assert (param in address(page)) == (param in SETTINGS)
    page.switch_page(f"pages/{stem}.py").run()
    assert control(page, kind, name) == value
    assert address(page)[param] == text


@pytest.mark.parametrize(
    ("stem", "param", "text", "kind", "name", "default"),
    [
        ("use", "use_folds", "1", "number_input", "use_folds", 5),
        ("lessons", "lesson", "alchemy", "radio", "lesson", "mdav"),
        ("lessons", "lesson_seed", "x", "number_input", "lesson_seed", SEED),
        ("lessons", "lesson_step", "-3", "slider", "lesson_step", 1),
        ("lessons", "lesson_step", "abc", "slider", "lesson_step", 1),
        ("attack", "attack_loss", "101", "slider", "attack_loss", 50),
        ("release", "leave_format", "stone", "selectbox", "leave_format", "csv"),
        ("compare", "grid_k", "9-3", "slider", "grid_k", (3, 12)),
        ("compare", "map_data", "3", "slider", "grid_k", (3, 12)),
    ],
)
def test_what_an_address_cannot_mean_is_said_and_left_at_its_default(
    opened: Opened, stem: str, param: str, text: str, kind: str, name: str, default: object
) -> None:
    page = opened("data", data="survey", k="3")
    page.session_state["choices"][stem] = {param: text}
    page.switch_page(f"pages/{stem}.py").run()
    assert not page.exception
    assert control(page, kind, name) == default
    assert param not in address(page)
    assert any(
        param.replace("_", "") in toast.value.replace("\\", "").replace("_", "") for toast in page.toast
    )


def test_a_file_of_ones_own_is_shown_on_every_page_and_asked_for_after_a_reload(opened: Opened) -> None:
    page = opened("data", data="tarragona")
    rows = "".join(f"{20 + i * 7 % 40},{900 + i * 13 % 97}\n" for i in range(30))
    page.file_uploader(key="file").upload("mine.csv", f"age,rent\n{rows}".encode(), "text/csv").run()
    for stem in ("explore", "dependence", "compare", "attack", "use", "release", "data"):
        page.switch_page(f"pages/{stem}.py").run()
        assert not page.exception, stem
        name = "data_set" if stem == "data" else "data"
        assert page.selectbox(key=name).value == "file:mine.csv", stem
        assert address(page)["data"] == "file:mine.csv"
        assert not any("age" in text or "rent" in text for text in address(page).values())
    again = opened("explore", data="file:mine.csv")
    assert "These settings belong to mine.csv" in said(again).replace("*", "")


def test_one_visit_does_not_move_the_controls_of_another(opened: Opened) -> None:
    mine, theirs = opened("explore", data="survey", k="3"), opened("explore", data="survey", k="5")
    mine.slider(key="k").set_value(7).run()
    theirs.run()
    assert (theirs.slider(key="k").value, address(theirs)["k"]) == (5, "5")


def test_a_step_beyond_the_last_is_said(opened: Opened) -> None:
    page = opened("data", data="survey", k="3")
    page.session_state["choices"]["lessons"] = {"lesson_step": "99"}
    page.switch_page("pages/lessons.py").run()
    last = control(page, "slider", "lesson_step")
    assert f"There is no step 99: this lesson has {last}" in page.toast[0].value.replace("\\", "")
    assert address(page)["lesson_step"] == str(last)
