"""A value has one owner: controls are drawn by `microagg.ui.components.widgets`, and none is written to."""

from __future__ import annotations

import ast
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from microagg.ui.components import page_choices, widgets

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "app.py", *(ROOT / "pages").glob("*.py"), *(ROOT / "microagg/ui").rglob("*.py")]
STATEFUL = {
    "audio_input", "camera_input", "chat_input", "checkbox", "color_picker", "data_editor", "date_input",
    "datetime_input", "feedback", "file_uploader", "multiselect", "number_input", "pills", "radio",
    "segmented_control", "select_slider", "selectbox", "slider", "tabs", "text_area", "text_input",
    "time_input", "toggle",
}  # fmt: skip
OUR_MODULES = {file.stem for file in PAGES}
OWNERS = {"bind", "persist_state"}
"""What makes Streamlit own a value."""


def faults(source: str) -> list[str]:
    """What a page does that only `widgets` may do, with its line."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = ast.unparse(node.func.value).split(".")[0]
            if node.func.attr in STATEFUL and owner not in OUR_MODULES:
                found.append(f"{node.lineno}: {ast.unparse(node.func)}")
            found += [f"{node.lineno}: {word.arg}" for word in node.keywords if word.arg in OWNERS]
        targets = node.targets if isinstance(node, ast.Assign) else []
        for target in targets:
            if isinstance(target, ast.Subscript) and ast.unparse(target.value).endswith("session_state"):
                key = target.slice
                job = isinstance(key, ast.JoinedStr) and ast.unparse(key).startswith(("f'job-", "f'wanted-"))
                found += [] if job else [f"{target.lineno}: {ast.unparse(target)}"]
    return found


@pytest.mark.parametrize(
    "source",
    [
        "st.slider('k')",
        "left.toggle('on')",
        "st.session_state['k'] = 5",
        "st.session_state[key] = value",
        "widgets.slider(place, 'k', bind='query-params')",
    ],
)
def test_a_page_that_draws_or_writes_a_widget_itself_is_found(source: str) -> None:
    assert faults(source)


def test_pages_draw_their_controls_through_one_module() -> None:
    found = {
        str(file.relative_to(ROOT)): faults(file.read_text(encoding="utf-8"))
        for file in PAGES
        if file.name != "widgets.py"
    }
    assert {file: faulty for file, faulty in found.items() if faulty} == {}


def test_a_choice_that_is_refused_is_not_shown() -> None:
    def page() -> None:
        import streamlit as st

        from microagg.ui.components import widgets
        from microagg.ui.state import session

        session.begin("")

        def take(value: int) -> None:
            if value < 5:
                st.session_state.ours = value

        now = st.session_state.setdefault("ours", 1)
        widgets.slider(widgets.Place("ours", now, take), "Ours", 0, 9, 1)
        if st.button("Other"):
            take(3)
            st.rerun()

    driver = AppTest.from_function(page).run()
    first = driver.slider[0].key
    driver.slider[0].set_value(4).run()
    assert (driver.slider[0].value, driver.slider[0].key) == (4, first)
    driver.slider[0].set_value(7).run()
    assert (driver.slider[0].value, driver.slider[0].key == first) == (4, False)
    driver.button[0].click().run()
    assert driver.slider[0].value == 3


def test_what_an_older_widget_sends_counts_and_the_newer_shows_it() -> None:
    def page() -> None:
        from microagg.ui.components import widgets
        from microagg.ui.state import session

        session.begin("")
        widgets.slider(widgets.setting("k"), "k", 2, 50, 1)

    driver = AppTest.from_function(page).run()
    held = driver.session_state["controls"].held["k"]
    old = held.key
    driver.session_state["settings"] = driver.session_state["settings"].replace(k=20)
    driver.run()
    assert driver.slider[0].value == 20
    controls = driver.session_state["controls"]
    assert controls.held["k"].key != old
    assert controls.held["k"].shown == 20


def test_what_a_widget_was_made_with_is_no_change_though_the_browser_sends_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The box beside the slider did that in bursts of keys, and undid them."""
    taken: list[int] = []
    place = widgets.Place("k_box", 7, taken.append)
    old, new = widgets._Held("k_box-1", (), 5, 5), widgets._Held("k_box-2", (), 7, 7)
    monkeypatch.setattr(widgets, "st", SimpleNamespace(session_state={"k_box-1": 5, "k_box-2": 7}))
    for held in (old, new):
        widgets._taken(place, held, int)
    assert taken == []
    widgets.st.session_state["k_box-1"] = 9
    widgets._taken(place, old, int)
    assert (taken, old.shown, new.shown) == ([9], 9, 7)


@pytest.mark.parametrize(
    ("kind", "value", "wrong"),
    [
        (page_choices.whole(2, 9), 7, ["1", "10", "x", "3.5", ""]),
        (page_choices.number(0.0, 1.0), 0.35, ["-1", "nan", "inf", "2", "x"]),
        (page_choices.perhaps(page_choices.number(0.0)), None, ["x", "-3"]),
        (page_choices.one_of(["a", "b"]), "b", ["c", ""]),
        (page_choices.some_of([0.0, 0.1, 0.2]), (0.2, 0.0), ["0.3", "0.1~0.1", "0.1,0.2"]),
        (page_choices.some_of(["a"]), (), ["b"]),
        (page_choices.switch(), True, ["true", "1"]),
        (page_choices.span(2, 30), (3, 12), ["12-3", "1-5", "3-31", "3", "a-b"]),
        (page_choices.among(range(5)), 4, ["5", "-1", "x"]),
    ],
)
def test_choices_come_back_from_their_text_and_nothing_else_does(
    kind: page_choices.Kind, value: object, wrong: list[str]
) -> None:
    assert kind.read(kind.write(value)) == value
    assert [text for text in wrong if not refused(kind, text)] == []


def refused(kind: page_choices.Kind, text: str) -> bool:
    try:
        kind.read(text)
    except ValueError:
        return True
    return False


def test_a_table_is_taken_with_all_that_was_done_in_it() -> None:
    from microagg.ui.components.widgets import _edited

    frame = pd.DataFrame({"a": ["1", "2", "3"], "b": ["x", "y", "z"]})
    edits = {"edited_rows": {1: {"a": "9"}}, "deleted_rows": [0], "added_rows": [{"b": "new"}]}
    table = _edited(frame, edits).astype("object")
    assert table.where(table.notna(), None).to_numpy().tolist() == [["9", "y"], ["3", "z"], [None, "new"]]
    assert frame["a"].tolist() == ["1", "2", "3"]
